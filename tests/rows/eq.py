"""Whether two numbers are equal."""

import math

import torch

from rows import FLOATS, INTEGERS, NUMBERS, Call, Known, Rows, S, T
from rows.families import binary, in_place

OUT = {"out": T("bool")}
OTHER = {"other": S(2.0), **OUT}

ROWS = (
    Rows(
        op="eq_tensor",
        known=(
            Known(([1, 2, 3], [1, 0, 3]), ([1, 0, 1],), dtypes=NUMBERS, out="bool"),
            Known(([0.0, math.nan, math.inf], [-0.0, math.nan, math.inf]), ([1, 0, 1],),
                  dtypes=FLOATS, out="bool"),
            Known(([2**53], [2**53 + 1]), ([0],), dtypes=("s64",), out="bool"),
            Known(([True, False], [True, True]), ([1, 0],), dtypes=("bool",), out="bool"),
        ),
        calls=(*binary("aclnnEqTensor"), Call({"out": T("s8")}), Call({"out": T("f16")})),
        oracle=torch.eq,
        inputs=2,
        dtypes=(*FLOATS, *INTEGERS),
        plain=OUT,
        in_place="inplace_eq_tensor",
        scalar="eq_scalar",
    ),
    Rows("eq_scalar", (
        Known(([1, 2], 2), ([0, 1],), dtypes=NUMBERS, out="bool"),
        Known(([0.1, 0.2], 0.1), ([1, 0],), dtypes=FLOATS, out="bool"),
    ), (
        Call({}),
        Call({"other": None}, 161001, "other is null; expected a scalar"),
        Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
    ), plain=OTHER),
    Rows("inplace_eq_tensor", (), in_place("aclnnInplaceEqTensor")),
    Rows("inplace_eq_scalar", (), in_place("aclnnInplaceEqScalar"), plain={"other": S(2.0)}),
)  # fmt: skip
