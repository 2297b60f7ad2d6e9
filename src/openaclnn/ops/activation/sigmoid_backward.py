"""The slope of y = σ(x) is y·(1 − y)."""

from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.op import exact_product

OP = activation_backward(
    "sigmoid_backward",
    formula=lambda grad_output, output: grad_output * (output * (1 - output)),
    dtypes=FLOATS,
    of="sigmoid",
    second="output",
    wide=exact_product,
    torch="ops.aten.sigmoid_backward",
    source="signature: op-plugin; values: PyTorch's sigmoid_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.sigmoid_backward(np.float32(2), np.array([0, 0.5, 0.25], np.float32))
array([0.   , 0.5  , 0.375], dtype=float32)
""",
)
