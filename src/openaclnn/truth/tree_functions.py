"""Functions made of others, in any arithmetic that `trees` evaluates formulas by: each takes it as
`a`, and has its numbers' infinities, zeros and NaN come out as IEEE 754 has them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from openaclnn.truth import double_double as dd
from openaclnn.truth.double_double import Pair

Number = Any  # whatever the arithmetic works on
_FAR = 2.0**60  # beyond it 1 is nothing


@cache
def _ln(number: int) -> Fraction:
    with localcontext() as context:
        context.prec = 60
        return Fraction(Decimal(number).ln())


def _sub(a: Any, x: Number, y: Number) -> Number:
    return a.add(x, a.negative(y))


def _half(a: Any, x: Number) -> Number:
    return a.multiply(x, a.constant(0.5))


def _with_sign(a: Any, x: Number, found: Number) -> Number:
    """Of a function that is odd, from its value for |x|."""
    return a.where(np.signbit(x.high), a.negative(found), found)


def _sigmoid(a: Any, x: Number) -> Number:
    one = a.constant(1)
    return a.divide(one, a.add(one, a.exp(a.negative(x))))


def _tanh(a: Any, x: Number) -> Number:
    """E/(E + 2) for E = e^2|x| − 1; far from 0, from the other end."""
    one, twice = a.constant(1), a.multiply(a.magnitude(x), a.constant(2))
    grown, fallen = a.expm1(twice), a.exp(a.negative(twice))
    near = a.divide(grown, a.add(grown, a.constant(2)))
    far = a.divide(_sub(a, one, fallen), a.add(one, fallen))
    return _with_sign(a, x, a.where(a.less(twice, a.constant(2)), near, far))


def _sinh(a: Any, x: Number) -> Number:
    size, one = a.magnitude(x), a.constant(1)
    grown = a.expm1(size)
    small = a.divide(grown, a.add(grown, one))
    small = a.where(a.less(size, a.constant(200)), small, one)
    return _with_sign(a, x, _half(a, a.add(grown, small)))


def _cosh(a: Any, x: Number) -> Number:
    return _half(a, a.add(a.exp(x), a.exp(a.negative(x))))


def _asinh(a: Any, x: Number) -> Number:
    size, one = a.magnitude(x), a.constant(1)
    near = a.less(size, a.constant(_FAR))
    at = a.where(near, size, one)
    square = a.multiply(at, at)
    beyond = a.divide(square, a.add(one, a.sqrt(a.add(one, square))))
    far = a.add(a.log(a.where(near, one, size)), a.constant(_ln(2)))
    return _with_sign(a, x, a.where(near, a.log1p(a.add(at, beyond)), far))


def _acosh(a: Any, x: Number) -> Number:
    one = a.constant(1)
    near, below = a.less(x, a.constant(_FAR)), a.less(x, one)
    beyond = _sub(a, a.where(near, x, one), one)
    root = a.sqrt(a.multiply(beyond, a.add(beyond, a.constant(2))))
    far = a.add(a.log(a.where(near, one, x)), a.constant(_ln(2)))
    found = a.where(near, a.log1p(a.add(beyond, root)), far)
    return a.where(below, a.constant(float("nan")), found)


def _atanh(a: Any, x: Number) -> Number:
    size = a.magnitude(x)
    beyond = a.divide(a.add(size, size), _sub(a, a.constant(1), size))
    return _with_sign(a, x, _half(a, a.log1p(beyond)))


def _asin(a: Any, x: Number) -> Number:
    one = a.constant(1)
    cosine = a.sqrt(a.multiply(_sub(a, one, x), a.add(one, x)))
    return a.atan(a.divide(x, cosine))


def _acos(a: Any, x: Number) -> Number:
    one = a.constant(1)
    half = a.atan(a.sqrt(a.divide(_sub(a, one, x), a.add(one, x))))
    return a.add(half, half)


def _atan2(a: Any, y: Number, x: Number) -> Number:
    one = a.constant(1)
    both = np.isinf(y.high) & np.isinf(x.high)
    none = (y.high == 0) & (x.high == 0)
    rise = a.where(both, one, a.where(none, a.constant(0), a.magnitude(y)))
    run = a.where(both | none, one, a.magnitude(x))
    angle = a.atan(a.divide(rise, run))
    angle = a.where(np.signbit(x.high), _sub(a, a.pi(), angle), angle)
    nan = np.isnan(x.high)
    return a.where(nan, x, _with_sign(a, y, angle))


def erfinv_start(size: Any, left: Any) -> Any:
    """erfinv in float64, of numbers between 0 and 1 and what is left to 1."""
    product = np.where(size > 1e-4, left * (1 + size), 0.5)
    w = np.where(size > 1e-4, -dd.log(Pair(product, np.zeros_like(product))).high, size * size)
    a = 0.147  # Winitzki's formula
    b = 2 / (np.pi * a) - w / 2
    found = np.sqrt(w / a / (np.sqrt(b * b + w / a) + b))
    for _ in range(2):
        erf, erfc, slope = _erf_in_float64(found)
        step = np.where(size < 0.5, erf - size, left - erfc) / slope
        found = found - step / (1 + found * step)
    return found


def _erf_in_float64(x: Any) -> tuple[Any, Any, Any]:
    """erf(x), erfc(x) and the slope of erf for x from 0 to 6."""
    m, n = dd.exp(-x * x)
    slope = 2 / np.sqrt(np.pi) * m.high * dd.power_of_two(n)
    total, below = np.ones_like(x), x
    for k in range(80, 0, -1):
        total = total * (2 * x * x / (2 * k + 1)) + 1
        below = x + k / 2 / np.where(below > 0, below, 1.0)
    erf = slope * x * total
    return erf, np.where(x > 2, slope / 2 / np.where(x > 2, below, 1.0), 1 - erf), slope


def _erfinv(a: Any, x: Number) -> Number:
    """A step of Halley's method from a float64."""
    size, one = a.magnitude(x), a.constant(1)
    inside = a.less(size, one) & ~a.equal(size, a.constant(0))
    at = a.where(inside, size, _half(a, one))
    left = _sub(a, one, at)
    found = a.started(erfinv_start, at, left)
    near, far = _sub(a, a.erf(found), at), _sub(a, left, a.erfc(found))
    off = a.where(a.less(at, _half(a, one)), near, far)
    slope = a.divide(a.sqrt(a.pi()), a.constant(2))
    step = a.multiply(a.multiply(off, slope), a.exp(a.multiply(found, found)))
    found = _sub(a, found, a.divide(step, a.add(one, a.multiply(found, step))))
    end = a.where(a.equal(size, one), a.constant(float("inf")), a.constant(float("nan")))
    end = a.where(a.equal(size, a.constant(0)), size, end)
    return _with_sign(a, x, a.where(inside, found, end))


