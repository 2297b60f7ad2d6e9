"""The largest integer that is not above x; an integer is its own."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.formula import floor
from openaclnn.spec.op import never

OPS = unary(
    "floor",
    formula=lambda self: floor(self),
    dtypes=NUMBERS,
    en="Floor",
    zh="向下取整",
    in_place=True,
    wide=never,
    torch="floor",
    source="signatures: op-plugin; values: PyTorch's floor",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.floor(np.array([-1.5, 0.5, 2.5], np.float32))
array([-2.,  0.,  2.], dtype=float32)
""",
)
