"""Whether x is neither infinite nor NaN: whether x − x is 0."""

from openaclnn.spec.families import ALL, unary
from openaclnn.spec.formula import equal
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = unary(
    "is_finite",
    formula=lambda self: equal(self - self, 0),
    dtypes=ALL,
    en="Whether elements are finite",
    zh="是否有限",
    wide=never,
    results=compared,
    torch="isfinite",
    source="signature: op-plugin; values: PyTorch's isfinite",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.is_finite(np.array([1, np.inf, np.nan], np.float32))
array([ True, False, False])
""",
)
