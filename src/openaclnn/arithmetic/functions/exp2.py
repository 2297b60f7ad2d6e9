"""2^x, exact for integers.

x = n + f with |f| <= 1/2, and 2^f is a minimax polynomial.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    bits,
    const,
    equal,
    fma,
    from_bits,
    make,
    maximum,
    minimum,
    polynomial,
    select,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.scaling import power_of_two

_SHORT = (
    1.00000007207613115,
    0.693146965769541142,
    0.240221176178271757,
    0.0555071450269389129,
    0.00967565559817649773,
    0.00132763525704166211,
)  # 2⁻²³·⁶
COEFFICIENTS = {
    "f32": (
        1.00000000055865769, 0.693147205886738423, 0.240226468675266031, 0.0555032845046454132,
        0.00961849041557157428, 0.00134000634888736464, 0.000153456930750688179,
    ),  # 2⁻²⁸·⁹
    "f32 for BF16": _SHORT,
    "f32 for FLOAT16": _SHORT,
    "f64 for FLOAT": (
        0.999999999961380311, 0.693147180729815851, 0.240226512011480752, 0.0555041035032423089,
        0.00961802684811794187, 0.00133339240460947766, 0.000154694222604595118,
        0.0000152018159486119246,
    ),  # 2⁻³⁴·⁵
}  # fmt: skip
_USUAL = 120.0  # up to here float32 has room to spare
_FURTHEST = {"f32": 160.0, "f64": 1100.0}  # beyond it all is 0, or infinite


def exp2(algebra: Algebra, x: Node) -> Ratio:
    """2^x for any x."""
    terms, compute_type = algebra.coefficients("exp2", COEFFICIENTS), algebra.compute_type
    algebra.seldom(beyond_usual(x))
    return Ratio(power(compute_type, terms, x))


def beyond_usual(x: Node) -> Node:
    """Whether 2^x may be near to 0 or infinity, or x is NaN."""
    return ~make("le", "i1", before_widening(abs(x)) or abs(x), _USUAL)


def power(
    compute_type: ComputeType, terms: tuple[float, ...], x: Node, low: Node | None = None
) -> Node:
    """2^(x + low) as a number; `low` is what x was rounded by, where that counts."""
    end = _FURTHEST[compute_type.type]
    if not compute_type.guarded:  # of an x that neither 0 nor infinity is near to
        shifted = x + compute_type.magic
        rest = x - (shifted - compute_type.magic)
        found = polynomial(rest if low is None else rest + low, terms)
        return from_bits(bits(found) + (bits(shifted) << compute_type.mantissa))
    bounded = maximum(-end, minimum(end, x))
    n = (bounded + compute_type.magic) - compute_type.magic
    rest = bounded - n
    if low is not None:
        rest = rest + select(abs(x) < end, low, 0.0)
    found = polynomial(rest, terms)
    # 2^n may be no number of its own: it is applied in two steps, of which one rounds
    shifted = fma(n, 0.5, compute_type.magic)
    rest = n - (shifted - compute_type.magic)
    found = (
        found
        * power_of_two(compute_type, shifted)
        * power_of_two(compute_type, rest + compute_type.magic)
    )
    zero = const(compute_type.type, 0.0)
    return select(equal(x, -math.inf), zero, select(equal(x, math.inf), x, found))
