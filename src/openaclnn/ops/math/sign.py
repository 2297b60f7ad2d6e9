"""1 above 0, -1 below, else 0; of a NaN it is 0."""

from openaclnn.spec.families import ALL, unary
from openaclnn.spec.op import never

OPS = unary(
    "sign",
    formula=lambda self: (self > 0) - (self < 0),
    dtypes=ALL,
    en="Sign",
    zh="符号",
    wide=never,
    torch="sign",
    source="signature: op-plugin, llama.cpp; values and dtypes: PyTorch's sign",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.sign(np.array([-2, 0, 3], np.float32))
array([-1.,  0.,  1.], dtype=float32)
""",
)
