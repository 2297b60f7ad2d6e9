"""The gradient of (x − target)²: 2·(x − target), times the gradient, divided by the number of
elements for reduction "mean"."""

from openaclnn.spec.families import FLOATS, loss_backward
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import exact_level


def formula(grad_output: Expr, self: Expr, target: Expr, k: Expr) -> Expr:
    return grad_output * (2 * k) * (self - target)


OP = loss_backward(
    "mse_loss_backward",
    formula=formula,
    dtypes=FLOATS,
    of="the mean squared error",
    zh="均方误差损失",
    wide=exact_level,
    source="signature: op-plugin; values: PyTorch's mse_loss_backward",
    example="""
>>> import numpy as np, openaclnn
>>> x, target = np.array([0.5, 0.25], np.float32), np.array([0, 1], np.float32)
>>> openaclnn.mse_loss_backward(np.float32(8), x, target)
array([ 4., -6.], dtype=float32)
""",
)
