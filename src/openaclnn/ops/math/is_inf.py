"""Whether x is infinite."""

from openaclnn.spec.families import ALL, unary
from openaclnn.spec.formula import equal, not_equal
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = unary(
    "is_inf",
    formula=lambda self: equal(self, self) & not_equal(self - self, 0),
    dtypes=ALL,
    en="Whether elements are infinite",
    zh="是否无穷",
    wide=never,
    results=compared,
    torch="isinf",
    source="signature: candle; values: PyTorch's isinf",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.is_inf(np.array([1, -np.inf, np.nan], np.float32))
array([False,  True, False])
""",
)
