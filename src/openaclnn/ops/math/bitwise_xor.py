"""The bits that one of both has."""

from openaclnn.base.dtypes import BOOL
from openaclnn.spec.families import INTEGERS, binary
from openaclnn.spec.formula import bit_xor
from openaclnn.spec.op import never

OPS = binary(
    "bitwise_xor_tensor",
    formula=lambda self, other: bit_xor(self, other),
    dtypes=(*INTEGERS, BOOL),
    scalar="bitwise_xor_scalar",
    en="Bitwise xor",
    zh="按位异或",
    wide=never,
    torch="bitwise_xor",
    source="signatures: op-plugin; promotion and values: PyTorch's bitwise_xor",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.bitwise_xor(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
array([2, 3], dtype=int8)
""",
)
