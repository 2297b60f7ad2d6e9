"""Whether x is infinite and positive."""

from openaclnn.spec.families import ALL, unary
from openaclnn.spec.formula import not_equal
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = unary(
    "is_pos_inf",
    formula=lambda self: (self > 0) & not_equal(self - self, 0),
    dtypes=ALL,
    en="Whether elements are positive infinity",
    zh="是否正无穷",
    wide=never,
    results=compared,
    torch="isposinf",
    source="signature: op-plugin; values: PyTorch's isposinf",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.is_pos_inf(np.array([np.inf, -np.inf, np.nan], np.float32))
array([ True, False, False])
""",
)
