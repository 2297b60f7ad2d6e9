"""The angle of the point (other, self), from -π to π. What is no float is computed as FLOAT."""

from openaclnn.base.dtypes import BOOL
from openaclnn.spec.families import FLOATS, INTEGERS, binary, floating
from openaclnn.spec.formula import atan2

OPS = binary(
    "atan2",
    formula=lambda self, other: atan2(self, other),
    dtypes=(*FLOATS, *INTEGERS, BOOL),
    changed=FLOATS,
    promotes=floating,
    en="Angle of a point",
    zh="点的方位角",
    torch="atan2",
    source="signatures: op-plugin; promotion and values: PyTorch's atan2",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.atan2(np.array([0, 1, -1], np.float32), np.array([-1, 0, 1], np.float32))
array([ 3.1415927,  1.5707964, -0.7853982], dtype=float32)
""",
)
