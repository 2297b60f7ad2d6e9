"""Unevaluated sums of two float64, of about 106 bits, in basic operations: what functions of DOUBLE
are computed in. The tricks are the classical error-free ones, by fused steps. For specialists in
floating point; `openaclnn.truth.double_double` has the same on arrays, to try it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from openaclnn.arithmetic.nodes import Node, const, fma, select, square_root
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Pair:
    """high + low, where high is the float64 nearest to the sum."""

    high: Node
    low: Node

    def __neg__(self) -> Pair:
        return Pair(-self.high, -self.low)

    def __add__(self, other: Pair) -> Pair:
        high = two_sum(self.high, other.high)
        low = two_sum(self.low, other.low)
        first = ordered_sum(high.high, high.low + low.high)
        return ordered_sum(first.high, first.low + low.low)

    def __mul__(self, other: Pair) -> Pair:
        product = two_product(self.high, other.high)
        beside = fma(self.high, other.low, fma(self.low, other.high, product.low))
        return ordered_sum(product.high, beside)

    def __truediv__(self, other: Pair) -> Pair:
        quotient = self.high / other.high
        rest = fma(-quotient, other.high, self.high) + fma(-quotient, other.low, self.low)
        return ordered_sum(quotient, rest / other.high)

    def plus(self, x: Node | float) -> Pair:
        """The sum with a float64."""
        total = two_sum(self.high, x if isinstance(x, Node) else const("f64", x))
        return ordered_sum(total.high, total.low + self.low)

    def times(self, x: Node | float) -> Pair:
        """The product with a power of two."""
        return Pair(self.high * x, self.low * x)

    @property
    def number(self) -> Node:
        """The nearest float64."""
        return self.high + self.low


def single(x: Node) -> Pair:
    return Pair(x, const("f64", 0.0))


def constant(value: Fraction | float) -> Pair:
    high = float(value)
    low = float(Fraction(value) - Fraction(high))
    return Pair(const("f64", high), const("f64", low))


def two_sum(a: Node, b: Node) -> Pair:
    """a + b exactly."""
    total = a + b
    back = total - a
    return Pair(total, (a - (total - back)) + (b - back))


def ordered_sum(a: Node, b: Node) -> Pair:
    """a + b exactly, where |a| >= |b| or a is 0."""
    total = a + b
    return Pair(total, b - (total - a))


def two_product(a: Node, b: Node) -> Pair:
    """a·b exactly, where nothing underflows."""
    product = a * b
    return Pair(product, fma(a, b, -product))


def root(x: Pair) -> Pair:
    """The square root of a positive number."""
    found = square_root(x.high)
    rest = fma(-found, found, x.high) + x.low
    return ordered_sum(found, rest / (found * 2.0))


def chosen(condition: Node, yes: Pair, no: Pair) -> Pair:
    return Pair(select(condition, yes.high, no.high), select(condition, yes.low, no.low))


def polynomial(x: Pair, leading: Sequence[Fraction | float], rest: Node) -> Pair:
    """c₀ + x·(c₁ + x·(… + x·rest)): the last steps of Horner's rule."""
    found = single(rest)
    for coefficient in reversed(leading):
        found = x * found + constant(coefficient)
    return found
