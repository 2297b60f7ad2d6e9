"""erfc(x) = 1 − erf(x), as exact relatively where that is small."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import erfc

OPS = function(
    "erfc",
    formula=lambda self: erfc(self),
    en="Complementary error function",
    zh="互补误差函数",
    fast=5.5,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.erfc(np.array([-1, 0, 9], np.float32))
array([1.8427008e+00, 1.0000000e+00, 4.1370317e-37], dtype=float32)
""",
)
