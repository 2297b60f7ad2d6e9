"""ln(1 + x), with full relative accuracy for small x.

1 + x = 2^n·(1 + f) with f between -1/3 and 1/3, and ln(1 + f) = f + f²·P(f); f is x itself where n
is 0, and rounded once elsewhere. The coefficients are those of ln. Of an x that is known to lie
from 0 to 1, in float64, it is x·Q(x − 1/2), Q's last terms in float32.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.functions.log import COEFFICIENTS, Split, near_one
from openaclnn.arithmetic.nodes import (
    Node,
    const,
    equal,
    fma,
    make,
    mixed_polynomial,
    narrowed,
    select,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio

_LARGE = {"f32": 2.0**100, "f64": 2.0**900}  # 2^-n must be no subnormal number
_DOWN = 64  # what larger ones are divided by, as a power of 2
_UP_TO_ONE = (
    0.8109302161215428, -0.28852709875508314, 0.13260978081178074, -0.06768868297441397,
    0.03661060743119956, -0.02054752461637471, 0.011854683565010909, -0.006963066653000045,
    0.003979917905981643, -0.002375964633547319, 0.0020376638906367235, -0.0012806024633814693,
)  # 2⁻³³  # fmt: skip
_WIDE_TERMS = 4


def log1p(algebra: Algebra, x: Node) -> Ratio:
    """ln(1 + x) for any x: -inf for -1, NaN below."""
    compute_type, terms = algebra.compute_type, algebra.coefficients("log1p", COEFFICIENTS)
    largest = _LARGE[compute_type.type]
    if compute_type.type == "f64" and algebra.decide(lambda: algebra.ranges.within(x, 0.0, 1.0)):
        middle, single = x - 0.5, narrowed(x) - 0.5
        return Ratio(x * mixed_polynomial(middle, single, _UP_TO_ONE, _WIDE_TERMS))
    if algebra.ranges.within(x, -0.9, largest) and algebra.ranges.finite(x):
        return Ratio(_logarithm(compute_type, terms, x))
    algebra.seldom(make("le", "i1", x, -1.0) | (x > largest))
    if not compute_type.guarded:
        return Ratio(_logarithm(compute_type, terms, x))
    result = _logarithm(compute_type, terms, x, x > largest)
    infinite, none = (const(compute_type.type, value) for value in (-math.inf, math.nan))
    result = select(x > -1.0, result, select(equal(x, -1.0), infinite, none))
    return Ratio(select(x < math.inf, result, x))


def _logarithm(
    compute_type: ComputeType, terms: tuple[float, ...], x: Node, large: Node | None = None
) -> Node:
    """ln(1 + x) for -1 < x; where that is large, 1 is left out of the sum."""
    if large is not None:
        x = select(large, x * 2.0**-_DOWN, x)
    split = Split.of(compute_type, x + 1.0)
    f = fma(x, split.power, -(1.0 - split.power))  # -0 beside an x of -0
    result = near_one(terms, f)
    count = split.count(compute_type)
    if large is not None:
        count = count - select(large, const(compute_type.type, float(_DOWN)), 0.0)
    # 0·-ln 2 is the zero that leaves the sign of another
    return fma(count, -math.log(2), result)
