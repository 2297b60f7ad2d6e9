"""sigmoid(x) = 1/(1 + e^-x)."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import sigmoid

OPS = unary(
    "sigmoid",
    formula=lambda self: sigmoid(self),
    dtypes=FLOATS,
    en="Sigmoid",
    zh="sigmoid 激活函数",
    in_place=True,
    torch="sigmoid",
    source="signatures: op-plugin, llama.cpp; values: PyTorch's sigmoid",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.sigmoid(np.array([-100, 0, 2], np.float32))
array([3.783506e-44, 5.000000e-01, 8.807971e-01], dtype=float32)
""",
)
