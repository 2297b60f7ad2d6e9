"""Whether one is 0 and the other is not."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = binary(
    "logical_xor",
    formula=lambda self, other: self ^ other,
    dtypes=ALL,
    in_place=False,
    en="Logical xor",
    zh="逻辑异或",
    wide=never,
    results=compared,
    torch="logical_xor",
    source="signatures: op-plugin; promotion and values: PyTorch's logical_xor",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.logical_xor(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
array([False,  True, False])
""",
)
