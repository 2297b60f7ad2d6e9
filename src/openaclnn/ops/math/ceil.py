"""The smallest integer that is not below x; an integer is its own."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.formula import ceil
from openaclnn.spec.op import never

OPS = unary(
    "ceil",
    formula=lambda self: ceil(self),
    dtypes=NUMBERS,
    en="Ceiling",
    zh="向上取整",
    in_place=True,
    wide=never,
    torch="ceil",
    source="signatures: op-plugin; values: PyTorch's ceil",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.ceil(np.array([-1.5, 0.5, 2.5], np.float32))
array([-1.,  1.,  3.], dtype=float32)
""",
)
