"""asinh(x) = ±ln(|x| + √(x² + 1)), acosh(x) = ln(x + √(x² − 1)), atanh(x) = ln((1 + x)/(1 − x))/2.

By way of ln(1 + …), so that they are as exact relatively where they are small.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from openaclnn.arithmetic.functions.log import COEFFICIENTS
from openaclnn.arithmetic.functions.log1p import log1p
from openaclnn.arithmetic.nodes import (
    Node,
    const,
    equal,
    fma,
    minimum,
    moderate_root,
    narrowed,
    quotient,
    rough_root,
    select,
    square_root,
    times_sign,
    widened,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio

_LARGE = 2.0**60  # beyond it 1 is nothing beside x²
_SHIFT = 28  # what larger ones are divided by, as a power of 2: 1 is nothing beside that either


def asinh(algebra: Algebra, x: Node) -> Ratio:
    """asinh(x) for any x."""
    algebra.coefficients("asinh", COEFFICIENTS)
    size = abs(x)

    def beyond_one(size: Node) -> Node:
        square = size * size
        if size.type == "f64":
            return size + _above_one(square, narrowed(size))
        # of a tiny one the last bits may be any: it is nothing beside x
        return size + algebra.quotient(square, moderate_root(square + 1.0) + 1.0)

    return Ratio(times_sign(_logarithm(algebra, beyond_one, size, size), x))


def _above_one(square: Node, single: Node) -> Node:
    """u = √(1 + x²) − 1 of a square, and of x in float32: a step of Newton for u² + 2u = x²."""
    root, one = moderate_root(fma(single, single, 1.0)), const("f32", 1.0)
    u = widened(single * quotient(one, root + 1.0) * single)
    left = fma(u, u + 2.0, -square)
    return fma(-left, widened(quotient(one, root) * 0.5), u)


def acosh(algebra: Algebra, x: Node) -> Ratio:
    """acosh(x) for any x: NaN below 1."""
    algebra.coefficients("acosh", COEFFICIENTS)

    def beyond_one(size: Node) -> Node:
        if size.type == "f32":
            return size + square_root(fma(size, size, size * 2.0))
        return size + rough_root(fma(size, size, size * 2.0))

    algebra.seldom(x < 1.0)
    above = x - 1.0
    if algebra.compute_type.guarded:
        above = select(x < 1.0, const(x.type, math.nan), above)
    return Ratio(_logarithm(algebra, beyond_one, above, x))


def atanh(algebra: Algebra, x: Node) -> Ratio:
    """atanh(x) for any x: infinite for ±1, NaN beyond."""
    algebra.coefficients("atanh", COEFFICIENTS)
    size = abs(x)
    inside = size < 1.0
    algebra.seldom(~inside)
    bounded = minimum(1.0, size) if algebra.compute_type.guarded else size
    result = _bounded(algebra, algebra.quotient(bounded * 2.0, 1.0 - bounded)) * 0.5
    if algebra.compute_type.guarded:
        infinite, none = (const(x.type, value) for value in (math.inf, math.nan))
        result = select(inside, result, select(equal(size, 1.0), infinite, none))
    return Ratio(times_sign(result, x))


def _logarithm(algebra: Algebra, beyond_one: Callable[[Node], Node], size: Node, x: Node) -> Node:
    """The logarithm of 1 and what a function gives of a size, which is twice an x that is large."""
    far = x > _LARGE
    algebra.seldom(far)
    if not algebra.compute_type.guarded:
        return _bounded(algebra, beyond_one(size))
    zero = const(x.type, 0.0)
    found = beyond_one(minimum(_LARGE, size))
    result = _bounded(algebra, select(far, x * 2.0**-_SHIFT, found))
    result = result + select(far, math.log(2) * (_SHIFT + 1), zero)
    return select(equal(size, math.inf), size, result)


def _bounded(algebra: Algebra, x: Node) -> Node:
    """ln(1 + x) of a number that is neither negative nor extreme."""
    algebra.promise({x: (0.0, 2.0**100)})
    return algebra.number(log1p(algebra, x))
