"""x^y = 2^(y·log₂|x|), with the signs and ends that IEEE 754 gives it.

log₂(2^n·(1 + f)) = n + 2/ln 2·atanh(f/(2 + f)): the product with y is to be exact beyond the point,
so a few more bits are needed than results have. float64 has them; for FLOAT, float32 takes pairs.
For results of 16 bits, y·n is exact in float32, and y·log₂(1 + f) exact enough.
"""

from __future__ import annotations

import math
from dataclasses import replace

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.functions import exp2
from openaclnn.arithmetic.functions.log import COEFFICIENTS as LOG
from openaclnn.arithmetic.functions.log import Split, near_one
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    equal,
    fma,
    polynomial,
    quotient,
    repeat,
    select,
    times_sign,
)
from openaclnn.arithmetic.pairs import ordered_sum, two_product
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.base.records import dataclass

_ATANH = {
    "f32": (
        0.3333333153084575, 0.20000433595713843, 0.14253400118298906, 0.12051726274218987,
    ),  # 2⁻³⁵·³
    "f64": (
        0.333333333330699164, 0.200000001270326880, 0.142856939094678084, 0.111126103716999505,
        0.0903540610768473389, 0.0869056947351693970,
    ),  # 2⁻⁴⁹
}  # fmt: skip
_TWICE = 2 / math.log(2)
_SMALL, _LARGE = {"f32": 2.0**-126, "f64": 2.0**-900}, {"f32": 2.0**100, "f64": 2.0**900}
_SHIFT = {"f32": 64.0, "f64": 200.0}  # what others are multiplied or divided by, as a power of 2


@dataclass(frozen=True)
class _Logarithm:
    """log₂ as a sum: an integer, what is beyond, and what that was rounded by."""

    n: Node
    rest: Node
    low: Node | None = None


@dataclass(frozen=True)
class _Exponent:
    """Of 2, and what it was rounded by."""

    high: Node
    low: Node | None = None


def pow(algebra: Algebra, x: Node, y: Node) -> Ratio:
    """x^y for any two numbers."""
    terms, compute_type = algebra.coefficients("pow", exp2.COEFFICIENTS), algebra.compute_type
    usual, base = compute_type.unguarded(), before_widening(x) or x
    exponent = _product(usual, _logarithm(usual, x), y)
    extreme = (base < _SMALL["f32"]) | (base > _LARGE["f32"])
    algebra.seldom(extreme | exp2.beyond_usual(exponent.high))
    if not compute_type.guarded:
        return Ratio(exp2.power(usual, terms, exponent.high, exponent.low))
    exponent = _product(compute_type, _logarithm(compute_type, abs(x)), y)
    return Ratio(with_ends(exp2.power(compute_type, terms, exponent.high, exponent.low), x, y))


def _logarithm(compute_type: ComputeType, size: Node) -> _Logarithm:
    """Of a number that is not negative, and where it is unguarded not extreme."""
    if not compute_type.guarded:
        split = Split.of(compute_type, size)
        return _beyond(compute_type, fma(size, split.power, -1.0), -split.count(compute_type))
    small, large, shift = size < _SMALL[size.type], size > _LARGE[size.type], _SHIFT[size.type]
    one, zero, infinite = (const(size.type, value) for value in (1.0, 0.0, -math.inf))
    scaled = size * select(small, 2.0**shift, select(large, 2.0**-shift, one))
    split = Split.of(compute_type, scaled)
    n = select(small, -shift, select(large, shift, zero)) - split.count(compute_type)
    found = _beyond(
        compute_type, fma(scaled, split.power, -1.0), select(equal(size, 0.0), infinite, n)
    )
    return replace(found, rest=select(size < math.inf, found.rest, size))


def _beyond(compute_type: ComputeType, f: Node, n: Node) -> _Logarithm:
    """n + log₂(1 + f) for f between -1/3 and 1/3."""
    if compute_type.type == "f32" and not compute_type.full_precision:
        return _Logarithm(n, near_one(LOG["f32"], f) * (1 / math.log(2)))
    if compute_type.type == "f64":
        s = quotient(f, f + 2.0)
        square = s * s
        return _Logarithm(n, fma(s * square, polynomial(square, _ATANH["f64"]), s) * _TWICE)
    divisor = ordered_sum(const("f32", 2.0), f)
    inverse = quotient(const("f32", 1.0), divisor.high)
    s = f * inverse
    low = fma(-s, divisor.low, fma(-s, divisor.high, f)) * inverse
    square = s * s
    total = ordered_sum(s, s * square * polynomial(square, _ATANH["f32"]))
    low = total.low + fma(low, square, low)
    product = two_product(total.high, const("f32", _TWICE))
    missing = _TWICE - float(const("f32", _TWICE).value)
    return _Logarithm(n, product.high, fma(low, _TWICE, fma(total.high, missing, product.low)))


def _product(compute_type: ComputeType, logarithm: _Logarithm, y: Node) -> _Exponent:
    n, rest = logarithm.n, logarithm.rest
    if logarithm.low is None:
        product = y * (n + rest)
        if compute_type.type == "f32":  # y·n is exact, or as good as that, unless y is infinite
            exact = fma(y, n, y * rest)
            product = select(abs(y) < math.inf, exact, product) if compute_type.guarded else exact
        return _Exponent(product)
    total = ordered_sum(n, rest)
    high = two_product(y, total.high)
    return _Exponent(high.high, fma(y, total.low + logarithm.low, high.low))


def with_ends(size: Node, x: Node, y: Node) -> Node:
    """x^y from |x|^y."""
    one = const(x.type, 1.0)
    whole, odd = _is_whole(y), _is_whole(y) & ~_is_whole(y * 0.5)
    negative = (x < 0.0) & (x > -math.inf)
    result = select(negative & ~whole, math.nan, size)
    result = select(odd, times_sign(result, x), result)
    of_one = equal(abs(x), 1.0) & equal(abs(y), math.inf)
    return select(equal(y, 0.0) | equal(x, 1.0) | of_one, one, result)


def _is_whole(y: Node) -> Node:
    size, least = abs(y), {"f32": 2.0**23, "f64": 2.0**52}[y.type]  # without fractions
    return (size >= least) | equal((size + least) - least, size)


def whole_power(x: Node, y: Node) -> Node:
    """x^y of integers, which wraps; a negative power is 0 unless it is whole."""
    one, zero = const(x.type, 1), const(x.type, 0)
    result = repeat(int(x.type[1:]), _one_bit_less, one, x, y)
    of_minus_one = select(equal(y & 1, 0), one, x)
    below = select(equal(x, 1), one, select(equal(x, -1), of_minus_one, zero))
    return select(y < 0, below, result)


def _one_bit_less(result: Node, factor: Node, y: Node) -> tuple[Node, ...]:
    return select(equal(y & 1, 0), result, result * factor), factor * factor, y >> 1
