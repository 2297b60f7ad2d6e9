"""Numbers of about 106 bits as unevaluated sums of two float64; e^x and log x of them.

Only + - * / and bit patterns are used, all of which IEEE 754 fixes to the last bit, so that the
same inputs give the same bits on every machine; a math library's exp would not. The tricks are
the classical error-free ones: Knuth's sum, Dekker's product, Veltkamp's split. For specialists in
floating point.

>>> third = divide(exact(1), exact(3))
>>> float(third.high), float(third.low)
(0.3333333333333333, 1.850371707708594e-17)
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Exponents = NDArray[np.int64]


class Pair(NamedTuple):
    """high + low, where high is the float64 nearest to the sum."""

    high: Floats
    low: Floats


def exact(value: float | int | Fraction) -> Pair:
    """A number of Python's; integers and fractions to 106 bits."""
    high = float(value)
    low = float(Fraction(value) - Fraction(high)) if math.isfinite(high) else 0.0
    return Pair(np.float64(high), np.float64(low))


def two_sum(a: Any, b: Any) -> Pair:
    """a + b exactly."""
    s = a + b
    v = s - a
    return Pair(s, (a - (s - v)) + (b - v))


def ordered_sum(a: Any, b: Any) -> Pair:
    """a + b exactly, where |a| >= |b| or a is 0."""
    s = a + b
    return Pair(s, b - (s - a))


def _split(a: Any) -> tuple[Any, Any]:
    c = a * 134217729.0  # 2²⁷ + 1: the halves have 26 bits, their products are exact
    high = c - (c - a)
    return high, a - high


def two_product(a: Any, b: Any) -> Pair:
    """a · b exactly, unless the product leaves the range of about 1e±290."""
    p = a * b
    for one, other in ((a, b), (b, a)):
        if hasattr(one, "fused"):  # where there is an instruction for it, the same bits
            return Pair(p, one.fused(other, -p))
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    return Pair(p, (a_high * b_high - p + a_high * b_low + a_low * b_high) + a_low * b_low)


def add(a: Pair, b: Pair) -> Pair:
    """The sum; a difference of neighbours keeps the absolute accuracy of its operands."""
    s, e = two_sum(a.high, b.high)
    t, f = two_sum(a.low, b.low)
    s, e = ordered_sum(s, e + t)
    return ordered_sum(s, e + f)


def add_float(a: Pair, b: Any) -> Pair:
    s, e = two_sum(a.high, b)
    return ordered_sum(s, e + a.low)


def multiply(a: Pair, b: Pair) -> Pair:
    p, e = two_product(a.high, b.high)
    return ordered_sum(p, e + (a.high * b.low + a.low * b.high))


def multiply_float(a: Pair, b: Any) -> Pair:
    p, e = two_product(a.high, b)
    return ordered_sum(p, e + a.low * b)


def divide(a: Pair, b: Pair) -> Pair:
    """The quotient: one float64 division, then one more of what it left over."""
    q = a.high / b.high
    p, e = two_product(q, b.high)
    rest = (a.high - p) + (a.low - e - q * b.low)  # a.high - p is exact: p is beside a.high
    return ordered_sum(q, rest / b.high)


def taken(table: Floats, index: Any) -> Any:
    """Numbers of a table, by arrays of indices or by symbols."""
    return index.taken_from(table) if hasattr(index, "taken_from") else table[index]


def where(condition: Any, yes: Pair, no: Pair) -> Pair:
    return Pair(
        np.where(condition, yes.high, no.high),
        np.where(condition, yes.low, no.low),
    )


def power_of_two(exponent: Exponents) -> Floats:
    """2^exponent for -1022 <= exponent <= 1023, from the bits."""
    return ((exponent + 1023) << 52).view(np.float64)


def scale(a: Floats, exponent: Exponents) -> Floats:
    """a · 2^exponent with at most one rounding, for |a| around 1 and |exponent| <= 2040."""
    half = exponent >> 1
    return a * power_of_two(half) * power_of_two(exponent - half)


_STEPS = 2048  # entries of the table of 2^(j/2048); 2¹¹
_ROUNDER = 1.5 * 2.0**52  # adding and subtracting it rounds to an integer


class _Constants(NamedTuple):
    powers: Pair  # 2^(j/2048)
    per_step: float  # 2048 / ln 2
    step: tuple[float, float, float]  # ln 2 / 2048 in 30 + 30 + 53 bits
    sixth: Pair
    ln2: tuple[float, float, float]  # in 159 bits


@cache
def _constants() -> _Constants:
    with localcontext() as context:
        context.prec = 60
        ln2 = Decimal(2).ln()
        step = ln2 / _STEPS
        powers = [pair_of((step * j).exp()) for j in range(_STEPS)]
        first = _leading(step, 30)
        second = _leading(step - Decimal(first), 30)
        third = float(step - Decimal(first) - Decimal(second))
        high, low = pair_of(ln2)
        return _Constants(
            Pair(np.array([p[0] for p in powers]), np.array([p[1] for p in powers])),
            float(1 / step),
            (first, second, third),
            Pair(*map(np.float64, pair_of(Decimal(1) / 6))),
            (high, low, float(ln2 - Decimal(high) - Decimal(low))),
        )


