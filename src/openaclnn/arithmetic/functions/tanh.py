"""tanh(x) = (e^2x − 1)/(e^2x + 1), as exact relatively where x is small.

As in e^x − 1, 2x = n·ln(2) + r and e^r = (h + r)/(h − r): it is the quotient of
(2^n + 1)·r − (1 − 2^n)·h and (2^n + 1)·h − (1 − 2^n)·r.
"""

from __future__ import annotations

from openaclnn.arithmetic.functions.expm1 import COEFFICIENTS, reduced
from openaclnn.arithmetic.nodes import Node, fma, maximum, minimum
from openaclnn.arithmetic.powers import power_of_two
from openaclnn.arithmetic.ratio import Algebra, Ratio

_FURTHEST = {"f32": 16.0, "f64": 32.0}  # beyond it the result is 1 in the type


def tanh(algebra: Algebra, x: Node) -> Ratio:
    """tanh(x) for any x."""
    using, width = algebra.coefficients("tanh", COEFFICIENTS), algebra.width
    end = _FURTHEST[width.type]
    shifted, h, r = reduced(width, using, maximum(-end, minimum(end, x)) * 2.0)
    power = power_of_two(width, shifted)
    less, more = 1.0 - power, power + 1.0
    # of zeros, (1 − 1)·-h is the one that leaves the sign of r
    # what is tiny is divided by 4
    result = algebra.quotient(fma(less, -h, more * r), fma(less, -r, more * h))
    algebra.promise({result: (-1.0, 1.0)})
    return Ratio(result)
