"""gelu(x) = x·Φ(x), where Φ is the normal distribution, or in its place
(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2, which is σ of twice that argument: here it is."""

import math

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import (
    Expr,
    Taylor,
    equal,
    erfc,
    exp,
    known_as,
    near,
    sigmoid,
    where,
    with_slope,
)

TWICE = 2 * math.sqrt(2 / math.pi)
CUBE = TWICE * 0.044715
TAIL = -1e-100  # what any float32 makes a zero of, and an infinity stays
ROOT_BY_TANH = Taylor(
    root=-0.7524614220710162,
    root_low=-3.4928381988137035e-17,
    coefficients=(
        0.43040009102485854, 0.38751844613578895, -0.015782853521848012,
        -0.11394448308095902, -0.01661932834305258, 0.019682309459833125,
        0.005261059254921919, -0.0024227318458750974, -0.0009274420230205465,
        0.0002639276405268103, 0.0001242522780263981, -3.495617169443604e-05,
        -1.5950896871645142e-05, 5.91861171089399e-06,
    ),
)  # fmt: skip
ROOT_BY_ERF = Taylor(
    root=-0.7517915246935645,
    root_low=1.4956759177009883e-17,
    coefficients=(
        0.4314939923140469, 0.388284982990552, -0.018199676398671087,
        -0.1140082332972217, -0.014771522148244337, 0.019421679838189067,
        0.004539228379125415, -0.002239538068073497, -0.0007448268386746817,
        0.00018633974623233514, 8.615947861116571e-05, -1.121438018842664e-05,
        -7.74846130700372e-06, 4.3284506257392273e-07,
    ),
)  # fmt: skip


def by_tanh(x: Expr) -> Expr:
    argument = x * (TWICE + TWICE * 0.044715 * (x * x))
    share = known_as("(1 + tanh(√(2/π)·(x + 0.044715·x³))) / 2", sigmoid(argument))
    return with_slope(x, x * share, slope_by_tanh)


def by_erf(x: Expr) -> Expr:
    share = where(x < -1000, 0, erfc(x * -math.sqrt(0.5)) * 0.5)  # at -inf it is 0
    return with_slope(x, x * known_as("erfc(−x / √2) / 2", share), slope_by_erf)


def slope_by_tanh(x: Expr) -> Expr:
    square = x * x
    y, rise = x * (TWICE + CUBE * square), TWICE + 3 * (CUBE * square)
    slope = near(x, ROOT_BY_TANH, sigmoid(y) * (1 + x * rise * sigmoid(-y)))
    return known_as("gelu′(self), by tanh", settled(x, 14, slope))


def settled(x: Expr, beyond: float, slope: Expr) -> Expr:
    """A slope that is 1 above some x and next to nothing below its opposite; at ±inf it is NaN."""
    limit = where(x > 0, 1, TAIL)
    return where(abs(x) > beyond, where(equal(x - x, 0), limit, x - x), slope)


def slope_by_erf(x: Expr) -> Expr:
    share = erfc(x * -math.sqrt(0.5)) * 0.5
    density = exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    slope = near(x, ROOT_BY_ERF, share + x * density)
    return known_as("gelu′(self)", settled(x, 22, slope))


OPS = unary(
    "gelu",
    formula=lambda self: by_tanh(self),
    dtypes=FLOATS,
    en="GELU (tanh approximation)",
    zh="GELU 激活函数（tanh 近似）",
    source="signature and which formula: op-plugin, llama.cpp; values: PyTorch's gelu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gelu(np.array([-1, 0, 1], np.float32))
array([-0.15880801,  0.        ,  0.841192  ], dtype=float32)
""",
)
