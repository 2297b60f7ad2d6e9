"""The slope of x·σ(1.702·x) is σ·(1 + 1.702·x·(1 − σ))."""

from openaclnn.spec.families import FLOATS, activation_backward, sigmoid_product_slope
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import exact_level


def formula(grad_output: Expr, self: Expr) -> Expr:
    return grad_output * sigmoid_product_slope(self * 1.702)


OP = activation_backward(
    "fast_gelu_backward",
    formula=formula,
    dtypes=FLOATS,
    of="fast GELU",
    wide=exact_level,
    source="signature: op-plugin; values: mathematics (the derivative), op-plugin's formula",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.fast_gelu_backward(np.float32(2), np.array([-1, 0, 1], np.float32))
array([-0.13555922,  1.        ,  2.1355593 ], dtype=float32)
""",
)