def pair_of(value: Decimal) -> tuple[float, float]:
    """The two float64 nearest to a decimal number."""
    high = float(value)
    return high, float(value - Decimal(high))


def _leading(value: Decimal, bits: int) -> float:
    """The first bits of a number, so that its products with small integers are exact."""
    numerator, denominator = float(value).as_integer_ratio()
    excess = max(0, numerator.bit_length() - bits)
    return (numerator >> excess << excess) / denominator


def exp(x: Floats, low: Any = 0.0) -> tuple[Pair, Exponents]:
    """(m, n) with e^(x + low) = m · 2^n and 1 <= m < 2 or so, for |x| <= 1400: m is good to 2⁻¹⁰⁰.

    x = (2048 n + j) ln 2 / 2048 + r leaves |r| < 1.7e-4, so that six terms of the series are
    enough; those from r⁴ on are so small that a float64 holds what they need.
    """
    c = _constants()
    s, index = _reduced(x, low)
    j = index & (_STEPS - 1)
    power = Pair(taken(c.powers.high, j), taken(c.powers.low, j))
    s = multiply(power, s)
    m = ordered_sum(power.high, s.high)
    m = ordered_sum(m.high, m.low + (power.low + s.low))
    return m, index >> 11


def _reduced(x: Floats, low: Any) -> tuple[Pair, Exponents]:
    """(e^r − 1, k) where x + low = k·ln 2/2048 + r."""
    c = _constants()
    count = (x * c.per_step + _ROUNDER) - _ROUNDER
    r = two_sum(x - count * c.step[0], count * -c.step[1])
    r = ordered_sum(r.high, r.low - count * c.step[2] + low)

    h = r.high
    tail = h * (1 / 24 + h * (1 / 120 + h * (1 / 720 + h * (1 / 5040))))
    cubic = ordered_sum(c.sixth.high, tail + c.sixth.low)
    p = multiply(r, cubic)
    quadratic = ordered_sum(0.5, p.high)
    p = multiply(multiply(r, r), Pair(quadratic.high, quadratic.low + p.low))
    s = ordered_sum(r.high, p.high)
    return ordered_sum(s.high, s.low + (p.low + r.low)), count.astype(np.int64)


def far_exp(x: Floats, low: Any = 0.0) -> tuple[Pair, Exponents]:
    """The same for |x| <= 2⁵⁰, with fewer good bits the larger x is."""
    first, second, third = _constants().ln2
    whole = np.rint(x / first)
    p, q = two_product(whole, first), two_product(whole, second)
    r = add_float(two_sum(x - p.high, -p.low), -q.high)
    r = add_float(r, low - q.low - whole * third)
    m, n = exp(r.high, r.low)
    return m, n + whole.astype(np.int64)


def expm1(x: Pair) -> Pair:
    """e^x − 1 for 2⁻⁵⁰⁰ < |x| <= 600, good to 2⁻⁸⁸ of itself."""
    small, index = _reduced(x.high, x.low)
    m, n = exp(x.high, x.low)
    factor = power_of_two(n)
    return where(index == 0, small, add_float(Pair(m.high * factor, m.low * factor), -1.0))


def log(x: Pair, exponent: Any = 0) -> Pair:
    """log(x · 2^exponent) of positive numbers, good to 2⁻⁹⁵ of itself."""
    fraction, power = np.frexp(x.high)
    low = np.ldexp(x.low, -power)
    small = fraction < 0.7071067811865476
    fraction, low = np.where(small, 2 * fraction, fraction), np.where(small, 2 * low, low)
    power = exponent + power - small
    first, second, _ = _constants().ln2
    rest = _log1p_near(add_float(Pair(fraction, low), -1.0))
    whole = multiply_float(Pair(np.float64(first), np.float64(second)), power.astype(np.float64))
    return where(power == 0, rest, add(whole, rest))


def log1p(x: Pair) -> Pair:
    """log(1 + x) for x > −1 and 2⁻⁵⁰⁰ < |x| < 2⁵⁰⁰, good to 2⁻⁸⁵ of itself."""
    near = np.abs(x.high) < 0.25
    inside = where(near, x, Pair(np.float64(0.125), np.float64(0.0)))
    return where(near, _log1p_near(inside), log(where(near, inside, add_float(x, 1.0))))


def _log1p_near(x: Pair) -> Pair:
    """log(1 + x) for −0.3 < x < 0.42: what a float64 has of it, and a step of Halley's method."""
    s = x.high / (2 + x.high)
    y, square = np.zeros_like(s), s * s
    for k in range(21, 0, -2):
        y = y * square + 1.0 / k
    y = 2 * s * y
    grown = expm1(Pair(y, np.zeros_like(y)))
    missing = add(x, Pair(-grown.high, -grown.low))
    return ordered_sum(y, 2 * missing.high / (2 + x.high + grown.high))
