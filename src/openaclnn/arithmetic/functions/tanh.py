"""tanh(x) = (e^2x − 1)/(e^2x + 1), as exact relatively where x is small.

With e^2x − 1 = a/b, where b is around 2, it is a/(a + 2b): one division.
"""

from __future__ import annotations

from openaclnn.arithmetic.functions.expm1 import COEFFICIENTS, dividend_and_divisor
from openaclnn.arithmetic.nodes import Node, fma, maximum, minimum
from openaclnn.arithmetic.ratio import Algebra, Ratio

_FURTHEST = {"f32": 16.0, "f64": 32.0}  # beyond it the result is 1 in the type


def tanh(algebra: Algebra, x: Node) -> Ratio:
    """tanh(x) for any x."""
    using, width = algebra.coefficients("tanh", COEFFICIENTS), algebra.width
    end = _FURTHEST[width.type]
    bounded = maximum(-end, minimum(end, x))
    over, under = dividend_and_divisor(width, using, bounded * 2.0)
    result = over / fma(under, 2.0, over)
    algebra.promise({result: (-1.0, 1.0)})
    return Ratio(result)
