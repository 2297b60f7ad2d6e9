"""silu(x) = x·σ(x) = x/(1 + e^-x). At -inf that is -inf·0, NaN."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import sigmoid

OPS = unary(
    "silu",
    formula=lambda self: self * sigmoid(self),
    dtypes=FLOATS,
    en="SiLU (swish)",
    zh="SiLU（swish）激活函数",
    torch="nn.functional.silu",
    source="signature: op-plugin, llama.cpp; values: PyTorch's silu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.silu(np.array([-1, 0, 1], np.float32))
array([-0.26894143,  0.        ,  0.7310586 ], dtype=float32)
""",
)
