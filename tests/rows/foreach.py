"""Rows of operators that repeat another one for every tensor of a list, as PyTorch does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from rows import FLOATS, Call, Case, Known, Rows, S, T

SHAPES = ((5, 7), (3,), (), (2, 1, 40))
Draw = Callable[[Any], Mapping[str, Any]]


def drawn(names: tuple[str, ...], low: float = -3.0, high: float = 3.0, **more: Any) -> Draw:
    """Lists of random tensors of the same shapes, and what else a call has: arrays of one number,
    or lists of them."""

    def draw(rng: Any) -> Mapping[str, Any]:
        found = {n: [np.asarray(rng.uniform(low, high, s)) for s in SHAPES] for n in names}
        return found | more

    return draw


def rows(
    op: str,
    oracle: Callable[..., Any],
    lists: tuple[str, ...] = ("x",),
    known: tuple[Known, ...] = (),
    low: float = -3.0,
    high: float = 3.0,
    given: Mapping[str, Any] | None = None,  # tensors that are no lists
    attributes: Mapping[str, Any] | None = None,
    plain: Mapping[str, Any] | None = None,
    out: str = "out",
    dtypes: tuple[str, ...] = (*FLOATS, "f64"),
    calls: tuple[Call, ...] = (),
) -> Rows:
    words = op.split("_")
    c_name = "aclnn" + "".join(word[:1].upper() + word[1:] for word in words)
    pair, first = (T(), T(shape=(4,))), lists[0]
    tensors = dict.fromkeys((*lists, *([out] if out else [])), pair)
    refused = (
        Call({}),
        Call({first: None}, 161001, f"{c_name}: {first} is null; expected a list of tensors"),
        Call({first: (T(), None)}, 161001, f"{first}[1] is null; expected a tensor"),
        Call({first: ()}, 161002, f"{first} is empty; expected at least one tensor"),
        Call({first: (T(), T("c64", (4,)))}, 161002, f"{first}[1] has dtype COMPLEX64"),
        Call({first: (T(), T(shape=(1,) * 9))}, 161002, "has 9 dimensions"),
    )
    if out:
        refused += (
            Call({out: None}, 161001, f"{out} is null"),
            Call({out: (T(),)}, 161002, f"{out} has 1 tensors; expected 2, as {first} has"),
            Call({out: (T(), T())}, 161002, f"{out}[1] has shape [2, 3]; expected"),
            Call({out: (T(), T(shape=(4,), strides=(0,)))}, 161002,
                 f"{out}[1] has two indices for one element"),
        )  # fmt: skip
    return Rows(
        op,
        known,
        (*refused, *calls),
        plain={**tensors, **(attributes or {}), **(plain or {})},
        cases=(
            Case(drawn(lists, low, high, **(given or {})), oracle, attributes or {}, dtypes),
        ),
    )  # fmt: skip


def function(name: str, low: float = -3.0, high: float = 3.0) -> Rows:
    """One list, and PyTorch's function of each of its tensors."""
    own, dtypes = getattr(torch, name), FLOATS if name == "sigmoid" else (*FLOATS, "f64")
    return rows(
        f"foreach_{name}", lambda x: [own(one) for one in x], low=low, high=high, dtypes=dtypes
    )


def pairs(op: str, **more: Any) -> Rows:
    """Two lists, and PyTorch's function of them."""
    own = getattr(torch, f"_foreach_{op}")
    return rows(f"foreach_{op}_list", lambda x, y: own(x, y), ("x", "y"), **more)


def with_number(op: str, first: str = "self") -> tuple[Rows, ...]:
    """The operators that take a number: as a tensor, as a scalar, one for each."""
    own = getattr(torch, f"_foreach_{op}")
    number, each = np.array([1.75]), [0.5, -2.0, 4.0, 3.0]
    made = {
        "plain": {"scalar": T(shape=(1,))},
        "given": {"scalar": number},
        "calls": (Call({"scalar": T(shape=(2,))}, 161002, "scalar has shape [2]; expected one"),),
    }

    def by_tensor(scalar: Any, **lists: Any) -> Any:
        return own(lists[first], float(scalar))

    return (
        rows(f"foreach_{op}_scalar", by_tensor, (first,), **made),  # type: ignore[arg-type]
        rows(f"foreach_{op}_scalar_v2", lambda x, scalar: own(x, scalar),
             attributes={"scalar": 1.75}, plain={"scalar": S(1.75)}),
        rows(f"foreach_{op}_scalar_list", lambda x, scalars: own(x, scalars),
             attributes={"scalars": each}, plain={"scalars": (S(0.5), S(-2.0))},
             calls=(Call({"scalars": (S(1.0),)}, 161002,
                         "scalars has 1 numbers; expected 2, as x has"),)),
    )  # fmt: skip


