"""Numbers of about 106 bits with exponents of their own: no overflow, no underflow, and infinities,
NaN and the signs of zeros as IEEE 754 has them.

A number is (high + low)·2^exponent with 1/2 <= |high| < 1; a zero, an infinity and NaN stand in
`high` alone. For specialists in floating point.

>>> tiny = exp(constant(-10000))  # a float64 has nothing between 0 and e^-745
>>> int(tiny.exponent), float(rounded(log(tiny)).high)
(-14426, -10000.0)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from openaclnn.truth import double_double as dd
from openaclnn.truth import pair_functions
from openaclnn.truth.double_double import Exponents, Floats, Pair

_FAR = 1200  # binades: what is so much smaller adds nothing
_LARGEST = 2.0**50  # of an exponential's argument; beyond it nothing is told apart


class Scaled(NamedTuple):
    high: Floats
    low: Floats
    exponent: Exponents


def read(pair: Pair) -> Scaled:
    return _normal(pair, np.int64(0))


def constant(value: float | int | Fraction) -> Scaled:
    return read(dd.exact(value))


def rounded(x: Scaled) -> Pair:
    """As a pair of float64; what is among its subnormals is rounded once and has no low part."""
    power = np.clip(x.exponent, -2200, 2200)
    high, low = np.ldexp(x.high, power), np.ldexp(x.low, power)
    tiny = (power < -1021) & (x.high != 0) & np.isfinite(x.high)
    if np.any(tiny):
        high = np.where(tiny, _subnormal(x, power), high)
    return Pair(high, np.where(tiny | ~np.isfinite(high), 0.0, low))


def _subnormal(x: Scaled, power: Exponents) -> Any:
    """The nearest multiple of 2⁻¹⁰⁷⁴, of two the even one."""
    sign = np.copysign(1.0, x.high)
    count = np.ldexp(np.abs(x.high), power + 1074)
    whole = np.floor(count)
    rest = count - whole  # 1/2 is all that the low part can move
    beyond = np.where(x.low == 0, np.fmod(whole, 2) == 1, x.low * sign > 0)
    up = (rest > 0.5) | ((rest == 0.5) & beyond)
    return sign * np.ldexp(whole + up, -1074)


def _normal(pair: Pair, exponent: Any) -> Scaled:
    fraction, power = np.frexp(pair.high)
    return Scaled(fraction, np.ldexp(pair.low, -power), exponent + power.astype(np.int64))


def _settled(plain: Any, found: Scaled) -> Scaled:
    """What was found, or `plain` where that is a zero, infinite or no number."""
    special = _special(plain)
    if not np.any(special):
        return found
    return Scaled(
        np.where(special, plain, found.high),
        np.where(special, 0.0, found.low),
        np.where(special, 0, found.exponent),
    )


def _special(high: Any) -> Any:
    return ~np.isfinite(high) | (high == 0)


def negative(x: Scaled) -> Scaled:
    return Scaled(-x.high, -x.low, x.exponent)


def magnitude(x: Scaled) -> Scaled:
    sign = np.copysign(1.0, x.high)
    return Scaled(np.abs(x.high), x.low * sign, x.exponent)


def add(x: Scaled, y: Scaled) -> Scaled:
    exponents = [np.where(one.high == 0, -(2**60), one.exponent) for one in (x, y)]
    top = np.maximum(*exponents)
    first, second = (
        Pair(np.ldexp(one.high, shift), np.ldexp(one.low, shift))
        for one in (x, y)
        for shift in [np.maximum(one.exponent - top, -_FAR)]
    )
    both = _normal(dd.add(first, second), top)
    # among infinities and NaN, and of two zeros, the highs alone decide
    plain = x.high + y.high
    decided = ~np.isfinite(plain) | ((x.high == 0) & (y.high == 0))
    return _settled(np.where(decided, plain, both.high), both)


def multiply(x: Scaled, y: Scaled) -> Scaled:
    product = dd.multiply(Pair(x.high, x.low), Pair(y.high, y.low))
    return _settled(x.high * y.high, _normal(product, x.exponent + y.exponent))


def divide(x: Scaled, y: Scaled) -> Scaled:
    quotient = dd.divide(Pair(x.high, x.low), Pair(y.high, y.low))
    return _settled(x.high / y.high, _normal(quotient, x.exponent - y.exponent))


def less(x: Scaled, y: Scaled) -> NDArray[np.bool_]:
    special = _special(x.high) | _special(y.high)
    return np.where(special, x.high < y.high, add(x, negative(y)).high < 0)


def equal(x: Scaled, y: Scaled) -> Any:
    return (x.high == y.high) & (x.low == y.low) & (x.exponent == y.exponent)


def where(condition: Any, yes: Scaled, no: Scaled) -> Scaled:
    return Scaled(*(np.where(condition, a, b) for a, b in zip(yes, no, strict=True)))


def exp(x: Scaled) -> Scaled:
    at = _argument(x)
    near = np.abs(at.high) <= 1400
    m, n = dd.exp(np.where(near, at.high, 0.0), at.low)
    if not np.all(near):
        far, further = dd.far_exp(*at)
        m, n = dd.where(near, m, far), np.where(near, n, further)
    found = _normal(m, n)
    ends = np.where(x.high == -np.inf, 0.0, np.where(np.isfinite(x.high), 1.0, x.high))
    return _settled(ends, found)


def _argument(x: Scaled) -> Pair:
    """A number as a pair, not larger than `_LARGEST`."""
    power = np.clip(x.exponent, -1000, 1000)
    high, low = np.ldexp(x.high, power), np.ldexp(x.low, power)
    inside = np.abs(high) < _LARGEST
    limit = np.where(np.isnan(high), 0.0, np.copysign(_LARGEST, high))
    return Pair(np.where(inside, high, limit), np.where(inside, low, 0.0))


def expm1(x: Scaled) -> Scaled:
    """e^x − 1: x + x²/2 where x is tiny."""
    tiny = x.exponent < -50
    half = Scaled(x.high, x.low, x.exponent - 1)
    series = add(x, multiply(x, half))
    middle = (np.abs(x.high) < 1) & (x.exponent < 0) & ~tiny
    at = dd.where(middle, _argument(x), Pair(np.float64(0.25), np.float64(0.0)))
    far = add(exp(x), constant(-1))
    found = where(tiny, series, where(middle, read(dd.expm1(at)), far))
    return where(x.high == 0, x, found)


def log(x: Scaled) -> Scaled:
    positive = (x.high > 0) & np.isfinite(x.high)
    at = dd.where(positive, Pair(x.high, x.low), Pair(np.float64(0.5), np.float64(0.0)))
    found = read(dd.log(at, np.where(positive, x.exponent, 0)))
    plain = np.where(x.high == 0, -np.inf, np.where(x.high < 0, np.nan, x.high))
    return where(positive, found, _settled(plain, found))


def log1p(x: Scaled) -> Scaled:
    """log(1 + x): x − x²/2 where x is tiny."""
    tiny = x.exponent < -50
    half = Scaled(x.high, x.low, x.exponent - 1)
    series = add(x, negative(multiply(x, half)))
    middle = (np.abs(x.high) < 1) & (x.exponent < -2) & ~tiny
    at = dd.where(middle, _argument(x), Pair(np.float64(0.125), np.float64(0.0)))
    far = log(add(x, constant(1)))
    found = where(tiny, series, where(middle, read(dd.log1p(at)), far))
    return where(x.high == 0, x, found)


def sqrt(x: Scaled) -> Scaled:
    odd = x.exponent & 1
    positive = (x.high > 0) & np.isfinite(x.high)
    inside = Pair(np.ldexp(x.high, odd), np.ldexp(x.low, odd))
    root = pair_functions.sqrt(dd.where(positive, inside, _ONE))
    found = _normal(root, (x.exponent - odd) >> 1)
    return where(positive, found, _settled(np.sqrt(x.high), found))


_ONE = Pair(np.float64(1.0), np.float64(0.0))


def sine(x: Scaled, turn: int = 0) -> Scaled:
    """sin(x + turn·π/2): where x is tiny, x − x³/6 or 1 − x²/2."""
    tiny = (x.exponent < -50) | (x.high == 0)
    square = multiply(x, x)
    minus = multiply(square, divide(constant(-1), constant(2 if turn else 6)))
    series = add(constant(1), minus)
    near = series if turn else multiply(x, series)
    finite = np.isfinite(x.high) & ~tiny & (x.exponent <= 1024)
    power = np.where(finite, x.exponent, 0)
    at = Pair(np.ldexp(x.high, power), np.ldexp(x.low, power))
    found = read(pair_functions.sine(dd.where(finite, at, _ONE), turn))
    plain = np.where(finite, found.high, np.nan)
    return where(tiny & np.isfinite(x.high), near, _settled(plain, found))


def erf(x: Scaled) -> Scaled:
    """Where x is tiny, 2/√π·x."""
    tiny, far = (x.exponent < -60) | (x.high == 0), (x.exponent > 4) | np.isinf(x.high)
    factor = read(pair_functions.erf_slope())
    sign = np.copysign(1.0, x.high)
    at = dd.where(tiny | far | np.isnan(x.high), _ONE, _argument(magnitude(x)))
    found = read(pair_functions.erf(at))
    found = where(far, constant(1), found)
    found = Scaled(found.high * sign, found.low * sign, found.exponent)
    return where(np.isnan(x.high), x, where(tiny, multiply(x, factor), found))


def erfc(x: Scaled) -> Scaled:
    """Far out e^(−x²) times what varies slowly."""
    far = (x.high > 0) & (x.exponent > 2) & np.isfinite(x.high)
    ordinary = ~far & np.isfinite(x.high) & (np.abs(x.high) > 0)
    ordinary = ordinary & (x.exponent > -40) & (x.exponent < 4)
    near = read(_where_needed(pair_functions.erfc, ordinary, _argument(x), _ONE))
    distant = Pair(np.float64(8.0), _ONE.low)
    slow = read(
        _where_needed(
            pair_functions.erfc_beside_power, far & (x.exponent < 500), _argument(x), distant
        )
    )
    tail = multiply(exp(negative(multiply(x, x))), slow)
    small = add(constant(1), negative(multiply(x, read(pair_functions.erf_slope()))))
    end = np.where(x.high > 0, 0.0, np.where(x.high < 0, 2.0, x.high))
    is_tiny = (x.exponent <= -40) | (x.high == 0)
    found = where(far, tail, where(ordinary, near, where(is_tiny, small, constant(2))))
    return where(np.isfinite(x.high), found, _settled(end, constant(2)))


def _where_needed(function: Callable[[Pair], Pair], needed: Any, x: Pair, other: Pair) -> Pair:
    """A function of pairs where a condition holds, elsewhere anything; symbols have another
    argument there."""
    if not isinstance(needed, np.ndarray):
        return function(dd.where(needed, x, other))
    high, low = np.ones_like(x.high), np.zeros_like(x.high)
    if needed.any():
        high[needed], low[needed] = function(Pair(x.high[needed], x.low[needed]))
    return Pair(high, low)


def atan(x: Scaled) -> Scaled:
    """Where x is tiny, x − x³/3; π/2 − 1/x where it is huge."""
    size = magnitude(x)
    tiny, huge = (size.exponent < -60) | (x.high == 0), (size.exponent > 49) | np.isinf(x.high)
    at = dd.where(tiny | huge | np.isnan(x.high), _ONE, _argument(size))
    found = read(pair_functions.atan(at))
    cube = multiply(multiply(size, size), size)
    small = add(size, negative(divide(cube, constant(3))))
    quarter = multiply(pi(), constant(0.5))
    found = where(tiny, small, where(huge, add(quarter, negative(divide(_UNIT, size))), found))
    sign = np.copysign(1.0, x.high)
    found = Scaled(found.high * sign, found.low * sign, found.exponent)
    return where(np.isnan(x.high), x, found)


def pi() -> Scaled:
    return read(pair_functions.pi())


def float64(x: Scaled) -> Any:
    return np.ldexp(x.high, np.clip(x.exponent, -1100, 1100))


def started(start: Any, *given: Scaled) -> Scaled:
    """What a function of float64 numbers gives."""
    found = start(*map(float64, given))
    return read(Pair(found, np.zeros_like(found)))


_UNIT = constant(1)
