"""hardswish(x) = x·min(max(x + 3, 0), 6)/6. At -inf that is -inf·0, NaN."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import clamp

OPS = unary(
    "hardswish",
    formula=lambda self: self * (clamp(self + 3, 0, 6) / 6),
    dtypes=FLOATS,
    en="Hardswish",
    zh="hardswish 激活函数",
    in_place=True,
    torch="nn.functional.hardswish",
    source="signatures: op-plugin, llama.cpp; values: PyTorch's hardswish",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.hardswish(np.array([-4, -1.5, 3, 8], np.float32))
array([-0.   , -0.375,  3.   ,  8.   ], dtype=float32)
""",
)
