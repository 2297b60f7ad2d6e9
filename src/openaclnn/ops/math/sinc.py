"""sin(πx)/(πx), 1 for 0 and 0 for other integers, by the remainder of x from the nearest one."""

import math

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, floating, unary
from openaclnn.spec.formula import Expr, equal, known_as, rounded, sin, where
from openaclnn.spec.op import always
from openaclnn.spec.proof import Proof


def formula(self: Expr) -> Expr:
    near = rounded(self)
    odd = not_even(near)
    wave = sin(math.pi * (self - near))
    signed = where(odd, -wave, wave)
    found = where(equal(self, 0), 1, signed / (math.pi * self))
    return known_as("sin(π·self) / (π·self)", where(abs(self) < math.inf, found, self * 0))


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
