"""tanh(x) = (e^2x − 1)/(e^2x + 1)."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import tanh

OPS = function(
    "tanh",
    formula=lambda self: tanh(self),
    en="Hyperbolic tangent",
    zh="双曲正切",
    fast=3.0,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.tanh(np.array([-1, 0, 20], np.float32))
array([-0.7615942,  0.       ,  1.       ], dtype=float32)
""",
)
