"""The smaller of both; NaN where one of them is."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.formula import minimum
from openaclnn.spec.op import never

OPS = binary(
    "minimum",
    formula=lambda self, other: minimum(self, other),
    dtypes=ALL,
    in_place=False,
    en="Elementwise minimum",
    zh="最小值",
    wide=never,
    torch="minimum",
    source="signatures: op-plugin; promotion and values: PyTorch's minimum",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.minimum(np.array([1, 5, np.nan], np.float32), np.array([3, 2, 1], np.float32))
array([ 1.,  2., nan], dtype=float32)
""",
)
