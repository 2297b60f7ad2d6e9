"""tan(x), with full relative accuracy near its zeros and poles: r·A(r²)/B(r²) for the reduced
argument r."""

from __future__ import annotations

from openaclnn.arithmetic.functions.quarter_turns import COEFFICIENTS, reduced
from openaclnn.arithmetic.nodes import Node, equal, polynomial, select, times_sign
from openaclnn.arithmetic.ratio import Algebra, Ratio


def tan(algebra: Algebra, x: Node) -> Ratio:
    """tan(x) for any x."""
    using = algebra.coefficients("tan", COEFFICIENTS)
    angle = reduced(algebra, using, abs(x))
    over, under = (polynomial(angle.rest * angle.rest, terms) for terms in using.tangent)
    over, even = angle.rest * over, equal(angle.n & 1, 0)
    # a tiny rest is divided by 1
    found = algebra.quotient(select(even, over, -under), select(even, under, over))
    return Ratio(times_sign(found, x))
