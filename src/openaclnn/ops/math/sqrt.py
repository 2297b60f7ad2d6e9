"""√x, correctly rounded. -0 stays; below it is NaN."""

from openaclnn.spec.families import function
from openaclnn.spec.formula import sqrt
from openaclnn.spec.op import never

OPS = function(
    "sqrt",
    formula=lambda self: sqrt(self),
    en="Square root",
    zh="平方根",
    wide=never,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.sqrt(np.array([0, 2, 9], np.float32))
array([0.       , 1.4142135, 3.       ], dtype=float32)
""",
)
