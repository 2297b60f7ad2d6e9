"""acos(x). NaN beyond 1."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import acos

OPS = function(
    "acos",
    formula=lambda self: acos(self),
    en="Arc cosine",
    zh="反余弦",
    fast=1.5,
    aliases=("arccos",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.acos(np.array([-1, 0.5, 1], np.float32))
array([3.1415927, 1.0471976, 0.       ], dtype=float32)
""",
)
