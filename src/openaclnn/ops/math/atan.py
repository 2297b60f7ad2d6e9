"""atan(x)."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import atan

OPS = function(
    "atan",
    formula=lambda self: atan(self),
    en="Arc tangent",
    zh="反正切",
    fast=2.75,
    aliases=("arctan",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.atan(np.array([-1, 0, np.inf], np.float32))
array([-0.7853982,  0.       ,  1.5707964], dtype=float32)
""",
)
