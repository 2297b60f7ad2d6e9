"""Three tensors, and replaced numbers."""

import math

import torch

from rows import FLOATS, Call, Known, Rows, S, T
from rows.families import in_place, unary_rows

NAN, INF = math.nan, math.inf
VALUE = {"value": S(1, "s64")}


def refused(first: str, *others: str, of: str = "f32") -> tuple[Call, ...]:
    """Calls that all of them answer alike."""
    return (
        Call({}),
        Call({first: T(of, (2, 1)), others[0]: T(shape=(3,))}),
        *(Call({name: None}, 161001, f"{name} is null") for name in (first, *others, "out")),
        Call({others[0]: T("c64")}, 161002, f"{others[0]} has dtype COMPLEX64, which openaclnn"),
        Call({first: T(of, (2, 2))}, 161002, "expected shapes that broadcast to a common one"),
        Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3]"),
    )


ROWS = (
    Rows(
        "addcmul",
        (
            Known(([1, 2], [3, 4], [5, -6]), ([16, -22],), dtypes=("f16", "s8", "f64")),
            Known(([1], [200], [200]), ([40001 - 65536],), dtypes=("s16",)),
            Known(([-(1 + 2.0**-22)], [1 + 2.0**-23], [1 + 2.0**-23]), ([2.0**-46],)),
            Known(([-(1 + 2.0**-51)], [1 + 2.0**-52], [1 + 2.0**-52]), ([2.0**-104],),
                  dtypes=("f64",)),
            Known(([INF, 1], [1, INF], [-3, 0]), ([INF, NAN],), dtypes=FLOATS),
        ),
        refused("self", "tensor1", "tensor2"),
        lambda x, y, z, value=1: torch.addcmul(x, y, z, value=value),
        inputs=3,
        dtypes=("f16", "s64"),
        attributes=({}, {"value": -3}),
        plain=VALUE,
        in_place="inplace_addcmul",
    ),
    Rows("inplace_addcmul", (), in_place("aclnnInplaceAddcmul"), plain=VALUE),
    Rows(
        "addcdiv",
        (
            Known(([1, 2], [3, 4], [4, -8]), ([1.75, 1.5],), dtypes=(*FLOATS, "f64")),
            Known(([-(1 - 2.0**-24)], [1.0], [1 + 2.0**-23]), ([2.0**-46 - 2.0**-24],),
                  within=1e-20),
            Known(([1, 1, 5], [1, 0, 1], [0, 0, INF]), ([INF, NAN, 5],), dtypes=FLOATS),
        ),
        refused("self", "tensor1", "tensor2"),
        lambda x, y, z, value=1.0: torch.addcdiv(x, y, z, value=value),
        inputs=3,
        dtypes=("f16",),
        plain=VALUE,
        in_place="inplace_addcdiv",
    ),
    Rows("inplace_addcdiv", (), in_place("aclnnInplaceAddcdiv", "s32"), plain=VALUE),
    Rows(
        "lerp",
        (
            Known(([0, 1, 3e38], [8, 3, 1], [0.25, 0.5, 1]), ([2, 2, 1],)),
            Known(([0, 0, 1], [INF, INF, NAN], [0.25, 0.75, 0]), ([INF, NAN, NAN],), dtypes=FLOATS),
        ),
        refused("self", "end", "weight"),
        plain={},
        in_place="inplace_lerp",
    ),
    Rows("inplace_lerp", (), in_place("aclnnInplaceLerp", "s32")),
    Rows(
        "lerps",
        (Known(([0, 1], [8, 3], 0.25), ([2, 1.5],), dtypes=(*FLOATS, "f64")),),
        (
            *refused("self", "end"),
            Call({"weight": None}, 161001, "weight is null; expected a scalar"),
        ),
        plain={"weight": S(0.5)},
    ),
    Rows("inplace_lerps", (), in_place("aclnnInplaceLerps", "s32"), plain={"weight": S(0.5)}),
    Rows(
        "s_where",
        (Known(([1, 0, 1], [1, 2, 3], [4, 5, 6]), ([1, 5, 3],), dtypes=("u8",)),),
        (
            *refused("condition", "self", "other", of="bool"),
            Call({"condition": T()}, 161002, "condition has dtype FLOAT; expected BOOL or UINT8"),
            Call({"self": T("s32"), "other": T("f16"), "out": T("f32")}),
        ),
        plain={"condition": T("bool")},
    ),
    *unary_rows(
        "nan_to_num",
        Known(([NAN, INF, -INF, 2],), ([0, 65504, -65504, 2],), {"posinf": 65504, "neginf": -65504},
              ("f16", "f64")),
        Known(([NAN, -0.0],), ([7, -0.0],), {"nan": 7}, FLOATS),
        Known(([5, -5],), ([5, -5],), dtypes=("s8", "s64")),
        twin=True,
        plain={"nan": 0.0, "posinf": 1.0, "neginf": -1.0},
    ),
    Rows(
        "inplace_one",
        (Known(([0, 5],), ([1, 1],), dtypes=("f16", "s64", "bool")),),
        in_place("aclnnInplaceOne"),
    ),
)  # fmt: skip
