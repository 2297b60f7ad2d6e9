"""self/2^other, rounded down; places below 0, or the width and more, leave the sign: 0 or -1."""

from openaclnn.spec.families import INTEGERS, binary
from openaclnn.spec.formula import shift_right
from openaclnn.spec.op import never

OPS = binary(
    "right_shift",
    formula=lambda self, other: shift_right(self, other),
    dtypes=INTEGERS,
    in_place=False,
    en="Right shift",
    zh="右移",
    wide=never,
    torch="bitwise_right_shift",
    source="signatures: op-plugin; promotion and values: PyTorch's bitwise_right_shift",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.right_shift(np.array([64, -3, -1], np.int8), np.array([3, 1, 8], np.int8))
array([ 8, -2, -1], dtype=int8)
""",
)
