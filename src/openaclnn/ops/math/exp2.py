"""2^x, exact for whole x."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import exp2

OPS = function(
    "exp2",
    formula=lambda self: exp2(self),
    en="Exponential to base 2",
    zh="2 的幂",
    fast=1.0,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.exp2(np.array([-1, 0, 0.5], np.float32))
array([0.5      , 1.       , 1.4142135], dtype=float32)
""",
)
