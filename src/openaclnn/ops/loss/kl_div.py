"""t·(log t − x), 0 where t is 0, or e^t·(t − x) where targets are logarithms; its mean or its
sum."""

from openaclnn.spec.families import FLOATS, loss
from openaclnn.spec.formula import Expr, equal, exp, log, where
from openaclnn.spec.host import FLAG
from openaclnn.spec.op import Attr, exact_level

LOG_TARGET = Attr("log_target", "whether targets are logarithms", "目标是否为对数", FLAG, False)


def formula(self: Expr, target: Expr, log_target: bool) -> Expr:
    if log_target:
        return exp(target) * (target - self)
    return where(equal(target, 0), 0, target * log(target)) - target * self


OP = loss(
    "kl_div",
    formula=formula,
    dtypes=FLOATS,
    attributes=(LOG_TARGET,),
    en="Kullback–Leibler divergence",
    zh="KL 散度",
    wide=exact_level,
    torch="nn.functional.kl_div",
    source="signature: op-plugin; values: PyTorch's kl_div (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.kl_div(np.array([-1, -2], np.float32), np.array([1, 0], np.float32))
array(0.5, dtype=float32)
""",
)
