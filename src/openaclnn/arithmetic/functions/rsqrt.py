"""1/√x: two steps, each rounded once."""

from __future__ import annotations

from openaclnn.arithmetic.nodes import Node, const, square_root
from openaclnn.arithmetic.ratio import Algebra, Ratio


def rsqrt(algebra: Algebra, x: Node) -> Ratio:
    """1/√x for any x: an infinity for a zero, NaN below."""
    return Ratio(const(x.type, 1.0) / square_root(x))
