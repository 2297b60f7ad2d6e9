"""Whether the first is less; nothing is less or more than NaN."""

from openaclnn.spec.families import comparison

OPS = comparison(
    "lt",
    formula=lambda self, other: self < other,
    en="Less than",
    zh="小于比较",
    torch="lt",
    source="signatures: op-plugin; promotion and values: PyTorch's lt",
    aliases=("less",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.lt(np.array([1, 2, 3]), np.array([1, 4, 2]))
array([False,  True, False])
""",
)
