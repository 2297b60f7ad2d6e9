"""sin(πx)/(πx), 1 for 0 and 0 for other integers, by the remainder of x from the nearest one."""

import math

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, floating, unary
from openaclnn.spec.formula import (
    Expr,
    constant,
    equal,
    known_as,
    rounded,
    sin,
    where,
    with_slope,
)
from openaclnn.spec.op import always
from openaclnn.spec.proof import Proof


def formula(self: Expr) -> Expr:
    near = rounded(self)
    odd = not_even(near)
    wave = sin(math.pi * (self - near))
    signed = where(odd, -wave, wave)
    found = where(equal(self, 0), 1, signed / (math.pi * self))
    value = known_as("sin(π·self) / (π·self)", where(abs(self) < math.inf, found, self * 0))
    return with_slope(self, value, slope)


def slope(x: Expr) -> Expr:
    """(cos(πx) − sin(πx)/(πx)) / x. It has a zero between any two integers, where the terms cancel:
    there both are series of s, how far x is from the middle, which is exact. Beside 0 it is a
    series of x."""
    near = rounded(x)
    rest = x - near
    s = 0.5 - abs(rest)
    sine = s * series(s * s, SINE)
    cosine = where(rest < 0, -1, 1) * series(s * s, COSINE)
    far = where(not_even(near), -1, 1) * (sine - cosine / (math.pi * x)) / x
    beside = x * series(x * x, SLOPE)
    return known_as("sinc′(self)", where(abs(x) < 0.5, beside, far))


# of sin(πs)/s, cos(πs) and sinc′(x)/x, in powers of the square
SINE = tuple((-1) ** k * math.pi ** (2 * k + 1) / math.factorial(2 * k + 1) for k in range(12))
COSINE = tuple((-1) ** k * math.pi ** (2 * k) / math.factorial(2 * k) for k in range(12))
SLOPE = tuple((-1) ** k * math.pi ** (2 * k) * 2 * k / math.factorial(2 * k + 1)
              for k in range(1, 13))  # fmt: skip


def series(square: Expr, coefficients: tuple[float, ...]) -> Expr:
    *lower, found = (constant(c) for c in coefficients)
    for c in reversed(lower):
        found = found * square + c
    return found


def not_even(integer: Expr) -> Expr:
    half = rounded(integer * 0.5 - 0.25)  # below it where it is even
    return equal(integer - 2 * half, 1)


OPS = unary(
    "sinc",
    formula,
    ALL,
    "Cardinal sine",
    "归一化 sinc 函数",
    """
>>> import numpy as np, openaclnn
>>> openaclnn.sinc(np.array([0, 0.5, 2], np.float32))
array([1.        , 0.63661975, 0.        ], dtype=float32)
""",
    promotes=floating,
    wide=always,
    torch="sinc",
    proof=Proof(exact={DOUBLE: None}),
    source="signature: op-plugin, candle; values: PyTorch's sinc",
)
