"""1/x. Integers and booleans are divided as FLOAT."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, floating, unary
from openaclnn.spec.op import never

OPS = unary(
    "reciprocal",
    formula=lambda self: 1 / self,
    dtypes=ALL,
    en="Reciprocal",
    zh="倒数",
    in_place=True,
    wide=never,
    promotes=floating,
    changed=(*FLOATS, DOUBLE),
    torch="reciprocal",
    source="signatures: op-plugin; values: PyTorch's reciprocal",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.reciprocal(np.array([-4, 0, 2], np.int32))
array([-0.25,   inf,  0.5 ], dtype=float32)
""",
)
