"""ln(x), -inf for 0, NaN below.

x = 2^n·(1 + f) with f between -1/3 and 1/3, and ln(1 + f) = f + f²·P(f), which near 1 is as exact
relatively. The coefficients are minimax.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.nodes import (
    Node,
    bits,
    const,
    equal,
    fma,
    from_bits,
    pattern,
    polynomial,
    select,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.base.records import dataclass

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
_SMALL = {"f32": 2.0**-126, "f64": 2.0**-1022}  # smaller numbers are subnormal
_LARGE = {"f32": 2.0**100, "f64": 2.0**900}  # 2^-n must be no subnormal number
_SHIFT = 64  # what others are multiplied or divided by, as a power of 2


@dataclass(frozen=True)
class Split:
    """Of a number that is n binades from [2/3, 4/3): -n as an integer, and 2^-n."""

    minus_n: Node
    power: Node

    @classmethod
    def of(cls, compute_type: ComputeType, x: Node) -> Split:
        """For positive numbers that 2^-n times which are normal numbers."""
        bias = compute_type.bias + 1  # makes every n positive
        lowest = pattern(compute_type.type, 2 / 3)
        from_two_thirds = bits(x) + ((bias << compute_type.mantissa) - lowest)
        minus_n = bias - (from_two_thirds >> compute_type.mantissa)
        one = pattern(compute_type.type, 1.0)
        return cls(minus_n, from_bits((minus_n << compute_type.mantissa) + one))

    def count(self, compute_type: ComputeType) -> Node:
        """-n as a float."""
        return (
            from_bits(self.minus_n + pattern(compute_type.type, compute_type.magic))
            - compute_type.magic
        )


def log(algebra: Algebra, x: Node) -> Ratio:
    """ln(x) for any x."""
    return to_base(algebra, "log", x, math.e)


def to_base(algebra: Algebra, name: str, x: Node, base: float) -> Ratio:
    """The logarithm to a base."""
    compute_type, terms = algebra.compute_type, algebra.coefficients(name, COEFFICIENTS)
    large, none = x > _LARGE[compute_type.type], const(compute_type.type, math.nan)
    algebra.seldom((abs(x) < _SMALL[compute_type.type]) | large)
    if not compute_type.guarded:  # what is negative is not seldom
        return Ratio(select(x < 0.0, none, usual(compute_type, terms, x, base)))
    small = x < _SMALL[compute_type.type]
    one, shift = const(compute_type.type, 1.0), float(_SHIFT)
    scale = select(small, 2.0**_SHIFT, select(large, 2.0**-_SHIFT, one))
    down = select(small, shift, select(large, -shift, const(compute_type.type, 0.0)))
    result = usual(compute_type, terms, x * scale, base, down)
    result = select(
        x > 0.0, result, select(equal(x, 0.0), const(compute_type.type, -math.inf), none)
    )
    return Ratio(select(x < math.inf, result, x))


def usual(
    compute_type: ComputeType,
    terms: tuple[float, ...],
    x: Node,
    base: float,
    down: Node | None = None,
) -> Node:
    """For numbers that are neither extreme nor subnormal; `down` is taken from n."""
    split = Split.of(compute_type, x)
    result = near_one(terms, fma(x, split.power, -1.0))
    count, of_two = split.count(compute_type), math.log(2) / math.log(base)
    if down is not None:
        count = count + down
    if base != math.e:
        result = result * (1 / math.log(base))
        beyond = (
            float(const(compute_type.type, of_two).value) - of_two
        )  # what the type has no room for
        if beyond and compute_type.full_precision:
            result = fma(count, beyond, result)
    # 0·-ln 2 is the zero that leaves the sign of another
    return fma(count, -of_two, result)


def near_one(terms: tuple[float, ...], f: Node) -> Node:
    """ln(1 + f) for f between -1/3 and 1/3."""
    return fma(f * f, polynomial(f, terms), f)
