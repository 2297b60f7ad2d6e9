"""e^x − 1, with full relative accuracy for small x.

x = n·ln(2) + r with |r| <= ln(2)/2, and e^r = (h + r)/(h − r) for h = r·coth(r/2), which is 2 and a
polynomial in r² without its constant. So e^x − 1 = ((2^n + 1)·r − (1 − 2^n)·h)/(h − r): nothing is
lost for n = 0, where the second term is 0, and not much for others. In float64 a polynomial for
e^r − 1 takes fewer operations than the quotient.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    equal,
    fma,
    maximum,
    minimum,
    polynomial,
    select,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.scaling import power_of_two
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Coefficients:
    """How e^x − 1 is computed in one compute type."""

    ln2: tuple[float, ...]  # ln 2 as a sum of parts; none is negative, which keeps the sign of 0
    h: tuple[float, ...]
    lowest: float  # below it the result is -1
    highest: float  # above it the result counts as infinite
    fast_below: float  # up to this |x| it needs no care


_SINGLE = Coefficients(
    ln2=(0.693115234375, 3.1946184945309e-05),
    h=(2.0, 0.16666623876735966, -0.0027665476071749379),  # 2⁻²⁸·⁵
    lowest=-64.0,
    highest=89.5,
    fast_below=80.0,
)
COEFFICIENTS = {
    "f32": _SINGLE,
    "f32 for BF16": _SINGLE,
    "f32 for FLOAT16": _SINGLE,
    "f64 for FLOAT": Coefficients(
        ln2=(0.6931471805599453,),
        h=(2.0, 0.16666666610851082, -0.0027777503471481350, 6.5751193429353801e-05),  # 2⁻³⁹
        lowest=-300.0,
        highest=300.0,
        fast_below=256.0,
    ),
}
_SERIES = (  # of (e^r − 1)/r, 2⁻³⁶
    1.0, 0.5, 0.16666666719112208, 0.041666666719095496, 0.008333298432837545,
    0.001388885399872006, 0.00019899316337192174, 2.4859620581890567e-05,
)  # fmt: skip
_DOWN = 64.0  # what exponents that are too large are reduced by


def expm1(algebra: Algebra, x: Node) -> Ratio:
    """e^x − 1 for any x."""
    using, compute_type = algebra.coefficients("expm1", COEFFICIENTS), algebra.compute_type
    algebra.seldom((before_widening(abs(x)) or abs(x)) > using.fast_below)
    if not compute_type.guarded:
        return Ratio((_series if compute_type.type == "f64" else _quotient)(algebra, using, x))
    bounded = maximum(using.lowest, minimum(using.highest, x))
    if compute_type.type == "f64":
        return Ratio(select(equal(x, math.inf), x, _series(algebra, using, bounded)))
    large = x > using.fast_below
    reduced = _quotient(algebra, using, bounded, large)
    return Ratio(reduced * select(large, const(compute_type.type, 2.0**_DOWN), 1.0))


def _series(algebra: Algebra, using: Coefficients, x: Node) -> Node:
    """e^x − 1 for an x within limits, in float64."""
    compute_type = algebra.compute_type
    shifted, r = parted(compute_type, using, x)
    power = power_of_two(compute_type, shifted)
    # of zeros, -(1 − 1) is the one that leaves the sign of r
    return fma(power, r * polynomial(r, _SERIES), -(1.0 - power))


def _quotient(algebra: Algebra, using: Coefficients, x: Node, large: Node | None = None) -> Node:
    """e^x − 1 for an x within limits; where that is large, the 2^64th part of it."""
    compute_type = algebra.compute_type
    shifted, h, r = reduced(compute_type, using, x)
    one = const(compute_type.type, 1.0)
    if large is not None:
        shifted = shifted - select(large, const(compute_type.type, _DOWN), 0.0)
        one = select(large, const(compute_type.type, 2.0**-_DOWN), one)
    power = power_of_two(compute_type, shifted)
    # of zeros, (1 − 1)·-h is the one that leaves the sign of r
    # and what is tiny is divided by 2
    return algebra.quotient(fma(one - power, -h, (power + one) * r), h - r)


def reduced(compute_type: ComputeType, using: Coefficients, x: Node) -> tuple[Node, Node, Node]:
    """The integer n, added to the compute type's magic number, then h and r."""
    shifted, r = parted(compute_type, using, x)
    return shifted, polynomial(r * r, using.h), r


def parted(compute_type: ComputeType, using: Coefficients, x: Node) -> tuple[Node, Node]:
    """n, added to the magic number, and r."""
    shifted = fma(x, 1 / math.log(2), compute_type.magic)
    n, r = shifted - compute_type.magic, x
    for part in using.ln2:
        r = fma(n, -part, r)
    return shifted, r
