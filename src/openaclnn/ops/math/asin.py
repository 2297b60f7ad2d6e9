"""asin(x). NaN beyond 1."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import asin

OPS = function(
    "asin",
    formula=lambda self: asin(self),
    en="Arc sine",
    zh="反正弦",
    fast=2.5,
    aliases=("arcsin",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.asin(np.array([-1, 0, 0.5], np.float32))
array([-1.5707964,  0.       ,  0.5235988], dtype=float32)
""",
)
