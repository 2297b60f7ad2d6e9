"""√x, correctly rounded: every device has an instruction for it."""

from __future__ import annotations

from openaclnn.arithmetic.nodes import Node, square_root
from openaclnn.arithmetic.ratio import Algebra, Ratio


def sqrt(algebra: Algebra, x: Node) -> Ratio:
    """√x for any x: NaN below -0."""
    return Ratio(square_root(x))
