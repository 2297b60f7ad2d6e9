"""sinh(x) = (e^x − e^-x)/2."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import sinh

OPS = function(
    "sinh",
    formula=lambda self: sinh(self),
    en="Hyperbolic sine",
    zh="双曲正弦",
    fast=3.0,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.sinh(np.array([-1, 0, 1], np.float32))
array([-1.1752012,  0.       ,  1.1752012], dtype=float32)
""",
)
