"""atan(x), as exact relatively where x is small; and the angle of a point.

The tangent is turned by 0, 1/8 or 1/4 of a turn to a t of up to √2 − 1, and atan(t) is t + t³·P(t²)
with minimax coefficients.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.functions.in_float64 import in_float64
from openaclnn.arithmetic.nodes import Node, const, equal, fma, polynomial, select, times_sign
from openaclnn.arithmetic.ratio import Algebra, Ratio

_SHORT = (
    -0.333256123733173844,
    0.197160658052982372,
    -0.112330625577979860,
)  # 2⁻²⁰·⁵
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


def atan(algebra: Algebra, x: Node) -> Ratio:
    """atan(x) for any x."""
    terms = algebra.coefficients("atan", COEFFICIENTS)
    result = times_sign(slope_angle(terms, abs(x), const(x.type, 1.0)), x)
    algebra.promise({result: (-1.6, 1.6)})
    return Ratio(result)


def atan2(algebra: Algebra, y: Node, x: Node) -> Ratio:
    """The angle of the point (x, y), from -π to π, for any two numbers."""
    algebra.coefficients("atan2", COEFFICIENTS)
    return in_float64(algebra, _of_point, y, x)


def _of_point(algebra: Algebra, y: Node, x: Node) -> Node:
    one = const("f64", 1.0)
    infinite = equal(abs(y), math.inf) & equal(abs(x), math.inf)
    rise, run = (select(infinite, one, abs(side)) for side in (y, x))
    angle = slope_angle(COEFFICIENTS["f64 for FLOAT"], rise, run)
    angle = select(times_sign(one, x) < 0.0, math.pi - angle, angle)
    return select(equal(x, x), times_sign(angle, y), x)


def slope_angle(terms: tuple[float, ...], rise: Node, run: Node) -> Node:
    """atan(rise/run) of two numbers that are not negative, and 0 where both are 0."""
    type = rise.type
    low = run * _EIGHTH >= rise
    high = run < rise * _EIGHTH
    over = select(low, rise, select(high, -run, rise - run))
    under = select(low, run, select(high, rise, rise + run))
    t = over / select(equal(under, 0.0), const(type, 1.0), under)
    square = t * t
    found = fma(t * square, polynomial(square, terms), t)
    zero, quarter, half = (const(type, value) for value in (0.0, math.pi / 4, math.pi / 2))
    return select(low, zero, select(high, half, quarter)) + found
