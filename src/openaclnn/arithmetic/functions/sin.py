"""sin(x), with full relative accuracy near its zeros."""

from __future__ import annotations

from openaclnn.arithmetic.functions.quarter_turns import COEFFICIENTS, sine
from openaclnn.arithmetic.nodes import Node
from openaclnn.arithmetic.ratio import Algebra, Ratio


def sin(algebra: Algebra, x: Node) -> Ratio:
    """sin(x) for any x."""
    using = algebra.coefficients("sin", COEFFICIENTS)
    result = sine(algebra, using, x)
    algebra.promise({result: (-1.0, 1.0)})
    return Ratio(result)
