"""The inverse of erf, as exact relatively where x is small.

It is x times a function of w = -ln(1 − x²) up to 5, beyond one of √w: three minimax polynomials.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.functions.in_float64 import in_float64
from openaclnn.arithmetic.functions.log import COEFFICIENTS, log
from openaclnn.arithmetic.nodes import Node, const, equal, minimum, polynomial, select, square_root
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


def erfinv(algebra: Algebra, x: Node) -> Ratio:
    """For any x: infinite for ±1, NaN beyond."""
    algebra.coefficients("erfinv", COEFFICIENTS)
    return in_float64(algebra, _inverse, x)


def _inverse(algebra: Algebra, x: Node) -> Node:
    size = abs(x)
    w = -algebra.number(log(algebra, (1.0 - size) * (size + 1.0)))
    return select(equal(size, 1.0), x * const("f64", math.inf), inverse_of(x, w))


def inverse_of(x: Node, w: Node) -> Node:
    """erfinv(x) for |x| < 1 and w = -ln(1 − x²)."""
    root = minimum(6.1, square_root(w))
    far = select(root < 4.1, polynomial(root - 3.125, _MIDDLE), polynomial(root - 5.0, _HIGH))
    return x * select(w < 5.0, polynomial(minimum(5.0, w), _LOW), far)
