"""x². Integers wrap."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.op import never

OPS = unary(
    "square",
    formula=lambda self: self * self,
    dtypes=NUMBERS,
    en="Square",
    zh="平方",
    wide=never,
    torch="square",
    source="signature: candle; values: PyTorch's square",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.square(np.array([-4, 0, 2], np.int32))
array([16,  0,  4], dtype=int32)
""",
)
