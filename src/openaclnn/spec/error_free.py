"""Error-free transformations in formulas: sums and products with what they were rounded by, so that
what is made of them is rounded once. (`openaclnn.arithmetic.pairs` has the same in basic
operations.)

A product that is added is fused with the sum where a formula is computed; a sum that must be one of
the rounded product is therefore written as a difference.
"""

from __future__ import annotations

from openaclnn.spec.formula import Expr, equal, not_equal, where


def left_by_sum(a: Expr, b: Expr, total: Expr) -> Expr:
    """What a sum was rounded by."""
    part = total - a
    return (a - (total - part)) + (b - part)


def two_sum(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """A sum, and what it was rounded by."""
    total = a - -b
    return total, left_by_sum(a, b, total)


def two_product(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """A product, and what it was rounded by, where that does not underflow."""
    product = a * b
    return product, a * b + -product


def once(total: Expr, rest: Expr) -> Expr:
    """A sum and what is left of it; a zero keeps its sign, and what is no number stays."""
    unchanged = equal(rest, 0) | not_equal(rest - rest, 0)
    return where(unchanged, total, total + rest)


def once_of_three(a: Expr, first: Expr, second: Expr, third: Expr) -> Expr:
    """a plus a number in three parts, each at most a few ULP of the one before, however much of the
    first a takes away."""
    total, left = two_sum(a, first)
    found, more = two_sum(total, second)
    rest = more + (left + third)
    unchanged = (equal(second, 0) & equal(rest, 0)) | not_equal(rest - rest, 0)
    return where(unchanged, total, where(equal(rest, 0), found, found + rest))
