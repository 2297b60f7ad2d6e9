"""Functions of DOUBLE, with errors below 1 ULP: computed in pairs of float64."""

from __future__ import annotations

from collections.abc import Callable

from openaclnn.arithmetic.double import angle, error_function, exponential, logarithm, power
from openaclnn.arithmetic.nodes import Node, square_root

__all__ = ["FUNCTIONS"]


_ALONE: dict[str, Callable[..., Node]] = {
    "acos": angle.acos,
    "acosh": logarithm.acosh,
    "asin": angle.asin,
    "asinh": logarithm.asinh,
    "atan": angle.atan,
    "atan2": angle.atan2,
    "atanh": logarithm.atanh,
    "cosh": exponential.cosh,
    "erf": error_function.erf,
    "erfc": error_function.erfc,
    "erfinv": error_function.erfinv,
    "exp": exponential.exp,
    "exp2": exponential.exp2,
    "expm1": exponential.expm1,
    "log": logarithm.log,
    "log10": logarithm.log10,
    "log1p": logarithm.log1p,
    "log2": logarithm.log2,
    "pow": power.pow,
    "rsqrt": power.rsqrt,
    "sigmoid": exponential.sigmoid,
    "sinh": exponential.sinh,
    "sqrt": square_root,
    "tanh": exponential.tanh,
}
_BY_TWO_WAYS: dict[str, Callable[..., Node]] = {
    "cos": angle.cos,
    "logaddexp": logarithm.logaddexp_everywhere,
    "logaddexp2": logarithm.logaddexp2_everywhere,
    "sin": angle.sin,
    "tan": angle.tan,
}


def _by_one(function: Callable[..., Node]) -> Callable[..., Node]:
    return lambda algebra, *given: function(*given)


# of an Algebra, whose guarded way sees to arguments that the other does not, and numbers
FUNCTIONS = {name: _by_one(function) for name, function in _ALONE.items()} | _BY_TWO_WAYS
