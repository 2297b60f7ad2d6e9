"""The gradient of |x − target|: the sign of the difference, 0 where both are equal or one is NaN,
times the gradient, divided by the number of elements for reduction "mean"."""

from openaclnn.spec.families import FLOATS, loss_backward
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import exact_product


def formula(grad_output: Expr, self: Expr, target: Expr, k: Expr) -> Expr:
    sign = (self > target) - (self < target)
    return grad_output * k * sign


OP = loss_backward(
    "l1_loss_backward",
    formula=formula,
    dtypes=FLOATS,
    of="the L1 loss",
    zh="L1 损失",
    wide=exact_product,
    source="signature: op-plugin; values: PyTorch's l1_loss",
    example="""
>>> import numpy as np, openaclnn
>>> x, target = np.array([0.5, 0.25], np.float32), np.array([0, 1], np.float32)
>>> openaclnn.l1_loss_backward(np.float32(8), x, target)
array([ 4., -4.], dtype=float32)
""",
)
