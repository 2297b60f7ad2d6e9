"""g where x > 0, else g·slope."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import torch

from samples import ANY_FLOAT, EVERY_OUTPUT, Call, Known, S, Samples, T

INF, NAN = math.inf, math.nan
SLOPES = ("f32", "f16", "f64", "s32", "s64", "s8", "u8", "bool", "s16", "bf16")


def oracle(
    g: torch.Tensor, x: torch.Tensor, negative_slope: float = 0.01, self_is_result: bool = False
) -> torch.Tensor:
    g, x = torch.broadcast_tensors(g, x)
    return torch.ops.aten.leaky_relu_backward(g, x, negative_slope, False)


def exact(g: Any, x: Any, negative_slope: float = 0.01, self_is_result: bool = False) -> Any:
    return mpmath.mpf(g) * (1 if x > 0 else mpmath.mpf(negative_slope))


def takes(inputs: tuple[str, ...], out: str, product: str) -> bool:
    return out in EVERY_OUTPUT


KNOWN = (
    Known(([2, 3, 4, 5], [1, 2, 3, 4]), [2, 3, 4, 5], dtypes=ANY_FLOAT, why="the example"),
    Known(
        ([8.0, 8, 8, 8], [1, 0, -0.0, -1]),
        [8, 2, 2, 2],
        {"negative_slope": 0.25},
        ANY_FLOAT,
        why="0 is on the slope",
    ),
    Known(
        ([8.0, NAN, NAN, INF, -INF], [NAN, 1, -1, -1, 1]),
        [2, NAN, NAN, INF, -INF],
        {"negative_slope": 0.25},
        ANY_FLOAT,
        why="a NaN x takes the second branch",
    ),
    Known(([8.0, 8], [INF, -INF]), [8, 2], {"negative_slope": 0.25}, ANY_FLOAT),
    Known(
        ([-1.0, -0.0, 0.0, -0.0], [-1, -1, -1, 1]),
        [-0.0, -0.0, 0.0, -0.0],
        {"negative_slope": 0.0},
        ANY_FLOAT,
        why="-0",
    ),
    Known(([INF, 1.0], [-1, -1]), [NAN, 0], {"negative_slope": 0.0}, ANY_FLOAT, why="inf·0"),
    Known(([2.0, 2], [-1, 1]), [-1, 2], {"negative_slope": -0.5}, ANY_FLOAT, why="slope below 0"),
    Known(([2.0, 2], [-1, 1]), [NAN, 2], {"negative_slope": NAN}, ANY_FLOAT, why="NaN slope"),
    Known(
        ([2.0, 2], [-1, 1]),
        [NAN, 2],
        {"negative_slope": NAN, "self_is_result": True},
        ANY_FLOAT,
        why="a NaN slope is not below 0",
    ),
    Known(([2.0, 2], [-1, 1]), [6, 2], {"negative_slope": 3, "self_is_result": True}, ANY_FLOAT),
    Known(([2.0, 0], [-1, -1]), [INF, NAN], {"negative_slope": INF}, ANY_FLOAT),
    Known(([1.0], [-1]), [0.1], {"negative_slope": 0.1}, ("f64",), why="a double in DOUBLE"),
    Known(
        ([1.0], [-1]),
        [0.10000000149011612],
        {"negative_slope": 0.1},
        ("f32",),
        why="a float32 elsewhere",
    ),
    Known(([2.0**-1074, 3 * 2.0**-1074], [-1, -1]), [0, 2.0**-1073], {"negative_slope": 0.5},
          ("f64",), why="subnormals, ties to even"),
)  # fmt: skip

CALLS = (
    Call({}),
    *(Call({"negative_slope": S(1, dtype)}) for dtype in SLOPES),
    Call({"grad_output": None}, 161001, "grad_output is null"),
    Call({"self": None}, 161001, "self is null"),
    Call({"negative_slope": None}, 161001, "negative_slope is null; expected a scalar"),
    Call({"out": None}, 161001, "out is null"),
    Call(
        {"self": T("s32")},
        161002,
        "aclnnLeakyReluBackward: self has dtype INT32; expected FLOAT16, FLOAT, BF16 or DOUBLE",
    ),
    Call({"grad_output": T("c64")}, 161002, "grad_output has dtype COMPLEX64"),
    Call({"negative_slope": S(1, "c64")}, 161002, "negative_slope has dtype COMPLEX64; expected"),
    Call({"negative_slope": S(1, "u16")}, 161002, "negative_slope has dtype UINT16; expected"),
    Call({"negative_slope": S(1, "u32")}, 161002, "negative_slope has dtype UINT32; expected"),
    Call({"negative_slope": S(1, "u64")}, 161002, "negative_slope has dtype UINT64; expected"),
    Call({"negative_slope": S(1, "c128")}, 161002, "negative_slope has dtype COMPLEX128"),
    Call({"negative_slope": S(1, "bf16")}, 161002, "negative_slope has dtype BF16", "Ascend910"),
    Call({"out": T("s32")}, 161002, "out has dtype INT32; expected one that FLOAT, the inputs'"),
    Call({"out": T("bool")}, 161002, "out has dtype BOOL; expected one that FLOAT"),
    Call({"out": T("c128")}),
    Call({"self": T("f64"), "out": T("f16")}),
    Call({"grad_output": T(shape=(3,)), "self": T(shape=(2, 1))}),
    Call({"grad_output": T(shape=())}),
    Call({"self": T(shape=(4,))}, 161002, "grad_output has shape [2, 3], self has shape [4]; exp"),
    Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3], the inputs' broad"),
    Call({"grad_output": T(shape=(1,) * 9)}, 161002, "grad_output has 9 dimensions"),
    Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions; expected at most 8"),
    Call({"out": T(shape=(1,) * 9)}, 161002, "out has shape [1, 1, 1,"),
    Call(
        {"negative_slope": S(-0.5), "self_is_result": True},
        161002,
        "negative_slope is -0.5 while self_is_result is true; expected at least 0",
    ),
    Call({"negative_slope": S(-1, "s8"), "self_is_result": True}, 161002, "negative_slope is -1"),
    Call({"negative_slope": S(-0.5)}),
    Call({"negative_slope": S(-0.0), "self_is_result": True}),
    Call({"negative_slope": S(NAN), "self_is_result": True}),
    Call({"grad_output": T(shape=()), "self": T(shape=()), "out": T(shape=())}),
    Call({"grad_output": T(shape=(0, 3)), "self": T(shape=(1, 3)), "out": T(shape=(0, 3))}),
    Call({"grad_output": T(shape=(0, 3)), "self": T(shape=(3,))}, 161002, "out has shape [2, 3]"),
    # the first of two faults decides: null, dtype, scalar dtype, dims, broadcast, selfIsResult,
    # castable, views
    Call({"self": T("s32"), "negative_slope": None}, 161001, "negative_slope is null"),
    Call({"self": T("s32"), "negative_slope": S(1, "c64")}, 161002, "self has dtype INT32"),
    Call(
        {"self": T(shape=(1,) * 9), "negative_slope": S(1, "u64")},
        161002,
        "negative_slope has dtype UINT64",
    ),
    Call({"self": T(shape=(1,) * 9), "grad_output": T(shape=(4,))}, 161002, "self has 9 dim"),
    Call(
        {"self": T(shape=(4,)), "negative_slope": S(-1.0), "self_is_result": True},
        161002,
        "self has shape [4]",
    ),
    Call(
        {"negative_slope": S(-1.0), "self_is_result": True, "out": T("s32")},
        161002,
        "negative_slope is -1",
    ),
    Call({"out": T("s32", strides=(0, 0))}, 161002, "out has dtype INT32"),
)

SAMPLES = Samples(
    op="leaky_relu_backward",
    inputs=("grad_output", "self"),
    output="out",
    oracle=oracle,
    exact=exact,
    edges=(0.0, -0.0, 1e-45, -1e-45),
    hard=((1.0, -1.0), (3.4e38, -1.0), (1e-45, -1.0), (1.5, 2.0), (1e-40, -3.0), (7.1, 0.0)),
    known=KNOWN,
    calls=CALLS,
    takes=takes,
    dtypes=ANY_FLOAT,
    attributes=(
        {},
        {"negative_slope": 0.1},
        {"negative_slope": -1.7},
        {"negative_slope": 3, "self_is_result": True},
        {"negative_slope": 1e-30},
        {"negative_slope": 1e30},
        {"negative_slope": 1e-40},
    ),
    plain={"negative_slope": S(0.01), "self_is_result": False},
    broadcasts_on=("Ascend910B", "Ascend910_93", "Ascend950", "Ascend910", "Ascend310P"),
)
