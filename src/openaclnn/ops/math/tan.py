"""tan(x), for all arguments. NaN for infinities."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import tan

OPS = function(
    "tan",
    formula=lambda self: tan(self),
    en="Tangent",
    zh="正切",
    fast=4.0,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.tan(np.array([0, 1, 1e30], np.float32))
array([0.       , 1.5574077, 1.2935861], dtype=float32)
""",
)
