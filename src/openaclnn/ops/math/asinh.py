"""asinh(x) = ±ln(|x| + √(x² + 1))."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import asinh

OPS = function(
    "asinh",
    formula=lambda self: asinh(self),
    en="Inverse hyperbolic sine",
    zh="反双曲正弦",
    fast=2.5,
    aliases=("arcsinh",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.asinh(np.array([-1, 0, 1e30], np.float32))
array([-0.8813736,  0.       , 69.7707   ], dtype=float32)
""",
)
