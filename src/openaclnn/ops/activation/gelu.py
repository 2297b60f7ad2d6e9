"""gelu(x) = x·Φ(x), where Φ is the normal distribution, or in its place
(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2, which is σ of twice that argument: here it is."""

import math

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import Expr, erfc, known_as, sigmoid, where

TWICE = 2 * math.sqrt(2 / math.pi)


def by_tanh(x: Expr) -> Expr:
    argument = x * (TWICE + TWICE * 0.044715 * (x * x))
    return x * known_as("(1 + tanh(√(2/π)·(x + 0.044715·x³))) / 2", sigmoid(argument))


def by_erf(x: Expr) -> Expr:
    share = where(x < -1000, 0, erfc(x * -math.sqrt(0.5)) * 0.5)  # at -inf it is 0
    return x * known_as("erfc(−x / √2) / 2", share)


OPS = unary(
    "gelu",
    formula=lambda self: by_tanh(self),
    dtypes=FLOATS,
    en="GELU, by tanh",
    zh="GELU 激活函数（tanh 近似）",
    source="signature and which formula: op-plugin, llama.cpp; values: PyTorch's gelu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gelu(np.array([-1, 0, 1], np.float32))
array([-0.15880801,  0.        ,  0.841192  ], dtype=float32)
""",
)
