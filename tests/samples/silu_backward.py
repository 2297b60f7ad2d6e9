"""g times the slope of x/(1 + e^-x)."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import torch

from samples import NARROW, Call, Known, Samples, T

INF, NAN = math.inf, math.nan
ROOT = -1.2784645427610737  # of the slope


def oracle(g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    g, x = torch.broadcast_tensors(g, x)
    x = x.clone().requires_grad_()
    return torch.autograd.grad(torch.nn.functional.silu(x), x, g)[0]


def exact(g: Any, x: Any) -> Any:
    e = mpmath.exp(-mpmath.mpf(x))
    return mpmath.mpf(g) * (1 + e + mpmath.mpf(x) * e) / (1 + e) ** 2


def takes(inputs: tuple[str, ...], out: str, product: str) -> bool:
    if len(set(inputs)) == 1:
        return out == inputs[0]
    return product == "Ascend950" and out == "f32"


KNOWN = (
    Known(
        ([1, 1, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6]),
        [0.927671, 1.090784, 1.088104, 1.052665, 1.026547, 1.012326],
        within=1e-6,
        why="the document's example",
    ),
    Known(([1.0, -4, 1], [0, -0.0, 1000]), [0.5, -2, 1], dtypes=NARROW),
    Known(
        ([1.0, 1, 1, NAN, INF, INF], [INF, -INF, NAN, 0, 0, -5]),
        [NAN, NAN, NAN, NAN, INF, -INF],
        dtypes=NARROW,
        why="at infinity the formula is 0·inf",
    ),
    Known(
        ([INF, -INF, INF], [-60000, -60000, 60000]),
        [-INF, INF, INF],
        dtypes=NARROW,
        why="at every finite x it is the true slope",
        beyond_float64=True,
    ),
    Known(
        ([1.0, -1, -0.0, 0.0, -0.0], [-1000, -1000, 1, -1000, -1000]),
        [-0.0, 0.0, -0.0, -0.0, 0.0],
        dtypes=NARROW,
        why="a slope below 0 that rounds to zero keeps its sign",
    ),
    Known(([1.0], [-100]), [-3.6828e-42], within=1e-45, why="gradual underflow"),
)

CALLS = (
    Call({}),
    Call({"grad_output": None}, 161001, "grad_output is null"),
    Call({"self": None}, 161001, "self is null"),
    Call({"grad_input": None}, 161001, "grad_input is null"),
    Call(
        {"self": T("s32")},
        161002,
        "aclnnSiluBackward: self has dtype INT32; expected FLOAT16, FLOAT or BF16",
    ),
    Call({"self": T("f64")}, 161002, "self has dtype DOUBLE"),
    Call({"grad_input": T("c64")}, 161002, "grad_input has dtype COMPLEX64"),
    Call(
        {"grad_output": T("f16")},
        161002,
        "; Ascend950 accepts this call: choose it with OPENACLNN_SOC=Ascend950",
    ),
    Call({"grad_output": T("f16")}, product="Ascend950"),
    Call({"grad_output": T("bf16"), "self": T("f16")}, product="Ascend950"),
    Call(
        {"grad_output": T("f16"), "grad_input": T("f16")},
        161002,
        "grad_input has dtype FLOAT16; expected FLOAT, as the inputs' dtypes differ",
        "Ascend950",
    ),
    Call({"grad_input": T("f16")}, 161002, "expected FLOAT, as grad_output has", "Ascend950"),
    Call({"grad_input": T("f16")}, 161002, "grad_input has dtype FLOAT16; expected FLOAT"),
    Call(
        {"self": T(shape=(3,))},
        161002,
        "self has shape [3]; expected [2, 3], as grad_output has; Ascend950 accepts this call: "
        "choose it with OPENACLNN_SOC=Ascend950",
    ),
    Call({"self": T(shape=(3,))}, product="Ascend950"),
    Call({"self": T(shape=(2, 1)), "grad_output": T(shape=(3,))}, product="Ascend950"),
    Call(
        {"self": T(shape=(2,))},
        161002,
        "grad_output has shape [2, 3], self has shape [2]; expected shapes that broadcast",
        "Ascend950",
    ),
    Call({"self": T(shape=(3,))}, 161002, "self has shape [3]", "Ascend910_93"),
    Call({"self": T(shape=(3,))}, 161002, "self has shape [3]", "Ascend910"),
    Call(
        {"grad_input": T(shape=(3, 2))},
        161002,
        "grad_input has shape [3, 2]; expected [2, 3], the inputs' broadcast shape",
        "Ascend950",
    ),
    Call({"grad_output": T(shape=(1,) * 9)}, 161002, "grad_output has 9 dimensions"),
    Call({"self": T(shape=(1,) * 9)}, 161002, "self has 9 dimensions; expected at most 8"),
    Call({"grad_input": T(shape=(1,) * 9)}, 161002, "grad_input has shape [1, 1, 1,"),
    Call({"grad_output": T(shape=()), "self": T(shape=()), "grad_input": T(shape=())}),
    Call({"grad_output": T(shape=(0,)), "self": T(shape=(0,)), "grad_input": T(shape=(0,))}),
    Call(
        {"grad_output": T(shape=(0,)), "self": T(shape=(1,)), "grad_input": T(shape=(0,))},
        product="Ascend950",
    ),
    Call({"grad_output": T(shape=(0,)), "self": T(shape=(0,))}, 161002, "grad_input has shape"),
    Call(
        {},
        561003,
        "aclnnSiluBackward: Ascend310P (Atlas inference) does not have this operator; Ascend910B, "
        "Ascend910_93, Ascend950, Ascend910 do",
        "Ascend310P",
    ),
    # the first of two faults decides: null, dtype, dtype relation, dims, shape, views, product
    Call({"grad_output": T("s32"), "grad_input": None}, 161001, "grad_input is null"),
    Call({"grad_output": T("f16"), "grad_input": T("s8")}, 161002, "grad_input has dtype INT8"),
    Call({"self": T("f16", (1,) * 9)}, 161002, "self has dtype FLOAT16"),
    Call({"self": T("f16", (1,) * 9)}, 161002, "self has 9 dimensions", "Ascend950"),
    Call(
        {"self": T(shape=(1,) * 9), "grad_output": T(shape=(7,))}, 161002, "self has 9 dimensions"
    ),
    Call({"self": T(shape=(7,)), "grad_input": T(strides=(0, 1))}, 161002, "self has shape [7]"),
    Call({"self": T(storage=(2,))}, 161002, "self reaches elements 0 to 5", "Ascend310P"),
    Call({"self": T("bf16")}, 161002, "expected FLOAT16 or FLOAT on Ascend310P", "Ascend310P"),
    Call({"self": None}, 161001, "self is null", "Ascend310P"),
)

SAMPLES = Samples(
    op="silu_backward",
    inputs=("grad_output", "self"),
    output="grad_input",
    oracle=oracle,
    exact=exact,
    edges=(0.0, ROOT, ROOT - 0.25, ROOT + 0.25, ROOT - 0.0625, ROOT + 0.0625, 2.3994, -100.0,
           -190.0, 88.0, -88.0, 103.0, -103.0, -104.0, -150.0, -198.0),
    hard=(
        (1.0, ROOT), (3e38, ROOT), (-1e-40, ROOT), (1.0, -1.2784646), (1.0, -1.2784644),
        (7.0, -1.34), (7.0, -1.217), (1.0, -1.5284), (1.0, -1.0284), (1.0, -89.7), (1.0, -100.0),
        (1.0, -103.0), (3.4e38, -100.0), (3.4e38, -190.0), (-3.4e38, -195.0), (1e38, -150.0),
        (1.0, 16.0), (1.0, 88.0), (1.0, 103.0), (1e-45, 3.0), (1.0, 1e-30), (1.0, -87.5),
        (3e38, -198.0), (1.0, 2.3994),
    ),
    known=KNOWN,
    calls=CALLS,
    takes=takes,
    broadcasts_on=("Ascend950",),
    products=("Ascend910B", "Ascend910_93", "Ascend950", "Ascend910"),
)  # fmt: skip
