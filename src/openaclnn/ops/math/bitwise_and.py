"""The bits that both have."""

from openaclnn.base.dtypes import BOOL
from openaclnn.spec.families import INTEGERS, binary
from openaclnn.spec.formula import bit_and
from openaclnn.spec.op import never

OPS = binary(
    "bitwise_and_tensor",
    formula=lambda self, other: bit_and(self, other),
    dtypes=(*INTEGERS, BOOL),
    scalar="bitwise_and_scalar",
    en="Bitwise and",
    zh="按位与",
    wide=never,
    torch="bitwise_and",
    source="signatures: op-plugin; promotion and values: PyTorch's bitwise_and",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.bitwise_and(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
array([1, 4], dtype=int8)
""",
)
