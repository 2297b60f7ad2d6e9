"""Whether x is 0; a NaN is not."""

from openaclnn.spec.families import ALL, unary
from openaclnn.spec.formula import equal
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = unary(
    "logical_not",
    formula=lambda self: equal(self, 0),
    dtypes=ALL,
    en="Logical not",
    zh="逻辑非",
    in_place=True,
    wide=never,
    results=compared,
    torch="logical_not",
    source="signatures: op-plugin; values: PyTorch's logical_not",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.logical_not(np.array([0, 2, np.nan], np.float32))
array([ True, False, False])
""",
)
