"""g/6 where -3 < x < 3, else 0."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import torch

from samples import EVERY_OUTPUT, NARROW, Call, Known, Samples, T

INF, NAN = math.inf, math.nan


def oracle(g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    # not torch's own hardsigmoid: even in float64 it multiplies by a float32 sixth
    x = x.clone().requires_grad_()
    return torch.autograd.grad(torch.nn.functional.relu6(x + 3) / 6, x, g)[0]


def exact(g: Any, x: Any) -> Any:
    return mpmath.mpf(g) / 6 if abs(x) < 3 else mpmath.mpf(0)


def takes(inputs: tuple[str, ...], out: str, product: str) -> bool:
    return out in EVERY_OUTPUT


KNOWN = (
    Known(
        ([0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]),
        [0, 0.166667, 0.333333, 0, 0, 0, 0, 0],
        within=1e-6,
        why="the document's example",
    ),
    Known(
        ([6.0, 6, 6, 6], [-3, 3, 2.984375, -2.984375]),
        [0, 0, 1, 1],
        dtypes=NARROW,
        why="the interval is open",
    ),
    Known(
        ([6.0, NAN, NAN, INF, -INF], [NAN, 4, 0, 0, -4]),
        [0, 0, NAN, INF, 0],
        dtypes=NARROW,
        why="a NaN x is not inside; a NaN g outside does not matter",
    ),
    Known(
        ([-0.0, -0.0, 0.0, -6], [0, 4, -0.0, 5]),
        [-0.0, 0.0, 0.0, 0.0],
        dtypes=NARROW,
        why="-0 stays where the formula gives it, and 0 outside is +0",
    ),
    Known(([6 * 2.0**-24, 2.0**-24], [0, 0]), [2.0**-24, 0], dtypes=("f16",), why="subnormals"),
    Known(([6 * 2.0**-149, 2.0**-149], [0, 0]), [2.0**-149, 0], why="subnormals"),
    Known(([6 * 2.0**-133, 2.0**-133], [0, 0]), [2.0**-133, 0], dtypes=("bf16",), why="subnormals"),
)

CALLS = (
    Call({}),
    Call({"grad_output": None}, 161001, "grad_output is null; expected a tensor"),
    Call({"self": None}, 161001, "self is null; expected a tensor"),
    Call({"out": None}, 161001, "out is null; expected a tensor"),
    Call(
        {"grad_output": T("s32")},
        161002,
        "aclnnHardsigmoidBackward: grad_output has dtype INT32; expected FLOAT16, FLOAT or BF16",
    ),
    Call({"self": T("f64")}, 161002, "self has dtype DOUBLE; expected FLOAT16, FLOAT or BF16"),
    Call({"out": T("s32")}, 161002, "out has dtype INT32; expected one that FLOAT"),
    Call({"out": T("c64")}),
    Call({"self": T(shape=(3, 2))}, 161002, "self has shape [3, 2]; expected [2, 3]"),
    Call({"self": T(shape=(3,))}, 161002, "self has shape [3]; expected [2, 3], as grad_output"),
    Call({"out": T(shape=(6,))}, 161002, "out has shape [6]; expected [2, 3], as grad_output has"),
    Call(
        {"grad_output": T(shape=(1,) * 9), "self": T(shape=(1,) * 9), "out": T(shape=(1,) * 9)},
        161002,
        "grad_output has 9 dimensions; expected at most 8",
    ),
    Call({"out": T(shape=(1,) * 9)}, 161002, "out has 9 dimensions; expected at most 8"),
    Call({"grad_output": T(shape=()), "self": T(shape=()), "out": T(shape=())}),
    Call({"grad_output": T(shape=(0, 3)), "self": T(shape=(0, 3)), "out": T(shape=(0, 3))}),
    Call({"grad_output": T(shape=(0,)), "self": T(shape=(0,))}, 161002, "out has shape [2, 3]"),
    # the first of two faults decides: null, dtype, castable, dims, shape
    Call({"grad_output": T("s32"), "out": None}, 161001, "out is null"),
    Call({"self": T("s32"), "out": T("s32")}, 161002, "self has dtype INT32"),
    Call({"out": T("s32", (1,) * 9)}, 161002, "out has dtype INT32"),
    Call({"self": T(shape=(3, 2)), "out": T(shape=(1,) * 9)}, 161002, "out has 9 dimensions"),
    Call({"self": T(shape=(3, 2)), "out": T(strides=(0, 1))}, 161002, "self has shape [3, 2]"),
)

SAMPLES = Samples(
    op="hardsigmoid_backward",
    inputs=("grad_output", "self"),
    output="out",
    oracle=oracle,
    exact=exact,
    edges=(-3.0, 3.0, math.nextafter(3, 0), math.nextafter(-3, 0)),
    hard=((1.0, 0.5), (7.0, -2.9), (1e-45, 0.0), (-3.4e38, 2.0), (5e-45, 1.0)),
    known=KNOWN,
    calls=CALLS,
    takes=takes,
)
