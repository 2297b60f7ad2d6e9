"""Whether the first is more; nothing is less or more than NaN."""

from openaclnn.spec.families import comparison

OPS = comparison(
    "gt",
    formula=lambda self, other: self > other,
    en="Greater than",
    zh="大于比较",
    torch="gt",
    source="signatures: op-plugin, llama.cpp; promotion and values: PyTorch's gt",
    aliases=("greater",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gt(np.array([1, 2, 3]), np.array([1, 4, 2]))
array([False, False,  True])
""",
)
