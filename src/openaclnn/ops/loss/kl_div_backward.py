"""The gradient of the Kullback–Leibler divergence: −target times the gradient, where targets are
logarithms −e^target; divided by the number of elements for reduction "mean"."""

from openaclnn.ops.loss.kl_div import LOG_TARGET
from openaclnn.spec.families import FLOATS, loss_backward
from openaclnn.spec.formula import Expr, exp
from openaclnn.spec.op import exact_level


def formula(grad_output: Expr, target: Expr, log_target: bool, k: Expr) -> Expr:
    return -(exp(target) if log_target else target) * grad_output * k


OP = loss_backward(
    "kl_div_backward",
    formula=formula,
    dtypes=FLOATS,
    attributes=(LOG_TARGET,),
    of="the Kullback–Leibler divergence",
    zh="KL 散度",
    wide=exact_level,
    out="out",
    source="signature: op-plugin; values: PyTorch's kl_div",
    example="""
>>> import numpy as np, openaclnn
>>> x, target = np.array([-1, -2], np.float32), np.array([1, 0.5], np.float32)
>>> openaclnn.kl_div_backward(np.float32(4), x, target)
array([-2., -1.], dtype=float32)
""",
)
