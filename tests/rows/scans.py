"""Cumulative sums and what is like them."""

import math

from rows import FLOATS, INTEGERS, Call, Known, Rows, S, T
from rows.families import reduction

BIG = 2.0**24
NAN = math.nan


def products(c_name: str) -> tuple[Call, ...]:
    return (
        Call({}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"out": None}, 161001, "out is null"),
        Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
        Call({"dtype": "bool"}, 161002, "dtype is BOOL; expected"),
        Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions"),
    )


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
    *(
        Rows(
            op=name,
            known=(),
            calls=(
                Call({}),
                Call({"indices": T("s32")}),
                Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
                Call({"values": None}, 161001, "values is null"),
                Call({"indices": None}, 161001, "indices is null"),
                Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
                Call({"indices": T("f32")}, 161002, "indices has dtype FLOAT"),
                Call({"values": T("f16")}, 161002, "values has dtype FLOAT16; expected FLOAT"),
                Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
                Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions"),
                Call({"values": T(shape=(3, 2))}, 161002, "values has shape [3, 2]; expected"),
            ),
            plain={"dim": 1, "indices": T("s64")},
        )
        for name, c_name in (("cummax", "aclnnCummax"), ("cummin", "aclnnCummin"))
    ),
    Rows(
        op="cumprod",
        known=(
            Known(([2, 3, 4], 0), ([2, 6, 24],), dtypes=(*FLOATS, "f64")),
            Known(([2, 3, 4], -1), ([2, 6, 24],), dtypes=INTEGERS, out="s64"),
            Known(([1e30, 1e30, 1e-30, 1e-30], 0), ([1e30, math.inf, 1e30, 1],),
                  within=1e24),
            Known(([2, 0, math.inf], 0), ([2, 0, math.nan],), dtypes=FLOATS),
            Known(([-1, 0, -1], 0), ([-1, -0.0, 0],), dtypes=FLOATS),
            Known(([], 0), ([],)),
        ),
        calls=(
            *products("aclnnCumprod"),
            Call({"dim": None}, 161001, "dim is null; expected a scalar"),
            Call({"dim": S(2, "s64")}, 161002, "dim is 2; expected -2 to 1"),
            Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3]"),
        ),
        plain={"dim": S(1, "s64"), "dtype": "float32"},
    ),
    Rows(
        op="prod_dim",
        known=(
            Known(([[2, 3], [4, 5]], 1), ([6, 20],), dtypes=(*FLOATS, "f64")),
            Known(([[100, 100], [2, 3]], 1), ([10000, 6],), dtypes=("s8",), out="s64"),
        ),
        calls=(
            *products("aclnnProdDim"),
            Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
            Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2]"),
        ),
        plain={"dim": 1, "keep_dim": False, "dtype": "float32", "out": T(shape=(2,))},
    ),
    Rows(
        op="prod",
        known=(
            Known(([[2, 3], [4, 5]],), (120,), dtypes=(*FLOATS, "f64")),
            Known(([],), (1,), dtypes=FLOATS),
            Known(([1, 1, 0],), (0,), dtypes=("bool",), out="s64"),
        ),
        calls=(*products("aclnnProd"), Call({"out": T(shape=(3,))}, 161002, "out has shape [3]")),
        plain={"dtype": "float32", "out": T(shape=())},
    ),
    Rows(
        op="reduce_nansum",
        known=(
            Known(([1, NAN, 2],), (3,), dtypes=(*FLOATS, "f64")),
            Known(([NAN, NAN],), (0,), dtypes=FLOATS),
            Known(([100, 100],), (200,), dtypes=INTEGERS, out="s64"),
            Known(([math.inf, NAN],), (math.inf,), dtypes=FLOATS),
        ),
        calls=(
            *reduction("aclnnReduceNansum"),
            Call({"out": T("f16", (2,))}, 161002, "out has dtype FLOAT16; expected FLOAT"),
        ),
        plain={"dim": (1,), "keep_dim": False, "dtype": "float32"},
    ),
)  # fmt: skip
