"""g / (1 + e^x)."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import torch

from samples import NARROW, Call, Known, Samples, T

INF, NAN = math.inf, math.nan


def oracle(g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    x = x.clone().requires_grad_()
    return torch.autograd.grad(torch.nn.functional.logsigmoid(x), x, g)[0]


def exact(g: Any, x: Any) -> Any:
    return mpmath.mpf(g) / (1 + mpmath.exp(x))


def takes(inputs: tuple[str, ...], out: str, product: str) -> bool:
    return {out} == set(inputs)


KNOWN = (
    Known(
        ([1, 1, 1, 1], [1, 2, 3, 4]),
        [0.268941, 0.119203, 0.047426, 0.017986],
        within=1e-6,
        why="the document's example",
    ),
    Known(([2.0, -2, 1], [0, -0.0, -1000]), [1, -1, 1], dtypes=NARROW),
    Known(
        ([1.0, 1, INF, INF, NAN, 1, INF], [INF, -INF, -INF, INF, 0, NAN, 0]),
        [0, 1, INF, NAN, NAN, NAN, INF],
        dtypes=NARROW,
        why="infinities: inf·0 is NaN",
    ),
    Known(
        ([-0.0, -0.0, -0.0, -1], [0, 1000, -1000, INF]),
        [-0.0, -0.0, -0.0, -0.0],
        dtypes=NARROW,
        why="-0 stays",
    ),
    Known(
        ([INF, -INF], [60000, 60000]),
        [INF, -INF],
        dtypes=NARROW,
        why="e^x is finite there",
        beyond_float64=True,
    ),
    Known(([1.0, 1], [103, 104]), [1.401298464324817e-45, 0], why="gradual underflow"),
)

CALLS = (
    Call({}),
    Call({"grad_output": None}, 161001, "grad_output is null"),
    Call({"self": None}, 161001, "self is null"),
    Call({"buffer": None}, 161001, "aclnnLogSigmoidBackward: buffer is null; expected a tensor"),
    Call({"grad_input": None}, 161001, "grad_input is null"),
    Call({"buffer": T("s32", (5,))}),
    Call({"buffer": T("f32", (1,) * 12)}),
    Call({"buffer": T("f32", (9,), storage=(2,))}),
    Call({"self": T("f64")}, 161002, "self has dtype DOUBLE; expected FLOAT16, FLOAT or BF16"),
    Call({"grad_output": T("c64")}, 161002, "grad_output has dtype COMPLEX64; expected"),
    Call({"self": T("f16")}, 161002, "self has dtype FLOAT16; expected FLOAT, as grad_output has"),
    Call({"grad_input": T("f16")}, 161002, "grad_input has dtype FLOAT16; expected FLOAT"),
    Call({"grad_input": T("s64")}, 161002, "grad_input has dtype INT64"),
    Call({"self": T(shape=(3,))}, 161002, "self has shape [3]; expected [2, 3]"),
    Call({"grad_input": T(shape=(1, 2, 3))}, 161002, "grad_input has shape [1, 2, 3]; expected"),
    Call(
        {
            "grad_output": T(shape=(1,) * 12),
            "self": T(shape=(1,) * 12),
            "grad_input": T(shape=(1,) * 12),
        }
    ),
    Call({"grad_output": T(shape=()), "self": T(shape=()), "grad_input": T(shape=())}),
    Call({"grad_output": T(shape=(0,)), "self": T(shape=(0,)), "grad_input": T(shape=(0,))}),
    Call({"grad_output": T(shape=(0,)), "self": T(shape=(0,))}, 161002, "grad_input has shape"),
    # the first of two faults decides: null, dtype, same dtype, shape
    Call({"grad_output": T("s32"), "buffer": None}, 161001, "buffer is null"),
    Call({"grad_output": T("f16"), "grad_input": T("s8")}, 161002, "grad_input has dtype INT8"),
    Call({"self": T("f16", (3,))}, 161002, "self has dtype FLOAT16"),
    Call({"self": T(shape=(3,)), "grad_input": T(strides=(0, 0))}, 161002, "self has shape [3]"),
)

SAMPLES = Samples(
    op="log_sigmoid_backward",
    inputs=("grad_output", "self"),
    output="grad_input",
    oracle=oracle,
    exact=exact,
    edges=(0.0, 87.0, 88.0, 88.7228, 89.0, 103.0, 103.97, 104.0, 150.0, 191.0, -17.0, -88.0),
    hard=(
        (1.0, 88.0), (1.0, 103.0), (1.0, 103.9), (3.4e38, 150.0), (-3.4e38, 190.0), (1.0, 1e-30),
        (1.0, 16.6), (1.0, -16.6), (1e-45, 0.5), (3.4e38, -0.5), (1.0, 340.0), (3e38, 191.0),
    ),
    known=KNOWN,
    calls=CALLS,
    takes=takes,
    unread=("buffer",),
)  # fmt: skip
