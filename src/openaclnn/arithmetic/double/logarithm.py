"""ln(x) and functions derived from it.

x = 2^n·(1 + f) with f between -1/3 and 1/3, and ln(1 + f) = 2·atanh(s) for s = f/(2 + f), a pair:
s + s³·(1/3 + s²/5 + s⁴/7 + s⁶·Q(s²)), where a float64 holds what is needed of Q. So many bits are
right (about 70) that powers can be made of it.
"""

from __future__ import annotations

import math
from fractions import Fraction

from openaclnn.arithmetic import pairs
from openaclnn.arithmetic.compute_types import F64
from openaclnn.arithmetic.double.exponential import HIGH as _LN2_HIGH
from openaclnn.arithmetic.double.exponential import LN2, TINY, grown, scaled
from openaclnn.arithmetic.double.exponential import LOW as _LN2_LOW
from openaclnn.arithmetic.functions.log import Split
from openaclnn.arithmetic.nodes import (
    Node,
    const,
    equal,
    fma,
    maximum,
    minimum,
    polynomial,
    select,
    times_sign,
)
from openaclnn.arithmetic.pairs import (
    Pair,
    constant,
    ordered_sum,
    root,
    single,
    two_product,
    two_sum,
)
from openaclnn.arithmetic.ratio import Algebra
from openaclnn.arithmetic.scaling import power_of_two

_Q = (
    0.11111111111144649031,
    0.090909090804749249995,
    0.076923090147289200060,
    0.066665775131837805739,
    0.058858221284904909423,
    0.051851285586252900521,
    0.056951156877742684751,
)  # 2⁻⁷⁴
_LEADING = (Fraction(1, 3), Fraction(1, 5), Fraction(1, 7))
# 1/ln(base) and ln(2)/ln(base)
_PER_E = Fraction(1), LN2
_PER_TWO = Fraction(0x171547652B82FE1777D0FFDA0D23A7D, 1 << 120), Fraction(1)
_PER_TEN = (
    Fraction(0x6F2DEC549B9438CA9AADD557D699EE, 1 << 120),
    Fraction(0x4D104D427DE7FBCC47C4ACD605BE49, 1 << 120),
)
_SHIFT = 200.0
_FURTHEST = 1200.0
_LARGE = 2.0**60  # beyond it 1 is nothing beside x²


def logarithm(x: Pair, base: tuple[Fraction, Fraction] = _PER_E, shift: Node | None = None) -> Pair:
    """Of a positive number that is neither extreme nor subnormal, times 2^shift."""
    split = Split.of(F64, x.high)
    f = two_sum(fma(x.high, split.power, -1.0), x.low * split.power)
    s = f / f.plus(2.0)
    square = s * s
    rest = pairs.polynomial(square, _LEADING, polynomial(square.high, _Q))
    found = (s + s * (square * rest)).times(2.0)
    count = -split.count(F64) if shift is None else shift - split.count(F64)
    factor, of_two = base
    found = found if factor == 1 else found * constant(factor)
    return found + single(count) * constant(of_two)


def _any(x: Node, base: tuple[Fraction, Fraction]) -> Node:
    found = positive(x, base).number
    infinite, none = (const("f64", value) for value in (-math.inf, math.nan))
    found = select(x > 0.0, found, select(equal(x, 0.0), infinite, none))
    return select(x < math.inf, found, x)


def positive(x: Node, base: tuple[Fraction, Fraction] = _PER_E) -> Pair:
    """Of any positive number."""
    small, large = x < 2.0**-900, x > 2.0**900
    one, zero = const("f64", 1.0), const("f64", 0.0)
    scale = select(small, 2.0**_SHIFT, select(large, 2.0**-_SHIFT, one))
    shift = select(small, -_SHIFT, select(large, _SHIFT, zero))
    return logarithm(single(x * scale), base, shift)


def log(x: Node) -> Node:
    return _any(x, _PER_E)


def log2(x: Node) -> Node:
    return _any(x, _PER_TWO)


def log10(x: Node) -> Node:
    return _any(x, _PER_TEN)


def log1p(x: Node) -> Node:
    total = two_sum(const("f64", 1.0), minimum(2.0**900, x))
    found = select(x > 2.0**900, positive(x).number, logarithm(total).number)
    infinite, none = (const("f64", value) for value in (-math.inf, math.nan))
    found = select(x > -1.0, found, select(equal(x, -1.0), infinite, none))
    found = select(abs(x) < TINY, x, found)
    return select(x < math.inf, found, x)


def asinh(x: Node) -> Node:
    size = abs(x)
    inside = single(maximum(TINY, minimum(_LARGE, size)))
    square = inside * inside
    beyond = inside + square / root(square.plus(1.0)).plus(1.0)
    found = select(size > _LARGE, _of_twice(size), logarithm(beyond.plus(1.0)).number)
    return times_sign(select(size < TINY, size, found), x)


def _of_twice(x: Node) -> Node:
    """ln(2x) for a large x."""
    return select(x < math.inf, (positive(x) + constant(LN2)).number, x)


