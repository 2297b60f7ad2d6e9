"""e^x and functions derived from it.

x = n·ln(2) + r with |r| <= ln(2)/2, all of it a pair, and e^r = 1 + r + r²/2 + r³·Q(r), where a
float64 holds what is needed of the last term. The coefficients are minimax.
"""

from __future__ import annotations

import math
from fractions import Fraction

from openaclnn.arithmetic.compute_types import F64
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
from openaclnn.arithmetic.pairs import Pair, ordered_sum, single, two_product, two_sum
from openaclnn.arithmetic.scaling import power_of_two
from openaclnn.base.records import dataclass

LN2 = Fraction(0xB17217F7D1CF79ABC9E3B39803F2F7, 1 << 120)
HIGH, LOW = float(LN2), float(LN2 - Fraction(float(LN2)))
_Q = (
    0.16666666666666684076,
    0.041666666666666700565,
    0.0083333333333165164698,
    0.0013888888888864661636,
    0.00019841269897682513919,
    0.000024801587366125833346,
    2.7557233561687294278e-6,
    2.7557237806273320038e-7,
    2.5112488969300474395e-8,
    2.0925944418247948764e-9,
)  # 2⁻⁶³·⁹
_FURTHEST = 1200.0  # beyond it all is 0, or infinite
TINY = 2.0**-60  # what is smaller is its own sine, tangent, …


@dataclass(frozen=True)
class Grown:
    """e^x = 2^n·(1 + beyond)."""

    n: Node
    beyond: Pair

    @property
    def significand(self) -> Pair:
        total = ordered_sum(const("f64", 1.0), self.beyond.high)
        return ordered_sum(total.high, total.low + self.beyond.low)


def grown(x: Pair) -> Grown:
    """For |x| of up to 2000."""
    shifted = fma(x.high, 1 / math.log(2), F64.magic)
    n = shifted - F64.magic
    product = two_product(n, const("f64", LOW))
    rest = two_sum(fma(n, -HIGH, x.high), -product.high)
    return Grown(n, _series(ordered_sum(rest.high, (rest.low - product.low) + x.low)))


def _series(r: Pair) -> Pair:
    """e^r − 1."""
    square = two_product(r.high, r.high * 0.5)
    cubic = (square.high * r.high) * (polynomial(r.high, _Q) * 2.0)
    tail = ordered_sum(square.high, cubic)
    total = two_sum(r.high, tail.high)
    low = total.low + (tail.low + fma(r.high, r.low, square.low) + r.low)
    return ordered_sum(total.high, low)


def scaled(x: Node, n: Node) -> Node:
    """x·2^n in two steps, of which one rounds."""
    shifted = fma(n, 0.5, F64.magic)
    rest = n - (shifted - F64.magic)
    return x * power_of_two(F64, shifted) * power_of_two(F64, rest + F64.magic)


def _bounded(x: Node) -> Node:
    return maximum(-_FURTHEST, minimum(_FURTHEST, x))


def exp(x: Node) -> Node:
    return power(single(_bounded(x)))


def power(x: Pair) -> Node:
    """e^x of a pair that is not too large."""
    found = grown(x)
    return scaled(found.significand.number, found.n)


def exp2(x: Node) -> Node:
    bounded = maximum(-_FURTHEST, minimum(_FURTHEST, x))
    n = (bounded + F64.magic) - F64.magic
    fraction = bounded - n
    product = two_product(fraction, const("f64", HIGH))
    rest = ordered_sum(product.high, fma(fraction, LOW, product.low))
    found = Grown(n, _series(rest))
    return scaled(found.significand.number, n)


def less_one(x: Pair) -> Pair:
    """e^x − 1 for 2⁻¹⁰⁰ < |x| < 64 as a pair."""
    found = grown(x)
    power = power_of_two(F64, found.n + F64.magic)
    return found.beyond.times(power) + two_sum(power, const("f64", -1.0))


def expm1(x: Node) -> Node:
    found = less_one(single(maximum(-64.0, minimum(64.0, x)))).number
    found = select(x > 60.0, exp(x), found)
    return select(abs(x) < TINY, x, found)


def sigmoid(x: Node) -> Node:
    found = grown(single(-minimum(_FURTHEST, abs(x))))
    falling = found.significand
    power = power_of_two(F64, maximum(-1022.0, found.n) + F64.magic)
    under = falling.times(power).plus(1.0)
    above = (single(const("f64", 1.0)) / under).number
    below = scaled((falling / under).number, found.n)
    return select(x < 0.0, below, select(equal(x, x), above, x))


def tanh(x: Node) -> Node:
    size = abs(x)
    fallen = less_one(single(maximum(TINY, minimum(32.0, size)) * -2.0))
    found = (-fallen / fallen.plus(2.0)).number
    return times_sign(select(size < TINY, size, found), x)


def sinh(x: Node) -> Node:
    size = abs(x)
    rising = less_one(single(maximum(TINY, minimum(40.0, size))))
    found = (rising + rising / rising.plus(1.0)).number * 0.5
    found = select(size > 38.0, _half_power(size), found)
    return times_sign(select(size < TINY, size, found), x)


def cosh(x: Node) -> Node:
    size = abs(x)
    rising = less_one(single(maximum(TINY, minimum(40.0, size)))).plus(1.0)
    found = (rising + single(const("f64", 1.0)) / rising).number * 0.5
    return select(size > 38.0, _half_power(size), found)


def _half_power(size: Node) -> Node:
    """e^size/2, which may have room where e^size has none."""
    found = grown(single(minimum(_FURTHEST, size)))
    return scaled(found.significand.number, found.n - 1.0)