def with_factor(op: str) -> tuple[Rows, ...]:
    """Sums with a factor, which is a tensor or a scalar."""
    own, name = getattr(torch, f"_foreach_{op}"), "alpha" if op == "sub" else "scalar"

    def by_number(x: Any, y: Any, **named: Any) -> Any:
        return own(x, y, alpha=named[name])

    return (
        rows(f"foreach_{op}_list", lambda x, y, scalar: own(x, y, alpha=float(scalar)),
             ("x", "y"), plain={"scalar": T(shape=(1,))}, given={"scalar": np.array([-0.5])},
             calls=(Call({"y": (T(),)}, 161002, "y has 1 tensors; expected 2, as x has"),)),
        rows(f"foreach_{op}_list_v2", by_number, ("x", "y"),
             attributes={name: 0.5}, plain={name: S(0.5)}),
    )  # fmt: skip


def ternary(op: str) -> tuple[Rows, ...]:
    own = getattr(torch, f"_foreach_{op}")
    lists = ("input", "x", "y")
    return (
        rows(f"foreach_{op}_scalar",
             lambda input, x, y, scalar: own(input, x, y, float(scalar)), lists, low=0.5,
             plain={"scalar": T(shape=(1,))}, given={"scalar": np.array([1.5])}),
        rows(f"foreach_{op}_scalar_v2", lambda input, x, y, scalar: own(input, x, y, scalar), lists,
             low=0.5, attributes={"scalar": 1.5}, plain={"scalar": S(1.5)}),
        rows(f"foreach_{op}_scalar_list",
             lambda input, x, y, scalar: own(input, x, y, scalar.tolist()), lists, low=0.5,
             plain={"scalar": T(shape=(2,))}, given={"scalar": np.array([1.5, -2.0, 0.25, 8.0])},
             calls=(Call({"scalar": T(shape=(3,))}, 161002, "scalar has 3 numbers; expected 2"),
                    Call({"scalar": T(shape=(2, 1))}, 161002, "expected one dimension"))),
    )  # fmt: skip


MODES = {1: torch.round, 2: torch.floor, 3: torch.ceil, 5: torch.trunc, 7: torch.frac}


def scaled(rng: Any) -> Mapping[str, Any]:
    """What is changed in place has dimensions: a test makes a copy of that."""
    grads = [rng.uniform(-3, 3, shape) for shape in SHAPES if shape]
    one = {"found_inf": np.zeros(1, np.float32), "inv_scale": np.array([0.25], np.float32)}
    return {"scaled_grads": grads, **one}


def unscaled(scaled_grads: Any, found_inf: Any, inv_scale: Any) -> Any:
    grads, found = [one.clone().float() for one in scaled_grads], found_inf.clone().float()
    torch._amp_foreach_non_finite_check_and_unscale_(grads, found, inv_scale.float())
    return [*(one.double() for one in grads), found.double()]


ROUNDED = Known(([[-2.5, 0.5], [1.5, 3.25, -1.0]],), ([-2, 0], [2, 3, -1]), {"round_mode": 1})

