"""sin, cos and tan of any argument, and their inverses.

x = n·π/2 + r with r a pair. Where x is not large, n·π/2 is subtracted in parts; elsewhere x, in
three parts of 24 bits, is multiplied by digits of 2/π, which is exact, and multiples of 4 are left
out.
"""

from __future__ import annotations

import math
from fractions import Fraction

from openaclnn.arithmetic.compute_types import F64
from openaclnn.arithmetic.double.exponential import TINY
from openaclnn.arithmetic.functions.quarter_turns import DIGIT, digits_of_two_over_pi, of_24_bits
from openaclnn.arithmetic.nodes import (
    Node,
    bits,
    const,
    equal,
    fma,
    from_bits,
    maximum,
    minimum,
    polynomial,
    select,
    times_sign,
)
from openaclnn.arithmetic.pairs import (
    Pair,
    chosen,
    constant,
    ordered_sum,
    root,
    single,
    two_product,
    two_sum,
)
from openaclnn.arithmetic.ratio import Algebra

HALF_PI = Fraction(0x1921FB54442D18469898CC51701B83A, 1 << 120)
_PARTS = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33)
_FAR = 2.0**27
_LEVELS = (32, 16, 8, 4, 2, 1)  # digits that a window is moved by, one after the other
_USED = 10  # digits, from the first that counts for the lowest part of x
_SINE = (
    -0.166666666666666304,
    0.00833333333332198100,
    -0.000198412698294460399,
    2.75573135615370303e-6,
    -2.50507369991225017e-8,
    1.58955339565817375e-10,
)  # 2⁻⁵⁷·⁹
_COSINE = (
    0.0416666666666665963,
    -0.00138888888888735435,
    0.0000248015872891020262,
    -2.75573142378736655e-7,
    2.08757071367641102e-9,
    -1.13587846166664138e-11,
)  # 2⁻⁶⁴
_ARC_TANGENT = (
    -0.33333333333333327576,
    0.19999999999997688861,
    -0.14285714285390486107,
    0.11111111088332376114,
    -0.090909081501112543722,
    0.076922828850124753360,
    -0.066662286249405525584,
    0.058770401030290815014,
    -0.052185223344350340667,
    0.045040294938543292934,
    -0.033485644923889903388,
    0.015206528327703271823,
)  # 2⁻⁶⁴·²
_ARC_SINE = (
    0.16666666666666659496,
    0.075000000000025596719,
    0.044642857139657984593,
    0.030381944646336919156,
    0.022372151548596768165,
    0.017352946373542379089,
    0.013961859261192111859,
    0.011586108746516220174,
    0.0094810921709110377487,
    0.010023653928840306172,
    0.00063547458703585667342,
    0.024929139362119308882,
    -0.026282684949484820459,
    0.033720891613595422995,
)  # 2⁻⁶³·⁷


def _reduced(algebra: Algebra, size: Node) -> tuple[Node, Pair]:
    """n, of which the two lowest bits count, and r."""
    shifted = fma(size, 2 / math.pi, F64.magic)
    n = shifted - F64.magic
    product = two_product(n, const("f64", _PARTS[1]))
    rest = two_sum(fma(n, -_PARTS[0], size), -product.high)
    rest = ordered_sum(rest.high, fma(n, -_PARTS[2], rest.low - product.low))
    is_far = size > _FAR
    algebra.seldom(is_far)
    if not algebra.compute_type.guarded:
        return bits(shifted), rest
    far, far_rest = _far(maximum(_FAR, size))
    return select(is_far, far, bits(shifted)), chosen(is_far, far_rest, rest)


def _far(x: Node) -> tuple[Node, Pair]:
    parts, digits = of_24_bits(x), digits_of_two_over_pi(sum(_LEVELS) + _USED, before=3)
    scale = x
    for level in _LEVELS:
        beyond = scale >= 2.0 ** (DIGIT * level)
        down = select(beyond, 2.0 ** (-DIGIT * level), const("f64", 1.0))
        scale, *parts = (part * down for part in (scale, *parts))
        pairs = zip(digits[level:], digits, strict=False)
        digits = [select(beyond, later, digit) for later, digit in pairs]
    total = [const("f64", 0.0)] * 3
    for number, part in enumerate(parts):
        for place in range(2 - number, _USED - number):
            term = part * 2.0 ** (DIGIT * (2 - place)) * digits[place]
            # the highest ones may be larger than 2: multiples of 4 go
            if place <= 4 - number:
                term = term - ((term + 4 * F64.magic) - 4 * F64.magic)
            _join(total, term)
    shifted = (total[0] + total[1]) + F64.magic
    left = two_sum(total[0] - (shifted - F64.magic), total[1])
    left = ordered_sum(left.high, left.low + total[2])
    rest = left * constant(HALF_PI)
    infinite = const("f64", math.nan)
    return bits(shifted), chosen(x < math.inf, rest, Pair(infinite, infinite))


def _join(total: list[Node], term: Node) -> None:
    """Add a term to a sum of three parts."""
    for place in range(2):
        found = two_sum(total[place], term)
        total[place], term = found.high, found.low
    total[2] = total[2] + term


