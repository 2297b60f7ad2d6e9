"""erf(x) = 2/√π·∫e^(-t²)dt from 0 to x."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import erf

OPS = function(
    "erf",
    formula=lambda self: erf(self),
    en="Error function",
    zh="误差函数",
    fast=3.0,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.erf(np.array([-1, 0, 4], np.float32))
array([-0.8427008,  0.       ,  1.       ], dtype=float32)
""",
)
