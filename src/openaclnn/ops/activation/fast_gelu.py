"""fastgelu(x) = x·σ(1.702·x). At -inf that is -inf·0, NaN."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import sigmoid

OPS = unary(
    "fast_gelu",
    formula=lambda self: self * sigmoid(self * 1.702),
    dtypes=FLOATS,
    en="Fast GELU",
    zh="快速 GELU 激活函数",
    source="signature: op-plugin; values: PyTorch's sigmoid, op-plugin's factor",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.fast_gelu(np.array([-1, 0, 1], np.float32))
array([-0.15420423,  0.        ,  0.84579575], dtype=float32)
""",
)
