"""Activations made of lines, and some of exponentials."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from rows import FLOATS, Call, Known, Rows, S, T
from rows.families import unary_rows

NAN, INF = math.nan, math.inf
LAMBD = {"lambd": S(0.5)}
LIMITS = {"clip_value_min": S(-1, "s64"), "clip_value_max": S(1, "s64")}


def sigmoid(x: torch.Tensor) -> torch.Tensor:
    """That is 0 only at -infinity: an infinite factor stays so before that."""
    return torch.sigmoid(torch.where((x < -700) & torch.isfinite(x), -700.0, x))


def swiglu(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    a, b = x.chunk(2, dim)
    return a * sigmoid(a) * b


ROWS = (
    *unary_rows(
        "hardtanh",
        Known(([-2, 0.5, 3, NAN],), ([-1, 0.5, 1, NAN],), dtypes=FLOATS),
        Known(([-7, 3],), ([-2, 2],), {"clip_value_min": -2, "clip_value_max": 2}, ("s8",)),
        twin=True,
        plain=LIMITS,
    ),
    *unary_rows(
        "hardshrink",
        Known(([-2, 0.5, -0.5, 0.75, NAN],), ([-2, 0, 0, 0.75, NAN],), dtypes=(*FLOATS, "f64")),
        oracle=lambda x, lambd=0.5: F.hardshrink(x, lambd),
        floats=True,
        edges=(0.5, -0.5),
        plain=LAMBD,
    ),
    *unary_rows(
        "softshrink",
        Known(([-2, 0.5, -0.25, 3, NAN],), ([-1.5, 0, -0.0, 2.5, NAN],), dtypes=(*FLOATS, "f64")),
        oracle=lambda x, lambd=0.5: F.softshrink(x, lambd),
        floats=True,
        edges=(0.5, -0.5),
        plain=LAMBD,
    ),
    *unary_rows(
        "shrink",
        Known(([-2, 0.5, 3, NAN],), ([-1.75, 0, 2.75, NAN],), {"bias": 0.25}, FLOATS),
        floats=True,
        plain={**LAMBD, "bias": S(0.0)},
    ),
    *unary_rows(
        "selu",
        Known(([0, -INF, INF, NAN],), ([0, -1.7580993, INF, NAN],), within=1e-6),
        oracle=lambda x: torch.where(
            x <= 0,
            torch.expm1(x) * (1.6732632423543772 * 1.0507009873554805),
            x * 1.0507009873554805,
        ),
        floats=True,
        twin=True,
    ),
    *unary_rows(
        "celu",
        Known(([0, -INF, 3, NAN],), ([0, -2, 3, NAN],), {"alpha": 2}, FLOATS),
        oracle=lambda x, alpha=1.0: torch.where(x <= 0, torch.expm1(x / alpha) * alpha, x),
        attributes=({}, {"alpha": 2.5}),
        floats=True,
        twin=True,
        calls=(Call({"alpha": None}, 161001, "alpha is null; expected a scalar"),),
        plain={"alpha": S(1.0)},
    ),
    *unary_rows(
        "squared_relu",
        Known(([-2, 0, 3, NAN, INF],), ([0, 0, 9, NAN, INF],), dtypes=FLOATS),
        oracle=lambda x: torch.relu(x) ** 2,
        floats=True,
    ),
    *unary_rows(
        "fast_gelu",
        Known(([0, -1000, 1000],), ([0, -0.0, 1000],), dtypes=FLOATS),
        oracle=lambda x: x * torch.sigmoid(x * 1.702),
        floats=True,
    ),
    *unary_rows(
        "mish",
        Known(([0, 1000, INF, -INF],), ([0, 1000, INF, NAN],), dtypes=FLOATS),
        oracle=lambda x: x * torch.tanh(F.softplus(x)),
        floats=True,
        twin=True,
    ),
    *unary_rows(
        "gelu",
        Known(([0, 1000, -1000, INF],), ([0, 1000, -0.0, INF],), dtypes=FLOATS),
        oracle=lambda x: x * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)),
        floats=True,
    ),
    *unary_rows(
        "gelu_v2",
        Known(([0, 1000, -1000, INF],), ([0, 1000, -0.0, INF],), dtypes=FLOATS),
        Known(([0, 1000, -1000],), ([0, 1000, -0.0],), {"approximate": "tanh"}, FLOATS),
        oracle=lambda x, approximate="none": (
            x * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
            if approximate == "tanh"
            else x * torch.special.erfc(x * -math.sqrt(0.5)) / 2
        ),
        attributes=({}, {"approximate": "tanh"}),
        calls=(Call({"approximate": 2}, 161002, "approximate is 2; expected 0 (none)"),),
        floats=True,
        plain={"approximate": 0},
    ),
    Rows(
        "ge_glu_v3",
        (
            Known(([[2, 3, 100, 0]],), ([[200, 0]], [[100, 0]]), dtypes=FLOATS),
            Known(([[100, 0, 2, 3]],), ([[200, 0]], [[100, 0]]),
                  {"activate_left": True, "approximate": "none"}, FLOATS),
        ),
        (
            Call({"self": T(shape=(2, 4)), "out": T(shape=(2, 2)), "out_gelu": T(shape=(2, 2))}),
            Call({"self": None}, 161001, "self is null"),
            Call({"out_gelu": None}, 161001, "out_gelu is null"),
            Call({"self": T("s32", (2, 4))}, 161002, "self has dtype INT32"),
            Call({"self": T()}, 161002, "self has size 3 along dimension -1; expected an even one"),
            Call({"self": T(shape=(2, 4)), "out": T(shape=(2, 2))}, 161002, "out_gelu has shape"),
            Call({"approximate": 2}, 161002, "approximate is 2; expected"),
        ),
        plain={"dim": -1, "approximate": 0, "activate_left": False},
    ),
    Rows(
        "prelu",
        (
            Known(([[-2, -4], [3, -6]], [0.5, 2]), ([[-1, -8], [3, -12]],), dtypes=FLOATS),
            Known(([[-2, NAN]], [0.5]), ([[-1, NAN]],), dtypes=FLOATS),
            Known(([[[-2], [-4]]], [0.5, 2]), ([[[-1], [-8]]],)),
            Known((np.float32(-2), [0.5]), ([-1],)),  # of no dimensions
            Known(([-2, 4], np.float32(0.5)), ([-1, 4],)),
        ),
        (
            Call({}),
            Call({"weight": T(shape=(3,))}),
            Call({"weight": T(shape=(1, 3))}),
            Call({"weight": None}, 161001, "weight is null"),
            Call({"self": T("s32")}, 161002, "self has dtype INT32"),
            Call({"weight": T("f16", (1,))}, 161002, "weight has dtype FLOAT16; expected FLOAT"),
            Call({"weight": T(shape=(2,))}, 161002, "weight has shape [2]; expected [1], or [3]"),
            Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3]"),
        ),
        plain={"weight": T(shape=(1,))},
    ),
    Rows(
        "swi_glu",
        (
            Known(([[0, 100, 4, 8]],), ([[0, 800]],), dtypes=FLOATS),
            Known(([[100, 50], [4, 2]],), ([[400, 100]],), {"dim": 0}, FLOATS),
        ),
        (
            Call({"self": T(shape=(2, 4)), "out": T(shape=(2, 2))}),
            Call({"self": None}, 161001, "self is null"),
            Call({"self": T("s32", (2, 4))}, 161002, "self has dtype INT32"),
            Call({"self": T()}, 161002, "self has size 3 along dimension -1; expected an even one"),
            Call({"self": T(shape=(2, 4)), "dim": 2}, 161002, "dim is 2; expected -2 to 1"),
        ),
        oracle=swiglu,
        plain={"dim": -1},
    ),
)  # fmt: skip
