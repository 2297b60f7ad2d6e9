"""Quotients without a fraction, what they leave, and the bits of integers."""

import math

import torch

from rows import Call, Known, Rows, S, T
from rows.families import binary_rows, unary_rows

NAN, INF = math.nan, math.inf
A, B = [7, -7, 7, -7, 6], [2, 2, -2, -2, 3]


def nonzero(function: str) -> object:
    """PyTorch's, where it does not divide an integer by 0: there 0, or what is left of it."""

    def oracle(x: torch.Tensor, y: torch.Tensor, **given: object) -> torch.Tensor:
        if x.is_floating_point():
            return getattr(torch, function)(x, y, **given)
        found = getattr(torch, function)(x, torch.where(y == 0, 1, y), **given)
        left = x if function in ("fmod", "remainder") else torch.zeros_like(x)
        return torch.where(y == 0, left, found)

    return oracle


def bits(name: str, *expected: int) -> tuple[Rows, ...]:
    return binary_rows(
        f"bitwise_{name}_tensor",
        Known(([12, 12, -1], [10, -1, 5]), ([*expected],), dtypes=("s8", "s64")),
        Known(([0, 1, 1], [0, 0, 1]), ([0, name != "and", name != "xor"],), dtypes=("bool",)),
        oracle=getattr(torch, f"bitwise_{name}"),
        dtypes=("u8", "s32"),
        scalar=f"bitwise_{name}_scalar",
        plain={"self": T("s32"), "other": T("s32"), "out": T("s32")},
    )


