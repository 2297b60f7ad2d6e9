"""Cumulative sums and what is like them."""

import math

from rows import FLOATS, INTEGERS, Call, Known, Rows, T

BIG = 2.0**24

ROWS = (
    Rows(
        op="cumsum",
        known=(
            Known(([1, 2, 3], 0), ([1, 3, 6],), dtypes=(*FLOATS, "f64")),
            Known(([1, 2, 3], 0), ([1, 3, 6],), dtypes=INTEGERS, out="s64"),
            Known(([1, 2, 3], 0), ([1, 3, 6],), {"dtype": "float32"}, dtypes=INTEGERS, out="f32"),
            Known(([[1, 2], [3, 4]], 0), ([[1, 2], [4, 6]],), dtypes=("f64", "f16")),
            Known(([[1, 2], [3, 4]], -1), ([[1, 3], [3, 7]],), dtypes=("f64", "bf16")),
            Known(([BIG, 1, 1, -BIG], 0), ([BIG, BIG, BIG + 2, 2],)),
            Known(([1e30, 1e-30, -1e30], 0), ([1e30, 1e30, 1e-30],)),
            Known(([3e38, 3e38, -3e38], 0), ([3e38, math.inf, 3e38],)),
            Known(([1, math.inf, 2, -math.inf, 1], 0),
                  ([1, math.inf, math.inf, math.nan, math.nan],)),
            Known(([-0.0, -0.0], 0), ([0, 0],)),
            Known(([100, 100], 0), ([100, -56],), {"dtype": "int8"}, dtypes=("s8",)),
            Known(([1, 1, 0], 0), ([1, 2, 2],), dtypes=("bool",), out="s64"),
            Known(([], 0), ([],)),
        ),
        calls=(
            Call({}),
            Call({"self": T("s64"), "out": T()}),
            Call({"self": T(shape=()), "dim": -1, "out": T(shape=())}),
            Call({"self": None}, 161001, "aclnnCumsum: self is null; expected a tensor"),
            Call({"out": None}, 161001, "out is null"),
            Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
            Call({"dtype": "bool"}, 161002, "dtype is BOOL; expected"),
            Call({"out": T("f16")}, 161002, "out has dtype FLOAT16; expected FLOAT"),
            Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1, as self has 2 dimensions"),
            Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions"),
            Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3]"),
        ),
        plain={"dim": 1, "dtype": "float32"},
    ),
)  # fmt: skip
