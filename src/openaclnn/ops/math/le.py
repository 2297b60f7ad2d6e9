"""Whether the first is less, or both are equal; not so where one is NaN."""

from openaclnn.spec.families import comparison

OPS = comparison(
    "le",
    formula=lambda self, other: self <= other,
    en="Less than or equal",
    zh="小于等于比较",
    torch="le",
    source="signatures: op-plugin; promotion and values: PyTorch's le",
    aliases=("less_equal",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.le(np.array([1, 2, 3]), np.array([1, 4, 2]))
array([ True,  True, False])
""",
)
