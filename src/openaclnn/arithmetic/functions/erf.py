"""erf(x), as exact relatively where x is small.

Up to 1.25 it is |x|·A(x²); beyond, 1 − B(|x| − c), where B is erfc: what that is small by, the
result is near 1. The coefficients are minimax.
"""

from __future__ import annotations

from dataclasses import dataclass

from openaclnn.arithmetic.nodes import Node, minimum, polynomial, select, times_sign
from openaclnn.arithmetic.ratio import Algebra, Ratio


@dataclass(frozen=True)
class Coefficients:
    """How erf is computed in one width."""

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
            1.12837916705240186, -0.376126384708378446, 0.112837844500249065,
            -0.0268657018173560117, 0.00522243836842477662, -0.000851962107214258628,
            0.000117357755623098336, -0.0000127922086663292776, 8.26135800703273072e-7,
        ),  # 2⁻³⁴·⁶
        large=(
            0.0000326352720314103749, -0.000201822076739838753, 0.000592853484942383627,
            -0.00109372876238213517, 0.00140878292542829130, -0.00132721554902353167,
            0.000923950868983221558, -0.000459407020980002418, 0.000139245743448162628,
            -1.65723696289740477e-6, -0.0000235920586838870571,
            0.0000129733034079720569, -2.93050316616272284e-6, -5.78038122245662514e-7,
            7.06176097424175539e-7, -1.71908289510210046e-7, -4.27035574484145222e-8,
            2.44355251798218151e-8, 4.32392479920118479e-10, -1.09886046816799519e-9,
        ),  # 2⁻³⁵·⁹
        center=2.9375,
        end=4.6,
    ),
}  # fmt: skip


def erf(algebra: Algebra, x: Node) -> Ratio:
    """erf(x) for any x."""
    using = algebra.coefficients("erf", COEFFICIENTS)
    size = abs(x)
    small = size * polynomial(size * size, using.small)
    large = 1.0 - polynomial(minimum(using.end, size) - using.center, using.large)
    result = times_sign(select(size < 1.25, small, large), x)
    algebra.promise({result: (-1.0, 1.0)})
    return Ratio(result)
