"""Variances, norms over dimensions, logarithms of sums of exponentials."""

import math
from typing import Any

import torch

from rows import FLOATS, Call, Case, Known, Rows, S, T
from rows.families import NINE
from rows.norms import numbers

X = numbers(self=(4, 37, 5))
ROW = T(shape=(2,))


def reduced(c_name: str, out: str, dim: str = "dim") -> tuple[Call, ...]:
    return (
        Call({}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({out: None}, 161001, f"{out} is null"),
        Call({"self": T("s32")}, 161002, f"{c_name}: self has dtype INT32"),
        Call({dim: (2,)}, 161002, f"{dim} has 2; expected -2 to 1, as self has 2 dimensions"),
        Call({out: T(shape=(3,))}, 161002, f"{out} has shape [3]; expected [2]"),
        Call({out: T("s32", (2,))}, 161002, f"{out} has dtype INT32; expected"),
    )


def spread(op: str, c_name: str, oracle: Any, outs: tuple[str, ...] = ("out",),
           name: str = "correction", values: tuple[Any, ...] = (1, 0, 3)) -> Rows:  # fmt: skip
    first, second, third = ({name: value} for value in (values * 2)[:3])
    return Rows(
        op=op,
        known=(),
        calls=reduced(c_name, outs[0]),
        plain={**dict.fromkeys(outs, ROW), "dim": (1,), name: values[0], "keepdim": False},
        cases=(
            Case(X, oracle, {"dim": [1], **first}),
            Case(X, oracle, {"dim": [0, 2], "keepdim": True, **second}, ("f32",)),
            Case(X, oracle, {**third}, ("f32",)),
            Case(numbers(self=(3, 1)), oracle, {"dim": [1], **first}, ("f32",)),
        ),
    )


def var(self: Any, dim: Any = (), unbiased: bool = True, keepdim: bool = False) -> Any:
    return torch.var(self, dim or None, correction=int(unbiased), keepdim=keepdim)


def var_mean(self: Any, dim: Any = (), correction: int = 1, keepdim: bool = False) -> Any:
    return torch.var_mean(self, dim or None, correction=correction, keepdim=keepdim)


def std_mean(self: Any, dim: Any = (), correction: int = 1, keepdim: bool = False) -> Any:
    return torch.std_mean(self, dim or None, correction=correction, keepdim=keepdim)


def norm(self: Any, p_scalar: float = 2.0, dim: Any = (), keep_dim: bool = False) -> Any:
    return torch.linalg.vector_norm(self, p_scalar, dim or None, keep_dim)


def vector_norm(self: Any, ord: float = 2.0, dim: Any = (), keepdim: bool = False) -> Any:
    return torch.linalg.vector_norm(self, ord, dim or None, keepdim)


ORDERS = (2.0, 1.0, 0.0, math.inf, -math.inf, 3.0, 0.5)
LIMITS = {"p": S(2.0), "dim": 0, "max_norm": S(1.0)}

ROWS = (
    spread("var", "aclnnVar", var, name="unbiased", values=(True, False)),
    spread("var_correction", "aclnnVarCorrection", lambda **given: var_mean(**given)[0]),
    spread("std", "aclnnStd", lambda **given: std_mean(**given)[0]),
    spread("var_mean", "aclnnVarMean", var_mean, ("var", "mean")),
    spread("std_mean_correction", "aclnnStdMeanCorrection", std_mean, ("std_out", "mean_out")),
    Rows(
        op="norm",
        known=(Known(([3, 4],), (5,), {}, ("f32", "f16")), Known(([math.nan, 1],), (math.nan,))),
        calls=reduced("aclnnNorm", "out"),
        plain={"out": ROW, "p_scalar": S(2.0), "dim": (1,), "keep_dim": False},
        cases=tuple(
            Case(X, norm, {"p_scalar": p, "dim": [1]}, ("f32", "bf16") if p == 2 else ("f32",))
            for p in ORDERS
        ),
    ),
    Rows(
        op="linalg_vector_norm",
        known=(),
        calls=reduced("aclnnLinalgVectorNorm", "out"),
        plain={"out": ROW, "ord": S(2.0), "dim": (1,), "keepdim": False, "dtype": -1},
        cases=(Case(X, vector_norm, {"ord": 3.0, "dim": [0, 2], "keepdim": True}),
               Case(X, vector_norm, {}, ("f32",))),
    ),
    Rows(
        op="log_sum_exp",
        known=(
            Known(
                ([[-math.inf] * 2, [math.inf, 0]],), ([-math.inf, math.inf],), {"dims": [1]}
            ),
            Known(([[math.nan, 1]],), ([math.nan],), {"dims": [1]}),
        ),
        calls=reduced("aclnnLogSumExp", "out", "dims"),
        plain={"out": ROW, "dims": (1,), "keepdim": False},
        cases=(Case(X, lambda self, dims: torch.logsumexp(self, dims), {"dims": [1]}),
               Case(X, lambda self, dims, keepdim: torch.logsumexp(self, dims, keepdim),
                    {"dims": [0, 2], "keepdim": True}, ("f32",))),
    ),
    Rows(
        op="renorm",
        known=(),
        calls=(
            Call({}),
            Call({"self": None}, 161001, "aclnnRenorm: self is null; expected a tensor"),
            Call({"self": T("s32")}, 161002, "self has dtype INT32"),
            Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
            Call({"self": T(shape=NINE), "out": T(shape=NINE)}, 161002, "self has 9 dimensions"),
            Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3]"),
        ),
        plain=LIMITS,
        cases=tuple(
            Case(numbers(self=(4, 37)), lambda self, p, dim, max_norm: torch.renorm(
                self, p, dim, max_norm), {"p": p, "dim": dim, "max_norm": 9.0}, dtypes)
            for p, dim, dtypes in ((2.0, 0, FLOATS), (1.0, -1, ("f32",)), (3.0, 1, ("f32",)))
        ),
    ),
    Rows(
        op="inplace_renorm",
        known=(),
        calls=(
            Call({}),
            Call({"self": None}, 161001, "aclnnInplaceRenorm: self is null; expected a tensor"),
            Call({"self": T("s32")}, 161002, "self has dtype INT32"),
        ),
        plain=LIMITS,
        cases=(
            Case(numbers(self=(4, 37)), lambda self, p, dim, max_norm: torch.renorm(
                self, p, dim, max_norm), {"p": 2.0, "dim": 0, "max_norm": 9.0}),
        ),
    ),
)  # fmt: skip
