"""ln(1 + x), as exact relatively where x is small. -inf for -1, NaN below."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import log1p

OPS = function(
    "log1p",
    formula=lambda self: log1p(self),
    en="Logarithm of 1 + x",
    zh="1 + x 的自然对数",
    fast=1.75,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log1p(np.array([-1, 0, 1e-10], np.float32))
array([  -inf, 0.e+00, 1.e-10], dtype=float32)
""",
)
