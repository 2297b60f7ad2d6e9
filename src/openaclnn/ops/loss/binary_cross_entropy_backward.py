"""The gradient of -(t·log x + (1 − t)·log(1 − x)): (x − t)/(x·(1 − x)), whose divisor is at least
10⁻¹², times the weight and the gradient, divided by the number of elements for reduction "mean"."""

from openaclnn.spec.families import FLOATS, loss_backward
from openaclnn.spec.formula import Expr, maximum
from openaclnn.spec.op import exact_level


def formula(grad_output: Expr, self: Expr, target: Expr, weight: Expr | None, k: Expr) -> Expr:
    scaled = grad_output * k if weight is None else grad_output * k * weight
    return scaled * (self - target) / maximum((1 - self) * self, 1e-12)


OP = loss_backward(
    "binary_cross_entropy_backward",
    formula=formula,
    dtypes=FLOATS,
    of="the binary cross entropy",
    zh="二元交叉熵",
    wide=exact_level,
    weighted=True,
    out="out",
    source="signature: op-plugin; values: PyTorch's binary_cross_entropy_backward",
    example="""
>>> import numpy as np, openaclnn
>>> x, target = np.array([0.5, 0.25], np.float32), np.array([0, 1], np.float32)
>>> openaclnn.binary_cross_entropy_backward(np.float32(8), x, target)
array([  8., -16.], dtype=float32)
""",
)
