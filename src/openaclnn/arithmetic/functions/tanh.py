"""tanh(x) = (e^2x − 1)/(e^2x + 1), with full relative accuracy for small x.

As in e^x − 1, 2x = n·ln(2) + r and e^r = (h + r)/(h − r): it is the quotient of
(2^n + 1)·r − (1 − 2^n)·h and (2^n + 1)·h − (1 − 2^n)·r. For results of 16 bits it is x·A(x²)/B(x²),
with minimax coefficients.
"""

from __future__ import annotations

from openaclnn.arithmetic.functions.expm1 import COEFFICIENTS, reduced
from openaclnn.arithmetic.nodes import Node, fma, maximum, minimum, polynomial
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.scaling import power_of_two

_FURTHEST = {"f32": 16.0, "f64": 32.0}  # beyond it the result is 1 in the type
_OF_16_BITS = 4.6  # the same
_OVER = 0.9999989077935035, 0.11727102417696912, 0.0016852131985315038
_UNDER = 1.0, 0.4505950214484789, 0.01856364079077407, 6.78871288753264e-05  # 2⁻¹⁹·⁸


def tanh(algebra: Algebra, x: Node) -> Ratio:
    """tanh(x) for any x."""
    using, compute_type = algebra.coefficients("tanh", COEFFICIENTS), algebra.compute_type
    if compute_type.type == "f32" and not compute_type.full_precision:
        bounded = maximum(-_OF_16_BITS, minimum(_OF_16_BITS, x))
        over, under = (polynomial(bounded * bounded, terms) for terms in (_OVER, _UNDER))
        return Ratio(_promised(algebra, algebra.quotient(bounded * over, under)))
    end = _FURTHEST[compute_type.type]
    shifted, h, r = reduced(compute_type, using, maximum(-end, minimum(end, x)) * 2.0)
    power = power_of_two(compute_type, shifted)
    less, more = 1.0 - power, power + 1.0
    # of zeros, (1 − 1)·-h is the one that leaves the sign of r
    # what is tiny is divided by 4
    found = algebra.quotient(fma(less, -h, more * r), fma(less, -r, more * h))
    return Ratio(_promised(algebra, found))


def _promised(algebra: Algebra, result: Node) -> Node:
    algebra.promise({result: (-1.0, 1.0)})
    return result
