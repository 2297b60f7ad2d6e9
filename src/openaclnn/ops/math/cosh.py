"""cosh(x) = (e^x + e^-x)/2."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import cosh

OPS = function(
    "cosh",
    formula=lambda self: cosh(self),
    en="Hyperbolic cosine",
    zh="双曲余弦",
    fast=3.0,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.cosh(np.array([-1, 0, 1], np.float32))
array([1.5430807, 1.       , 1.5430807], dtype=float32)
""",
)
