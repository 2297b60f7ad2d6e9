"""e^x.

With y = -x, e^-y = 2^n·e^-r with |r| <= ln(2)/2, and e^-r = (A − r·B)/(A + r·B) with A and B
polynomials in r². A formula seldom wants e^-y alone: in e/(1 + e) the divisor A + r·B cancels, and
half the operations of a polynomial for e^-r remain. Where it is wanted alone, a polynomial takes no
division. The coefficients are minimax; the tests measure what they achieve.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    equal,
    fma,
    largest,
    make,
    maximum,
    minimum,
    polynomial,
    select,
)
from openaclnn.arithmetic.ranges import Case, Interval
from openaclnn.arithmetic.ratio import BESIDE_ONE, Algebra, Ratio
from openaclnn.arithmetic.scaling import MOST, Power, power_of_two, times_power
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Coefficients:
    """How e^-y is computed in one compute type."""

    ln2: tuple[float, ...]  # ln 2 as a sum of parts, the first with as many bits as a product keeps
    even: tuple[float, ...]  # A's coefficients …
    odd: tuple[float, ...]  # … and B's
    max_y: float  # up to which y >= 0 it is computed
    fast_below: float  # up to this |y| it needs no care
    underflow_stand_in: float = 1.0  # beyond `max_y`, a significand that is not 0 stands for it


_MAX_Y = math.floor(MOST * math.log(2))  # in float32
_UNIT = 2.0**-8  # what guarded dividends and divisors are scaled by: they are less than 1

# Where there is no series, the coefficients see to the root of silu's slope: the error of e^-r is
# zero there, and its roundings come out right for the one float32 (float16) next to it.
_SINGLE = Coefficients(
    ln2=(0.693359375, -0.00021219444),
    even=(120.18038177490234, 12.015016796768590381),
    odd=(60.09019088745117, 1.0),  # 2⁻³³
    max_y=_MAX_Y,
    fast_below=80.0,
    # times the first step of `scale` a float32 still, times 2¹²⁸·2¹²⁸·2⁻⁴⁹¹ none any more
    underflow_stand_in=2.0**-30,
)
# results of 16 bits need 2⁻¹⁸: one part of ln 2 and shorter polynomials will do
_SHORT = replace(
    _SINGLE,
    ln2=(0.6931471805599453,),
    even=(12.02148151397705, 1.0),
    odd=(6.0107293128967285,),  # 2⁻²⁰
)
COEFFICIENTS = {
    "f32": _SINGLE,
    "f32 for BF16": _SHORT,
    "f32 for FLOAT16": replace(_SHORT, max_y=87.0, underflow_stand_in=1.0),
    "f64 for FLOAT": Coefficients(
        # one part: n·2⁻⁵⁴ off, 2⁻⁴⁵ at worst where float32 results need 2⁻³⁰
        ln2=(0.6931471805599453,),
        even=(120.16703012490738, 12.013907242656477),
        odd=(60.08351500786608, 1.0),  # 2⁻³²·⁹
        max_y=300.0,  # 2⁻⁴³³: two float32 times that are none, and the square of 2⁴³³ has room
        fast_below=256.0,
    ),
}

# e^-r alone: 1 − r + c₂·r² + …
ALONE = {
    "f32": (  # 2⁻²⁸
        1.0, -1.0, 0.4999999343208517, -0.16666520398689988, 0.0416683907923398,
        -0.008368745141672787, 0.0013814539756913373,
    ),
    "f32 for BF16": (  # 2⁻¹⁷·⁵
        1.0, -1.0, 0.5000512617751358, -0.16753600714606715, 0.04127736674405377,
    ),
    "f32 for FLOAT16": (  # 2⁻²³
        1.0, -1.0, 0.499992303050124, -0.16667115387145856, 0.041890332000364294,
        -0.008312501568350145,
    ),
    "f64 for FLOAT": (  # 2⁻³⁴
        1.0, -1.0, 0.500000006784027, -0.16666665867008726, 0.041666294362946756,
        -0.008333497340042455, 0.0013944703672692106, -0.00019790298854685187,
    ),
}  # fmt: skip
_UNDERFLOW = 120.0  # e^-120 is 0 in float32
_STEP = 100  # exponents that float32 has room for at once


def alone(algebra: Algebra, x: Node) -> Node:
    """e^x as a number, for an x that is not above 0: 1 where it is 0."""
    compute_type, using = algebra.compute_type, algebra.coefficients("exp", COEFFICIENTS)
    wide = compute_type.type == "f64"
    algebra.seldom(~make("le", "i1", const(compute_type.type, -using.fast_below), x))  # NaN as well
    y = minimum(using.max_y if wide else _UNDERFLOW, -x) if compute_type.guarded else -x
    r, power = reduced(compute_type, using, y)
    found = polynomial(r, ALONE[compute_type.name])
    if wide or not compute_type.guarded:
        return times_power(compute_type.unguarded(), found, power)
    first = power_of_two(compute_type, maximum(compute_type.magic - _STEP, power.shifted))
    return (
        found
        * first
        * power_of_two(compute_type, minimum(compute_type.magic, power.shifted + _STEP))
    )


def as_number(algebra: Algebra, x: Node) -> Node:
    """e^x for any x as a number for FLOAT, in float64."""
    compute_type, using, y = algebra.compute_type, algebra.coefficients("exp", COEFFICIENTS), -x
    falling = algebra.ranges.within(y, 0.0, math.inf)
    algebra.seldom((before_widening(abs(y)) or abs(y)) > using.fast_below)
    r, power = reduced(compute_type, using, _bounded(compute_type, using, y, falling))
    found = times_power(compute_type.unguarded(), polynomial(r, ALONE[compute_type.name]), power)
    if compute_type.guarded:  # what is 0 or infinite is told from what is not
        found = select(equal(y, math.inf), 0.0, found)
        if not falling:
            found = select(equal(y, -math.inf), math.inf, found)
    usual, most = (2.0 ** math.ceil(end / math.log(2)) for end in (using.fast_below, using.max_y))
    ends = [(1 / room, 1.0 if falling else room) for room in (usual, most)]
    cases: list[Case] = [
        {y: (-using.fast_below, using.fast_below), found: ends[0]},
        {y: (-largest(y), largest(y)), found: ends[1]},
        {y: (math.inf, math.inf), found: (0.0, 0.0)},
        {y: (-math.inf, -math.inf), found: (math.inf, math.inf)},
    ]
    algebra.promise(*(cases[: 3 if falling else 4] if compute_type.guarded else cases[:1]))
    algebra.sizable.add(found)
    return found


def _bounded(compute_type: ComputeType, using: Coefficients, y: Node, falling: bool) -> Node:
    """A y that float64 has room for e^-y of."""
    if not compute_type.guarded:
        return y
    bounded = minimum(using.max_y, y)
    return bounded if falling else maximum(-using.max_y, bounded)


def exp(algebra: Algebra, x: Node) -> Ratio:
    """e^x for any x."""
    compute_type, coefficients = algebra.compute_type, algebra.coefficients("exp", COEFFICIENTS)
    y, fast_below = -x, coefficients.fast_below
    falling = algebra.ranges.within(y, 0.0, math.inf)
    if compute_type.type == "f32" and not falling:
        fast_below /= 2  # what is large is multiplied by other numbers
    size = before_widening(abs(y)) or abs(y)
    # as well as a NaN, but for FLOAT in float32: there it is the result that is looked at
    rare = size > fast_below if compute_type.full_precision else ~make("le", "i1", size, fast_below)
    algebra.seldom(rare)
    if compute_type.type == "f64":
        return _with_room(algebra, coefficients, y, falling)
    if not compute_type.guarded:
        found = _unguarded(algebra, coefficients, y, falling)
    else:
        found = (_falling if falling else _of_either_sign)(algebra, coefficients, y)
    return replace(found, rough=not compute_type.full_precision)


@dataclass(frozen=True)
class _Exponential:
    """e^-y = over/under · power."""

    over: Node
    under: Node
    power: Power


def _expanded(
    compute_type: ComputeType, using: Coefficients, y: Node, unit: float = 1.0
) -> _Exponential:
    """e^-y for |y| <= max_y; `unit`, a power of 2, scales `over` and `under`."""
    r, power = reduced(compute_type, using, y)
    square = r * r
    even, odd = (
        polynomial(square, tuple(c * unit for c in coefficients))
        for coefficients in (using.even, using.odd)
    )
    return _Exponential(fma(-r, odd, even), fma(r, odd, even), power)


def reduced(compute_type: ComputeType, using: Coefficients, y: Node) -> tuple[Node, Power]:
    """r and 2^n with e^-y = 2^n·e^-r."""
    shifted = fma(y, -1 / math.log(2), compute_type.magic)
    exponent = shifted - compute_type.magic
    r = y
    for part in using.ln2:
        r = fma(exponent, part, r)
    return r, Power(exponent, shifted)


def _limits(using: Coefficients, unit: float = 1.0) -> Interval:
    """Between which `over` and `under` lie."""
    r = 0.36  # some more than ln(2)/2
    even, odd = (
        sum(c * r ** (2 * n) for n, c in enumerate(coefficients)) * unit
        for coefficients in (using.even, using.odd)
    )
    return even - r * odd, even + r * odd


def _unguarded(algebra: Algebra, using: Coefficients, y: Node, falling: bool) -> Ratio:
    """For |y| <= fast_below in float32."""
    found = _expanded(algebra.compute_type, using, y)
    over = times_power(algebra.compute_type, found.over, found.power)
    low, high = both = _limits(using)
    end = using.fast_below if falling else using.fast_below / 2
    most = 2.0 ** (end / math.log(2) + 1)
    ends, largest = ((0.0, end), high) if falling else ((-end, end), high * most)
    algebra.promise({y: ends, over: (low / most, largest), found.under: both})
    algebra.sizable |= {over, found.under}
    power = replace(found.power, upward=not falling, y=y)
    kept = algebra.compute_type.extends_range or not falling
    return Ratio(over, (found.under,), power if kept else None)


def _falling(algebra: Algebra, using: Coefficients, y: Node) -> Ratio:
    """For y >= 0 in float32."""
    compute_type = algebra.compute_type
    # for any y, A + r·B is to be less than 1: y times it stays finite
    found = _expanded(compute_type, using, minimum(using.max_y, y), _UNIT)
    # an infinite gradient tells e^-inf, which is 0, from a tiny number: inf·0 is NaN
    beyond = select(equal(y, math.inf), const(compute_type.type, 0.0), using.underflow_stand_in)
    over, under = select(y > using.max_y, beyond, found.over), found.under
    both = _limits(using, _UNIT)
    ends = sorted({0.0, using.fast_below, BESIDE_ONE, using.max_y})
    cases: list[Case] = [{y: ends, over: both, under: both} for ends in pairwise(ends)]
    stand_in = (0.0, using.underflow_stand_in)
    cases.append({y: (using.max_y, largest(y)), over: stand_in, under: both})
    cases.append({y: (math.inf, math.inf), over: (0.0, 0.0), under: both})
    algebra.promise(*cases)
    algebra.sizable |= {over, under}
    if compute_type.extends_range:
        return Ratio(over, (under,), replace(found.power, y=y))
    over = times_power(compute_type, over, found.power)
    algebra.promise({over.args[1]: (0.0, 1.0)})
    algebra.sizable.add(over)
    return Ratio(over, (under,))


def _of_either_sign(algebra: Algebra, using: Coefficients, y: Node) -> Ratio:
    """For any y in float32, which has no room for the result."""
    found = _expanded(algebra.compute_type, using, maximum(-_MAX_Y, minimum(_MAX_Y, y)), _UNIT)
    over = select(equal(y, math.inf), 0.0, found.over)
    over, under = select(equal(y, -math.inf), math.inf, over), found.under
    both, end = _limits(using, _UNIT), using.fast_below / 2
    algebra.promise(
        {y: (-end, end), over: both, under: both},
        {y: (-largest(y), BESIDE_ONE), over: both, under: both},
        {y: (BESIDE_ONE, largest(y)), over: both, under: both},
        {y: (math.inf, math.inf), over: (0.0, 0.0), under: both},
        {y: (-math.inf, -math.inf), over: (math.inf, math.inf), under: both},
    )
    algebra.sizable |= {over, under}
    return Ratio(over, (under,), replace(found.power, upward=True, y=y))


def _with_room(algebra: Algebra, using: Coefficients, y: Node, falling: bool) -> Ratio:
    """For any y in float64, which has room for the result."""
    compute_type, guarded = algebra.compute_type, algebra.compute_type.guarded
    found = _expanded(compute_type, using, _bounded(compute_type, using, y, falling))
    over, under = times_power(compute_type.unguarded(), found.over, found.power), found.under
    if guarded:  # what is 0 or infinite is told from what is not
        over = select(equal(y, math.inf), 0.0, over)
        if not falling:
            under = select(equal(y, -math.inf), 0.0, under)
    low, high = both = _limits(using)
    usual, most = (2.0 ** math.ceil(end / math.log(2)) for end in (using.fast_below, using.max_y))
    end = using.fast_below
    cases: list[Case] = [
        {y: (-end, end), over: (low / usual, high * usual), under: both},
        {y: (-largest(y), largest(y)), over: (low / most, high * most), under: both},
        {y: (math.inf, math.inf), over: (0.0, 0.0), under: both},
    ]
    if not falling:
        cases.append(
            {y: (-math.inf, -math.inf), over: (low * most / 2, high * most), under: (0.0, 0.0)}
        )
    algebra.promise(*(cases if guarded else cases[:1]))
    algebra.sizable |= {over, under}
    return Ratio(over, (under,))
