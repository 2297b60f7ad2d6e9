"""self·other. Integers wrap; among booleans it is "and"."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.op import never

OPS = binary(
    "mul",
    formula=lambda self, other: self * other,
    dtypes=ALL,
    scalar="muls",
    header="aclnn_mul.h",  # of all four
    en="Multiplication",
    zh="乘法",
    wide=never,
    torch="mul",
    source="signatures: op-plugin, llama.cpp; promotion and values: PyTorch's mul",
    aliases=("multiply",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.mul(np.array([1, 2], np.int8), np.array([[10], [20]], np.float16))
array([[10., 20.],
       [20., 40.]], dtype=float16)
>>> openaclnn.mul(np.array([1, 2], np.float32), 0.5)
array([0.5, 1. ], dtype=float32)
""",
)
