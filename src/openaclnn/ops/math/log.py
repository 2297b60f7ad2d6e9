"""ln(x). -inf for 0, NaN below."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import log

OPS = function(
    "log",
    formula=lambda self: log(self),
    en="Natural logarithm",
    zh="自然对数",
    fast=1.0,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log(np.array([0, 1, 10], np.float32))
array([     -inf, 0.       , 2.3025851], dtype=float32)
""",
)
