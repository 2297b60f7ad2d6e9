"""self·2^other. Bits that leave are lost; places below 0, or the width and more, give 0."""

from openaclnn.spec.families import INTEGERS, binary
from openaclnn.spec.formula import shift_left
from openaclnn.spec.op import never

OPS = binary(
    "left_shift",
    formula=lambda self, other: shift_left(self, other),
    dtypes=INTEGERS,
    scalar="left_shifts",
    in_place=False,
    header="aclnn_left_shift.h",
    en="Left shift",
    zh="左移",
    wide=never,
    torch="bitwise_left_shift",
    source="signatures: op-plugin; promotion and values: PyTorch's bitwise_left_shift",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.left_shift(np.array([1, 3, 1], np.int8), np.array([6, 7, 8], np.int8))
array([  64, -128,    0], dtype=int8)
""",
)
