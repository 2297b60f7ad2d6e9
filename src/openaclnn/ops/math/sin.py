"""sin(x), for all arguments. NaN for infinities."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import sin

OPS = function(
    "sin",
    formula=lambda self: sin(self),
    en="Sine",
    zh="正弦",
    fast=1.75,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.sin(np.array([0, 1, 1e30], np.float32))
array([ 0.        ,  0.84147096, -0.79116344], dtype=float32)
""",
)
