"""ln(1 + x), as exact relatively where x is small.

1 + x = 2^n·(1 + f) with f between -1/3 and 1/3, and ln(1 + f) = f + f²·P(f); f is x itself where n
is 0, and rounded once elsewhere. The coefficients are minimax.
"""

from __future__ import annotations

import math
import struct

from openaclnn.arithmetic.nodes import (
    Node,
    bits,
    const,
    equal,
    fma,
    from_bits,
    make,
    polynomial,
    select,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.widths import Width

_SHORT = (
    -0.50002130289172748, 0.33336947137436501, -0.24844823170265118, 0.19813363459239850,
    -0.19387581461406926, 0.17016877593679339,
)  # fmt: skip
COEFFICIENTS = {
    "f32": (
        -0.50000001207528917, 0.33333208436971418, -0.24999717475973673, 0.20010746439145062,
        -0.16682304767858065, 0.14001179283802260, -0.12167170102243727, 0.14004669708164975,
        -0.12948887885854520,
    ),  # 2⁻²⁷·⁷
    "f32 for BF16": _SHORT,  # 2⁻¹⁹·⁸
    "f32 for FLOAT16": _SHORT,
    "f64 for FLOAT": (
        -0.49999999963488437, 0.33333337738725471, -0.25000011772562956, 0.19999445260870198,
        -0.16665739071376989, 0.14308267702493007, -0.12529739430370920, 0.10715707169278887,
        -0.095516225036791668, 0.12143514681045048, -0.11439908142355658,
    ),  # 2⁻³³·¹
}  # fmt: skip
_LARGE = {"f32": 2.0**100, "f64": 2.0**900}  # 2^-n must be no subnormal number
_DOWN = 64  # what larger ones are divided by, as a power of 2


def log1p(algebra: Algebra, x: Node) -> Ratio:
    """ln(1 + x) for any x: -inf for -1, NaN below."""
    width, terms = algebra.width, algebra.coefficients("log1p", COEFFICIENTS)
    largest = _LARGE[width.type]
    if algebra.ranges.within(x, -0.9, largest) and algebra.ranges.finite(x):
        return Ratio(_logarithm(width, terms, x))
    algebra.seldom(make("le", "i1", x, -1.0) | (x > largest))
    if not width.guarded:
        return Ratio(_logarithm(width, terms, x))
    result = _logarithm(width, terms, x, x > largest)
    infinite, none = (const(width.type, value) for value in (-math.inf, math.nan))
    result = select(x > -1.0, result, select(equal(x, -1.0), infinite, none))
    return Ratio(select(x < math.inf, result, x))


def _logarithm(width: Width, terms: tuple[float, ...], x: Node, large: Node | None = None) -> Node:
    """ln(1 + x) for -1 < x; where that is large, 1 is left out of the sum."""
    if large is not None:
        x = select(large, x * 2.0**-_DOWN, x)
    bias = width.bias + 1  # makes every n positive
    from_two_thirds = bits(x + 1.0) + ((bias << width.mantissa) - _pattern(width, 2 / 3))
    minus_n = bias - (from_two_thirds >> width.mantissa)
    power = from_bits((minus_n << width.mantissa) + _pattern(width, 1.0))
    f = fma(x, power, -(1.0 - power))  # -0 beside an x of -0
    result = fma(f * f, polynomial(f, terms), f)
    count = from_bits(minus_n + _pattern(width, width.magic)) - width.magic
    if large is not None:
        count = count - select(large, const(width.type, float(_DOWN)), 0.0)
    # 0·-ln 2 is the zero that leaves the sign of another
    return fma(count, -math.log(2), result)


def _pattern(width: Width, value: float) -> int:
    """The bits of a positive number as an integer."""
    floats, integer = ("<f", "<i") if width.type == "f32" else ("<d", "<q")
    found: int = struct.unpack(integer, struct.pack(floats, value))[0]
    return found