def acosh(x: Node) -> Node:
    beyond = two_sum(maximum(1.0, minimum(_LARGE, x)), const("f64", -1.0))
    safe = Pair(maximum(2.0**-200, beyond.high), beyond.low)
    beyond = safe + root(safe * safe.plus(2.0))
    found = select(x > _LARGE, _of_twice(x), logarithm(beyond.plus(1.0)).number)
    found = select(equal(x, 1.0), const("f64", 0.0), found)
    return select(x < 1.0, const("f64", math.nan), select(equal(x, x), found, x))


def atanh(x: Node) -> Node:
    size = abs(x)
    inside = maximum(TINY, size)
    left = two_sum(const("f64", 1.0), -inside)
    found = logarithm((single(inside * 2.0) / left).plus(1.0)).number * 0.5
    found = select(equal(size, 1.0), const("f64", math.inf), found)
    found = select(size > 1.0, const("f64", math.nan), found)
    return times_sign(select(size < TINY, size, found), x)


def logaddexp(a: Node, b: Node) -> Node:
    """ln(e^a + e^b)."""
    return _sum_of_powers(a, b, _PER_E, Fraction(1))


def logaddexp2(a: Node, b: Node) -> Node:
    """log₂(2^a + 2^b)."""
    return _sum_of_powers(a, b, _PER_TWO, LN2)


def _sum_of_powers(a: Node, b: Node, base: tuple[Fraction, Fraction], unit: Fraction) -> Node:
    larger, smaller = select(a < b, b, a), select(a < b, a, b)
    apart = two_sum(smaller, -larger)
    bounded = maximum(-_FURTHEST, apart.high)  # beyond it the smaller one is nothing
    apart = Pair(bounded, select(bounded > -_FURTHEST, apart.low, 0.0))
    power = grown(apart if unit == 1 else apart * constant(unit))
    fallen = power.significand.times(power_of_two(F64, maximum(-100.0, power.n) + F64.magic))
    near = logarithm(fallen.plus(1.0), base).plus(larger).number
    # ln(1 + x) of a small x is x, which may be subnormal
    beside = scaled(power.significand.number, power.n) * float(1 / unit)
    return with_ends(larger, select(power.n < -90.0, larger + beside, near), b)


# Where both terms cancel: e^a + e^b − 1 as a pair that is good to 2⁻¹⁰⁴, and the logarithm of one
# more than that.
_CANCELLED = 2.0**-6
_TERMS = tuple(Fraction(1, math.factorial(k)) for k in range(1, 15))
_FURTHER = tuple(1 / math.factorial(k) for k in range(15, 24))
_THIRD = float(LN2 - Fraction(_LN2_HIGH) - Fraction(_LN2_LOW))


def logaddexp_everywhere(algebra: Algebra, a: Node, b: Node) -> Node:
    """The same, near 0 as well."""
    return _with_cancelled(algebra, a, b, logaddexp(a, b), 1)


def logaddexp2_everywhere(algebra: Algebra, a: Node, b: Node) -> Node:
    return _with_cancelled(algebra, a, b, logaddexp2(a, b), LN2)


def _with_cancelled(algebra: Algebra, a: Node, b: Node, found: Node, unit: Fraction | int) -> Node:
    larger, smaller = select(a < b, b, a), select(a < b, a, b)
    cancelled = (abs(found) < _CANCELLED) & (larger < 0.0) & (smaller > -600.0)
    algebra.seldom(cancelled)
    if not algebra.compute_type.guarded:
        return found
    inside = maximum(-600.0, minimum(0.0, smaller)), maximum(-2.0, minimum(0.0, larger))
    (n, less), (m, more) = (_power(x, unit) for x in inside)
    low, high = (power_of_two(F64, count + F64.magic) for count in (n, m))
    whole = two_sum(high - 1.0, low)
    beyond = (less.times(low) + more.times(high)) + whole
    s = beyond / beyond.plus(2.0)
    square = s * s
    rest = pairs.polynomial(square, _LEADING, polynomial(square.high, _Q))
    exact = (s + s * (square * rest)).times(2.0)
    exact = exact if unit == 1 else exact * constant(_PER_TWO[0])
    return select(cancelled, exact.number, found)


def _power(x: Node, unit: Fraction | int) -> tuple[Node, Pair]:
    """e^(x·unit) as 2^n and what its significand is beyond 1."""
    if unit == 1:
        n = fma(x, 1 / math.log(2), F64.magic) - F64.magic
        product = two_product(n, const("f64", -_LN2_LOW))
        rest = two_sum(fma(n, -_LN2_HIGH, x), product.high)
        r = ordered_sum(rest.high, rest.low + fma(n, -_THIRD, product.low))
    else:
        n = (x + F64.magic) - F64.magic
        r = single(x - n) * constant(unit)
    return n, r * pairs.polynomial(r, _TERMS, polynomial(r.high, _FURTHER))


def with_ends(larger: Node, total: Node, b: Node) -> Node:
    """A sum of powers from one that is right unless the larger number is infinite: then it is that,
    or b, if that is NaN."""
    return select(abs(larger) < math.inf, total, select(equal(b, b), larger, b))
