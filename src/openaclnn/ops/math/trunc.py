"""x without its fraction; an integer is its own."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.formula import trunc
from openaclnn.spec.op import never

OPS = unary(
    "trunc",
    formula=lambda self: trunc(self),
    dtypes=NUMBERS,
    en="Truncation",
    zh="向零取整",
    in_place=True,
    wide=never,
    torch="trunc",
    aliases=("fix",),
    source="signatures: op-plugin; values: PyTorch's trunc",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.trunc(np.array([-1.5, 0.5, 2.5], np.float32))
array([-1.,  0.,  2.], dtype=float32)
""",
)
