"""log(e^a + e^b) and log₂(2^a + 2^b): the larger number, and the logarithm of 1 + e^-d where the
other is d less. Where both cancel only pairs of float64 have digits left: they are taken.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.double import logarithm
from openaclnn.arithmetic.functions.exp import COEFFICIENTS, exp
from openaclnn.arithmetic.functions.exp2 import exp2
from openaclnn.arithmetic.functions.log1p import log1p
from openaclnn.arithmetic.nodes import Node, select
from openaclnn.arithmetic.ratio import Algebra, Ratio


def logaddexp(algebra: Algebra, a: Node, b: Node) -> Ratio:
    """log(e^a + e^b) for any two numbers."""
    algebra.coefficients("logaddexp", COEFFICIENTS)
    if algebra.width.type == "f64":
        return Ratio(logarithm.logaddexp(a, b))
    fallen = exp(algebra, -abs(a - b))
    beside = algebra.number(log1p(algebra, algebra.number(fallen)))
    larger = select(a < b, b, a)
    return Ratio(logarithm.with_ends(larger, larger + beside, b))


def logaddexp2(algebra: Algebra, a: Node, b: Node) -> Ratio:
    """log₂(2^a + 2^b) for any two numbers."""
    algebra.coefficients("logaddexp2", COEFFICIENTS)
    if algebra.width.type == "f64":
        return Ratio(logarithm.logaddexp2(a, b))
    fallen = algebra.number(exp2(algebra, -abs(a - b)))
    beside = algebra.number(log1p(algebra, fallen)) * (1 / math.log(2))
    larger = select(a < b, b, a)
    return Ratio(logarithm.with_ends(larger, larger + beside, b))
