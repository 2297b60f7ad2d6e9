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
    rough_root,
    select,
    square_root,
    times_sign,
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
        # of a tiny one the last bits may be any: it is nothing beside x
        return size + algebra.quotient(square, _root(square + 1.0) + 1.0)

    return Ratio(times_sign(_logarithm(algebra, beyond_one, size, size), x))


def acosh(algebra: Algebra, x: Node) -> Ratio:
    """acosh(x) for any x: NaN below 1."""
    algebra.coefficients("acosh", COEFFICIENTS)

    def beyond_one(size: Node) -> Node:
        return size + _root(fma(size, size, size * 2.0), square_root)

    above = select(x < 1.0, const(x.type, math.nan), x - 1.0)
    return Ratio(_logarithm(algebra, beyond_one, above, x))


def atanh(algebra: Algebra, x: Node) -> Ratio:
    """atanh(x) for any x: infinite for ±1, NaN beyond."""
    algebra.coefficients("atanh", COEFFICIENTS)
    size = abs(x)
    inside = size < 1.0
    algebra.seldom(~inside)
    bounded = minimum(1.0, size) if algebra.width.guarded else size
    result = _bounded(algebra, algebra.quotient(bounded * 2.0, 1.0 - bounded)) * 0.5
    if algebra.width.guarded:
        infinite, none = (const(x.type, value) for value in (math.inf, math.nan))
        result = select(inside, result, select(equal(size, 1.0), infinite, none))
    return Ratio(times_sign(result, x))


def _logarithm(algebra: Algebra, beyond_one: Callable[[Node], Node], size: Node, x: Node) -> Node:
    """The logarithm of 1 and what a function gives of a size, which is twice an x that is large."""
    far = size > _LARGE
    algebra.seldom(far)
    if not algebra.width.guarded:
        return _bounded(algebra, beyond_one(size))
    zero = const(x.type, 0.0)
    found = beyond_one(minimum(_LARGE, size))
    result = _bounded(algebra, select(far, x * 2.0**-_SHIFT, found))
    result = result + select(far, math.log(2) * (_SHIFT + 1), zero)
    return select(equal(size, math.inf), size, result)


def _root(x: Node, in_float32: Callable[[Node], Node] = moderate_root) -> Node:
    return in_float32(x) if x.type == "f32" else rough_root(x)


def _bounded(algebra: Algebra, x: Node) -> Node:
    """ln(1 + x) of a number that is neither negative nor extreme."""
    algebra.promise({x: (0.0, 2.0**100)})
    return algebra.number(log1p(algebra, x))
