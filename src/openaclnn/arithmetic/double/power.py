"""x^y = e^(y·ln|x|), with the signs and ends that IEEE 754 gives it, and 1/√x."""

from __future__ import annotations

import math

from openaclnn.arithmetic.double.exponential import power
from openaclnn.arithmetic.double.logarithm import positive
from openaclnn.arithmetic.functions.pow import with_ends
from openaclnn.arithmetic.nodes import (
    Node,
    const,
    equal,
    fma,
    maximum,
    minimum,
    select,
    square_root,
)
from openaclnn.arithmetic.pairs import Pair, ordered_sum, two_product

_FURTHEST = 1200.0  # beyond it all is 0, or infinite


def pow(x: Node, y: Node) -> Node:
    size = abs(x)
    found = positive(size)
    logarithm = select(equal(size, 0.0), const("f64", -math.inf), found.high)
    logarithm = select(size < math.inf, logarithm, size)
    product = two_product(logarithm, y)
    exponent = maximum(-_FURTHEST, minimum(_FURTHEST, product.high))
    beside = fma(found.low, y, product.low)
    ordinary = abs(product.high) < _FURTHEST
    total = ordered_sum(exponent, select(ordinary, beside, 0.0))
    return with_ends(power(Pair(total.high, total.low)), x, y)


def rsqrt(x: Node) -> Node:
    """The quotient, corrected by what it and the root leave."""
    tiny = x < 2.0**-900
    inside = select(tiny, x * 2.0**200, x)
    root = square_root(inside)
    found = const("f64", 1.0) / root
    rest = fma(-root, root, inside)
    off = fma(rest * found, found * -0.5, fma(-found, root, 1.0))
    better = fma(found, off, found)
    found = select(equal(better, better), better, found)  # of 0 and infinity there is none
    return select(tiny, found * 2.0**100, found)
