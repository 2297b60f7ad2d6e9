"""Whether x is infinite and negative."""

from openaclnn.spec.families import ALL, unary
from openaclnn.spec.formula import not_equal
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = unary(
    "is_neg_inf",
    formula=lambda self: (self < 0) & not_equal(self - self, 0),
    dtypes=ALL,
    en="Whether elements are negative infinity",
    zh="是否负无穷",
    wide=never,
    results=compared,
    torch="isneginf",
    source="signature: op-plugin; values: PyTorch's isneginf",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.is_neg_inf(np.array([np.inf, -np.inf, np.nan], np.float32))
array([False,  True, False])
""",
)
