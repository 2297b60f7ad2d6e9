"""erf(x), with full relative accuracy for small x.

Up to 1.25 it is |x|·A(x²); beyond, 1 − B(|x| − c), where B is erfc: what that is small by, the
result is near 1. In float64 it is |x|·A(x² − d) up to 2.25: beyond, B is so small that float32 is
enough for it, as it is for A's last terms. The coefficients are minimax.
"""

from __future__ import annotations

from openaclnn.arithmetic.nodes import (
    Node,
    fma,
    minimum,
    mixed_polynomial,
    narrowed,
    polynomial,
    select,
    times_sign,
    widened,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Coefficients:
    """How erf is computed in one compute type."""

    small: tuple[float, ...]  # A's
    large: tuple[float, ...]  # B's
    center: float
    end: float  # beyond it the result counts as 1


_SHORT = Coefficients(
    small=(
        1.12837861593882159, -0.376101949476078422, 0.112657751768304232,
        -0.0263689227845203066, 0.00458318353842956173, -0.000447896607760861783,
    ),  # 2⁻²⁰·⁹
    large=(
        0.00265461905002924415, -0.0123426230253406198, 0.0261972064159154223,
        -0.0330075888568717841, 0.0265561475809092593, -0.0126453174493168311,
        0.00134128849098920245, 0.00218669319140310964, -0.000929972513899639289,
    ),  # 2⁻²⁰·⁶
    center=2.125,
    end=3.2,
)  # fmt: skip
COEFFICIENTS = {
    "f32": Coefficients(
        small=(
            1.12837916597545987, -0.376126300447066141, 0.112836750304003098,
            -0.0268602475841486685, 0.00520901639975694644, -0.000833957071925988679,
            0.000103938798690727374, -7.57296950121061454e-6,
        ),  # 2⁻²⁹·⁹
        large=(
            0.000406948421265200788, -0.00217828310990688600, 0.00544591562726244400,
            -0.00835013234159800797, 0.00862046539025838435, -0.00611682977496872851,
            0.00280516494727113652, -0.000544808337211068919, -0.000271730824632510668,
            0.000255391968811996451, -0.0000696015677554804514,
            -0.0000105910083031997967, 0.0000106342174855593638,
            -1.80124995290530111e-6,
        ),  # 2⁻²⁸
        center=2.5,
        end=3.95,
    ),
    "f32 for BF16": _SHORT,
    "f32 for FLOAT16": _SHORT,
    "f64 for FLOAT": Coefficients(
        small=(
            0.6131722365834243, -0.10338744567119328, 0.02176681936309354, -0.004210532330035259,
            0.000716617484946247, -0.00010702161349912058, 1.4127984656530102e-05,
            -1.6647089829090126e-06, 1.7658693576153262e-07, -1.6909329921950317e-08,
            1.4992207292046752e-09, -1.3607355836974984e-10, 9.856583788057742e-12,
        ),  # 2⁻³⁴·⁴
        large=(
            1.8152780082316176e-06, -1.2751957413778481e-05, 4.3037424990319326e-05,
            -9.257676979363396e-05, 0.00014188342422993271, -0.00016382482155778087,
            0.00014643718456856946, -0.00010200236086985723, 5.4757300660971534e-05,
            -2.1603478623455877e-05, 4.759721769947541e-06, 9.823598192298159e-07,
            -1.220924369496803e-06, 3.0822979725583577e-07,
        ),  # 2⁻³⁵·⁸
        center=3.375,
        end=4.5,
    ),
}  # fmt: skip


def erf(algebra: Algebra, x: Node) -> Ratio:
    """erf(x) for any x."""
    using = algebra.coefficients("erf", COEFFICIENTS)
    size = abs(x)
    if algebra.compute_type.type == "f64":
        return _promised(algebra, _in_float64(using, size), x)
    small = size * polynomial(size * size, using.small)
    large = 1.0 - polynomial(minimum(using.end, size) - using.center, using.large)
    return _promised(algebra, select(size < 1.25, small, large), x)


_WIDE_UP_TO, _WIDE_CENTER, _WIDE_TERMS = 2.25, 2.53125, 7


def _in_float64(using: Coefficients, size: Node) -> Node:
    single = narrowed(size)
    square, single_square = (fma(of, of, -_WIDE_CENTER) for of in (size, single))
    small = size * mixed_polynomial(square, single_square, using.small, _WIDE_TERMS)
    missing = polynomial(minimum(using.end, single) - using.center, using.large)
    return select(single < _WIDE_UP_TO, small, 1.0 - widened(missing))


def _promised(algebra: Algebra, size: Node, x: Node) -> Ratio:
    result = times_sign(size, x)
    algebra.promise({result: (-1.0, 1.0)})
    return Ratio(result)
