"""1/√x: two steps, each rounded once."""

from __future__ import annotations

from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    quotient,
    square_root,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio

_SMALLEST, _LARGEST = 2.0**-100, 2.0**100  # between them the root is of moderate size


def rsqrt(algebra: Algebra, x: Node) -> Ratio:
    """1/√x for any x: an infinity for a zero, NaN below."""
    size = abs(before_widening(x) or x)  # the root of what is negative is NaN either way
    algebra.seldom(~((size >= _SMALLEST) & (size < _LARGEST)))
    one, root = const(x.type, 1.0), square_root(x)
    return Ratio(one / root if algebra.width.guarded else quotient(one, root))