def _logaddexp(a: Any, x: Number, y: Number, unit: Number) -> Number:
    """The larger number and ln(1 + e^-d) for how far the other is, in units."""
    other = a.less(x, y)
    larger = a.where(other, y, x)
    apart = a.multiply(a.add(a.where(other, x, y), a.negative(larger)), unit)
    total = a.add(larger, a.divide(a.log1p(a.exp(apart)), unit))
    nan = np.isnan(x.high) | np.isnan(y.high)
    return a.where(np.isinf(larger.high) & ~nan, larger, total)


def power(a: Any, x: Number, y: Number) -> Number:
    size = a.magnitude(x)
    power = a.exp(a.multiply(y, a.log(size)))
    exponent = a.float64(y)
    whole = np.isinf(exponent) | (np.rint(exponent) == exponent)
    odd = whole & np.isfinite(exponent) & (np.fmod(exponent, 2) != 0)
    negative = (x.high < 0) & np.isfinite(x.high)
    power = a.where(negative & ~whole, a.constant(float("nan")), power)
    power = a.where(odd & np.signbit(x.high), a.negative(power), power)
    of_one = a.equal(size, a.constant(1)) & np.isinf(y.high)
    ones = (y.high == 0) | a.equal(x, a.constant(1)) | of_one
    return a.where(ones, a.constant(1), power)


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "exp": lambda a, x: a.exp(x),
    "exp2": lambda a, x: a.exp(a.multiply(x, a.constant(_ln(2)))),
    "expm1": lambda a, x: a.expm1(x),
    "log": lambda a, x: a.log(x),
    "log2": lambda a, x: a.divide(a.log(x), a.constant(_ln(2))),
    "log10": lambda a, x: a.divide(a.log(x), a.constant(_ln(10))),
    "log1p": lambda a, x: a.log1p(x),
    "logaddexp": lambda a, x, y: _logaddexp(a, x, y, a.constant(1)),
    "logaddexp2": lambda a, x, y: _logaddexp(a, x, y, a.constant(_ln(2))),
    "sigmoid": _sigmoid,
    "sqrt": lambda a, x: a.sqrt(x),
    "rsqrt": lambda a, x: a.divide(a.constant(1), a.sqrt(x)),
    "sin": lambda a, x: a.sine(x),
    "cos": lambda a, x: a.sine(x, 1),
    "tan": lambda a, x: a.divide(a.sine(x), a.sine(x, 1)),
    "asin": _asin,
    "acos": _acos,
    "atan": lambda a, x: a.atan(x),
    "atan2": _atan2,
    "sinh": _sinh,
    "cosh": _cosh,
    "tanh": _tanh,
    "asinh": _asinh,
    "acosh": _acosh,
    "atanh": _atanh,
    "erf": lambda a, x: a.erf(x),
    "erfc": lambda a, x: a.erfc(x),
    "erfinv": lambda a, x: _erfinv(a, x),
}
