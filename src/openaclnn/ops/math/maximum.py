"""The larger of both; NaN where one of them is."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.formula import maximum
from openaclnn.spec.op import never

OPS = binary(
    "maximum",
    formula=lambda self, other: maximum(self, other),
    dtypes=ALL,
    in_place=False,
    en="Elementwise maximum",
    zh="最大值",
    wide=never,
    torch="maximum",
    source="signatures: op-plugin; promotion and values: PyTorch's maximum",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.maximum(np.array([1, 5, np.nan], np.float32), np.array([3, 2, 1], np.float32))
array([ 3.,  5., nan], dtype=float32)
""",
)
