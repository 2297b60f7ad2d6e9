"""Extremes, their places, and whether elements are not 0."""

import math

from rows import FLOATS, INTEGERS, NUMBERS, Call, Known, Rows, T

NAN = math.nan
MATRIX = [[1, 7, 7], [3, 6, 2]]
LEAST = -(2**63)


def placed(c_name: str, self: str = "self", *outputs: str) -> tuple[Call, ...]:
    """`plain` names the last dimension of (2, 3)."""
    first = outputs[0]
    return (
        Call({}),
        Call({outputs[-1]: T("s32", (2,))}),
        Call({self: None}, 161001, f"{c_name}: {self} is null; expected a tensor"),
        *(Call({out: None}, 161001, f"{out} is null") for out in outputs),
        Call({self: T("c64")}, 161002, f"{self} has dtype COMPLEX64"),
        Call({outputs[-1]: T("f32", (2,))}, 161002, f"{outputs[-1]} has dtype FLOAT"),
        Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
        Call({self: T(shape=(2, 0))}, 161002, f"{self} has size 0 along dimension 1"),
        Call({self: T(shape=(1,) * 9)}, 161002, f"{self} has 9 dimensions"),
        Call({first: T("s64" if len(outputs) == 1 else "f32", (3,))}, 161002,
             f"{first} has shape [3]; expected [2]"),
    )  # fmt: skip


