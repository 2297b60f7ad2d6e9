"""The inverse of erf. Infinite for ±1, NaN beyond."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import erfinv

OPS = function(
    "erfinv",
    formula=lambda self: erfinv(self),
    en="Inverse error function",
    zh="误差函数的反函数",
    fast=3.0,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.erfinv(np.array([-1, 0, 0.5], np.float32))
array([      -inf, 0.        , 0.47693628], dtype=float32)
""",
)
