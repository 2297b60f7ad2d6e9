"""log₁₀(x)."""

from __future__ import annotations

from openaclnn.arithmetic.functions.log import to_base
from openaclnn.arithmetic.nodes import Node
from openaclnn.arithmetic.ratio import Algebra, Ratio


def log10(algebra: Algebra, x: Node) -> Ratio:
    """log₁₀(x) for any x: -inf for 0, NaN below."""
    return to_base(algebra, "log10", x, 10.0)
