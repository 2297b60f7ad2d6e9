"""(x − target)², its mean or its sum."""

from openaclnn.spec.families import FLOATS, loss
from openaclnn.spec.formula import Expr


def formula(self: Expr, target: Expr) -> Expr:
    d = self - target
    return d * d


OP = loss(
    "mse_loss",
    formula=formula,
    dtypes=FLOATS,
    en="Mean squared error",
    zh="均方误差损失",
    torch="nn.functional.mse_loss",
    source="signature: op-plugin; values: PyTorch's mse_loss (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.mse_loss(np.array([1, 2], np.float32), np.array([4, 2], np.float32))
array(4.5, dtype=float32)
""",
)
