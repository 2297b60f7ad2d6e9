"""The inverse of erf, as exact relatively where x is small.

It is x times a function of w = -ln(1 − x²) up to 5 or 7, beyond one of √w: minimax polynomials.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from openaclnn.arithmetic.functions.log import COEFFICIENTS as LOG
from openaclnn.arithmetic.functions.log import usual as logarithm
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    equal,
    fma,
    minimum,
    polynomial,
    select,
    square_root,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio

_LOW = (
    0.886226925431728908,
    0.232013668261716294,
    0.0115493187913610936,
    -0.00233497962366830697,
    -0.000128374428980106170,
    0.0000471447368513463391,
    1.46958409819469174e-6,
    -6.32633567599507057e-7,
    -2.15821326507784864e-7,
    7.94196010121913575e-8,
    -1.07470000743205926e-8,
    7.16638346533380540e-10,
    -1.97681069484455121e-11,
)  # 2⁻³⁵·²
_MIDDLE = (
    2.95832015023192206,
    1.00371869212807007,
    0.00704788555851166151,
    -0.00530102400103513070,
    0.00379439702271811733,
    -0.00251972285300431894,
    0.00126083105852987317,
    -0.000329518265917037642,
    -0.0000900325859315931895,
    0.000138497002055294847,
    -0.0000583242625163096150,
    -1.43506587847942174e-6,
    0.0000116213726851738773,
    -3.50030128257861375e-6,
)  # 2⁻³⁶·⁹, of √w − 3.125 for w of 5 and more
_HIGH = (
    4.84990640147941985,
    1.01030046511006317,
    -0.000138722827127808262,
    -0.000215034059345020998,
    0.0000760236853710128903,
    -0.0000196682407584941514,
    4.44462987792257659e-6,
    -9.99645726638128458e-7,
    3.21903223008108482e-7,
    -8.80490036848375758e-8,
)  # 2⁻³⁵·⁹, of √w − 5 for √w from 4.1 to 6.1


@dataclass(frozen=True)
class Coefficients:
    """How the inverse is computed in one width."""

    low: tuple[float, ...]  # of w, for an |x| …
    usual: float  # … below this
    far: tuple[float, ...] = ()  # of √w − 3.25, for others


COEFFICIENTS = {
    "f32": Coefficients(
        low=(
            0.8862269130977619, 0.2320138877527054, 0.011549048426836588, -0.002336876727256326,
            -0.00012255887759985505, 3.9966239549999225e-05, 6.408016563263756e-06,
            -2.7337266243541324e-06, 3.5995773065891654e-07, -2.2629717132763885e-08,
            5.777335353615899e-10,
        ),  # 2⁻²⁶·¹
        usual=0.9995,
        far=(
            3.083885611724192, 1.0052588562918123, 0.0053707842922144046, -0.003748019977214125,
            0.0024928292424129, -0.001713286887981325, 0.0009529342468631182,
            -0.0002817943265669444,
        ),  # 2⁻²⁸·⁴
    ),
    "f32 for BF16": Coefficients(
        low=(
            0.8862285105983255, 0.23198178817717277, 0.011647469139432431, -0.0024356395530297187,
            -9.345227758579888e-05, 5.1041000221737255e-05, -3.4668970785895857e-06,
        ),  # 2⁻¹⁹·¹
        usual=1.0,
    ),
    "f32 for FLOAT16": Coefficients(
        low=(
            0.8862283807071927, 0.2319942411657063, 0.011581563864857597, -0.00232826213883384,
            -0.00016974903820173197, 7.749323445293745e-05, -7.86618507278014e-06,
            2.808305962419252e-07,
        ),  # 2⁻¹⁹·²
        usual=1.0,
    ),
    "f64 for FLOAT": Coefficients(low=_LOW, usual=0.9966),
}  # fmt: skip


def erfinv(algebra: Algebra, x: Node) -> Ratio:
    """For any x: infinite for ±1, NaN beyond."""
    using, width, size = algebra.coefficients("erfinv", COEFFICIENTS), algebra.width, abs(x)
    algebra.seldom(~((before_widening(size) or size) < using.usual))
    wide = width.type == "f64"
    left = (1.0 - size) * (size + 1.0) if wide else fma(x, -x, 1.0)
    w = -logarithm(width, LOG[width.name], left, math.e)
    result = x * polynomial(w, using.low)
    if not width.guarded:
        return Ratio(result)
    if wide:
        result = inverse_of(x, w)
    elif using.far:
        far = x * polynomial(square_root(w) - 3.25, using.far)
        result = select(size < using.usual, result, far)
    infinite, none = (const(x.type, value) for value in (math.inf, math.nan))
    beyond = select(equal(size, 1.0), x * infinite, none)
    return Ratio(select(size < 1.0, result, beyond))


def inverse_of(x: Node, w: Node) -> Node:
    """erfinv(x) for |x| < 1 and w = -ln(1 − x²)."""
    root = minimum(6.1, square_root(w))
    far = select(root < 4.1, polynomial(root - 3.125, _MIDDLE), polynomial(root - 5.0, _HIGH))
    return x * select(w < 5.0, polynomial(minimum(5.0, w), _LOW), far)
