"""smooth L1 of d = |x − target| is d²/(2·beta) where d < beta, else d − beta/2; its mean or sum."""

from openaclnn.spec.families import FLOATS, loss
from openaclnn.spec.formula import Expr, where
from openaclnn.spec.host import FLOAT32
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import NotNegative


def formula(self: Expr, target: Expr, beta: Expr) -> Expr:
    d = abs(self - target)
    return where(d < beta, d * (d / beta) * 0.5, d - beta * 0.5)


OP = loss(
    "smooth_l1_loss",
    formula=formula,
    dtypes=FLOATS,
    attributes=(
        Attr(
            "beta",
            "where the loss turns from quadratic to linear",
            "L2 与 L1 之间的分界",
            host=FLOAT32,
            default=1.0,
        ),
    ),
    rules=(NotNegative("beta"),),
    en="Smooth L1 loss",
    zh="smooth L1 损失",
    torch="nn.functional.smooth_l1_loss",
    source="signature: op-plugin; values: PyTorch's smooth_l1_loss (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> x, target = np.array([1, 5], np.float32), np.array([1.5, 1], np.float32)
>>> openaclnn.smooth_l1_loss(x, target, reduction="sum")
array(3.625, dtype=float32)
""",
)
