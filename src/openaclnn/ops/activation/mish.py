"""mish(x) = x·tanh(log(1 + e^x)), which is rational in e = e^x: the factor of x is
e·(e + 2)/(e·(e + 2) + 2), and 1 beyond 20. In float32, which has less room, it is
(1 + 2e)/(1 + 2e + 2e²) with e = e^-|x| above 0. At -inf it is NaN."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import Expr, exp, known_as, where


def formula(self: Expr) -> Expr:
    e = known_as("exp(self)", exp(where(self > 20, 20, self)), (0.0, 5e8))
    over = e * (e + 2)
    return self * known_as("tanh(log(1 + exp(self)))", over / (over + 2))


def in_float32(self: Expr) -> Expr:
    e, above = known_as("exp(−|self|)", exp(-abs(self)), (0.0, 1.0)), self >= 0
    over = where(above, 1 + 2 * e, e * (e + 2))
    share = over / (over + where(above, 2 * (e * e), 2))
    return self * known_as("tanh(log(1 + exp(self)))", share)


OPS = unary(
    "mish",
    formula=formula,
    in_float32=in_float32,
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
