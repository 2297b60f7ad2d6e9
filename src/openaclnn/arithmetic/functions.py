"""Exponential, reciprocal and sigmoid from basic operations, in float32 and float64.

The coefficients are minimax; the tests measure what they achieve.
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
    reciprocal,
    select,
)


@dataclass(frozen=True)
class Width:
    """What differs between the two compute types."""

    type: str
    mantissa: int  # stored bits
    bias: int
    magic: float  # added to a small number, leaves its nearest integer in the lowest bits
    ln2: tuple[float, ...]  # ln 2 as a sum of parts, the first with as many bits as a product keeps
    exp: tuple[float, ...]  # coefficients of e^-r for |r| <= ln(2)/2
    deepest: float  # e^-y is computed down to this y …
    token: float  # … beyond it, a significand that is not 0 stands for it
    deep: bool  # whether 2^-deepest lies below the type's range
    common: float  # up to this y none of that matters
    root_radius: float  # a `near` takes the series within this distance of the root …
    root_terms: int  # … as a polynomial of so many terms
    rare_root: bool = False  # whether that is too seldom to be on the common path
    guarded: bool = True  # whether y may lie beyond `common`

    def unguarded(self) -> Width:
        """For y up to `common` and no rare root: the same bits for less."""
        return replace(self, deep=False, guarded=False)


F64 = Width(
    type="f64",
    mantissa=52,
    bias=1023,
    magic=1.5 * 2.0**52,
    # one part: n·2⁻⁵⁴ off, 2⁻⁴⁵ at worst where float32 results need 2⁻³⁰
    ln2=(0.6931471805599453,),
    exp=(
        1.0000000000000129,
        -0.9999999999998926,
        0.4999999999945756,
        -0.16666666667827537,
        0.04166666703267265,
        -0.008333333002738108,
        0.0013888802795867918,
        -0.00019841596392152261,
        2.488402587225e-05,
        -2.748222454334163e-06,
    ),  # 2⁻⁴⁶
    deepest=708.0,
    token=1.0,
    deep=False,
    common=700.0,
    root_radius=2.0**-10,
    root_terms=3,
    rare_root=True,
)

F32 = Width(
    type="f32",
    mantissa=23,
    bias=127,
    magic=1.5 * 2.0**23,
    ln2=(0.693359375, -0.00021219444),
    exp=(
        1.0,
        -1.0000000363441963,
        0.4999999207639808,
        -0.16666420073316743,
        0.04166822586473486,
        -0.00837482400447856,
        0.0013836854249584273,
    ),  # 2⁻²⁹
    deepest=340.0,  # 2⁻⁴⁹¹: as far as the steps of `scale` go
    token=2.0**-30,  # times the first of them a float32 still, times 2¹²⁸·2¹²⁸·2⁻⁴⁹¹ none any more
    deep=True,
    common=80.0,
    root_radius=0.25,
    root_terms=5,
)

# results of 16 bits need 2⁻¹⁸: one part of ln 2 and a shorter polynomial will do
F32_FOR_BF16 = replace(
    F32,
    ln2=(0.6931471805599453,),
    exp=(
        1.0000000716966995,
        -0.9999996918042805,
        0.4999889441117217,
        -0.16667575097708862,
        0.041915431693834784,
        -0.008297647675106538,
    ),  # 2⁻²⁴
)

# and float16 ends at 2⁻²⁴: what lies below 2⁻¹²⁶ never counts
F32_FOR_FLOAT16 = replace(F32_FOR_BF16, deepest=87.0, token=1.0, deep=False)


def power_of_two(width: Width, shifted: Node) -> Node:
    """2^n for the integer n that `shifted` = magic + n carries in its lowest bits."""
    one = width.bias << width.mantissa
    return from_bits((bits(shifted) << width.mantissa) + one)


@dataclass(frozen=True)
class Exponential:
    """e^-y = significand · 2^exponent, where 2^exponent may lie far below the type's range.

    At y = inf the significand is 0. `shifted` is magic + exponent.
    """

    significand: Node
    exponent: Node
    shifted: Node


def exp_negative(width: Width, y: Node) -> Exponential:
    """e^-y for y >= 0."""
    clamped = minimum(width.deepest, y) if width.guarded else y
    shifted = fma(clamped, -1 / math.log(2), width.magic)
    exponent = shifted - width.magic
    r = clamped
    for part in width.ln2:
        r = fma(exponent, part, r)
    significand = polynomial(r, width.exp)
    if width.guarded:
        # an infinite gradient tells e^-inf, which is 0, from a tiny number: inf·0 is NaN
        beyond = select(equal(y, math.inf), const(width.type, 0.0), width.token)
        significand = select(y > width.deepest, beyond, significand)
    return Exponential(significand, exponent, shifted)


def scale(width: Width, factor: Node | None, x: Node, exponent: Node) -> Node:
    """factor · x · 2^exponent for |x·2^exponent| of order 1 at most.

    2^exponent may be no number of its own: one part of it is applied before the factor, which
    might overflow with x alone, and the rest after it in three equal steps.
    """
    beyond = minimum(0.0, exponent + 118.0)
    shifted = fma(beyond, 1 / 3, width.magic)
    third = shifted - width.magic
    last = power_of_two(width, shifted)
    first = power_of_two(width, fma(third, -3.0, exponent) + width.magic)
    scaled = x * first
    if factor is not None:
        scaled = factor * scaled
    return scaled * last * last * last


@dataclass(frozen=True)
class Sigmoid:
    """σ(z): as a number, and as significand · 2^exponent where it is too small for one."""

    value: Node
    significand: Node
    exponent: Node


def sigmoid(width: Width, z: Node) -> Sigmoid:
    """1/(1 + e^-z) with full relative accuracy at both ends.

    With e = e^-|z|: σ is 1/(1+e) on one side and e/(1+e) on the other.
    """
    exp = exp_negative(width, abs(z))
    shifted = exp.shifted
    if width.deep:  # -127 gives the bits of 0: beside 1, what is that small counts as nothing
        shifted = maximum(width.magic - width.bias, shifted)
    e = exp.significand * power_of_two(width, shifted)
    larger = reciprocal(e + 1.0)
    # σ(-x) asks the same question as σ(x), the other way round; at 0 both answers are right
    mirrored = z.op == "neg"
    below = (z.args[0] if mirrored else z) < 0.0

    def side(smaller: Node, larger: Node | float) -> Node:
        return select(below, larger, smaller) if mirrored else select(below, smaller, larger)

    return Sigmoid(
        value=side(e * larger, larger),
        significand=side(exp.significand * larger, larger),
        exponent=side(exp.exponent, 0.0),
    )
