"""Elements in order."""

import math

from rows import FLOATS, INTEGERS, NUMBERS, Call, Known, Rows, T

NAN, INF = math.nan, math.inf
MATRIX = [[3, 1, 2], [6, 5, 9]]


def sorted_(c_name: str, *outputs: str, more: tuple[Call, ...] = ()) -> tuple[Call, ...]:
    """The last output is places; `plain` names the last dimension of (2, 3)."""
    places = outputs[-1]
    values = outputs[:-1]
    return (
        Call({}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        *(Call({out: None}, 161001, f"{out} is null") for out in outputs),
        Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
        Call({places: T("f32")}, 161002, f"{places} has dtype FLOAT"),
        *(Call({out: T("f16")}, 161002, f"{out} has dtype FLOAT16; expected FLOAT")
          for out in values),
        Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
        Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions"),
        Call({places: T("s64", (4, 4))}, 161002, f"{places} has shape [4, 4]; expected"),
        *more,
    )  # fmt: skip


ORDER = {"dim": 1, "descending": False}
BOTH = {"values": T(), "indices": T("s64")}
ONE = {"values": T(shape=(2,)), "indices": T("s64", (2,))}

ROWS = (
    Rows("sort", (), sorted_("aclnnSort", "values", "indices"),
         plain={"stable": True, **ORDER, **BOTH}),
    Rows("argsort",
         (Known((MATRIX, 1), ([[1, 2, 0], [1, 0, 2]],), dtypes=NUMBERS, out="s64"),
          Known((MATRIX, 1), ([[0, 2, 1], [2, 0, 1]],), {"descending": True}, out="s64"),
          Known(([0, NAN, -INF, -0.0, INF, NAN], 0), ([2, 0, 3, 4, 1, 5],), dtypes=FLOATS,
                out="s64"),
          Known(([0, NAN, -INF, -0.0, INF, NAN], 0), ([1, 5, 4, 0, 3, 2],), {"descending": True},
                FLOATS, out="s64"),
          Known(([1, 0, 1, 0], 0), ([1, 3, 0, 2],), dtypes=("bool",), out="s64"),
          Known(([200, 3, 255], 0), ([1, 0, 2],), dtypes=("u8",), out="s64")),
         sorted_("aclnnArgsort", "out"), plain={**ORDER, "out": T("s64")}),
    Rows("topk", (), sorted_("aclnnTopk", "values", "indices", more=(
             Call({"k": 4}, 161002, "k is 4; expected 0 to 3"),)),
         plain={"k": 2, "dim": 1, "largest": True, "sorted": True, "values": T(shape=(2, 2)),
                "indices": T("s64", (2, 2))}),
    Rows("kthvalue", (), sorted_("aclnnKthvalue", "values", "indices", more=(
             Call({"k": 0}, 161002, "k is 0; expected 1 to 3"),)),
         plain={"k": 2, "dim": 1, "keepdim": False, **ONE}),
    Rows("median_dim", (), sorted_("aclnnMedianDim", "out0", "out1", more=(
             Call({"self": T(shape=(2, 0))}, 161002, "self has size 0 along dimension 1"),)),
         plain={"dim": 1, "keepdim": False, "out0": T(shape=(2,)), "out1": T("s64", (2,))}),
    Rows("median",
         (Known((MATRIX,), (3,), dtypes=(*FLOATS, "f64", *INTEGERS)),
          Known(([1, NAN, 2],), (NAN,), dtypes=FLOATS)),
         (Call({}), Call({"self": None}, 161001, "aclnnMedian: self is null"),
          Call({"out": None}, 161001, "out is null"),
          Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
          Call({"self": T(shape=(0,))}, 161002, "self has shape [0]; expected some element"),
          Call({"out": T("f16", ())}, 161002, "out has dtype FLOAT16; expected FLOAT"),
          Call({"out": T(shape=(2,))}, 161002, "out has shape [2]; expected []")),
         plain={"out": T(shape=())}),
    Rows("randperm",
         (Known((1,), ([0],), {"seed": 1, "offset": 0}, out="s64"),
          Known((0,), ([],), {"seed": 1, "offset": 0}, out="s64")),
         (Call({}), Call({"out": T("f32", (6,))}), Call({"out": None}, 161001, "out is null"),
          Call({"n": -1}, 161002, "n is -1; expected at least 0"),
          Call({"out": T("bool", (6,))}, 161002, "out has dtype BOOL"),
          Call({"out": T("s64", (5,))}, 161002, "out has shape [5]; expected [6]")),
         plain={"n": 6, "seed": 1, "offset": 0, "out": T("s64", (6,))}),
)  # fmt: skip
