"""selu(x) = scale·x above 0, else scale·alpha·(e^x − 1); both numbers are fixed."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import expm1, where

ALPHA, SCALE = 1.6732632423543772, 1.0507009873554805

OPS = unary(
    "selu",
    formula=lambda self: where(self <= 0, expm1(self) * (ALPHA * SCALE), self * SCALE),
    dtypes=FLOATS,
    en="SELU",
    zh="SELU 激活函数",
    in_place=True,
    torch="selu",
    source="signatures: op-plugin; values: PyTorch's selu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.selu(np.array([-1, 0, 2], np.float32))
array([-1.1113307,  0.       ,  2.101402 ], dtype=float32)
""",
)
