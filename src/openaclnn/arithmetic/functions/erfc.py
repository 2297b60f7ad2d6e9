"""erfc(x) = 1 − erf(x), with full relative accuracy where it is small.

It is e^(-x²)·R((x − c)/(x + c)) for x above 0, where R is a minimax polynomial, and 2 less that
below.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.functions import exp2
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    fma,
    minimum,
    mixed_polynomial,
    narrowed,
    polynomial,
    quotient,
    select,
    widened,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.scaling import Power, power_of_two, times_power
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Coefficients:
    """How erfc is computed in one compute type."""

    factor: tuple[float, ...]  # R's
    center: float
    end: float  # beyond it the result is 0
    fast_below: float  # up to this |x| it needs no care


COEFFICIENTS = {
    "f32": Coefficients(
        factor=(
            0.17900115126447716, -0.3262335638265277, 0.24560379757981637, -0.15011578181395335,
            0.07166586400483296, -0.0243942317550294, 0.004268876824454051, 0.0007157321709513908,
            -0.0005945700926652613, 2.8878332436744596e-05, 5.591491322629407e-05,
        ),  # 2⁻²⁹·⁴
        center=3.0,
        end=10.2,
        fast_below=9.0,
    ),
    "f32 for BF16": Coefficients(
        factor=(
            0.2108064257615247, -0.37172497713013597, 0.2516931500410709, -0.1251994766691841,
            0.04009051593897175, -0.0033446238771230982, -0.002853300125284399,
        ),  # 2⁻¹⁷·⁴
        center=2.5,
        end=10.2,
        fast_below=9.0,
    ),
    "f32 for FLOAT16": Coefficients(
        factor=(
            0.21080655152639746, -0.3717367360628481, 0.25169778524766273, -0.1250307545427856,
            0.04011149651739712, -0.0038787775535715444, -0.0032612045779855763,
        ),  # 2⁻²⁰·¹ up to 5.7, beyond which no product with it counts
        center=2.5,
        end=10.2,
        fast_below=9.0,
    ),
    "f64 for FLOAT": Coefficients(
        factor=(
            0.17900115118672255, -0.32623356026985423, 0.2456038013496553, -0.15011592583703381,
            0.07166584014568043, -0.024392639455253353, 0.004269127018416676,
            0.0007085448772137275, -0.0005969685602361031, 4.296759087662722e-05,
            6.346656909205949e-05, -9.530618399646097e-06, -6.561342574553396e-06,
        ),  # 2⁻³³·⁵
        center=3.0,
        end=17.0,
        fast_below=17.0,
    ),
}  # fmt: skip


_LOG2_E, _LOG2_E_LOW = 1.4426950216293335, 1.925963033500912e-08  # the first is a float32
_LOG2_E_WIDE = 1 / math.log(2)
_WIDE_TERMS, _WIDE_POWER = 7, 4
_DOWN = 64.0  # what exponents that float32 has no room for are raised by


def erfc(algebra: Algebra, x: Node) -> Ratio:
    """erfc(x) for any x."""
    using, compute_type = algebra.coefficients("erfc", COEFFICIENTS), algebra.compute_type
    if compute_type.type == "f64":
        return Ratio(_in_float64(algebra, using, x))
    x, scale = (x, 1.0) if compute_type.full_precision else _apart(x)
    size, center, end = abs(x), using.center / abs(scale), using.end / abs(scale)
    far = size > using.fast_below / abs(scale)
    algebra.seldom(far)
    bounded = minimum(end, size) if compute_type.guarded else size
    square, factor = bounded * bounded, -(scale**2) * _LOG2_E
    shifted = fma(square, factor, compute_type.magic)
    rest = fma(square, factor, compute_type.magic - shifted)
    if compute_type.full_precision:  # what the factor and the square were rounded by
        rest = fma(square, -_LOG2_E_LOW, rest)
        rest = fma(fma(bounded, bounded, -square), -_LOG2_E, rest)
        t = algebra.quotient(bounded - center, bounded + center)
    else:
        t = fma(quotient(const("f32", 1.0), bounded + center), -2 * center, 1.0)
    tail, share = (
        polynomial(rest, exp2.COEFFICIENTS[compute_type.name]),
        polynomial(t, using.factor),
    )
    if compute_type.guarded:
        zero, one = const("f32", 0.0), const("f32", 1.0)
        found = tail * share * power_of_two(compute_type, shifted + select(far, _DOWN, zero))
        found = found * select(far, 2.0**-_DOWN, one)
    else:
        found = times_power(compute_type, tail, Power(square, shifted)) * share
    return Ratio(select(x < 0.0 if scale > 0 else x > 0.0, 2.0 - found, found))


def _in_float64(algebra: Algebra, using: Coefficients, x: Node) -> Node:
    compute_type, (x, scale) = algebra.compute_type, _apart(x)
    center, end = using.center / abs(scale), using.end / abs(scale)
    single, bounded = before_widening(abs(x)), minimum(end, abs(x))
    if single is not None:
        single = minimum(end, single)
        bounded = widened(single)
    square, factor = bounded * bounded, -(scale**2) * _LOG2_E_WIDE
    shifted = fma(square, factor, compute_type.magic)
    rest = fma(square, factor, compute_type.magic - shifted)
    terms = exp2.COEFFICIENTS[compute_type.name]
    power = mixed_polynomial(rest, narrowed(rest), terms, _WIDE_POWER)
    power = times_power(compute_type.unguarded(), power, Power(square, shifted))
    # (x − c)/(x + c) is 1 − 2c/(x + c)
    rough = quotient(const("f32", 1.0), (single or narrowed(bounded)) + center)
    inverse = widened(rough)
    inverse = fma(inverse, fma(-(bounded + center), inverse, 1.0), inverse)
    t, rough = (fma(of, -2 * center, 1.0) for of in (inverse, rough))
    found = power * mixed_polynomial(t, rough, using.factor, _WIDE_TERMS)
    return select(x < 0.0 if scale > 0 else x > 0.0, 2.0 - found, found)


def _apart(x: Node) -> tuple[Node, float]:
    """A float32 and the constant that it was multiplied by: with one in the constants here, less is
    left to do."""
    single = x.type == "f32" or (x.op == "mul" and before_widening(x.args[0]) is not None)
    if x.op == "mul" and x.args[1].op == "const" and single:
        return x.args[0], float(x.args[1].value)
    return x, 1.0