ROWS = [
    *(function(name) for name in (
        "abs", "atan", "cos", "cosh", "erf", "erfc", "exp", "expm1", "neg", "reciprocal", "sigmoid",
        "sign", "sin", "sinh", "tan", "tanh")),
    *(function(name, -1, 1) for name in ("acos", "asin")),
    *(function(name, 0, 9) for name in ("log", "log10", "log1p", "log2", "sqrt")),
    *with_factor("add"), *with_number("add"), *with_factor("sub"), *with_number("sub"),
    *(pairs(op) for op in ("mul", "div", "maximum", "minimum")), pairs("pow", low=0.1),
    *with_number("mul"), *with_number("div"),
    *with_number("maximum", "x"), *with_number("minimum", "x"),
    *ternary("addcdiv"), *ternary("addcmul"),
    rows("foreach_lerp_list", lambda x, y, weight: torch._foreach_lerp(x, y, weight),
         ("x", "y", "weight")),
    rows("foreach_lerp_scalar", lambda x, y, weight: torch._foreach_lerp(x, y, weight), ("x", "y"),
         attributes={"weight": 0.75}, plain={"weight": S(0.75)}),
    *with_number("pow", "x"),
    rows("foreach_pow_scalar_and_tensor", lambda scalar, x: torch._foreach_pow(scalar, x),
         attributes={"scalar": 2.5}, plain={"scalar": S(2.5)}),
    Rows("foreach_norm",
         (Known(([[3, 4], [1, 2, -2]],), (5, 3)),
          Known(([[3, -4], [1, 2, -2]],), (7, 5), {"scalar": 1})),
         (Call({}), Call({"tensors": None}, 161001, "aclnnForeachNorm: tensors is null"),
          Call({"out": (T(shape=()),)}, 161002, "out has 1 tensors; expected 2, as tensors has"),
          Call({"tensors": (T("s32"), T())}, 161002, "tensors[0] has dtype INT32"),
          Call({"out": (T(), T(shape=()))}, 161002, "out[0] has shape [2, 3]; expected []")),
         plain={"tensors": (T(), T(shape=(4,))), "scalar": S(2.0),
                "out": (T(shape=()), T(shape=()))},
         cases=(Case(drawn(("tensors",)), lambda tensors, scalar: torch._foreach_norm(tensors,
                     scalar), {"scalar": 2.0}),)),
    rows("foreach_copy", lambda x: [one.clone() for one in x]),
    Rows("foreach_zero_inplace", (Known(([[3, 4], [1, 2, -2]],), ([0, 0], [0, 0, 0])),),
         (Call({}), Call({"x": None}, 161001, "aclnnForeachZeroInplace: x is null"),
          Call({"x": ()}, 161002, "x is empty; expected at least one tensor"),
          Call({"x": (T(), T("c64"))}, 161002, "x[1] has dtype COMPLEX64")),
         plain={"x": (T(), T())},
         cases=(Case(drawn(("x",)), lambda x: [torch.zeros_like(one) for one in x]),)),
    rows("foreach_round_off_number",
         lambda self, round_mode: [torch.ceil(one) for one in self], ("self",),
         plain={"round_mode": T("s8", (1,))}, given={"round_mode": np.int8([3])}, dtypes=FLOATS),
    rows("foreach_round_off_number_v2",
         lambda x, round_mode: [torch.frac(one) for one in x], known=(
             ROUNDED, *(Known(([[-2.5, 1.5], [0.25, -0.75, 7.0]],),
                              tuple(mode(torch.tensor(v)).tolist()
                                    for v in ([-2.5, 1.5], [0.25, -0.75, 7.0])),
                              {"round_mode": number}) for number, mode in MODES.items())),
         attributes={"round_mode": 7}, plain={"round_mode": S(7, "s64")}, dtypes=FLOATS,
         calls=(Call({"round_mode": S(4, "s64")}, 161002,
                     "round_mode is 4; expected 1, 2, 3, 5 or 7"),)),
    Rows("foreach_non_finite_check_and_unscale",
         (Known(([[3, 4], [1, 2, np.inf]], [0.0], [0.5]), ([1.5, 2], [0.5, 1, np.inf], [1])),
          Known(([[3, 4], [1, 2, -2]], [0.0], [1.0]), ([3, 4], [1, 2, -2], [0])),
          Known(([[3, np.nan], [1, 2, -2]], [0.0], [2.0]), ([6, np.nan], [2, 4, -4], [1]))),
         (Call({}), Call({"scaled_grads": None}, 161001, "scaled_grads is null"),
          Call({"found_inf": None}, 161001, "found_inf is null"),
          Call({"scaled_grads": ()}, 161002, "scaled_grads is empty"),
          Call({"scaled_grads": (T("s32"),)}, 161002, "scaled_grads[0] has dtype INT32"),
          Call({"found_inf": T("f16", (1,))}, 161002, "found_inf has dtype FLOAT16"),
          Call({"inv_scale": T(shape=(2,))}, 161002, "inv_scale has shape [2]; expected one")),
         plain={"scaled_grads": (T(), T("f16", (4,))), "found_inf": T(shape=(1,)),
                "inv_scale": T(shape=())},
         cases=(Case(scaled, unscaled, {}, FLOATS),)),
]  # fmt: skip
