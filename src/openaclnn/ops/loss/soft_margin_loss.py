"""log(1 + e^(−target·x)), its mean or its sum."""

from openaclnn.spec.families import FLOATS, loss
from openaclnn.spec.formula import Expr, exp, log1p, where
from openaclnn.spec.op import exact_level


def formula(self: Expr, target: Expr) -> Expr:
    against = -target * self
    return where(against < 0, 0, against) + log1p(exp(-abs(against)))


OP = loss(
    "soft_margin_loss",
    formula=formula,
    dtypes=FLOATS,
    wide=exact_level,
    en="Soft margin loss",
    zh="soft margin 损失",
    torch="nn.functional.soft_margin_loss",
    source="signature: op-plugin; values: PyTorch's soft_margin_loss",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.soft_margin_loss(np.array([0.5, -2], np.float32), np.array([1, -1], np.float32))
array(0.3005025, dtype=float32)
""",
)
