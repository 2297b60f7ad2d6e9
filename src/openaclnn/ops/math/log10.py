"""log₁₀(x). -inf for 0, NaN below."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import log10

OPS = function(
    "log10",
    formula=lambda self: log10(self),
    en="Logarithm to base 10",
    zh="以 10 为底的对数",
    fast=2.75,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log10(np.array([0, 2, 1000], np.float32))
array([   -inf, 0.30103, 3.     ], dtype=float32)
""",
)
