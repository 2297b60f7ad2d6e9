"""The greatest common divisor. It is not negative, unless it is that of INT_MIN and 0 or itself;
PyTorch's, which overflows on the way, is for other partners of INT_MIN too."""

from openaclnn.spec.families import INTEGERS, binary
from openaclnn.spec.formula import gcd
from openaclnn.spec.op import never

OPS = binary(
    "gcd",
    formula=lambda self, other: gcd(self, other),
    dtypes=INTEGERS,
    in_place=False,
    en="Greatest common divisor",
    zh="最大公约数",
    wide=never,
    torch="gcd",
    source="signatures: op-plugin; promotion and values: PyTorch's gcd",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gcd(np.array([12, -8, 0]), np.array([18, 6, 5]))
array([6, 2, 5])
""",
)
