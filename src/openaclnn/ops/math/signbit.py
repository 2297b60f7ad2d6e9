"""Whether the sign of x is set: below 0, of -0, and of a NaN that has one."""

from openaclnn.spec.families import ALL, unary
from openaclnn.spec.formula import signbit
from openaclnn.spec.op import never
from openaclnn.spec.results import compared

OPS = unary(
    "signbit",
    formula=lambda self: signbit(self),
    dtypes=ALL,
    en="Sign bit",
    zh="符号位",
    wide=never,
    results=compared,
    torch="signbit",
    source="signature: op-plugin; values: PyTorch's signbit",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.signbit(np.array([-1, -0.0, 0], np.float32))
array([ True,  True, False])
""",
)
