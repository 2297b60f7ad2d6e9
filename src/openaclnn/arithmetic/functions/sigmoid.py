"""σ(x) = 1/(1 + e^-x), with full relative accuracy for small results.

float64 has room for e^-x. In float32 it is made of e = e^-|x|: 1/(1 + e), or e/(1 + e) for x < 0.
"""

from __future__ import annotations

from dataclasses import replace

from openaclnn.arithmetic.functions.exp import COEFFICIENTS, exp
from openaclnn.arithmetic.nodes import Node, const
from openaclnn.arithmetic.ratio import Algebra, Ratio


def sigmoid(algebra: Algebra, x: Node) -> Ratio:
    """σ(x) for any x."""
    algebra.coefficients("sigmoid", COEFFICIENTS)
    one = Ratio(const(algebra.compute_type.type, 1.0))
    if algebra.compute_type.type == "f64":
        return algebra.over(one, algebra.plus(one, exp(algebra, -x)))
    e = exp(algebra, -abs(x))
    found = algebra.over(algebra.chosen(x >= 0.0, one, e), algebra.plus(one, e))
    return replace(found, rough=not algebra.compute_type.full_precision)
