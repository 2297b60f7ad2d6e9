"""The integer nearest to x, of two the even one; an integer is its own."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.formula import rounded
from openaclnn.spec.op import never

OPS = unary(
    "round",
    formula=lambda self: rounded(self),
    dtypes=NUMBERS,
    en="Rounding",
    zh="四舍六入五取偶",
    in_place=True,
    wide=never,
    torch="round",
    source="signatures: op-plugin; values: PyTorch's round",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.round(np.array([-1.5, 0.5, 2.5], np.float32))
array([-2.,  0.,  2.], dtype=float32)
""",
)
