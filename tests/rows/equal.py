"""Whether tensors are equal, and filling with an element."""

import math

from rows import FLOATS, NUMBERS, Call, Known, Rows, T

ROWS = (
    Rows(
        op="equal",
        known=(
            Known(([1, 2], [1, 2]), (True,), dtypes=(*NUMBERS, "bool"), out="bool"),
            Known(([1, 2], [1, 3]), (False,), dtypes=NUMBERS, out="bool"),
            Known(([1, 2], [1, 2, 3]), (False,), dtypes=NUMBERS, out="bool"),
            Known(([math.nan], [math.nan]), (False,), dtypes=FLOATS, out="bool"),
            Known(([0.0], [-0.0]), (True,), dtypes=FLOATS, out="bool"),
            Known(([], []), (True,), out="bool"),
        ),
        calls=(
            Call({}),
            Call({"other": T("f16", (4,))}),
            Call({"out": T("bool", (1,))}),
            Call({"self": None}, 161001, "aclnnEqual: self is null; expected a tensor"),
            Call({"other": None}, 161001, "other is null"),
            Call({"out": None}, 161001, "out is null"),
            Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
            Call({"out": T("f32", ())}, 161002, "out has dtype FLOAT; expected BOOL"),
            Call({"out": T("bool", (2,))}, 161002, "out has shape [2]; expected []"),
        ),
        plain={"out": T("bool", ())},
    ),
    Rows(
        op="inplace_fill_tensor",
        known=(Known(([5, 6, 7], [3]), ([3, 3, 3],), dtypes=NUMBERS),),
        calls=(
            Call({}),
            Call({"self": T("s32"), "other": T("f32", ())}),
            Call({"self": None}, 161001, "aclnnInplaceFillTensor: self is null"),
            Call({"other": None}, 161001, "other is null"),
            Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64"),
            Call({"other": T(shape=(2,))}, 161002, "other has shape [2]; expected one element"),
        ),
        plain={"other": T(shape=(1,))},
    ),
)
