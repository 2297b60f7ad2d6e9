"""e^x."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import exp

OPS = function(
    "exp",
    formula=lambda self: exp(self),
    en="Exponential",
    zh="指数函数",
    fast=1.75,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.exp(np.array([-1, 0, 1], np.float32))
array([0.36787945, 1.        , 2.7182817 ], dtype=float32)
""",
)
