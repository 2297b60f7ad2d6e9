"""sinh(x) = (e^x − e^-x)/2, as exact relatively where x is small, and cosh(x) = (e^x + e^-x)/2.

Both are made of E = e^|x| − 1: (E + E/(E + 1))/2 and (E + 1 + 1/(E + 1))/2.
"""

from __future__ import annotations

from openaclnn.arithmetic.functions.expm1 import COEFFICIENTS, expm1
from openaclnn.arithmetic.functions.in_float64 import in_float64
from openaclnn.arithmetic.nodes import Node, const, minimum, times_sign
from openaclnn.arithmetic.ratio import Algebra, Ratio

_END = 280.0  # beyond it the result counts as infinite


def sinh(algebra: Algebra, x: Node) -> Ratio:
    """sinh(x) for any x."""
    algebra.coefficients("sinh", COEFFICIENTS)
    return in_float64(algebra, _sinh, x)


def cosh(algebra: Algebra, x: Node) -> Ratio:
    """cosh(x) for any x."""
    algebra.coefficients("cosh", COEFFICIENTS)
    return in_float64(algebra, _cosh, x)


def _grown(algebra: Algebra, x: Node) -> Node:
    return algebra.number(expm1(algebra, minimum(_END, abs(x))))


def _sinh(algebra: Algebra, x: Node) -> Node:
    grown = _grown(algebra, x)
    return times_sign((grown + grown / (grown + 1.0)) * 0.5, x)


def _cosh(algebra: Algebra, x: Node) -> Node:
    power = _grown(algebra, x) + 1.0
    return (power + const("f64", 1.0) / power) * 0.5
