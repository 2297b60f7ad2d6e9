"""x + alpha·y."""

import math

import torch

from rows import FLOATS, INTEGERS, NUMBERS, Call, Known, Rows, S, T
from rows.families import binary, in_place

ALPHA = {"alpha": S(1, "s64")}
OTHER = {"other": S(2, "s64"), **ALPHA}

ROWS = (
    Rows(
        op="add",
        known=(
            Known(([1, 2], [10, 20]), ([31, 62],), {"alpha": 3}, NUMBERS),
            Known(([127], [1]), ([-128],), dtypes=("s8",)),
            Known(([2**63 - 1], [1]), ([-(2**63)],), dtypes=("s64",)),
            Known(([2**53 + 1], [2**40]), ([2**53 + 1 + 2**40],), dtypes=("s64",)),
            Known(([True, False, False], [True, True, False]), ([1, 1, 0],), dtypes=("bool",)),
            Known(([math.inf, math.nan], [-math.inf, 1]), ([math.nan, math.nan],), dtypes=FLOATS),
        ),
        calls=(
            *binary("aclnnAdd"),
            Call({"alpha": None}, 161001, "alpha is null; expected a scalar"),
            Call({"self": T("s32"), "other": T("s32"), "out": T("s32"), "alpha": S(0.5)}, 161002,
                 "alpha has dtype FLOAT; expected an integer, as the computed dtype is INT32"),
            Call({"self": T("f32"), "out": T("s32")}, 161002, "out has dtype INT32"),
        ),
        oracle=lambda x, y, alpha=1: torch.add(x, y, alpha=alpha),
        inputs=2,
        dtypes=(*FLOATS, *INTEGERS),
        attributes=({}, {"alpha": -3}),
        plain=ALPHA,
        in_place="inplace_add",
        scalar="adds",
    ),
    Rows("adds", (Known(([1, 2], 3), ([4, 5],), dtypes=NUMBERS),), (
        Call({}),
        Call({"other": None}, 161001, "other is null; expected a scalar"),
        Call({"self": T("s8"), "out": T("s8"), "other": S(300, "s64")}, 161002,
             "other is 300; expected a number that INT8 can hold"),
        Call({"self": T("s32"), "other": S(0.5), "alpha": S(1, "s64")}),
        Call({"out": T(shape=(3,))}, 161002, "out has shape [3]"),
    ), plain=OTHER),
    Rows("inplace_add", (), (
        *in_place("aclnnInplaceAdd"),
        Call({"other": T(shape=(3,))}),
        Call({"self": T(shape=(3,))}, 161002, "other has shape [2, 3]; expected one"),
        Call({"self": T("s32"), "other": T("f32")}, 161002, "self has dtype INT32; expected one"),
    ), plain=ALPHA),
    Rows("inplace_adds", (), in_place("aclnnInplaceAdds"), plain=OTHER),
)  # fmt: skip
