"""tan(x) = sin(x)/cos(x), as exact relatively beside its zeros and poles."""

from __future__ import annotations

from openaclnn.arithmetic.functions.quarter_turns import (
    COEFFICIENTS,
    reduced,
    sine_and_cosine,
)
from openaclnn.arithmetic.nodes import Node, equal, select, times_sign
from openaclnn.arithmetic.ratio import Algebra, Ratio


def tan(algebra: Algebra, x: Node) -> Ratio:
    """tan(x) for any x."""
    using = algebra.coefficients("tan", COEFFICIENTS)
    angle = reduced(algebra, using, abs(x))
    sine, cosine = sine_and_cosine(using, angle.rest)
    even = equal(angle.n & 1, 0)
    # a tiny sine is divided by 1
    found = algebra.quotient(select(even, sine, -cosine), select(even, cosine, sine))
    return Ratio(times_sign(found, x))
