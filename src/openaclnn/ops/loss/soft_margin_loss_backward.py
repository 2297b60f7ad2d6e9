"""The gradient of log(1 + e^(-target·x)): -target·σ(-target·x), times the gradient, divided by the
number of elements for reduction "mean"."""

from openaclnn.spec.families import FLOATS, loss_backward
from openaclnn.spec.formula import Expr, sigmoid
from openaclnn.spec.op import exact_level


def formula(grad_output: Expr, self: Expr, target: Expr, k: Expr) -> Expr:
    return -target * grad_output * k * sigmoid(-target * self)


OP = loss_backward(
    "soft_margin_loss_backward",
    formula=formula,
    dtypes=FLOATS,
    of="the soft margin loss",
    zh="soft margin 损失",
    wide=exact_level,
    out="out",
    source="signature: op-plugin; values: PyTorch's soft_margin_loss_backward",
    example="""
>>> import numpy as np, openaclnn
>>> x, target = np.array([0.5, 0.25], np.float32), np.array([0, 1], np.float32)
>>> openaclnn.soft_margin_loss_backward(np.float32(8), x, target)
array([-0.      , -1.751294], dtype=float32)
""",
)
