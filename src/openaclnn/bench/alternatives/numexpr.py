"""numexpr: the formula as a string, evaluated block by block on several threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from openaclnn.bench.alternatives import Prepared
from openaclnn.bench.operands import Operands

VERSION_OF = "numexpr"
TITLE = "numexpr"
MEANING = "the formula as a string, writing into a given output"

# One constant is a float32: a Python number would make it all float64.
_EXPRESSIONS = {
    "hardsigmoid_backward": "where((x > -three) & (x < three), g / six, zero)",
    "leaky_relu_backward": "where(x > zero, g, g * slope)",
    "log_sigmoid_backward": "g / (one + exp(x))",
    "silu_backward": "g / (one + exp(-x)) * (one + x * (one - one / (one + exp(-x))))",
    "smooth_l1_loss_backward": (
        "g * where(abs(x - t) < beta, (x - t) / beta, where(x > t, one, where(x < t, -one, zero)))"
    ),
}


def prepare(operands: Operands, threads: int) -> Prepared | str:
    expression = _EXPRESSIONS.get(operands.op.name)
    if expression is None:
        return "nobody has written the formula down"
    if any(operand.view.dtype.numpy_name != "float32" for operand in operands.inputs):
        return "an operand has 16 bits: it knows no such floats"
    import numexpr  # type: ignore[import-not-found,unused-ignore]

    numexpr.set_num_threads(threads)
    names = dict(zip("gxt", (operand.array for operand in operands.inputs), strict=False))
    numbers = {"zero": 0, "one": 1, "three": 3, "six": 6} | {
        "slope": getattr(operands.attributes.get("negative_slope"), "value", 0),
        "beta": operands.attributes.get("beta", 0),
    }
    names |= {name: np.float32(number) for name, number in numbers.items()}
    out = operands.output.array

    def call() -> Any:
        return numexpr.evaluate(expression, names, {}, out=out)

    return Prepared(call, lambda result: result)
