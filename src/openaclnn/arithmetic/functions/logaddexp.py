"""log(e^a + e^b) and log₂(2^a + 2^b): the larger number, and the logarithm of 1 + e^-d where the
other is d less. Where both cancel only pairs of float64 have digits left: there they are taken.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.double import logarithm
from openaclnn.arithmetic.functions.exp import COEFFICIENTS, exp, reduced
from openaclnn.arithmetic.functions.exp2 import exp2
from openaclnn.arithmetic.functions.log1p import log1p
from openaclnn.arithmetic.nodes import Node, in_two_chains, make, minimum, select
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.scaling import Power, times_power

# In float64, of what float32 needs 2⁻³¹: e^-r and ln(1 + x)/x for x from 0 to 1, both to 2⁻⁴³, so
# that a sum of 2⁻¹¹ of its terms has enough digits
_POWER = (
    1.0000000000000135, -1.0000000000000013, 0.4999999999943695, -0.16666666666615498,
    0.04166666704137147, -0.008333333367386076, 0.001388880162232969, -0.00019841190531844625,
    2.4884520306294873e-05, -2.7632695699976396e-06,
)  # fmt: skip
_LOGARITHM = (
    0.99999999999991, -0.49999999995383904, 0.33333332937394794, -0.24999986473157787,
    0.19999755281745146, -0.16663963182233768, 0.14265870900537939, -0.12397768315487705,
    0.10727046208763887, -0.08917588954878489, 0.06748221397520829, -0.04348922883589689,
    0.022157210914775124, -0.008167086476489189, 0.0019067930324987241, -0.0002097061231086089,
)  # fmt: skip
_CANCELLED = 2.0**-11


def logaddexp(algebra: Algebra, a: Node, b: Node) -> Ratio:
    """log(e^a + e^b) for any two numbers."""
    algebra.coefficients("logaddexp", COEFFICIENTS)
    if algebra.compute_type.type == "f64":
        return Ratio(_in_float64(algebra, a, b, 1.0))
    fallen = exp(algebra, -abs(a - b))
    beside = algebra.number(log1p(algebra, algebra.number(fallen)))
    larger = select(a < b, b, a)
    return Ratio(logarithm.with_ends(larger, larger + beside, b))


def logaddexp2(algebra: Algebra, a: Node, b: Node) -> Ratio:
    """log₂(2^a + 2^b) for any two numbers."""
    algebra.coefficients("logaddexp2", COEFFICIENTS)
    if algebra.compute_type.type == "f64":
        return Ratio(_in_float64(algebra, a, b, math.log(2)))
    fallen = algebra.number(exp2(algebra, -abs(a - b)))
    beside = algebra.number(log1p(algebra, fallen)) * (1 / math.log(2))
    larger = select(a < b, b, a)
    return Ratio(logarithm.with_ends(larger, larger + beside, b))


def _in_float64(algebra: Algebra, a: Node, b: Node, unit: float) -> Node:
    """log(e^(unit·a) + e^(unit·b))/unit. The usual way is the same nodes, guarded or not: they say
    themselves where it is not enough."""
    compute_type, using = algebra.compute_type, COEFFICIENTS[algebra.compute_type.name]
    larger, apart = select(a < b, b, a), minimum(using.max_y, abs(a - b))
    r, power = reduced(compute_type, using, apart) if unit == 1 else _whole(compute_type, apart)
    significand = in_two_chains(r, tuple(c * unit**n for n, c in enumerate(_POWER)))
    fallen = times_power(compute_type.unguarded(), significand, power)
    beside = fallen * in_two_chains(fallen, tuple(c / unit for c in _LOGARITHM))
    total = larger + beside
    cancelled = ~make("le", "i1", beside * _CANCELLED, abs(total))  # NaN as well
    algebra.seldom(cancelled)
    if not compute_type.guarded:
        return total
    long_way = logarithm.logaddexp if unit == 1 else logarithm.logaddexp2
    return select(cancelled, long_way(a, b), total)


def _whole(compute_type: ComputeType, y: Node) -> tuple[Node, Power]:
    """r and 2^n with 2^-y = 2^n·2^-r."""
    shifted = compute_type.magic - y
    exponent = shifted - compute_type.magic
    return y + exponent, Power(exponent, shifted)
