"""Angles as quarter turns and a rest: x = n·π/2 + r with |r| <= π/4 or so, r as exact relatively.

Where x is not large, n·π/2 is subtracted in parts. Elsewhere x·2/π is needed beside whole turns:
2/π is written in digits of 25 bits, those that make multiples of 4 with the last bit of x are left
out, and the products of the next ones with x are exact. For specialists in floating point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    bits,
    const,
    fma,
    from_bits,
    largest,
    make,
    polynomial,
    select,
)
from openaclnn.arithmetic.ratio import Algebra
from openaclnn.arithmetic.widths import F64


@dataclass(frozen=True)
class Angle:
    """n·π/2 + rest; of the integer n the two lowest bits count."""

    n: Node
    rest: Node


@dataclass(frozen=True)
class Coefficients:
    """How sines and cosines of a rest are computed in one width."""

    half_pi: tuple[float, ...]  # as a sum of parts
    far: float  # beyond it their products with n are not exact enough
    sine: tuple[float, ...]  # r + r³·(…)
    cosine: tuple[float, ...]  # 1 − r²/2 + r⁴·(…)


_PARTS = (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15)
_SHORT = Coefficients(
    half_pi=_PARTS,
    far=2.0**16,
    sine=(-0.166634071389268886, 0.00816326766713366572),  # 2⁻¹⁹
    cosine=(0.0416611923743287542, -0.00136505703351723072),  # 2⁻²³·⁷
)
COEFFICIENTS = {
    "f32": Coefficients(
        half_pi=_PARTS,
        far=2.0**16,
        sine=(-0.166666546623652789, 0.00833215965069313224, -0.000195147172703777118),  # 2⁻²⁸
        cosine=(0.0416666463882181987, -0.00138873431449893192, 2.44355613798278352e-5),  # 2⁻³³
    ),
    "f32 for BF16": _SHORT,
    "f32 for FLOAT16": _SHORT,
    "f64 for FLOAT": Coefficients(
        half_pi=(1.5707963267948966, 6.123233995736766e-17),
        far=2.0**28,
        sine=(
            -0.166666666408330134, 0.00833332929159045089, -0.000198393039914524612,
            2.71801403150069767e-6,
        ),  # 2⁻³⁷·⁵
        cosine=(0.0416666463882181987, -0.00138873431449893192, 2.44355613798278352e-5),  # 2⁻³³
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
    width = algebra.width
    shifted = fma(x, 2 / math.pi, width.magic)
    count, rest = shifted - width.magic, x
    for part in using.half_pi:
        rest = fma(count, -part, rest)
    near = Angle(bits(shifted), rest)
    if largest(x) <= using.far:
        return near
    is_far = (before_widening(x) or x) > using.far
    algebra.seldom(is_far)
    if not width.guarded:
        return near
    far = _far(x)
    return Angle(select(is_far, far.n, near.n), select(is_far, far.rest, near.rest))


def sine_and_cosine(using: Coefficients, rest: Node) -> tuple[Node, Node]:
    """Of a rest."""
    square = rest * rest
    sine = fma(rest * square, polynomial(square, using.sine), rest)
    cosine = fma(square * square, polynomial(square, using.cosine), fma(square, -0.5, 1.0))
    return sine, cosine


def sine(using: Coefficients, angle: Angle, turn: int = 0) -> Node:
    """The sine of an angle, that many quarter turns on."""
    sine, cosine = sine_and_cosine(using, angle.rest)
    n = angle.n + turn if turn else angle.n
    size = int(n.type[1:])
    found = select(make("eq", "i1", n & 1, 0), sine, cosine)
    return from_bits(bits(found) ^ ((n & 2) << (size - 2)))


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
