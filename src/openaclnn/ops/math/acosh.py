"""acosh(x) = ln(x + √(x² − 1)). NaN below 1."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import acosh

OPS = function(
    "acosh",
    formula=lambda self: acosh(self),
    en="Inverse hyperbolic cosine",
    zh="反双曲余弦",
    fast=2.5,
    aliases=("arccosh",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.acosh(np.array([0, 1, 2], np.float32))
array([     nan, 0.      , 1.316958], dtype=float32)
""",
)
