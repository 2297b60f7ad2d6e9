"""Angles as quarter turns and a rest: x = n·π/2 + r with |r| <= π/4 or so, r as exact relatively;
and as half turns and a rest, of which sines are made.

Where x is not large, n·π/2 is subtracted in parts. Elsewhere x·2/π is needed beside whole turns:
2/π is written in digits of 25 bits, those that make multiples of 4 with the last bit of x are left
out, and the products of the next ones with x are exact. For specialists in floating point.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from openaclnn.arithmetic.compute_types import F64
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    bits,
    const,
    equal,
    fma,
    from_bits,
    largest,
    make,
    polynomial,
    select,
    times_sign,
)
from openaclnn.arithmetic.ratio import Algebra
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Angle:
    """n·π/2 + rest; of the integer n the two lowest bits count."""

    n: Node
    rest: Node


@dataclass(frozen=True)
class Coefficients:
    """How functions of a rest are computed in one compute type."""

    half_pi: tuple[float, ...]  # as a sum of parts
    far: float  # beyond it their products with n are not exact enough
    sine: tuple[float, ...]  # r + r³·(…), up to a quarter turn, or half of that beside …
    tangent: tuple[tuple[float, ...], tuple[float, ...]]  # r·(…)/(…), up to half of one
    cosine: tuple[float, ...] = ()  # … 1 − r²/2 + r⁴·(…)


_PARTS = (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15)
_LONG_TANGENT = (
    (1.00000000002211, -0.1113614898160789, 0.0010751581413916765),
    (1.0, -0.4446948214861892, 0.015973412010013784),
)  # 2⁻³⁵·⁴
_SHORT = Coefficients(
    # none is negative, which keeps the sign of 0
    half_pi=(1.570796251296997, 7.549789415861596e-08, 5.390302858158119e-15),
    far=2.0**16,
    sine=(-0.16665852751759105, 0.008314267020970274, -0.00018541963837576618),  # 2⁻¹⁹·⁸
    tangent=(
        (1.0, -0.0958018832537646),
        (1.0, -0.4291358887436657, 0.009716897438164014),
    ),  # 2⁻²⁵
)
COEFFICIENTS = {
    "f32": Coefficients(
        half_pi=_PARTS,
        far=2.0**16,
        sine=(-0.166666546623652789, 0.00833215965069313224, -0.000195147172703777118),  # 2⁻²⁸
        tangent=_LONG_TANGENT,
        cosine=(0.0416666463882181987, -0.00138873431449893192, 2.44355613798278352e-5),  # 2⁻³³
    ),
    "f32 for BF16": _SHORT,
    "f32 for FLOAT16": _SHORT,
    "f64 for FLOAT": Coefficients(
        half_pi=(1.5707963267948966, 6.123233995736766e-17),
        far=2.0**28,
        sine=(
            -0.16666666626107873, 0.008333331106780272, -0.00019840867964553214,
            2.7525371505257756e-06, -2.388867629017041e-08,
        ),  # 2⁻³⁵·³
        tangent=_LONG_TANGENT,
    ),
}  # fmt: skip

DIGIT = 25
_TWO_OVER_PI = int(  # 1152 bits behind the point
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a"
    "424dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e41"
    "3991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf"
    "27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d08",
    16,
)
_USED = 5  # digits, from the first that counts
_SINGLES = (4, 2, 1)  # digits that a window is moved by, one after the other: up to 2¹⁷⁵
_DOUBLES = (32, 16, *(8, 4, 2, 1))  # beyond 2¹⁰²⁴


def reduced(algebra: Algebra, using: Coefficients, x: Node) -> Angle:
    """Of an x that is not negative; the rest is NaN where x is no number or infinite."""
    compute_type = algebra.compute_type
    shifted = fma(x, 2 / math.pi, compute_type.magic)
    near = Angle(bits(shifted), _less(x, shifted - compute_type.magic, using.half_pi))
    return _near_or_far(algebra, using, x, near, _far)


def sine(algebra: Algebra, using: Coefficients, x: Node, turn: int = 0) -> Node:
    """The sine of any x, a quarter turn on or not."""
    return (_by_quarters if using.cosine else _by_halves)(algebra, using, x, turn)


def _by_quarters(algebra: Algebra, using: Coefficients, x: Node, turn: int) -> Node:
    """In float32, whose result would be beyond 1 where the rest is: a sine, or a cosine."""
    angle = reduced(algebra, using, abs(x))
    rest, n = angle.rest, angle.n + turn if turn else angle.n
    square = rest * rest
    sine = fma(rest * square, polynomial(square, using.sine), rest)
    cosine = fma(square * square, polynomial(square, using.cosine), fma(square, -0.5, 1.0))
    found = select(equal(n & 1, 0), sine, cosine)
    found = from_bits(bits(found) ^ ((n & 2) << (int(n.type[1:]) - 2)))
    return found if turn else times_sign(found, x)


def _by_halves(algebra: Algebra, using: Coefficients, x: Node, turn: int) -> Node:
    """The rest is what half turns leave, of up to a quarter turn, which is beside 0 wherever the
    result is."""
    compute_type, pi = algebra.compute_type, tuple(2 * part for part in using.half_pi)
    if turn:
        shifted = fma(x, 1 / math.pi, -0.5) + compute_type.magic
        near = Angle(bits(shifted) + 1, _less(x, (shifted - compute_type.magic) + 0.5, pi))
    else:
        shifted = fma(x, 1 / math.pi, compute_type.magic)
        near = Angle(bits(shifted), _less(x, shifted - compute_type.magic, pi))
    angle = _near_or_far(algebra, using, x, near, lambda x: _in_half_turns(x, turn))
    square = angle.rest * angle.rest
    found = angle.rest * fma(square, polynomial(square, using.sine), 1.0)
    return from_bits(bits(found) ^ (angle.n << (int(angle.n.type[1:]) - 1)))


def _less(x: Node, count: Node, parts: tuple[float, ...]) -> Node:
    """x less so many times the sum of some parts."""
    for part in parts:
        x = fma(count, -part, x)
    return x


def _near_or_far(
    algebra: Algebra, using: Coefficients, x: Node, near: Angle, far: Callable[[Node], Angle]
) -> Angle:
    if largest(x) <= using.far:
        return near
    is_far = (before_widening(abs(x)) or abs(x)) > using.far
    algebra.seldom(is_far)
    if not algebra.compute_type.guarded:
        return near
    other = far(x)
    return Angle(select(is_far, other.n, near.n), select(is_far, other.rest, near.rest))


def _in_half_turns(x: Node, turn: int) -> Angle:
    """Half turns and a rest whose sine is that of an x, so many quarter turns on."""
    angle = _far(abs(x))
    n, beside = angle.n + turn, math.pi / 2 - abs(angle.rest)
    rest = select(equal(n & 1, 0), angle.rest, beside)
    return Angle(n >> 1, rest if turn else times_sign(rest, x))


def _far(x: Node) -> Angle:
    """For any x of float32 or float64, by way of float64."""
    single = before_widening(x) if x.type == "f64" else x
    wide = make("widen", "f64", x) if x.type == "f32" else x
    parts = [wide] if single is not None else of_24_bits(wide)
    levels = _SINGLES if single is not None else _DOUBLES
    n, fraction = _quarters(parts[0], levels)
    for part in parts[1:]:
        more, beside = _quarters(part, levels)
        shifted = (fraction + beside) + F64.magic
        n = n + more + bits(shifted)
        fraction = (fraction - (shifted - F64.magic)) + beside
    rest = select(wide < math.inf, fraction * (math.pi / 2), math.nan)
    if x.type == "f64":
        return Angle(n, rest)
    return Angle(make("trunc", "i32", n), make("narrow", "f32", rest))


def of_24_bits(x: Node) -> list[Node]:
    """A float64 as a sum of three."""
    first, both = (from_bits(bits(x) & (-1 << below)) for below in (29, 5))
    return [first, both - first, x - both]


def _quarters(x: Node, levels: tuple[int, ...]) -> tuple[Node, Node]:
    """x·2/π for an x of 24 bits, as an integer, of which only the lowest bits count, and a
    fraction of up to 1/2."""
    digits = digits_of_two_over_pi(sum(levels) + _USED)
    for level in levels:
        beyond = x >= 2.0 ** (DIGIT * level)
        x = select(beyond, x * 2.0 ** (-DIGIT * level), x)
        pairs = zip(digits[level:], digits, strict=False)
        digits = [select(beyond, later, digit) for later, digit in pairs]
    first, second, third, fourth, fifth = digits
    step, magic = 2.0**-DIGIT, F64.magic
    wholes, fractions = [], []
    for product in (x * first, x * step * second):
        wholes.append(product + magic)
        fractions.append(product - (wholes[-1] - magic))
    below = x * step**2
    wholes.append(fma(below, third, fractions[0] + fractions[1]) + magic)
    # the terms are multiples of 2⁻⁴⁸: nothing is rounded before the third joins them
    fraction = (fractions[0] - (wholes[-1] - magic)) + fractions[1]
    fraction = fma(below, third, fraction)
    fraction = fma(x * step**3, fma(fifth, step, fourth), fraction)
    return bits(wholes[0]) + bits(wholes[1]) + bits(wholes[2]), fraction


def digits_of_two_over_pi(count: int, before: int = 1) -> list[Node]:
    """The first digits of 2/π, from so many before the point."""
    number, total = _TWO_OVER_PI << (DIGIT * count), 1152 + DIGIT * count
    mask = (1 << DIGIT) - 1  # zeros at the end are never reached
    places = range(1 - before, count + 1 - before)
    return [const("f64", float((number >> (total - DIGIT * place)) & mask)) for place in places]