ROWS = (
    *binary_rows(
        "rsub",
        Known(([1, 2], [10, 20]), ([7, 14],), {"alpha": 3}, ("f32", "s8")),
        oracle=lambda x, y, alpha=1: torch.rsub(x, y, alpha=alpha),
        dtypes=("f16", "s64"),
        scalar="rsubs",
        twin=False,
        plain={"alpha": S(1, "s64")},
    ),
    *binary_rows(
        "maximum",
        Known(([1, 5, NAN], [3, 2, 1]), ([3, 5, NAN],), dtypes=("f16", "f64")),
        oracle=torch.maximum,
        twin=False,
    ),
    *binary_rows(
        "minimum",
        Known(([1, 5, NAN], [3, 2, 1]), ([1, 2, NAN],), dtypes=("f16", "f64")),
        oracle=torch.minimum,
        twin=False,
    ),
    *binary_rows(
        "gcd",
        Known(([12, -8, 0, -5, 0], [18, 6, 5, 0, 0]), ([6, 2, 5, 5, 0],), dtypes=("s8", "s64")),
        Known(([-128, -128, 96, -128], [96, 0, -128, -128]), ([32, -128, 32, -128],),
              dtypes=("s8",)),
        Known(([2**63 - 1, -(2**63)], [7, 48]), ([7, 16],), dtypes=("s64",)),
        oracle=torch.gcd,
        dtypes=("u8", "s32"),
        twin=False,
        plain={"self": T("s32"), "other": T("s32"), "out": T("s32")},
    ),
    *binary_rows(
        "floor_divide",
        Known((A, B), ([3, -4, -4, 3, 2],), dtypes=("f16", "s8", "f64")),
        Known(([-128, 5], [-1, 0]), ([-128, 0],), dtypes=("s8",)),
        Known(([-(2**63)], [-1]), ([-(2**63)],), dtypes=("s64",)),
        Known(([INF, -1, 1, -1], [2, INF, 0, 0]), ([NAN, -1, INF, -INF],)),
        oracle=nonzero("floor_divide"),
        dtypes=("s64",),
        scalar="floor_divides",
    ),
    *binary_rows(
        "fmod_tensor",
        Known((A, B), ([1, -1, 1, -1, 0],), dtypes=("f16", "s16")),
        Known(([3e38, -3e38, 5, NAN, INF], [1e-45, 1e-45, INF, 1, 2]), ([0, -0.0, 5, NAN, NAN],)),
        Known(([-128, 5], [-1, 0]), ([0, 5],), dtypes=("s8",)),
        Known(([1.7e308, -1e300, 5e-324, 7.25], [5e-324, 3, 1, INF]), ([0, -0.0, 5e-324, 7.25],),
              dtypes=("f64",)),
        oracle=nonzero("fmod"),
        dtypes=("f32", "s64", "f64"),
        scalar="fmod_scalar",
    ),
    *binary_rows(
        "remainder_tensor_tensor",
        Known((A, B), ([1, 1, -1, -1, 0],), dtypes=("f16", "s16")),
        Known(([-4, 1, -1], [2, 0, INF]), ([-0.0, NAN, INF],)),
        oracle=nonzero("remainder"),
        dtypes=("f32", "u8"),
        scalar="remainder_tensor_scalar",
    ),
    Rows(
        "remainder_scalar_tensor",
        (Known((-7, [2, -2, 3]), ([1, -1, 2],), dtypes=("f32", "s8")),),
        (
            Call({}),
            Call({"self": None}, 161001, "self is null; expected a scalar"),
            Call({"other": T("c64")}, 161002, "other has dtype COMPLEX64, which openaclnn"),
            Call({"out": T(shape=(3,))}, 161002, "out has shape [3]"),
        ),
        plain={"self": S(7.0)},
    ),
    *binary_rows(
        "div_mod",
        Known((A, B), ([3, -3, -3, 3, 2],), {"mode": "trunc"}, ("f16", "s8", "f64")),
        Known((A, B), ([3, -4, -4, 3, 2],), {"mode": "floor"}, ("bf16", "s32")),
        Known((A, B), ([3.5, -3.5, -3.5, 3.5, 2],), {"mode": "none"}, ("f32", "s16"), out="f32"),
        Known(([1, 5], [0, 0]), ([0, 0],), {"mode": 1}, ("s64",)),
        Known(([1, -1, 0], [0, 0, 0]), ([INF, -INF, NAN],), {"mode": 1}),
        calls=(
            Call({"mode": 3}, 161002, "mode is 3; expected 1 (trunc), 2 (floor) or 0 (none)"),
            Call({"self": T("s32"), "other": T("s32"), "out": T("s32"), "mode": 0}, 161002,
                 "out has dtype INT32; expected one that FLOAT"),
        ),
        scalar="div_mods",
        plain={"mode": 1},
    ),
    *bits("and", 8, 12, 5),
    *bits("or", 14, -1, -1),
    *bits("xor", 6, -13, -6),
    *unary_rows(
        "bitwise_not",
        Known(([0, 5, -1],), ([-1, -6, 0],), dtypes=("s8", "s64")),
        Known(([0, 1],), ([1, 0],), dtypes=("bool",)),
        oracle=torch.bitwise_not,
        dtypes=("u8", "s32"),
        plain={"self": T("s32"), "out": T("s32")},
    ),
    *binary_rows(
        "left_shift",
        Known(([1, 3, 1, 1], [6, 7, 8, -1]), ([64, -128, 0, 0],), dtypes=("s8",)),
        Known(([1, 1], [63, 64]), ([-(2**63), 0],), dtypes=("s64",)),
        oracle=torch.bitwise_left_shift,
        dtypes=("s32",),
        scalar="left_shifts",
        twin=False,
        plain={"self": T("s32"), "other": T("s32"), "out": T("s32")},
    ),
    *binary_rows(
        "right_shift",
        Known(([64, -3, -1, 5, -5], [3, 1, 8, 100, -1]), ([8, -2, -1, 0, -1],), dtypes=("s8",)),
        Known(([200], [3]), ([25],), dtypes=("u8",)),
        oracle=torch.bitwise_right_shift,
        dtypes=("s64",),
        twin=False,
        plain={"self": T("s32"), "other": T("s32"), "out": T("s32")},
    ),
)  # fmt: skip
