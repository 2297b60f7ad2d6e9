"""Whether neither is 0."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = binary(
    "logical_and",
    formula=lambda self, other: self & other,
    dtypes=ALL,
    en="Logical and",
    zh="逻辑与",
    wide=never,
    results=compared,
    torch="logical_and",
    source="signatures: op-plugin; promotion and values: PyTorch's logical_and",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.logical_and(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
array([False, False,  True])
""",
)
