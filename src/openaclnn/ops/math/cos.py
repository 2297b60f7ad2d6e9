"""cos(x), for all arguments. NaN for infinities."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import cos

OPS = function(
    "cos",
    formula=lambda self: cos(self),
    en="Cosine",
    zh="余弦",
    fast=1.75,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.cos(np.array([0, 1, 1e30], np.float32))
array([ 1.       ,  0.5403023, -0.6116048], dtype=float32)
""",
)
