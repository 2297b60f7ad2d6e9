"""Sums, means and the largest over dimensions."""

import math

from rows import FLOATS, INTEGERS, Call, Known, Rows, T
from rows.families import reduction

BIG = 2.0**24

ROWS = (
    Rows(
        op="reduce_sum",
        known=(
            Known(([[1, 2], [3, 4]],), (10,), {}, (*FLOATS, "f64")),
            Known(([[1, 2], [3, 4]],), ([3, 7],), {"dims": (1,)}, FLOATS),
            Known(([[1, 2], [3, 4]],), ([[4, 6]],), {"dims": (-2,), "keep_dims": True}, FLOATS),
            Known(([BIG, 1, 1, -BIG],), (2,), {}, ("f32", "f64")),
            Known(([100, 100],), (200,), {}, INTEGERS, out="s64"),
            Known(([100, 100],), (-56,), {"dtype": "int8"}, ("s8",)),
            Known(([1e30, 1e-30, -1e30],), (1e-30,)),
            Known(([math.inf, 1],), (math.inf,), {}, FLOATS),
            Known(([math.inf, -math.inf],), (math.nan,), {}, FLOATS),
            Known(([-0.0, -0.0],), (0,), {}, FLOATS),
            Known(([],), (0,), {}, (*FLOATS, "f64")),
            Known(([65504, 65504],), (math.inf,), {}, ("f16",)),
            Known(([65504, 65504],), (131008,), {"dtype": "float32"}, ("f16",), out="f32"),
        ),
        calls=(
            *reduction("aclnnReduceSum", "dims"),
            Call({"out": T("f16", (2,))}, 161002, "out has dtype FLOAT16; expected FLOAT"),
            Call({"dims": (), "out": T(shape=(1,))}),
            Call({"dims": (), "out": T(shape=(1, 1))}, 161002, "has shape [1, 1]; expected []"),
        ),
        plain={"dims": (1,), "keep_dims": False, "dtype": "float32"},
    ),
    Rows(
        op="mean",
        known=(
            Known(([[1, 2], [3, 6]],), (3,), {}, (*FLOATS, "f64")),
            Known(([[1, 2], [3, 6]],), ([1.5, 4.5],), {"dim": (1,)}, FLOATS),
            Known(([1, 1, 0],), (2 / 3,), {}, (*FLOATS, "f64")),
            Known(([65504, 65504],), (65504,), {}, ("f16",)),
            Known(([],), (math.nan,), {}, (*FLOATS, "f64")),
        ),
        calls=reduction("aclnnMean"),
        plain={"dim": (1,), "keep_dim": False, "dtype": "float32"},
    ),
    Rows(
        op="mean_v2",
        known=(
            Known(([[1, 2], [3, 6]],), (3,), {}, (*FLOATS, "f64")),
            Known(([[1, 2], [3, 6]],), ([1.5, 4.5],), {"dim": (1,)}, FLOATS),
            Known(([[1, 2], [3, 6]],), ([[3]],), {"keep_dim": True}, FLOATS),
            Known(([1, 1, 0],), ([1, 1, 0],), {"no_op_with_empty_axes": True}, FLOATS),
            Known(([1, 1, 0],), (2 / 3,), {"dim": (0,), "no_op_with_empty_axes": True}),
        ),
        calls=(
            *reduction("aclnnMeanV2"),
            Call({"dim": (), "no_op_with_empty_axes": True, "out": T()}),
        ),
        plain={"dim": (1,), "keep_dim": False, "no_op_with_empty_axes": False},
    ),
    Rows(
        op="amax",
        known=(
            Known(([[1, 7], [3, 6]],), (7,), {}, (*FLOATS, "f64", *INTEGERS)),
            Known(([[1, 7], [3, 6]],), ([3, 7],), {"dim": (0,)}, FLOATS),
            Known(([-1, -7, -0.5],), (-0.5,), {}, (*FLOATS, "f64")),
            Known(([-3, -7],), (-3,), {}, ("s8", "s64")),
            Known(([-0.0, 0.0, -0.0],), (0,), {}, FLOATS),
            Known(([-math.inf, -math.inf],), (-math.inf,), {}, FLOATS),
            Known(([math.inf, math.nan, 1],), (math.nan,), {}, FLOATS),
        ),
        calls=(
            *reduction("aclnnAmax"),
            Call(
                {"self": T(shape=(2, 0)), "out": T(shape=(2,))},
                161002,
                "self has size 0 along dimension 1; expected at least 1",
            ),
        ),
        plain={"dim": (1,), "keep_dim": False},
    ),
)
