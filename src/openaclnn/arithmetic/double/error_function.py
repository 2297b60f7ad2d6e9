"""erf, erfc and the inverse of erf.

Up to 1/2, erf(x) is 2/√π·x + x³·A(x²); elsewhere erfc(x) = e^(-x²)·R((x − 3)/(x + 3)), the first
terms of R in pairs. The inverse is a step of Halley's method from one of fewer bits.
"""

from __future__ import annotations

import math
from fractions import Fraction

from openaclnn.arithmetic import pairs
from openaclnn.arithmetic.compute_types import F64
from openaclnn.arithmetic.double.exponential import Grown, grown, scaled
from openaclnn.arithmetic.double.logarithm import positive
from openaclnn.arithmetic.functions.erfinv import inverse_of
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
from openaclnn.arithmetic.pairs import Pair, chosen, ordered_sum, single, two_product, two_sum
from openaclnn.arithmetic.scaling import power_of_two

_SLOPE = Fraction(0x120DD750429B6D11AE3A914FED7FD87, 1 << 120)  # 2/√π
_HIGH, _LOW = float(_SLOPE), float(_SLOPE - Fraction(float(_SLOPE)))
_INVERSE = float(1 / _SLOPE), float(1 / _SLOPE - Fraction(float(1 / _SLOPE)))
_SMALL = (
    -0.37612638903183744343,
    0.11283791670954508309,
    -0.026866170644967994333,
    0.0052239776232882347607,
    -0.00085483268581942075384,
    0.00012055324998473014043,
    -0.000014925397167191078858,
    1.6456755446252429451e-6,
    -1.6290616999064914535e-7,
    1.4130047836245804987e-8,
    -8.6829740607783016965e-10,
)  # 2⁻⁶¹·⁵
_LEADING = tuple(
    Fraction(text)
    for text in (
        "0.179001151181389950416609613438525226",
        "-0.326233560043037228383274069063765823",
        "0.245603801712330879391960641766000916",
        "-0.150115936500777206458746739567813792",
        "0.0716658371979783511442293345480729045",
        "-0.0243924993186716397191014727383215440",
        "0.00426913633282953900436606198804922050",
    )
)
_REST = (
    0.00070774643891118992806,
    -0.000597061948316488418,
    0.000045255298634947170425,
    0.000064056553342301553406,
    -0.000012860496967240418664,
    -7.9781235299109882466e-6,
    2.1199940372455375948e-6,
    1.2524932431403984871e-6,
    -2.938178903491759418e-7,
    -2.3472907230692874116e-7,
    2.8070795934655790458e-8,
    4.7165176600444587976e-8,
    1.7895744045206857638e-9,
    -9.3220960533541888765e-9,
    -1.8009458784120375356e-9,
    1.7331012481436577814e-9,
    3.8908962375865063062e-10,
    -2.4912174335456275159e-10,
)  # 2⁻⁶⁵
_NEAR, _END = 0.875, 27.3  # beyond the second erfc is 0


def _series(x: Node) -> Pair:
    """erf(x) for |x| up to `_NEAR`."""
    square = x * x
    product = two_product(x, const("f64", _HIGH))
    tail = fma(x * square, polynomial(square, _SMALL), fma(x, _LOW, product.low))
    return ordered_sum(product.high, tail)


def _tail(size: Node) -> tuple[Grown, Pair]:
    """erfc(x) for x from 1/2 to `_END`: a power of e, and a factor of its significand."""
    square = two_product(size, size)
    u = single(size).plus(-3.0) / single(size).plus(3.0)
    return grown(-square), pairs.polynomial(u, _LEADING, polynomial(u.high, _REST))


def _complement(size: Node) -> Pair:
    """erfc(x) for x from 1/2 to 26."""
    power, factor = _tail(size)
    return (power.significand * factor).times(power_of_two(F64, power.n + F64.magic))


def erf(x: Node) -> Node:
    size = abs(x)
    far = -_complement(maximum(0.5, minimum(6.5, size)))
    # further out what is added to the series' first term is rounded by too much
    found = select(size < 0.5, _series(size).number, far.plus(1.0).number)
    found = select(size < 2.0**-100, fma(size, _HIGH, size * _LOW), found)
    return times_sign(select(equal(x, x), found, size), x)


def erfc(x: Node) -> Node:
    size = abs(x)
    power, factor = _tail(maximum(0.5, minimum(_END, size)))
    far = scaled((power.significand * factor).number, power.n)
    inside = maximum(2.0**-200, minimum(_NEAR, size))
    series = _series(times_sign(inside, x))
    near = (-series).plus(1.0).number
    found = select(size < 0.5, near, select(x < 0.0, 2.0 - far, far))
    return select(equal(x, x), found, x)


def erfinv(x: Node) -> Node:
    size = abs(x)
    inside = maximum(2.0**-100, minimum(1 - 2.0**-53, size))
    left = two_sum(const("f64", 1.0), -inside)
    w = -positive(left.high * (inside + 1.0))
    start = inverse_of(inside, maximum(0.0, w.number))
    near = inside < 0.53
    off = chosen(near, _series(minimum(_NEAR, start)).plus(-inside), _left_over(start, left))
    # by how much it is off where the slope is 2/√π·e^(-y²)
    step = off.number * _INVERSE[0] * _power(start * start)
    found = start - step / fma(start, step, 1.0)
    found = select(size < 2.0**-100, fma(size, _INVERSE[0], size * _INVERSE[1]), found)
    found = select(equal(size, 1.0), const("f64", math.inf), found)
    found = select(size > 1.0, const("f64", math.nan), found)
    return times_sign(select(equal(x, x), found, size), x)


def _left_over(start: Node, left: Pair) -> Pair:
    return left + -_complement(maximum(0.5, start))


def _power(x: Node) -> Node:
    found = grown(single(x))
    return scaled(found.significand.high, found.n)
