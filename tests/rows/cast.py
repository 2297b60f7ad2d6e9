"""The same values in another dtype."""

import math

from openaclnn.base.dtypes import BF16, BOOL, COMPLEX64, FLOAT, INT8, INT32
from rows import FLOATS, NUMBERS, Call, Known, Rows, T

ROWS = (
    Rows(
        op="cast",
        known=(
            Known(([-1.75, 0.5, 2.5],), ([-1, 0, 2],), {"dtype": "s32"}, FLOATS, out="s32"),
            Known(([1e10, -1e10, math.nan, math.inf],), ([2**31 - 1, -(2**31), 0, 2**31 - 1],),
                  {"dtype": "s32"}, out="s32"),
            Known(([300, -129, 5],), ([44, 127, 5],), {"dtype": "s8"}, ("s32", "s64"), out="s8"),
            Known(([0, 2, -3],), ([0, 1, 1],), {"dtype": "bool"}, ("f32", "s8"), out="bool"),
            Known(([1, 2, 3],), ([1, 2, 3],), {"dtype": "f64"}, NUMBERS, out="f64"),
            Known(([2**24 + 1],), ([2**24],), {"dtype": "f32"}, ("s32", "s64"), out="f32"),
        ),
        calls=(
            Call({"dtype": BF16, "out": T("bf16")}),
            Call({"dtype": BOOL, "self": T("s64"), "out": T("bool")}),
            Call({"self": None}, 161001, "self is null"),
            Call({"dtype": INT8}, 161002, "out has dtype FLOAT; expected INT8"),
            Call({"dtype": COMPLEX64, "out": T("c64")}, 161002, "the result has dtype COMPLEX64"),
            Call({"dtype": INT32, "out": T("s32", (3,))}, 161002, "out has shape [3]"),
        ),
        plain={"dtype": FLOAT},
    ),
)  # fmt: skip
