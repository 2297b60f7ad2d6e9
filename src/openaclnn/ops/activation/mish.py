"""mish(x) = x·tanh(log(1 + e^x)), which is rational in e^x: with e = e^-|x| the factor of x is
(1 + 2e)/(1 + 2e + 2e²) above 0, and e·(e + 2)/(e·(e + 2) + 2) below. At -inf it is NaN."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import Expr, exp, known_as, where


def formula(self: Expr) -> Expr:
    e, above = known_as("exp(−|self|)", exp(-abs(self)), (0.0, 1.0)), self >= 0
    over = where(above, 1 + 2 * e, e * (e + 2))
    share = over / (over + where(above, 2 * (e * e), 2))
    return self * known_as("tanh(log(1 + exp(self)))", share)


OPS = unary(
    "mish",
    formula=formula,
    dtypes=FLOATS,
    en="Mish",
    zh="mish 激活函数",
    in_place=True,
    torch="nn.functional.mish",
    source="signatures: op-plugin; values: PyTorch's mish",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.mish(np.array([-1, 0, 1], np.float32))
array([-0.30340147,  0.        ,  0.8650984 ], dtype=float32)
""",
)
