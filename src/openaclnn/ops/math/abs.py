"""|x|. The smallest integer of its dtype has no counterpart, and stays."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.op import never

OPS = unary(
    "abs",
    formula=lambda self: abs(self),
    dtypes=NUMBERS,
    en="Absolute value",
    zh="绝对值",
    wide=never,
    torch="abs",
    source="signature: op-plugin, llama.cpp; values: PyTorch's abs",
    aliases=("absolute",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.abs(np.array([-2, 0, 3], np.int32))
array([2, 0, 3], dtype=int32)
""",
)
