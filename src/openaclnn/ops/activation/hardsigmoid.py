"""hardsigmoid(x) = min(max(x + 3, 0), 6)/6. A NaN stays NaN."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import clamp

OPS = unary(
    "hardsigmoid",
    formula=lambda self: clamp(self + 3, 0, 6) / 6,
    dtypes=FLOATS,
    en="Hardsigmoid",
    zh="hardsigmoid 激活函数",
    in_place=True,
    torch="nn.functional.hardsigmoid",
    source="signatures: op-plugin, llama.cpp; values: PyTorch's hardsigmoid",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.hardsigmoid(np.array([-4, 0, 1.5], np.float32))
array([0.  , 0.5 , 0.75], dtype=float32)
""",
)
