"""atan(x), with full relative accuracy for small x; and the angle of a point.

The tangent is turned by 0, 1/8 or 1/4 of a turn to a t of up to √2 − 1, and atan(t) is t + t³·P(t²)
with minimax coefficients; for results of 16 bits by 0 or 1/4 to a t of up to 1.
"""

from __future__ import annotations

import math
from functools import reduce

from openaclnn.arithmetic.nodes import (
    Node,
    const,
    equal,
    fma,
    make,
    minimum,
    polynomial,
    quotient,
    select,
    times_sign,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio

_SHORT = (
    -0.333256123733173844,
    0.197160658052982372,
    -0.112330625577979860,
)  # 2⁻²⁰·⁵
_UP_TO_ONE = (
    -0.3332849193667409,
    0.19897873188003384,
    -0.13544575597537012,
    0.0848410279503723,
    -0.03779670964353427,
    0.008106364136855105,
)  # 2⁻²⁰·³
COEFFICIENTS = {
    "f32": (
        -0.333333154888588221, 0.199984883484155200, -0.142438267544040797, 0.105958293440225956,
        -0.0608299430203255381,
    ),  # 2⁻³⁰·⁵
    "f32 for BF16": _SHORT,
    "f32 for FLOAT16": _SHORT,
    "f64 for FLOAT": (
        -0.333333325137044419, 0.199999051010935263, -0.142820394748976961, 0.110450595933149509,
        -0.0847820708794939080, 0.0474784462138696573,
    ),  # 2⁻³⁵·³
}  # fmt: skip
_EIGHTH = math.sqrt(2) - 1  # the tangent of half an eighth of a turn
_BASES = 0.0, math.pi / 4, math.pi / 2
_MODERATE, _LARGE = 2.0**40, 2.0**100
_FAR = 2.0**300  # beside it any float32 is nothing


def atan(algebra: Algebra, x: Node) -> Ratio:
    """atan(x) for any x."""
    terms = algebra.coefficients("atan", COEFFICIENTS)
    size, one = minimum(_MODERATE, abs(x)), const(x.type, 1.0)
    if algebra.compute_type.type == "f32" and not algebra.compute_type.full_precision:
        large = size > 1.0
        angle = _turned(_UP_TO_ONE, select(large, quotient(one, size), size), const(x.type, 0.0))
        return Ratio(_promised(algebra, select(large, math.pi / 2 - angle, angle), x))
    zero, eighth, quarter = (const(x.type, value) for value in _BASES)
    low, high = make("le", "i1", size, _EIGHTH), size > 1 / _EIGHTH
    over, under = select(high, -one, size - 1.0), select(high, size, size + 1.0)
    t = select(low, size, algebra.quotient(over, under))
    base = select(low, zero, select(high, quarter, eighth))
    return Ratio(_promised(algebra, _turned(terms, t, base), x))


def _promised(algebra: Algebra, size: Node, x: Node) -> Node:
    result = times_sign(size, x)
    algebra.promise({result: (-1.6, 1.6)})
    return result


def atan2(algebra: Algebra, y: Node, x: Node) -> Ratio:
    """The angle of the point (x, y), from -π to π, for any two numbers."""
    terms, compute_type = algebra.coefficients("atan2", COEFFICIENTS), algebra.compute_type
    rise, run, one = abs(y), abs(x), const(x.type, 1.0)
    zero, eighth, quarter = (const(x.type, value) for value in _BASES)
    if compute_type.type == "f32":
        extreme = [side < 1 / _MODERATE for side in (rise, run)]
        extreme += [side > _MODERATE for side in (rise, run)]
        algebra.seldom(reduce(Node.__or__, extreme))
    if compute_type.guarded:
        rise, run = _moderate(rise, run)
    low, high = run * _EIGHTH >= rise, run < rise * _EIGHTH
    over = select(low, rise, select(high, -run, rise - run))
    under = select(low, run, select(high, rise, rise + run))
    guarded = compute_type.guarded and compute_type.type == "f32"
    t = times_sign(over / under if guarded else quotient(over, under), x)
    back = times_sign(one, x) < 0.0
    base = select(low, select(back, math.pi, zero), select(back, 0.75 * math.pi, eighth))
    return Ratio(times_sign(_turned(terms, t, select(high, quarter, base)), y))


def _moderate(rise: Node, run: Node) -> tuple[Node, Node]:
    """The sides of a triangle with the same angle, so that neither sums nor products of theirs
    leave the range; a point is one whose angle is 0."""
    one = const(rise.type, 1.0)
    run = select(equal(rise + run, 0.0), one, run)
    if rise.type == "f64":
        return minimum(_FAR, rise), minimum(_FAR, run)
    infinite = equal(rise, math.inf) & equal(run, math.inf)
    rise, run = select(infinite, one, rise), select(infinite, one, run)
    large = (rise > _LARGE) | (run > _LARGE)
    small = (rise < 1 / _MODERATE) & (run < 1 / _MODERATE)
    scale = select(large, 2.0**-30, select(small, _MODERATE, one))
    return rise * scale, run * scale


def _turned(terms: tuple[float, ...], t: Node, base: Node) -> Node:
    """atan(t) and an angle."""
    square = t * t
    return base + fma(t * square, polynomial(square, terms), t)
