"""Whether the first is more, or both are equal; not so where one is NaN."""

from openaclnn.spec.families import comparison

OPS = comparison(
    "ge",
    formula=lambda self, other: self >= other,
    en="Greater than or equal",
    zh="大于等于比较",
    torch="ge",
    source="signatures: op-plugin; promotion and values: PyTorch's ge",
    aliases=("greater_equal",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.ge(np.array([1, 2, 3]), np.array([1, 4, 2]))
array([ True, False,  True])
""",
)
