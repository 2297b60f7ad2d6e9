"""1/√x. An infinity for a zero, NaN below."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import rsqrt

OPS = function(
    "rsqrt",
    formula=lambda self: rsqrt(self),
    en="Reciprocal of the square root",
    zh="平方根的倒数",
    fast=1.5,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.rsqrt(np.array([0, 2, 4], np.float32))
array([       inf, 0.70710677, 0.5       ], dtype=float32)
""",
)
