"""start, start + step, start + 2·step, … up to end and with it, each rounded once. How many there
are is counted in float64, whatever the dtype."""

import math
from dataclasses import replace

from openaclnn.ops.fill import arange
from openaclnn.ops.fill.arange import NAMES, numbered
from openaclnn.spec.call import Call


def counts(call: Call) -> list[int]:
    start, end, step = (call[name].value for name in NAMES)
    return [math.floor((end - start) / step) + 1]


OP = replace(
    arange.OP,
    name="range",
    en="Evenly spaced numbers, the end included",
    zh="等差数列（含终止值）",
    results=numbered(counts),
    source="signature: op-plugin, Jittor, candle; values: PyTorch's range",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.range(4)
array([0, 1, 2, 3, 4])
>>> openaclnn.range(0.0, 1.0, 0.25)
array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
""",
)