def whole(c_name: str, *outputs: str) -> tuple[Call, ...]:
    return (
        Call({}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        *(Call({out: None}, 161001, f"{out} is null") for out in outputs),
        Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
        Call({"self": T(shape=(0, 3))}, 161002, "self has shape [0, 3]; expected some element"),
        Call({outputs[0]: T("f16", ())}, 161002, f"{outputs[0]} has dtype FLOAT16; expected FLOAT"),
        Call({outputs[0]: T(shape=(2,))}, 161002, f"{outputs[0]} has shape [2]; expected []"),
    )


def over(c_name: str, dtype: str, *outputs: str) -> tuple[Call, ...]:
    first = outputs[0]
    return (
        Call({}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({first: None}, 161001, f"{first} is null"),
        Call({"dim": None}, 161001, "dim is null"),
        Call({"dim": (1, 1)}, 161002, "dim has dimension 1 twice"),
        Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
        Call({first: T("c64", (2,))}, 161002, f"{first} has dtype COMPLEX64"),
        Call({first: T(dtype, (3,))}, 161002, f"{first} has shape [3]; expected [2]"),
    )


PLACE, VALUE, TRUTH = T("s64", (2,)), T(shape=(2,)), T("bool", (2,))
KEPT = {"dim": 1, "keep_dim": False}

ROWS = (
    Rows(
        op="arg_max",
        known=(
            Known((MATRIX, 1), ([1, 1],), dtypes=NUMBERS, out="s64"),
            Known((MATRIX, 0), ([1, 0, 0],), {"keep_dim": False}, out="s64"),
            Known(([1, NAN, 9, NAN], -1), (1,), dtypes=FLOATS, out="s64"),
            Known(([-0.0, 0.0], 0), (0,), dtypes=FLOATS, out="s64"),
            Known(([-math.inf, -math.inf], 0), (0,), out="s64"),
            Known(([0, 1, 1], 0), (1,), dtypes=("bool",), out="s64"),
            Known(([2**62, 2**62 + 1], 0), (1,), dtypes=("s64",), out="s64"),
        ),
        calls=placed("aclnnArgMax", "self", "out"),
        plain={**KEPT, "out": PLACE},
    ),
    Rows(
        op="arg_min",
        known=(
            Known((MATRIX, 1), ([0, 2],), dtypes=NUMBERS, out="s64"),
            Known(([LEAST, 5], 0), (0,), dtypes=("s64",), out="s64"),
            Known(([1, NAN, -9], 0), (1,), dtypes=FLOATS, out="s64"),
        ),
        calls=placed("aclnnArgMin", "self", "out"),
        plain={**KEPT, "out": PLACE},
    ),
    Rows(
        op="max_dim",
        known=(),
        calls=placed("aclnnMaxDim", "self", "output", "indices"),
        plain={**KEPT, "output": VALUE, "indices": PLACE},
    ),
    Rows(
        op="min_dim",
        known=(),
        calls=placed("aclnnMinDim", "self", "output", "indices"),
        plain={**KEPT, "output": VALUE, "indices": PLACE},
    ),
    Rows("max", (Known((MATRIX,), (7,), dtypes=NUMBERS), Known(([1, NAN],), (NAN,), dtypes=FLOATS)),
         whole("aclnnMax", "out"), plain={"out": T(shape=())}),
    Rows("min", (Known((MATRIX,), (1,), dtypes=NUMBERS), Known(([1, NAN],), (NAN,), dtypes=FLOATS),
                 Known(([LEAST, 5],), (LEAST,), dtypes=("s64",)),
                 Known(([0.0, -0.0],), (-0.0,), dtypes=FLOATS)),
         whole("aclnnMin", "out"), plain={"out": T(shape=())}),
    Rows("aminmax_all", (Known((MATRIX,), (1, 7), dtypes=NUMBERS),),
         whole("aclnnAminmaxAll", "out0", "out1"),
         plain={"out0": T(shape=()), "out1": T(shape=())}),
    Rows(
        op="amin",
        known=(
            Known((MATRIX,), (1,), {}, (*FLOATS, "f64", *INTEGERS)),
            Known((MATRIX,), ([1, 6, 2],), {"dim": (0,)}, FLOATS),
            Known(([200, 255],), (200,), {}, ("u8",)),
            Known(([LEAST, 5],), (LEAST,), {}, ("s64",)),
        ),
        calls=over("aclnnAmin", "f32", "out"),
        plain={"dim": (1,), "keep_dim": False, "out": VALUE},
    ),
    Rows(
        op="aminmax",
        known=(Known((MATRIX,), ([1, 2], [7, 6]), {"dim": (1,)}, NUMBERS),),
        calls=over("aclnnAminmax", "f32", "min", "max"),
        plain={"dim": (1,), "keep_dim": False, "min": VALUE, "max": VALUE},
    ),
    Rows(
        op="aminmax_dim",
        known=(
            Known((MATRIX,), ([1, 2], [7, 6]), {"dim": 1}, NUMBERS),
            Known((MATRIX,), ([[1, 6, 2]], [[3, 7, 7]]), {"dim": 0, "keepdim": True}),
            Known(([[1, NAN], [3, -6]],), ([NAN, -6], [NAN, 3]), {"dim": 1}, FLOATS),
            Known(([LEAST, 5],), (LEAST, 5), {"dim": 0}, ("s64",)),
        ),
        calls=(
            Call({}),
            Call({"self": None}, 161001, "aclnnAminmaxDim: self is null; expected a tensor"),
            Call({"out0": None}, 161001, "out0 is null"),
            Call({"out1": None}, 161001, "out1 is null"),
            Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
            Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
            Call({"self": T(shape=(2, 0))}, 161002, "self has size 0 along dimension 1"),
            Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions"),
            Call({"out1": T(shape=(3,))}, 161002, "out1 has shape [3]; expected [2]"),
        ),
        plain={"dim": 1, "keepdim": False, "out0": VALUE, "out1": VALUE},
    ),
    Rows(
        op="any",
        known=(
            Known(([[0, 7, 0], [0, 6, 0]],), ([False, True, False],), {"dim": (0,)},
                  (*NUMBERS, "bool"), out="bool"),
            Known(([0, NAN],), (True,), dtypes=FLOATS, out="bool"),
            Known(([],), (False,), dtypes=FLOATS, out="bool"),
            Known(([0, 256],), (True,), dtypes=("s16", "s64"), out="bool"),
        ),
        calls=over("aclnnAny", "bool", "out"),
        plain={"dim": (1,), "keep_dim": False, "out": TRUTH},
    ),
    Rows(
        op="all",
        known=(
            Known(([[0, 7, 0], [0, 6, 1]],), ([False, True, False],), {"dim": (0,)},
                  (*NUMBERS, "bool"), out="bool"),
            Known(([1, NAN],), (True,), dtypes=FLOATS, out="bool"),
            Known(([],), (True,), dtypes=FLOATS, out="bool"),
        ),
        calls=over("aclnnAll", "bool", "out"),
        plain={"dim": (1,), "keep_dim": False, "out": TRUTH},
    ),
)  # fmt: skip
