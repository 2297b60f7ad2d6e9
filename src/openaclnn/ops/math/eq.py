"""Whether both are equal; nothing equals NaN, and -0 equals 0."""

from openaclnn.spec.families import comparison
from openaclnn.spec.formula import equal

OPS = comparison(
    "eq",
    formula=lambda self, other: equal(self, other),
    en="Equality",
    zh="相等比较",
    torch="eq",
    source="signatures: op-plugin; promotion and values: PyTorch's eq",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.eq(np.array([1, 2, 3]), np.array([1, 0, 3]))
array([ True, False,  True])
>>> openaclnn.eq(np.array([0.5, 2], np.float32), 2)
array([False,  True])
""",
)
