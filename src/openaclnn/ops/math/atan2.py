"""The angle of the point (other, self), from -π to π. What is no float is computed as FLOAT."""

from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.spec.families import ALL, FLOATS, binary, floating
from openaclnn.spec.formula import atan2
from openaclnn.spec.proof import Bound, Proof

OPS = binary(
    "atan2",
    formula=lambda self, other: atan2(self, other),
    dtypes=ALL,
    changed=(*FLOATS, DOUBLE),
    promotes=floating,
    proof=Proof(fast={FLOAT: Bound(3.0)}, exact={DOUBLE: Bound(1.0)}),
    en="Arc tangent of a quotient, in the right quadrant",
    zh="点的方位角",
    torch="atan2",
    source="signatures: op-plugin; promotion and values: PyTorch's atan2",
    aliases=("arctan2",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.atan2(np.array([0, 1, -1], np.float32), np.array([-1, 0, 1], np.float32))
array([ 3.1415927,  1.5707964, -0.7853982], dtype=float32)
""",
)
