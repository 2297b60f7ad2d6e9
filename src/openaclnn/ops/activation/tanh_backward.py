"""The slope of y = tanh(x) is 1 − y² = (1 − y)·(1 + y)."""

from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.op import exact_product

OP = activation_backward(
    "tanh_backward",
    formula=lambda grad_output, output: grad_output * ((1 - output) * (1 + output)),
    dtypes=FLOATS,
    of="tanh",
    second="output",
    wide=exact_product,
    torch="ops.aten.tanh_backward",
    source="signature: op-plugin; values: PyTorch's tanh_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.tanh_backward(np.float32(2), np.array([0, 0.5, 1], np.float32))
array([2. , 1.5, 0. ], dtype=float32)
""",
)
