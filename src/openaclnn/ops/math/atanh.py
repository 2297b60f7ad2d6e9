"""atanh(x) = ln((1 + x)/(1 − x))/2. Infinite for ±1, NaN beyond."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import atanh

OPS = function(
    "atanh",
    formula=lambda self: atanh(self),
    en="Inverse hyperbolic tangent",
    zh="反双曲正切",
    fast=3.0,
    aliases=("arctanh",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.atanh(np.array([-1, 0, 0.5], np.float32))
array([      -inf, 0.        , 0.54930615], dtype=float32)
""",
)
