"""Whether one of both is not 0."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = binary(
    "logical_or",
    formula=lambda self, other: self | other,
    dtypes=ALL,
    en="Logical or",
    zh="逻辑或",
    wide=never,
    results=compared,
    torch="logical_or",
    source="signatures: op-plugin; promotion and values: PyTorch's logical_or",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.logical_or(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
array([False,  True,  True])
""",
)
