"""x^y, and the angle of a point."""

import math

import torch

from rows import FLOATS, Call, Known, Rows, S, T
from rows.families import binary, c_name, in_place, unary

INF, NAN = math.inf, math.nan
BASES = [2, -2, -2, 0, -0.0, 0, 1, -1, INF, -INF, -INF, NAN, 0.5, 4]
POWERS = [10, 3, 0.5, 0, -3, -2, NAN, INF, -1, 3, 0.5, 0, INF, 0.5]
FOUND = [1024, -8, NAN, 1, -INF, INF, 1, 1, 0, -INF, INF, 1, 0, 2]
TWO = {"exponent": S(2.0)}


def renamed(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """What a binary operator answers, of an argument that is called `exponent`."""
    return tuple(
        Call(
            {name.replace("other", "exponent"): value for name, value in call.arguments.items()},
            call.status,
            call.message.replace("other", "exponent"),
        )
        for call in calls
    )


ROWS = (
    Rows(
        op="pow_tensor_tensor",
        known=(
            Known((BASES, POWERS), (FOUND,), dtypes=(*FLOATS, "f64")),
            Known(
                ([3, -2, 7, 1, -1, -1, 2, 0], [4, 3, 0, -5, -2, -3, -1, -1]),
                ([81, -8, 1, 1, 1, -1, 0, 0],),
                dtypes=("s8", "s16", "s32", "s64"),
            ),
            Known(([3, 2], [25, 70]), ([847288609443, 0],), dtypes=("s64",)),
            Known(([2, 3], [9, 6]), ([0, -39],), dtypes=("s8",)),  # 729 − 3·256
        ),
        calls=renamed(binary("aclnnPowTensorTensor")),
        oracle=torch.pow,
        inputs=2,
        edges=(0.0, 1.0, -1.0, 2.0, -3.0),
        in_place="inplace_pow_tensor_tensor",
    ),
    Rows("inplace_pow_tensor_tensor", (), (
        *in_place("aclnnInplacePowTensorTensor"),
        Call({"exponent": T(shape=(3,))}),
        Call({"self": T(shape=(3,))}, 161002, "exponent has shape [2, 3]; expected one"),
        Call({"self": T("s32")}, 161002, "self has dtype INT32; expected one"),
    )),
    Rows("pow_tensor_scalar", (
        Known(([1, 4, 9], 0.5), ([1, 2, 3],), dtypes=FLOATS),
        Known(([1, 4, 9], 0.5), ([1, 2, 3],), dtypes=("s32",), out="f32"),
        Known(([-3, 2], 3), ([-27, 8],), dtypes=(*FLOATS, "s16", "s32", "s64")),
        Known(([-3, 2, -0.0, -INF, NAN], 2), ([9, 4, 0, INF, NAN],), dtypes=FLOATS),
        Known(([-3, 2, -0.0, -INF, NAN], 1), ([-3, 2, -0.0, -INF, NAN],), dtypes=FLOATS),
        Known(([4, -0.0, -INF, INF, -1], 0.5), ([2, 0, INF, INF, NAN],), dtypes=FLOATS),
        Known(([4, -0.0, -INF, INF, -1], -0.5), ([0.5, INF, 0, 0, NAN],), dtypes=FLOATS),
        Known(([4, -0.0, -INF, 0], -1), ([0.25, -INF, -0.0, INF],), dtypes=FLOATS),
        Known(([1, 2, -1, -2], -1), ([1, 0, -1, 0],), dtypes=("s32", "s64")),
    ), (
        *unary("aclnnPowTensorScalar"),
        Call({"exponent": None}, 161001, "exponent is null; expected a scalar"),
        Call({"self": T("s32")}),
    ), plain=TWO),
    Rows("inplace_pow_tensor_scalar", (), in_place("aclnnInplacePowTensorScalar"), plain=TWO),
    Rows("pow_scalar_tensor", (
        Known((2, [3, -1, 0]), ([8, 0.5, 1],), dtypes=FLOATS),
        Known((2, [3, 0]), ([8, 1],), dtypes=("s32", "s64")),
    ), (
        Call({}),
        Call({"self": None}, 161001, "aclnnPowScalarTensor: self is null; expected a scalar"),
        Call({"exponent": None}, 161001, "exponent is null"),
        Call({"exponent": T("c64")}, 161002, "exponent has dtype COMPLEX64"),
        Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3]"),
    ), plain={"self": S(2.0)}),
    Rows(
        op="atan2",
        known=(
            Known(([0, -0.0, 1, -1, 0, NAN], [1, 1, INF, INF, INF, 1]),
                  ([0, -0.0, 0, -0.0, 0, NAN],), dtypes=FLOATS),
            Known(([0, 1, -1, INF], [-1, 0, -INF, INF]),
                  ([math.pi, math.pi / 2, -math.pi, math.pi / 4],), dtypes=FLOATS, within=1e-2),
            Known(([1, 0], [0, 1]), ([math.pi / 2, 0],), dtypes=("s32", "bool"), out="f32",
                  within=1e-6),
        ),
        calls=binary("aclnnAtan2"),
        oracle=torch.atan2,
        inputs=2,
        in_place="inplace_atan2",
    ),
    Rows("inplace_atan2", (), in_place("aclnnInplaceAtan2", "s32")),
    *(Rows(
        op=op,
        known=(
            Known(([INF, -INF, INF, NAN, -INF, 3], [INF, -INF, -INF, INF, 1, NAN]),
                  ([INF, -INF, INF, NAN, 1, NAN],), dtypes=FLOATS),
            Known(([0, -1000, 5], [-1000, 0, 5]), ([0, 0, 5 + unit],), dtypes=FLOATS, within=1e-2),
            Known(([-unit], [-unit]), ([0],), dtypes=("f64",), within=1e-16),
        ),
        calls=(
            *binary(c_name(op), "f64"),
            Call({"self": T("s32")}, 161002, "self has dtype INT32"),
        ),
        oracle=oracle,
        inputs=2,
        plain={"self": T("f64"), "other": T("f64"), "out": T("f64")},
    ) for op, oracle, unit in (
        ("log_add_exp", torch.logaddexp, math.log(2)),
        ("log_add_exp2", torch.logaddexp2, 1.0),
    )),
)  # fmt: skip
