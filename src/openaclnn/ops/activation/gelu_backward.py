"""The slope of gelu, by tanh: with s = σ(y), where y is gelu's argument, s + x·s·(1 − s)·y′. At
±inf that is 0·inf, NaN. Where both terms cancel, it is taken from its Taylor series."""

from openaclnn.ops.activation.gelu import slope_by_tanh
from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.op import exact_level

OP = activation_backward(
    "gelu_backward",
    formula=lambda grad_output, self: grad_output * slope_by_tanh(self),
    dtypes=FLOATS,
    of="gelu",
    wide=exact_level,
    source="signature and which formula: op-plugin; values: PyTorch's gelu_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gelu_backward(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
array([-0.08296409,  0.5       ,  1.0829641 ], dtype=float32)
""",
)
