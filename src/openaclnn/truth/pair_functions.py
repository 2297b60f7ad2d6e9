"""Functions of pairs of float64 besides exponentials and logarithms: roots, angles, the error
function. As there, only what IEEE 754 fixes is used.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import cache, partial
from typing import Any

import numpy as np

from openaclnn.truth import double_double as dd
from openaclnn.truth.double_double import Exponents, Floats, Pair

_POINT = 1400  # bits of fractions in integers here
_DIGIT, _DIGITS = 24, 10  # of 2^e·2/π, as much as counts beside whole turns


def sqrt(x: Pair) -> Pair:
    """For positive numbers: what a float64 has of it, and a step of Newton's method."""
    root = np.sqrt(x.high)
    square = dd.two_product(root, root)
    rest = (x.high - square.high) - square.low + x.low
    return dd.ordered_sum(root, rest / (2 * root))


@cache
def _pi() -> int:
    """π in integers, by Machin's formula."""

    def arctan(inverse: int) -> int:
        power = total = (1 << (_POINT + 20)) // inverse
        k = 1
        while power:
            power //= inverse * inverse
            k += 2
            total += -power // k if k % 4 == 3 else power // k
        return total

    return (16 * arctan(5) - 4 * arctan(239)) >> 20


@cache
def of_fraction(numerator: int, denominator: int) -> Pair:
    """The pair nearest to a quotient of integers."""
    high = numerator / denominator
    top, bottom = high.as_integer_ratio()
    low = (numerator * bottom - top * denominator) / (denominator * bottom)
    return Pair(np.float64(high), np.float64(low))


@cache
def _half_pi() -> Pair:
    return of_fraction(_pi(), 2 << _POINT)


@cache
def _digits() -> list[Floats]:
    """2^(e − 53)·2/π without multiples of 4 for every exponent of a float64, digit by digit."""
    two_over_pi = (2 << (2 * _POINT)) // _pi()
    rows = []
    for exponent in range(-64, 1025):
        shift = _POINT + 53 - exponent - _DIGIT * (_DIGITS - 1)
        number = two_over_pi >> shift if shift >= 0 else two_over_pi << -shift
        number %= 4 << (_DIGIT * (_DIGITS - 1))
        places = range(_DIGIT * (_DIGITS - 1), -1, -_DIGIT)
        rows.append([float((number >> place) % (1 << _DIGIT)) for place in places])
    columns = np.array(rows).T
    return [column * 2.0 ** (-_DIGIT * place) for place, column in enumerate(columns)]


def pi() -> Pair:
    half = _half_pi()
    return Pair(2 * half.high, 2 * half.low)


_STEPS = 16  # of the table of arctangents


@cache
def _arctangents() -> Pair:
    """atan(k/16) for k from 0 to 16."""
    with localcontext() as context:
        context.prec = 60
        pairs = [dd.pair_of(_arctangent(Decimal(k) / _STEPS)) for k in range(_STEPS + 1)]
    return Pair(np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs]))


def _arctangent(x: Decimal) -> Decimal:
    """By half angles, then the series."""
    for _ in range(4):
        x = x / (1 + (1 + x * x).sqrt())
    terms = ((-1) ** k * x ** (2 * k + 1) / (2 * k + 1) for k in range(26))
    return 16 * sum(terms, Decimal(0))


def atan(x: Pair) -> Pair:
    """For 2⁻³⁰⁰ < |x| < 2³⁰⁰, good to 2⁻¹⁰⁰ of itself."""
    sign = np.copysign(1.0, x.high)
    size = Pair(x.high * sign, x.low * sign)
    large = size.high > 1
    inside = dd.where(large, dd.divide(_ONE, size), size)
    k = np.rint(inside.high * _STEPS).astype(np.int64)
    center = k / _STEPS
    # atan(x) = atan(c) + atan((x − c)/(1 + c·x))
    over = dd.add_float(inside, -center)
    t = dd.divide(over, dd.add_float(dd.multiply_float(inside, center), 1.0))
    square = dd.multiply(t, t)
    total = Pair(np.zeros_like(t.high), np.zeros_like(t.high))
    for n in range(25, 0, -2):
        total = dd.add(dd.multiply(total, Pair(-square.high, -square.low)), of_fraction(1, n))
    table = _arctangents()
    found = dd.add(Pair(dd.taken(table.high, k), dd.taken(table.low, k)), dd.multiply(t, total))
    half = _half_pi()
    found = dd.where(large, dd.add(half, Pair(-found.high, -found.low)), found)
    return Pair(found.high * sign, found.low * sign)


def quarter_turns(x: Pair) -> tuple[Exponents, Pair]:
    """(n, r) with x = n·π/2 + r and |r| <= π/4 or so, n modulo 4, for 2⁻⁶⁴ < |x|: r is good to 2⁻⁹⁵
    of itself."""
    total = [np.zeros_like(x.high)] * 3
    for part in x:
        fraction, exponent = np.frexp(np.broadcast_to(part, x.high.shape))
        whole = fraction * 2.0**53
        upper = np.rint(whole * 2.0**-27) * 2.0**27
        row = np.clip(exponent, -64, 1024) + 64
        digits = [dd.taken(column, row) for column in _digits()]
        for half in (upper, whole - upper):
            for place in range(_DIGITS):
                _join(total, np.fmod(half * digits[place], 4.0))
    n = np.rint(total[0] + total[1])
    r = dd.two_sum(total[0] - n, total[1])
    r = dd.ordered_sum(r.high, r.low + total[2])
    return n.astype(np.int64) & 3, dd.multiply(r, _half_pi())


