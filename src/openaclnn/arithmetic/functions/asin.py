"""asin(x), with full relative accuracy for small x, and acos(x).

Up to 1/2, asin(x) is x + x³·P(x²) with minimax coefficients; beyond, π/2 − 2·asin(√((1 − x)/2)),
and acos(x), which is small there, twice the last.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    equal,
    fma,
    maximum,
    moderate_root,
    narrowed,
    polynomial,
    quotient,
    select,
    square_root,
    times_sign,
    widened,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.base.records import dataclass

_SHORT = (
    0.166655616930151657,
    0.0754098576192261513,
    0.0400028697563211350,
    0.0500215233738066194,
)  # 2⁻²³·³
COEFFICIENTS = {
    "f32": (
        0.166667540579758758, 0.0749523527935743801, 0.0454780760497657612, 0.0241420146578189958,
        0.0422292398601968017,
    ),  # 2⁻²⁷·⁵
    "f32 for BF16": _SHORT,
    "f32 for FLOAT16": _SHORT,
    "f64 for FLOAT": (
        0.166666671915526005, 0.0749994800826047244, 0.0446602055626909380, 0.0301097079049792452,
        0.0246219111862788534, 0.00745782112277780503, 0.0347069826657834041,
    ),  # 2⁻³⁵·⁸
}  # fmt: skip


@dataclass(frozen=True)
class _Arc:
    """Whether |x| > 1/2, and asin(|x|), there asin(√((1 − |x|)/2))."""

    large: Node
    angle: Node


def _arc(algebra: Algebra, name: str, size: Node) -> _Arc:
    terms, large = algebra.coefficients(name, COEFFICIENTS), size > 0.5
    algebra.seldom(~((before_widening(size) or size) < 1.0))
    if size.type == "f64":
        root = _root_in_float64(algebra, narrowed(size))
        square = root * root
    else:
        half = fma(size, -0.5, 0.5)
        square = select(large, half, size * size)
        root = square_root(half) if algebra.compute_type.guarded else moderate_root(half)
        root = select(large, root, size)
    return _Arc(large, fma(root * square, polynomial(square, terms), root))


def _root_in_float64(algebra: Algebra, size: Node) -> Node:
    """Of a float32: itself, beyond 1/2 √((1 − size)/2), to 2⁻⁴⁶. float32 has (1 − size)/2 exactly,
    its root's square leaves of that what float32 has exactly too, and the root is off by that
    divided by twice the root."""
    large, half, zero = size > 0.5, fma(size, -0.5, 0.5), const("f32", 0.0)
    positive = maximum(2.0**-60, half) if algebra.compute_type.guarded else half
    root = moderate_root(positive)
    off = fma(-root, root, positive) * (quotient(const("f32", 1.0), root) * 0.5)
    found = widened(select(large, root, size)) + widened(select(large, off, zero))
    if not algebra.compute_type.guarded:
        return found
    return select(half < 0.0, math.nan, select(equal(half, 0.0), 0.0, found))


def asin(algebra: Algebra, x: Node) -> Ratio:
    """asin(x) for any x: NaN beyond 1."""
    arc = _arc(algebra, "asin", abs(x))
    result = select(arc.large, fma(arc.angle, -2.0, math.pi / 2), arc.angle)
    return Ratio(times_sign(result, x))


def acos(algebra: Algebra, x: Node) -> Ratio:
    """acos(x) for any x: NaN beyond 1."""
    arc = _arc(algebra, "acos", abs(x))
    half = const(x.type, math.pi / 2)
    if not algebra.compute_type.full_precision:
        turn = times_sign(select(arc.large, 2.0, const(x.type, -1.0)), x)
        base = select(x < 0.0, math.pi, const(x.type, 0.0))
        return Ratio(fma(arc.angle, turn, select(arc.large, base, half)))
    missing = math.pi / 2 - float(half.value)  # what the type has no room for
    near_zero = half - (times_sign(arc.angle, x) - missing)
    below = fma(arc.angle, -2.0, 2 * float(half.value)) + 2 * missing
    return Ratio(select(arc.large, select(x > 0.0, arc.angle * 2.0, below), near_zero))