def _sine_and_cosine(r: Pair) -> tuple[Pair, Pair]:
    square = two_product(r.high, r.high)
    tail = fma(r.high * square.high, polynomial(square.high, _SINE), r.low)
    sine = ordered_sum(r.high, tail)
    near = ordered_sum(const("f64", 1.0), square.high * -0.5)
    beside = fma(-r.high, r.low, fma(square.low, -0.5, near.low))
    fourth = square.high * square.high
    cosine = ordered_sum(near.high, fma(fourth, polynomial(square.high, _COSINE), beside))
    return sine, cosine


def _sine(algebra: Algebra, size: Node, turn: int) -> Node:
    n, r = _reduced(algebra, size)
    sine, cosine = _sine_and_cosine(r)
    n = n + turn if turn else n
    found = chosen(equal(n & 1, 0), sine, cosine).number
    return from_bits(bits(found) ^ ((n & 2) << 62))


def sin(algebra: Algebra, x: Node) -> Node:
    size = abs(x)
    return times_sign(select(size < TINY, size, _sine(algebra, maximum(TINY, size), 0)), x)


def cos(algebra: Algebra, x: Node) -> Node:
    return _sine(algebra, maximum(TINY, abs(x)), 1)


def tan(algebra: Algebra, x: Node) -> Node:
    size = abs(x)
    n, r = _reduced(algebra, maximum(TINY, size))
    sine, cosine = _sine_and_cosine(r)
    even = equal(n & 1, 0)
    found = (chosen(even, sine, -cosine) / chosen(even, cosine, sine)).number
    return times_sign(select(size < TINY, size, found), x)


def _slope_angle(rise: Pair, run: Pair) -> Pair:
    """atan(rise/run) of two positive numbers, neither extreme."""
    eighth = math.sqrt(2) - 1
    low, high = run.high * eighth >= rise.high, run.high < rise.high * eighth
    over = chosen(low, rise, chosen(high, -run, rise + -run))
    under = chosen(low, run, chosen(high, rise, rise + run))
    t = over / under
    square = t.high * t.high
    found = ordered_sum(t.high, fma(t.high * square, polynomial(square, _ARC_TANGENT), t.low))
    zero, half = constant(0.0), constant(HALF_PI)
    return found + chosen(low, zero, chosen(high, half, half.times(0.5)))


def atan(x: Node) -> Node:
    size = abs(x)
    inside = single(maximum(TINY, minimum(2.0**60, size)))
    found = _slope_angle(inside, constant(1.0)).number
    return times_sign(select(size < TINY, size, found), x)


def atan2(y: Node, x: Node) -> Node:
    """Numbers whose quotient is extreme are brought closer: it does not show beside π, and where it
    is the result it is divided plainly."""
    one, zero = const("f64", 1.0), const("f64", 0.0)
    largest = maximum(abs(x), abs(y))
    ends = [select(equal(abs(side), math.inf), one, zero) for side in (y, x)]
    infinite = equal(largest, math.inf)
    scale = select(largest > 2.0**500, 2.0**-600, select(largest < 2.0**-400, 2.0**600, one))
    sides = zip(ends, (y, x), strict=True)
    rise, run = (select(infinite, end, abs(side) * scale) for end, side in sides)
    limit = maximum(2.0**-900, maximum(rise, run) * 2.0**-200)
    angle = _slope_angle(single(maximum(limit, rise)), single(maximum(limit, run)))
    left = times_sign(one, x) < 0.0
    found = chosen(left, constant(2 * HALF_PI) + -angle, angle).number
    plain = abs(y) / abs(x)
    found = select(~left & (plain < TINY), plain, found)
    zeros = equal(y, 0.0) & equal(x, 0.0)
    found = select(zeros, select(left, const("f64", math.pi), 0.0), found)
    found = times_sign(found, y)
    return select(equal(x, x), select(equal(y, y), found, y), x)


def _arc(size: Node) -> tuple[Node, Pair]:
    """Whether |x| > 1/2, and asin(|x|), there asin(√((1 − |x|)/2))."""
    large = size > 0.5
    half = (1.0 - size) * 0.5
    square = select(large, half, size * size)
    start = chosen(large, root(single(maximum(2.0**-200, half))), single(size))
    tail = fma(start.high * square, polynomial(square, _ARC_SINE), start.low)
    return large, ordered_sum(start.high, tail)


def asin(x: Node) -> Node:
    size = abs(x)
    large, angle = _arc(maximum(TINY, size))
    far = (constant(HALF_PI) + angle.times(-2.0)).number
    far = select(size > 1.0, const("f64", math.nan), far)
    return times_sign(select(size < TINY, size, select(large, far, angle.number)), x)


def acos(x: Node) -> Node:
    size = abs(x)
    large, angle = _arc(maximum(TINY, size))
    beyond = chosen(x > 0.0, angle.times(2.0), constant(2 * HALF_PI) + angle.times(-2.0))
    near = constant(HALF_PI) + chosen(x > 0.0, -angle, angle)
    found = chosen(large, beyond, near).number
    found = select(size > 1.0, const("f64", math.nan), found)
    return select(equal(x, 1.0), const("f64", 0.0), found)
