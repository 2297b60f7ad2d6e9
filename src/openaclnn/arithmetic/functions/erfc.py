"""erfc(x) = 1 − erf(x), as exact relatively where that is small.

Beyond 1/2 it is e^(-x²)·R((x − 3)/(x + 3)), where R is a minimax polynomial.
"""

from __future__ import annotations

from openaclnn.arithmetic.functions.erf import COEFFICIENTS as ERF
from openaclnn.arithmetic.functions.exp import exp
from openaclnn.arithmetic.functions.in_float64 import in_float64
from openaclnn.arithmetic.nodes import Node, minimum, polynomial, select
from openaclnn.arithmetic.ratio import Algebra, Ratio

_R = (
    0.179001151181403914,
    -0.326233560055033989,
    0.245603801728563670,
    -0.150115935602951577,
    0.0716658362043671633,
    -0.0243925186243555344,
    0.00426915110452795515,
    0.000707928915682538416,
    -0.000597134215944271454,
    0.0000443846986786967110,
    0.0000640831210531655436,
    -0.0000107664474143403600,
    -7.33969468362229425e-6,
)  # 2⁻³⁸·²
COEFFICIENTS = dict.fromkeys(ERF, _R)
_END = 17.0  # beyond it the result is less than any float32


def erfc(algebra: Algebra, x: Node) -> Ratio:
    """erfc(x) for any x."""
    algebra.coefficients("erfc", COEFFICIENTS)
    return in_float64(algebra, complement, x)


def complement(algebra: Algebra, x: Node) -> Node:
    """erfc(x) in float64 for FLOAT."""
    size = abs(x)
    near = 1.0 - x * polynomial(size * size, ERF["f64 for FLOAT"].small)
    bounded = minimum(_END, size)
    tail = algebra.number(exp(algebra, -(bounded * bounded)))
    far = tail * polynomial((bounded - 3.0) / (bounded + 3.0), _R)
    return select(size < 0.5, near, select(x < 0.0, 2.0 - far, far))
