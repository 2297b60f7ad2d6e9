"""The true values of the operators, to about 100 bits: what kernels are judged by.

Written from the mathematics, in pairs of float64 (see `double_double`), and sharing nothing with
the formulas and the arithmetic that kernels are made from. Inputs are float64 arrays that hold
the values of the narrower types exactly (leaky ReLU alone takes all of float64); attributes are
the numbers that the operator uses, so a slope that is used as a float32 comes rounded to one.

Relative accuracy: 2⁻⁹⁵ or better, but for silu beside its root at -1.278…, where it is 2⁻¹⁰⁰
divided by the distance from the root (2⁻⁷⁵ at the nearest float32). Only results that float64
itself holds as subnormals lose their low part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from openaclnn.precision import double_double as dd
from openaclnn.precision.double_double import Floats, Pair

_CHUNK = 8192  # elements at a time: the many temporaries stay in the cache


def reference(
    op_name: str,
    inputs: Sequence[ArrayLike],
    attributes: Mapping[str, Any] | None = None,
    numel: int | None = None,
) -> Pair:
    """The true results (high, low) for inputs in C order, broadcast together.

    Attributes by name: `reduction` (0, 1, 2 or its name) and `beta`, `negative_slope`. `numel` is
    what "mean" divides by, by default the number of results. An input that the operator does
    not read may be left out.

    >>> high, low = reference("hardsigmoid_backward", [[1.0, 1.0], [0.0, 4.0]])
    >>> high.tolist(), (low * 2.0**60).round(3).tolist()
    ([0.16666666666666666, 0.0], [10.667, 0.0])
    """
    try:
        compute, reads = _OPERATORS[op_name]
    except KeyError:
        known = ", ".join(_OPERATORS)
        raise LookupError(f"there is no reference for {op_name!r}; there are {known}") from None
    arrays = np.broadcast_arrays(*(np.asarray(a, np.float64) for a in inputs[:reads]))
    shape = arrays[0].shape
    flat = [np.ravel(a) for a in arrays]
    size = flat[0].size
    values = dict(attributes or {}, numel=size if numel is None else numel)
    result = Pair(np.empty(size), np.empty(size))
    with np.errstate(all="ignore"):
        for start in range(0, size, _CHUNK):
            part = slice(start, start + _CHUNK)
            pair = compute(*(a[part] for a in flat), values)
            result.high[part], result.low[part] = pair
    return Pair(result.high.reshape(shape), result.low.reshape(shape))


def _settle(plain: Floats, pair: Pair) -> Pair:
    """The pair, or `plain` alone where it is NaN, infinite or a zero whose sign must last."""
    alone = ~np.isfinite(plain) | (plain == 0)
    return Pair(np.where(alone, plain, pair.high), np.where(alone, 0.0, pair.low))


def _hardsigmoid(g: Floats, x: Floats, attributes: Mapping[str, Any]) -> Pair:
    inside = (x > -3) & (x < 3)
    sixth = _settle(g / 6, dd.divide(Pair(g, np.zeros_like(g)), _exact(6)))
    return Pair(np.where(inside, sixth.high, 0.0), np.where(inside, sixth.low, 0.0))


def _log_sigmoid(g: Floats, x: Floats, attributes: Mapping[str, Any]) -> Pair:
    """1/(1 + e^x), as e^-x/(e^-x + 1) where e^x would be large."""
    t = np.minimum(np.abs(x), 1400.0)
    m, n = dd.exp(-t)
    e = _scaled(m, n)
    below = dd.add_float(e, 1.0)
    rising = x > 0
    top = dd.where(rising, m, Pair(np.ones_like(x), np.zeros_like(x)))
    slope = dd.divide(top, below)
    slope = Pair(np.where(x == np.inf, 0.0, slope.high), slope.low)
    return _times(g, slope, np.where(rising, n, 0))


def _silu(g: Floats, x: Floats, attributes: Mapping[str, Any]) -> Pair:
    """(1 + e^-x (1 + x)) / (1 + e^-x)², for x < 0 multiplied through by e^2x.

    One fraction, whose numerator alone cancels at the root: there e^x + (1 + x) is taken of an
    exact x and an e^x of 106 bits.
    """
    x = np.where(np.isinf(x), np.nan, np.maximum(x, -1400.0))
    negative = x < 0
    m, n = dd.exp(-np.minimum(np.abs(x), 1400.0))
    e = _scaled(m, n)
    one_plus_x = dd.two_sum(x, 1.0)
    factor = dd.where(negative, m, e)
    rest = dd.where(negative, dd.add(one_plus_x, e), one_plus_x)
    top = dd.multiply(factor, rest)
    top = dd.where(negative, top, dd.add_float(top, 1.0))
    root_below = dd.add_float(e, 1.0)
    slope = dd.divide(top, dd.multiply(root_below, root_below))
    return _times(g, slope, np.where(negative, n, 0))


def _smooth_l1(g: Floats, x: Floats, target: Floats, attributes: Mapping[str, Any]) -> Pair:
    reduction, beta = attributes["reduction"], float(attributes["beta"])
    count = float(attributes["numel"]) if reduction in (1, "mean") else 1.0
    d = dd.two_sum(x, -target)
    low = np.where(np.isfinite(d.high), d.low, 0.0)
    distance = np.abs(d.high)
    nearer = (low != 0) & ((low < 0) == (d.high > 0))
    quadratic = (distance < beta) | ((distance == beta) & nearer)
    sign = np.where(np.isnan(d.high), np.nan, 0.0 + (d.high > 0) - (d.high < 0))
    top_high = np.where(quadratic, d.high, sign)
    top = dd.multiply_float(Pair(top_high, np.where(quadratic, low, 0.0)), g)
    divisor = dd.where(quadratic, Pair(*dd.two_product(np.float64(beta), count)), _exact(count))
    plain = g * top_high / divisor.high
    if math.isinf(beta):  # d/beta is a zero with the sign of d, and inf - inf no low part
        plain = g * np.where(quadratic, d.high * 0.0, sign) / count
        divisor = _exact(count)
    return _settle(plain, dd.divide(top, divisor))


def _leaky_relu(g: Floats, x: Floats, attributes: Mapping[str, Any]) -> Pair:
    """A bare product; DOUBLE tensors come here, so it is taken of the significands alone."""
    slope = np.float64(attributes["negative_slope"])
    fraction, exponent = np.frexp(g)
    slope_fraction, slope_exponent = np.frexp(slope)
    product = g * slope
    _, error = dd.two_product(fraction, slope_fraction)
    low = dd.scale(error, np.clip(exponent.astype(np.int64) + slope_exponent, -2040, 2040))
    whole = np.abs(product) >= 2.0**-1022
    falling = _settle(product, Pair(product, np.where(whole, low, 0.0)))
    return Pair(np.where(x > 0, g, falling.high), np.where(x > 0, 0.0, falling.low))


def _exact(value: float) -> Pair:
    return Pair(np.float64(value), np.float64(0.0))


def _scaled(m: Pair, n: Any) -> Pair:
    """m · 2^n for n <= 0; beyond 2⁻¹⁰⁰⁰ it only ever is added to 1, so its size stops mattering."""
    factor = dd.power_of_two(np.maximum(n, -1000))
    return Pair(m.high * factor, m.low * factor)


def _times(g: Floats, slope: Pair, exponent: Any) -> Pair:
    """g · slope · 2^exponent; infinities and zeros of g meet the slope before it can vanish."""
    plain = g * slope.high
    pair = _settle(plain, dd.multiply_float(slope, g))
    return Pair(dd.scale(pair.high, exponent), dd.scale(pair.low, exponent))


_OPERATORS: dict[str, tuple[Callable[..., Pair], int]] = {
    "hardsigmoid_backward": (_hardsigmoid, 2),
    "leaky_relu_backward": (_leaky_relu, 2),
    "log_sigmoid_backward": (_log_sigmoid, 2),
    "silu_backward": (_silu, 2),
    "smooth_l1_loss_backward": (_smooth_l1, 3),
}
