"""The exponential from basic operations, in float32 and float64.

e^-y = 2^n·e^-r with |r| <= ln(2)/2, and e^-r = (A − r·B)/(A + r·B) with A and B polynomials in r².
A formula seldom wants e^-y alone: in e/(1 + e) the divisor A + r·B cancels, and half the operations
of a polynomial for e^-r remain. The coefficients are minimax; the tests measure what they achieve.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

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
)


@dataclass(frozen=True)
class Width:
    """What differs between the compute types."""

    type: str
    mantissa: int  # stored bits
    bias: int
    magic: float  # added to a small number, leaves its nearest integer in the lowest bits
    ln2: tuple[float, ...]  # ln 2 as a sum of parts, the first with as many bits as a product keeps
    even: tuple[float, ...]  # A's coefficients …
    odd: tuple[float, ...]  # … and B's
    deepest: float  # e^-y is computed down to this y
    common: float  # up to this one it needs no care
    token: float = 1.0  # beyond `deepest`, a significand that is not 0 stands for it
    deep: bool = False  # whether 2^-deepest lies below the type's range
    tight: bool = False  # whether results have as many bits: a rounding too many would show
    root_radius: float = 0.0  # a `near` takes the series within this distance of the root …
    root_terms: int = 0  # … as a polynomial of so many terms
    guarded: bool = True  # whether y may lie beyond `common`

    def unguarded(self) -> Width:
        """For y up to `common`: the same bits for less."""
        return replace(self, deep=False, guarded=False)


# Where there is no series, the coefficients see to the root of silu's slope: the error of e^-r is
# zero there, and its roundings come out right for the one float32 (float16) next to it.
F64 = Width(
    type="f64",
    mantissa=52,
    bias=1023,
    magic=1.5 * 2.0**52,
    # one part: n·2⁻⁵⁴ off, 2⁻⁴⁵ at worst where float32 results need 2⁻³⁰
    ln2=(0.6931471805599453,),
    even=(120.16703012490738, 12.013907242656477),
    odd=(60.08351500786608, 1.0),  # 2⁻³²·⁹
    deepest=300.0,  # 2⁻⁴³³: two float32 times that are none, and the square of 2⁴³³ has room
    common=256.0,
)

F32 = Width(
    type="f32",
    mantissa=23,
    bias=127,
    magic=1.5 * 2.0**23,
    ln2=(0.693359375, -0.00021219444),
    even=(120.18038177490234, 12.015016796768590381),
    odd=(60.09019088745117, 1.0),  # 2⁻³³
    deepest=340.0,  # 2⁻⁴⁹¹: as far as the steps of `scale` go
    common=80.0,
    token=2.0**-30,  # times the first of them a float32 still, times 2¹²⁸·2¹²⁸·2⁻⁴⁹¹ none any more
    deep=True,
    tight=True,
    root_radius=0.025,
    root_terms=3,
)

# results of 16 bits need 2⁻¹⁸: one part of ln 2 and shorter polynomials will do
F32_FOR_BF16 = replace(
    F32,
    ln2=(0.6931471805599453,),
    even=(12.02148151397705, 1.0),
    odd=(6.0107293128967285,),  # 2⁻²⁰
    tight=False,
    root_radius=0.0,
    root_terms=0,
)

# and float16 ends at 2⁻²⁴: what lies below 2⁻¹²⁶ never counts
F32_FOR_FLOAT16 = replace(F32_FOR_BF16, deepest=87.0, token=1.0, deep=False)


def power_of_two(width: Width, shifted: Node) -> Node:
    """2^n for the integer n that `shifted` = magic + n carries in its lowest bits."""
    one = width.bias << width.mantissa
    return from_bits((bits(shifted) << width.mantissa) + one)


@dataclass(frozen=True)
class Exponential:
    """e^-y = over/under · 2^exponent, where 2^exponent may lie far below the type's range.

    At y = inf `over` is 0. `shifted` is magic + exponent.
    """

    over: Node
    under: Node
    exponent: Node
    shifted: Node


def exp_negative(width: Width, y: Node) -> Exponential:
    """e^-y for y >= 0."""
    if not width.guarded:
        return _exp(width, y)
    # for any y, A + r·B is to be less than 1: y times it stays finite
    exp = _exp(width, minimum(width.deepest, y), unit=2.0**-8)
    # an infinite gradient tells e^-inf, which is 0, from a tiny number: inf·0 is NaN
    beyond = select(equal(y, math.inf), const(width.type, 0.0), width.token)
    return replace(exp, over=select(y > width.deepest, beyond, exp.over))


def exp_either(width: Width, y: Node) -> tuple[Node, Node]:
    """e^-y for y of either sign as dividend and divisor, in a type with room for it."""
    bounded = maximum(-width.deepest, minimum(width.deepest, y)) if width.guarded else y
    exp = _exp(width, bounded)
    over, under = times_power(width.unguarded(), exp.over, exp), exp.under
    if width.guarded:  # what is 0 or infinite is told from what is not
        over = select(equal(y, math.inf), 0.0, over)
        under = select(equal(y, -math.inf), 0.0, under)
    return over, under


def _exp(width: Width, y: Node, unit: float = 1.0) -> Exponential:
    """e^-y for |y| <= deepest; `unit`, a power of 2, scales `over` and `under`."""
    shifted = fma(y, -1 / math.log(2), width.magic)
    exponent = shifted - width.magic
    r = y
    for part in width.ln2:
        r = fma(exponent, part, r)
    square = r * r
    even, odd = (
        polynomial(square, tuple(c * unit for c in coefficients))
        for coefficients in (width.even, width.odd)
    )
    return Exponential(fma(-r, odd, even), fma(r, odd, even), exponent, shifted)


def times_power(width: Width, x: Node, exp: Exponential) -> Node:
    """x · 2^exponent as a plain number."""
    if not width.guarded:  # x is of order 1 and the power in range: the exponents may be added
        return from_bits(bits(x) + (bits(exp.shifted) << width.mantissa))
    shifted = exp.shifted
    if width.deep:  # -127 gives the bits of 0: beside 1, what is that small counts as nothing
        shifted = maximum(width.magic - width.bias, shifted)
    return x * power_of_two(width, shifted)


def scale(width: Width, factor: Node, x: Node, exponent: Node) -> Node:
    """factor · x · 2^exponent for |x·2^exponent| of order 1 at most.

    2^exponent may be no number of its own: one part of it is applied before the factor, which
    might overflow with x alone, and the rest after it in three equal steps.
    """
    beyond = minimum(0.0, exponent + 118.0)
    shifted = fma(beyond, 1 / 3, width.magic)
    third = shifted - width.magic
    last = power_of_two(width, shifted)
    first = power_of_two(width, fma(third, -3.0, exponent) + width.magic)
    return factor * (x * first) * last * last * last