def _join(total: list[Any], term: Any) -> None:
    """Add a term to a sum of three parts."""
    total[0], term = dd.two_sum(total[0], term)
    total[1], term = dd.two_sum(total[1], term)
    total[2] = total[2] + term


def sine(x: Pair, turn: int = 0) -> Pair:
    """sin(x + turn·π/2) for 2⁻⁶⁴ < |x|, good to 2⁻⁹⁵ of itself."""
    n, r = quarter_turns(x)
    n = (n + turn) & 3
    square = dd.multiply(r, r)
    odd = dd.multiply(r, _series(square, 3))
    found = dd.where(n & 1 == 1, _series(square, 2), odd)
    sign = np.where(n & 2 == 2, -1.0, 1.0)
    return Pair(found.high * sign, found.low * sign)


def _series(square: Pair, first: int) -> Pair:
    """1 − s/(1·2) + s²/(1·2·3·4) … for `first` = 2, 1 − s/(2·3) + … for 3."""
    result = Pair(np.ones_like(square.high), np.zeros_like(square.high))
    for k in range(first + 26, first - 1, -2):
        step = of_fraction(-1, k * (k - 1))
        result = dd.add_float(dd.multiply(result, dd.multiply(square, step)), 1.0)
    return result


@cache
def erf_slope() -> Pair:
    """2/√π."""
    with localcontext() as context:
        context.prec = 60
        pi = Decimal(_pi()) / Decimal(2) ** _POINT
        return Pair(*map(np.float64, dd.pair_of(2 / pi.sqrt())))


_SERIES_UP_TO = 3.0  # beyond, what the series gives is too near to 1
_SERIES, _FRACTION = 70, 90  # terms that are enough there, and for numbers that are small or large
_SMALL, _OF_SMALL = 0.75, 30
_LARGE, _OF_LARGE = 5.0, 50


def erf(x: Pair) -> Pair:
    """For 2⁻⁵⁰ < x: near 1 as good as 1 − erfc is."""
    return _chosen(x.high < _SERIES_UP_TO, x, _erf_series, _erf_far)


def erfc(x: Pair) -> Pair:
    """For 2⁻⁵⁰ < |x| < 26, good to 2⁻⁸⁰ of itself."""
    return _chosen(x.high < _SERIES_UP_TO, x, _erfc_near, _erfc_far)


def _chosen(
    condition: Any, x: Pair, yes: Callable[[Pair], Pair], no: Callable[[Pair], Pair]
) -> Pair:
    """One of two functions for each number; those of an array are given to theirs only."""
    if not isinstance(condition, np.ndarray):
        found = yes(dd.where(condition, x, _ONE))
        return dd.where(condition, found, no(dd.where(condition, _FOUR, x)))
    high, low = (np.broadcast_to(part, condition.shape).copy() for part in x)
    for these, function in ((condition, yes), (~condition, no)):
        if these.any():
            high[these], low[these] = function(Pair(high[these], low[these]))
    return Pair(high, low)


def _erfc_near(x: Pair) -> Pair:
    size = dd.where(x.high < 0, Pair(-x.high, -x.low), x)
    sign = np.where(x.high < 0, 1.0, -1.0)
    found = erf(size)
    return dd.add_float(Pair(found.high * sign, found.low * sign), 1.0)


_ONE, _FOUR = (Pair(np.float64(value), np.float64(0.0)) for value in (1.0, 4.0))


def _erf_series(x: Pair) -> Pair:
    if not isinstance(x.high, np.ndarray):
        return _erf_terms(x)
    return _chosen(x.high < _SMALL, x, partial(_erf_terms, count=_OF_SMALL), _erf_terms)


def _erf_terms(x: Pair, count: int = _SERIES) -> Pair:
    """2/√π·e^(−x²)·Σ 2ⁿ·x^(2n+1)/(1·3·5…(2n+1)): nothing cancels."""
    square = dd.multiply(x, x)
    total = Pair(np.ones_like(square.high), np.zeros_like(square.high))
    for n in range(count, 0, -1):
        step = dd.multiply(square, of_fraction(2, 2 * n + 1))
        total = dd.add_float(dd.multiply(total, step), 1.0)
    return dd.multiply(dd.multiply(total, dd.multiply(x, erf_slope())), _falling(square))


def _erf_far(x: Pair) -> Pair:
    tail = _erfc_far(x)
    return dd.add_float(Pair(-tail.high, -tail.low), 1.0)


def _erfc_far(x: Pair) -> Pair:
    return dd.multiply(_falling(dd.multiply(x, x)), erfc_beside_power(x))


def erfc_beside_power(x: Pair) -> Pair:
    """erfc(x)·e^(x²) for x >= 3."""
    if not isinstance(x.high, np.ndarray):
        return _fraction(x)
    return _chosen(x.high > _LARGE, x, partial(_fraction, count=_OF_LARGE), _fraction)


def _fraction(x: Pair, count: int = _FRACTION) -> Pair:
    """1/√π/(x + (1/2)/(x + 1/(x + (3/2)/(x + …))))."""
    below = x
    for n in range(count, 0, -1):
        below = dd.add(x, dd.divide(Pair(np.float64(n / 2), np.float64(0)), below))
    half = Pair(erf_slope().high / 2, erf_slope().low / 2)
    return dd.divide(half, below)


def _falling(square: Pair) -> Pair:
    """e^−square, 0 far away."""
    near = square.high < 700
    at = dd.where(near, square, _ONE)
    m, n = dd.exp(-at.high, -at.low)
    power = dd.power_of_two(n)
    return dd.where(near, Pair(m.high * power, m.low * power), Pair(np.float64(0), np.float64(0)))
