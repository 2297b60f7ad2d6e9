"""sinh(x) = (e^x − e^-x)/2, with full relative accuracy for small x, and cosh(x) = (e^x + e^-x)/2.

With x = n·ln(2) + r, sinh(x) = sinh(n·ln 2)·cosh(r) + cosh(n·ln 2)·sinh(r), and cosh(x) the same
with the factors exchanged; those of n are made of powers of two, those of r are 1 + r²·C(r²) and
r + r³·S(r²) with minimax coefficients.
"""

from __future__ import annotations

import math

from openaclnn.arithmetic.compute_types import F32_FOR_BF16
from openaclnn.arithmetic.nodes import (
    Node,
    before_widening,
    bits,
    const,
    fma,
    from_bits,
    maximum,
    minimum,
    polynomial,
    select,
    times_sign,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Coefficients:
    """How both are computed in one compute type."""

    ln2: tuple[float, ...]  # ln 2 as a sum of parts; none is negative, which keeps the sign of 0
    even: tuple[float, ...]  # C's coefficients …
    odd: tuple[float, ...]  # … and S's
    fast_below: float  # up to this |x| it needs no care
    end: float  # beyond it the result counts as infinite


_EVEN = (0.5000000079556081, 0.04166626562756838, 0.0013946334760467727)  # 2⁻³⁴·³
_ODD = (0.16666666755015297, 0.00833328879400792, 0.0001990507684106819)  # 2⁻³⁷·⁵
_SHORT = Coefficients(
    ln2=(0.6931471805599453,),
    even=(0.4999913034746272, 0.041899984478628804),  # 2⁻²³·³
    odd=(0.16666542525226133, 0.008366646003612315),  # 2⁻²⁶·²
    fast_below=80.0,
    end=90.0,
)
COEFFICIENTS = {
    "f32": Coefficients((0.693115234375, 3.1946184945309e-05), _EVEN, _ODD, 80.0, 90.0),
    "f32 for BF16": _SHORT,
    "f32 for FLOAT16": _SHORT,
    "f64 for FLOAT": Coefficients((0.6931471805599453,), _EVEN, _ODD, 256.0, 280.0),
}
_COSH_FOR_BF16 = (0.1675390097524381,)  # S's: 2⁻¹⁷·⁵ of cosh(x), if not of sinh(x)
_DOWN = 64.0  # what exponents that float32 has no room for are reduced by


@dataclass(frozen=True)
class _Parts:
    """cosh(r), sinh(r), 2^(n−1) and 2^(-n−1); `scale`: what remains to be multiplied by."""

    cosh: Node
    sinh: Node
    up: Node
    down: Node
    scale: Node | None

    def result(self, total: Node) -> Ratio:
        return Ratio(total if self.scale is None else total * self.scale)


def sinh(algebra: Algebra, x: Node) -> Ratio:
    """sinh(x) for any x."""
    of = _parts(algebra, "sinh", x)
    # of zeros, (1 − 1)·-cosh(r) is the one that leaves the sign of r
    return of.result(fma(of.down - of.up, -of.cosh, (of.up + of.down) * of.sinh))


def cosh(algebra: Algebra, x: Node) -> Ratio:
    """cosh(x) for any x."""
    of = _parts(algebra, "cosh", x)
    return of.result(fma(of.up + of.down, of.cosh, (of.up - of.down) * of.sinh))


def _parts(algebra: Algebra, name: str, x: Node) -> _Parts:
    using, compute_type = algebra.coefficients(name, COEFFICIENTS), algebra.compute_type
    far = (before_widening(abs(x)) or abs(x)) > using.fast_below
    algebra.seldom(far)
    if compute_type.guarded:
        x = maximum(-using.end, minimum(using.end, x))
    shifted = fma(x, 1 / math.log(2), compute_type.magic)
    n, r = shifted - compute_type.magic, x
    for part in using.ln2:
        r = fma(n, -part, r)
    scale = None
    if compute_type.guarded and compute_type.type == "f32":
        one, zero = const("f32", 1.0), const("f32", 0.0)
        shifted = shifted - times_sign(select(far, _DOWN, zero), x)
        scale = select(far, 2.0**_DOWN, one)
    exponent, half = (
        bits(shifted) << compute_type.mantissa,
        (compute_type.bias - 1) << compute_type.mantissa,
    )
    square = r * r
    short = name == "cosh" and compute_type.name == F32_FOR_BF16.name
    odd = polynomial(square, _COSH_FOR_BF16 if short else using.odd)
    return _Parts(
        cosh=fma(square, polynomial(square, using.even), 1.0),
        sinh=fma(r * square, odd, r),
        up=from_bits(exponent + half),
        down=from_bits(half - exponent),
        scale=scale,
    )
