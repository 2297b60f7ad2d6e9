"""cos(x), with full relative accuracy near its zeros."""

from __future__ import annotations

from openaclnn.arithmetic.functions.quarter_turns import COEFFICIENTS, sine
from openaclnn.arithmetic.nodes import Node
from openaclnn.arithmetic.ratio import Algebra, Ratio


def cos(algebra: Algebra, x: Node) -> Ratio:
    """cos(x) for any x."""
    using = algebra.coefficients("cos", COEFFICIENTS)
    result = sine(algebra, using, x, turn=1)
    algebra.promise({result: (-1.0, 1.0)})
    return Ratio(result)
