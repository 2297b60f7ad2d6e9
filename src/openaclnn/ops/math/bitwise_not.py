"""The bits that an integer has not; of a boolean its opposite."""

from openaclnn.base.dtypes import BOOL
from openaclnn.spec.families import INTEGERS, unary
from openaclnn.spec.formula import bit_xor
from openaclnn.spec.op import never

OPS = unary(
    "bitwise_not",
    formula=lambda self, ones: bit_xor(self, ones),
    uniforms=lambda attributes, numel, promoted: {"ones": 1 if promoted is BOOL else -1},
    dtypes=(*INTEGERS, BOOL),
    en="Bitwise not",
    zh="按位取反",
    wide=never,
    torch="bitwise_not",
    source="signature: op-plugin; values: PyTorch's bitwise_not",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.bitwise_not(np.array([0, 5, -1], np.int8))
array([-1, -6,  0], dtype=int8)
""",
)
