"""log₂(x), exact for powers of two. -inf for 0, NaN below."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import log2

OPS = function(
    "log2",
    formula=lambda self: log2(self),
    en="Logarithm to base 2",
    zh="以 2 为底的对数",
    fast=2.5,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log2(np.array([0, 8, 10], np.float32))
array([    -inf, 3.      , 3.321928], dtype=float32)
""",
)
