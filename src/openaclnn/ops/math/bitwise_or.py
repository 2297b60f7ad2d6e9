"""The bits that either has."""

from openaclnn.base.dtypes import BOOL
from openaclnn.spec.families import INTEGERS, binary
from openaclnn.spec.formula import bit_or
from openaclnn.spec.op import never

OPS = binary(
    "bitwise_or_tensor",
    formula=lambda self, other: bit_or(self, other),
    dtypes=(*INTEGERS, BOOL),
    scalar="bitwise_or_scalar",
    en="Bitwise or",
    zh="按位或",
    wide=never,
    torch="bitwise_or",
    source="signatures: op-plugin; promotion and values: PyTorch's bitwise_or",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.bitwise_or(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
array([3, 7], dtype=int8)
""",
)
