"""Of y = selu(x) the slope is y + scale·alpha up to 0, else scale."""

from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.formula import where
from openaclnn.spec.op import exact_level

ALPHA, SCALE = 1.6732632423543772, 1.0507009873554805

OP = activation_backward(
    "selu_backward",
    formula=lambda grad_output, result: where(
        result > 0, grad_output * SCALE, grad_output * (result + ALPHA * SCALE)
    ),
    dtypes=FLOATS,
    of="SELU",
    second="result",
    wide=exact_level,
    source="signature: op-plugin; values: PyTorch's elu_backward (with these numbers)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.selu_backward(np.float32(2), np.array([-1, 0, 3], np.float32))
array([1.5161986, 3.5161986, 2.101402 ], dtype=float32)
""",
)
