"""x^y = 2^(y·log₂|x|), with the signs and ends that IEEE 754 gives it.

log₂(2^n·(1 + f)) = n + 2/ln 2·atanh(f/(2 + f)): the product with y is to be exact beyond the point,
so a few more bits are needed than float32 results have.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.functions import exp2
from openaclnn.arithmetic.functions.in_float64 import in_float64
from openaclnn.arithmetic.functions.log import Split
from openaclnn.arithmetic.nodes import (
    Node,
    const,
    equal,
    fma,
    polynomial,
    select,
    times_sign,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.widths import F64

_ATANH = (
    0.333333333330699164,
    0.200000001270326880,
    0.142856939094678084,
    0.111126103716999505,
    0.0903540610768473389,
    0.0869056947351693970,
)  # 2⁻⁴⁹
_SMALL, _LARGE, _SHIFT = 2.0**-900, 2.0**900, 200.0


def pow(algebra: Algebra, x: Node, y: Node) -> Ratio:
    """x^y for any two numbers."""
    algebra.coefficients("pow", exp2.COEFFICIENTS)
    return in_float64(algebra, _power, x, y)


def _power(algebra: Algebra, x: Node, y: Node) -> Node:
    terms = exp2.COEFFICIENTS["f64 for FLOAT"]
    return with_ends(exp2.power(F64, terms, y * _logarithm(abs(x))), x, y)


def with_ends(size: Node, x: Node, y: Node) -> Node:
    """x^y from |x|^y."""
    one = const("f64", 1.0)
    whole, odd = _is_whole(y), _is_whole(y) & ~_is_whole(y * 0.5)
    negative = (x < 0.0) & (x > -math.inf)
    result = select(negative & ~whole, math.nan, size)
    result = select(odd, times_sign(result, x), result)
    of_one = equal(abs(x), 1.0) & equal(abs(y), math.inf)
    return select(equal(y, 0.0) | equal(x, 1.0) | of_one, one, result)


def _logarithm(size: Node) -> Node:
    """log₂ of a number that is not negative, -inf of 0."""
    small, large = size < _SMALL, size > _LARGE
    one, zero = const("f64", 1.0), const("f64", 0.0)
    scale = select(small, 2.0**_SHIFT, select(large, 2.0**-_SHIFT, one))
    shift = select(small, -_SHIFT, select(large, _SHIFT, zero))
    split = Split.of(F64, size * scale)
    f = fma(size * scale, split.power, -1.0)
    s = f / (f + 2.0)
    square = s * s
    found = fma(s * square, polynomial(square, _ATANH), s)
    found = fma(found, 2 / math.log(2), shift - split.count(F64))
    found = select(equal(size, 0.0), const("f64", -math.inf), found)
    return select(size < math.inf, found, size)


def _is_whole(y: Node) -> Node:
    size = abs(y)
    return (size >= 2.0**52) | equal((size + 2.0**52) - 2.0**52, size)


def whole_power(x: Node, y: Node) -> Node:
    """x^y of integers, which wraps; a negative power is 0 unless it is whole."""
    one, zero = const(x.type, 1), const(x.type, 0)
    result, factor = one, x
    for place in range(int(x.type[1:])):
        result = select(equal((y >> place) & 1, 0), result, result * factor)
        factor = factor * factor
    of_minus_one = select(equal(y & 1, 0), one, x)
    below = select(equal(x, 1), one, select(equal(x, -1), of_minus_one, zero))
    return select(y < 0, below, result)
