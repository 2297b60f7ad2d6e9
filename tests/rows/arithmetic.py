"""Sums, products, signs: what every program computes."""

import math

import torch

from rows import FLOATS, INTEGERS, Call, Known, S, T
from rows.families import binary_rows, unary_rows

NAN, INF = math.nan, math.inf
ALPHA = {"alpha": S(1, "s64")}

ROWS = (
    *unary_rows(
        "abs",
        Known(([-2, -0.0, 3],), ([2, 0, 3],), dtypes=(*FLOATS, "f64")),
        Known(([-128, 5],), ([-128, 5],), dtypes=("s8",)),
        Known(([-(2**63), 5],), ([-(2**63), 5],), dtypes=("s64",)),
        oracle=torch.abs,
    ),
    *unary_rows(
        "neg",
        Known(([-2, 0.0, INF],), ([2, -0.0, -INF],), dtypes=(*FLOATS, "f64")),
        Known(([-128, 5],), ([-128, -5],), dtypes=("s8",)),
        Known(([1],), ([255],), dtypes=("u8",)),
        oracle=torch.neg,
        twin=True,
    ),
    *unary_rows(
        "sign",
        Known(([-2, -0.0, 3, NAN],), ([-1, 0, 1, 0],), dtypes=FLOATS),
        Known(([0, 200],), ([0, 1],), dtypes=("u8",)),
        Known(([0, 1],), ([0, 1],), dtypes=("bool",)),
        oracle=torch.sign,
    ),
    *binary_rows(
        "sub",
        Known(([1, 2], [10, 20]), ([-29, -58],), {"alpha": 3}, ("f32", "s32", "f64")),
        Known(([-128], [1]), ([127],), dtypes=("s8",)),
        Known(([0, -0.0], [0, 0.0]), ([0, -0.0],)),
        calls=(
            Call({"self": T("bool")}, 161002, "self has dtype BOOL"),
            Call({"alpha": None}, 161001, "alpha is null; expected a scalar"),
        ),
        oracle=lambda x, y, alpha=1: torch.sub(x, y, alpha=alpha),
        attributes=({}, {"alpha": -3}),
        scalar="subs",
        of_numbers=(Known(([1, 2], 3), ([-2, -1],), dtypes=("f16", "s16")),),
        plain=ALPHA,
    ),
    *binary_rows(
        "mul",
        Known(([3, -2], [5, 6]), ([15, -12],), dtypes=("f16", "s32", "f64")),
        Known(([100], [3]), ([44],), dtypes=("s8",)),
        Known(([2**40], [2**40 + 3]), ([3 * 2**40],), dtypes=("s64",)),
        Known(([1, 1, 0], [1, 0, 0]), ([1, 0, 0],), dtypes=("bool",)),
        Known(([INF, NAN], [0, 1]), ([NAN, NAN],), dtypes=("bf16",)),
        oracle=torch.mul,
        dtypes=("f32", "f16", *INTEGERS),
        calls=(Call({"self": T("s8"), "other": T("f16"), "out": T("f32")}),),
        scalar="muls",
        of_numbers=(Known(([1, 2], 3), ([3, 6],), dtypes=("f32", "u8")),),
    ),
    *binary_rows(
        "div",
        Known(([1, -1, 0], [0, 0, 0]), ([INF, -INF, NAN],), dtypes=(*FLOATS, "f64")),
        Known(([1, 7], [2, 0]), ([0.5, INF],), dtypes=("s8", "s64"), out="f32"),
        calls=(Call({"self": T("s32"), "other": T("s32"), "out": T("s32")}, 161002,
                    "out has dtype INT32; expected one that FLOAT"),),
        oracle=torch.div,
        dtypes=("f32", "f16", "bf16"),
        scalar="divs",
        of_numbers=(Known(([1, 2], 4), ([0.25, 0.5],), dtypes=("f32", "s16"), out="f32"),),
    ),
)  # fmt: skip
