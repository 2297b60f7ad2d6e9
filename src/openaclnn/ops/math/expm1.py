"""e^x − 1, as exact relatively where x is small."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import expm1

OPS = function(
    "expm1",
    formula=lambda self: expm1(self),
    en="Exponential minus 1",
    zh="指数函数减 1",
    fast=2.75,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.expm1(np.array([-1, 0, 1e-10], np.float32))
array([-6.3212055e-01,  0.0000000e+00,  1.0000000e-10], dtype=float32)
""",
)
