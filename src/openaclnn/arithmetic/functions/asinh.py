"""asinh(x) = ±ln(|x| + √(x² + 1)), acosh(x) = ln(x + √(x² − 1)), atanh(x) = ln((1 + x)/(1 − x))/2.

By way of ln(1 + …), so that they are as exact relatively where they are small.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.functions.in_float64 import in_float64
from openaclnn.arithmetic.functions.log import COEFFICIENTS
from openaclnn.arithmetic.functions.log1p import log1p
from openaclnn.arithmetic.nodes import (
    Node,
    const,
    minimum,
    select,
    square_root,
    times_sign,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio

_LARGE = 2.0**60  # beyond it 1 is nothing beside x²


def asinh(algebra: Algebra, x: Node) -> Ratio:
    """asinh(x) for any x."""
    algebra.coefficients("asinh", COEFFICIENTS)
    return in_float64(algebra, _asinh, x)


def acosh(algebra: Algebra, x: Node) -> Ratio:
    """acosh(x) for any x: NaN below 1."""
    algebra.coefficients("acosh", COEFFICIENTS)
    return in_float64(algebra, _acosh, x)


def atanh(algebra: Algebra, x: Node) -> Ratio:
    """atanh(x) for any x: infinite for ±1, NaN beyond."""
    algebra.coefficients("atanh", COEFFICIENTS)
    size = abs(x)
    beyond = (size * 2.0) / (1.0 - size)
    return Ratio(times_sign(algebra.number(log1p(algebra, beyond)) * 0.5, x))


def _asinh(algebra: Algebra, x: Node) -> Node:
    size = abs(x)
    bounded = minimum(_LARGE, size)
    square = bounded * bounded
    beyond = bounded + square / (square_root(square + 1.0) + 1.0)
    beyond = select(size > _LARGE, size * 2.0, beyond)
    return times_sign(algebra.number(log1p(algebra, beyond)), x)


def _acosh(algebra: Algebra, x: Node) -> Node:
    beyond_one = x - 1.0
    bounded = minimum(_LARGE, beyond_one)
    beyond = bounded + square_root(bounded * (bounded + 2.0))
    beyond = select(x > _LARGE, x * 2.0, beyond)
    beyond = select(x < 1.0, const("f64", math.nan), beyond)
    return algebra.number(log1p(algebra, beyond))
