"""The inverse of erf, with full relative accuracy for small x.

It is x times a function of w = -ln(1 − x²) up to 5 or 7, beyond one of √w: minimax polynomials. For
results of 16 bits it is x times a quotient of two polynomials in √(1 − x²).
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.functions.log import COEFFICIENTS as LOG
from openaclnn.arithmetic.functions.log import usual as logarithm
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    const,
    equal,
    fma,
    minimum,
    mixed_polynomial,
    moderate_root,
    narrowed,
    polynomial,
    rough_root,
    select,
    square_root,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.base.records import dataclass

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
_WIDE_IN_MIDDLE = 3  # terms
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
    """How the inverse is computed in one compute type."""

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
    "f64 for FLOAT": Coefficients(low=_LOW, usual=0.9966),
}  # fmt: skip


@dataclass(frozen=True)
class _Quotient:
    """x·A(v)/B(v) for v = √(1 − x²), which is as good as a logarithm for results of 16 bits."""

    over: tuple[float, ...]
    under: tuple[float, ...]

    def of(self, algebra: Algebra, x: Node, v: Node) -> Node:
        return algebra.quotient(x * polynomial(v, self.over), polynomial(v, self.under))


_UP_TO_BF16 = 0.998  # the last bfloat16 before 1 is 0.996
_OF_16_BITS = {
    "f32 for BF16": _Quotient(
        (2.9478345235712746, 44.12901534445072, 44.57636902355016),
        (1.0, 23.30780773187923, 56.05067678374535, 23.062938424371126),
    ),  # 2⁻¹⁵·⁸
    "f32 for FLOAT16": _Quotient(
        (3.0384599903391587, 68.932764207012, 150.87334702845573, 4.962510624476704),
        (1.0, 33.28719474008144, 131.9532819167037, 90.81157329275847),
    ),  # 2⁻¹⁸·⁴ as far as bfloat16 goes
}
_LAST_FLOAT16 = _Quotient(
    (
        3.3767657889091027, 277.43276949290214, 2789.2252079406085, 4111.325415475603,
        113.84658493153786,
    ),
    (1.0, 109.22068096276892, 1531.0468593613436, 4184.63655457905, 2405.84583198099),
)  # 2⁻¹⁹·⁷  # fmt: skip


def _of_16_bits(algebra: Algebra, x: Node) -> Ratio:
    usual, compute_type, size = _OF_16_BITS[algebra.compute_type.name], algebra.compute_type, abs(x)
    algebra.seldom(~(size < _UP_TO_BF16))
    v = moderate_root(fma(x, -x, 1.0))
    result = usual.of(algebra, x, v)
    if not compute_type.guarded:
        return Ratio(result)
    if not compute_type.extends_range:  # float16
        result = select(size < _UP_TO_BF16, result, _LAST_FLOAT16.of(algebra, x, v))
    return Ratio(_inside_one(x, result))


def erfinv(algebra: Algebra, x: Node) -> Ratio:
    """For any x: infinite for ±1, NaN beyond."""
    if algebra.compute_type.name in _OF_16_BITS:
        return _of_16_bits(algebra, x)
    using, compute_type, size = (
        algebra.coefficients("erfinv", COEFFICIENTS),
        algebra.compute_type,
        abs(x),
    )
    algebra.seldom(~((before_widening(size) or size) < using.usual))
    wide = compute_type.type == "f64"
    w = -logarithm(compute_type, LOG[compute_type.name], fma(x, -x, 1.0), math.e)
    result = x * polynomial(w, using.low)
    if not compute_type.guarded:
        return Ratio(result)
    if wide:
        root = rough_root(w)  # up to 4: float32 ends at 1 − 2⁻²⁴
        far = mixed_polynomial(root - 3.125, narrowed(root) - 3.125, _MIDDLE, _WIDE_IN_MIDDLE)
        result = x * select(w < 5.0, polynomial(w, using.low), far)
    elif using.far:
        far = x * polynomial(square_root(w) - 3.25, using.far)
        result = select(size < using.usual, result, far)
    return Ratio(_inside_one(x, result))


def _inside_one(x: Node, result: Node) -> Node:
    """A result, infinite for ±1, NaN beyond."""
    size = abs(x)
    infinite, none = (const(x.type, value) for value in (math.inf, math.nan))
    beyond = select(equal(size, 1.0), x * infinite, none)
    return select(size < 1.0, result, beyond)


def inverse_of(x: Node, w: Node) -> Node:
    """erfinv(x) for |x| < 1, of DOUBLE too, and w = -ln(1 − x²)."""
    root = minimum(6.1, square_root(w))
    far = select(root < 4.1, polynomial(root - 3.125, _MIDDLE), polynomial(root - 5.0, _HIGH))
    return x * select(w < 5.0, polynomial(minimum(5.0, w), _LOW), far)
