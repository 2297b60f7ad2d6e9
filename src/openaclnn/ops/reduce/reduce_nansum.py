"""The sum of all numbers over dimensions, without NaN: exact, and rounded once."""

from openaclnn.spec.families import ALL, NUMBERS, reduction
from openaclnn.spec.formula import equal, fold, where

OP = reduction(
    "reduce_nansum",
    "add",
    dtypes=ALL,
    typed=NUMBERS,
    en="Sum over dimensions, NaN as 0",
    zh="沿维度求和（忽略 NaN）",
    torch="nansum",
    formula=lambda self: fold(where(equal(self, self), self, 0), "add", over="dim"),
    source="signature: op-plugin, candle; values: PyTorch's nansum (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.reduce_nansum(np.array([1, np.nan, 2], np.float32))
array(3., dtype=float32)
""",
)
