"""1/√x: two steps, each rounded once. In float64 for a float32, both are taken in float32, where
they take half the time or less; the series of what is left has three times as many digits."""

from __future__ import annotations

from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    fma,
    make,
    quotient,
    select,
    square_root,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio

_SMALLEST, _LARGEST = 2.0**-100, 2.0**100  # between them the root is of moderate size


def rsqrt(algebra: Algebra, x: Node) -> Ratio:
    """1/√x for any x: an infinity for a zero, NaN below."""
    narrow = before_widening(x)
    size = abs(narrow or x)  # the root of what is negative is NaN either way
    rare = ~((size >= _SMALLEST) & (size < _LARGEST))
    algebra.seldom(rare)
    if narrow is not None and narrow.type == "f32":
        near = make("widen", "f64", quotient(const("f32", 1.0), square_root(narrow)))
        left = fma(-(x * near), near, 1.0)  # a product of two float32 is exact
        usual = fma(near * left, fma(left, 0.375, 0.5), near)
    else:
        usual = quotient(const(x.type, 1.0), square_root(x))
    if not algebra.compute_type.guarded:
        return Ratio(usual)
    whole = const(x.type, 1.0) / square_root(x)
    return Ratio(whole if narrow is None else select(rare, whole, usual))
