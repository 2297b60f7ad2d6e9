"""The largest integer that is not above self/other. An integer divided by 0 is 0."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.formula import floor_div
from openaclnn.spec.op import always

OPS = binary(
    "floor_divide",
    formula=lambda self, other: floor_div(self, other),
    dtypes=ALL,
    scalar="floor_divides",
    header="aclnn_floor_divide.h",
    en="Floor division",
    zh="向下取整除法",
    wide=always,
    torch="floor_divide",
    source="signatures: op-plugin; promotion and values: PyTorch's floor_divide",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.floor_divide(np.array([7, -7, 7], np.int32), np.array([2, 2, 0], np.int32))
array([ 3, -4,  0], dtype=int32)
""",
)
