"""What a formula is, to many digits, and how far rounding may take a computation of it.

Every value is known with a bound on its error, which the operations hand on: a computed result must
lie within it. Where the bound says nothing (a difference of like numbers, a comparison of equal
ones, an intermediate that the type has no room for) there is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mpmath import mp, mpf

from openaclnn.spec.formula import Expr

mp.prec = 300


@dataclass(frozen=True)
class Precision:
    """What a compute type promises."""

    step: float  # relative error of a basic operation
    tiny: float  # what may be lost where numbers end
    largest: float
    function: float  # relative error of a function, …
    per_unit: float  # … and some more for every unit of an exponential's argument
    farthest: float  # an exponential's argument, up or down


SINGLE = Precision(2.0**-24, 2.0**-149, 2.0**127, 2.0**-21, 2.0**-33, 340.0)
SINGLE_FOR_BF16 = Precision(2.0**-24, 2.0**-149, 2.0**127, 2.0**-18, 2.0**-24, 340.0)
SINGLE_FOR_FLOAT16 = Precision(2.0**-24, 2.0**-124, 2.0**127, 2.0**-18, 2.0**-24, 87.0)
DOUBLE_FOR_FLOAT = Precision(2.0**-53, 2.0**-430, 2.0**1000, 2.0**-32, 2.0**-50, 300.0)


class Unknown(Exception):
    """The error has no useful bound here."""


@dataclass(frozen=True)
class Near:
    """A value, and how far from it a computed one may be."""

    value: mpf
    error: mpf


class Truth:
    """Evaluates formulas at one point."""

    def __init__(self, precision: Precision, point: Mapping[str, float]) -> None:
        self.precision, self.point = precision, point

    def of(self, expr: Expr) -> Near:
        if expr.op in ("input", "uniform"):
            return Near(mpf(self.point[expr.name]), mpf(0))
        if expr.op == "const":
            return self.rounded(mpf(expr.value), mpf(0))
        if expr.op == "known_as":
            return self.of(expr.args[0])
        if expr.op == "near":
            return self.of(expr.args[1])
        if expr.op == "where":
            return self.of(expr.args[1 if self.holds(expr.args[0]) else 2])
        return getattr(self, expr.op)(*map(self.of, expr.args))  # type: ignore[no-any-return]

    def holds(self, expr: Expr) -> bool:
        if expr.op == "and":
            return all(map(self.holds, expr.args))
        a, b = map(self.of, expr.args)
        if abs(a.value - b.value) <= a.error + b.error and a.error + b.error > 0:
            raise Unknown
        return {
            "lt": a.value < b.value,
            "le": a.value <= b.value,
            "gt": a.value > b.value,
            "ge": a.value >= b.value,
            "equal": a.value == b.value,
        }[expr.op]

    def rounded(self, value: mpf, error: mpf, function: float = 0.0) -> Near:
        if abs(value) + error > self.precision.largest:
            raise Unknown
        step = 4 * self.precision.step + function
        return Near(value, error + abs(value) * step + self.precision.tiny)

    def add(self, a: Near, b: Near) -> Near:
        # terms are brought on one divisor, whose error is relative to each of them
        lost = (abs(a.value) + abs(b.value)) * 4 * self.precision.step
        return self.rounded(a.value + b.value, a.error + b.error + lost)

    def sub(self, a: Near, b: Near) -> Near:
        return self.add(a, self.neg(b))

    def mul(self, a: Near, b: Near) -> Near:
        error = abs(a.value) * b.error + abs(b.value) * a.error + a.error * b.error
        return self.rounded(a.value * b.value, error)

    def div(self, a: Near, b: Near) -> Near:
        if abs(b.value) <= 2 * b.error or b.value == 0:
            raise Unknown
        value = a.value / b.value
        return self.rounded(value, (a.error + abs(value) * b.error) / (abs(b.value) - b.error))

    def neg(self, a: Near) -> Near:
        return Near(-a.value, a.error)

    def abs(self, a: Near) -> Near:
        return Near(abs(a.value), a.error)

    def clamp(self, x: Near, low: Near, high: Near) -> Near:
        value = max(low.value, min(high.value, x.value))
        return Near(value, max(x.error, low.error, high.error))

    def minimum(self, a: Near, b: Near) -> Near:
        return Near(min(a.value, b.value), max(a.error, b.error))

    def maximum(self, a: Near, b: Near) -> Near:
        return Near(max(a.value, b.value), max(a.error, b.error))

    def exp(self, x: Near) -> Near:
        value = mp.exp(x.value)
        if abs(x.value) + x.error > self.precision.farthest:
            if x.value + x.error > -self.precision.farthest:  # it need not be 0
                raise Unknown
            return Near(value, mp.exp(-self.precision.farthest))
        return self.rounded(value, value * mp.expm1(x.error), self.function(x))

    def function(self, x: Near) -> float:
        """The relative error of an exponential."""
        return self.precision.function + float(abs(x.value)) * self.precision.per_unit

    def expm1(self, x: Near) -> Near:
        grown = self.exp(x)
        value = mp.expm1(x.value)
        return self.rounded(value, (grown.value + 1) * mp.expm1(x.error), self.function(x))

    def log1p(self, x: Near) -> Near:
        if x.value - x.error <= -1:
            raise Unknown
        value = mp.log1p(x.value)
        return self.rounded(value, x.error / (1 + x.value - x.error), self.precision.function)

    def log(self, x: Near) -> Near:
        if x.value - x.error <= 0:
            raise Unknown
        value = mp.log(x.value)
        return self.rounded(value, x.error / (x.value - x.error), self.precision.function)

    def sqrt(self, x: Near) -> Near:
        if x.value - x.error < 0:
            raise Unknown
        value = mp.sqrt(x.value)
        return self.rounded(value, mp.sqrt(x.value + x.error) - mp.sqrt(x.value - x.error))

    def rsqrt(self, x: Near) -> Near:
        return self.div(Near(mpf(1), mpf(0)), self.sqrt(x))

    def sin(self, x: Near) -> Near:
        return self.rounded(mp.sin(x.value), x.error, self.precision.function)

    def cos(self, x: Near) -> Near:
        return self.rounded(mp.cos(x.value), x.error, self.precision.function)

    def tanh(self, x: Near) -> Near:
        return self.rounded(mp.tanh(x.value), x.error, self.precision.function)

    def atan(self, x: Near) -> Near:
        return self.rounded(mp.atan(x.value), x.error, self.precision.function)

    def asinh(self, x: Near) -> Near:
        return self.rounded(mp.asinh(x.value), x.error, self.precision.function)

    def erfc(self, x: Near) -> Near:
        # where it is tiny, its relative error grows as x times that of x
        lost = 2 * x.error + mp.exp(-self.precision.farthest)
        return self.rounded(mp.erfc(x.value), lost, self.precision.function)

    def tan(self, x: Near) -> Near:
        return self.div(self.sin(x), self.cos(x))

    def exp2(self, x: Near) -> Near:
        return self.exp(Near(x.value * mp.ln(2), x.error))

    def log2(self, x: Near) -> Near:
        return self.div(self.log(x), Near(mp.ln(2), mpf(0)))

    def log10(self, x: Near) -> Near:
        return self.div(self.log(x), Near(mp.ln(10), mpf(0)))

    def sinh(self, x: Near) -> Near:
        grown = self.exp(self.abs(x))
        return self.rounded(mp.sinh(x.value), grown.value * mp.expm1(x.error), self.function(x))

    def cosh(self, x: Near) -> Near:
        grown = self.exp(self.abs(x))
        return self.rounded(mp.cosh(x.value), grown.value * mp.expm1(x.error), self.function(x))

    def asin(self, x: Near) -> Near:
        return self._inside(x, mp.asin, lambda end: 1 / mp.sqrt(1 - end * end))

    def acos(self, x: Near) -> Near:
        return self._inside(x, mp.acos, lambda end: 1 / mp.sqrt(1 - end * end))

    def atanh(self, x: Near) -> Near:
        return self._inside(x, mp.atanh, lambda end: 1 / (1 - end * end))

    def erfinv(self, x: Near) -> Near:
        return self._inside(x, mp.erfinv, lambda end: mp.exp(mp.erfinv(end) ** 2))

    def _inside(self, x: Near, function: Any, slope: Any) -> Near:
        """A function from -1 to 1, the steeper the nearer to the ends."""
        end = abs(x.value) + x.error
        if end >= 1:
            raise Unknown
        return self.rounded(function(x.value), x.error * slope(end), self.precision.function)

    def acosh(self, x: Near) -> Near:
        end = x.value - x.error
        if end <= 1:
            raise Unknown
        lost = x.error / mp.sqrt(end * end - 1)
        return self.rounded(mp.acosh(x.value), lost, self.precision.function)

    def pow(self, x: Near, y: Near) -> Near:
        if x.value - x.error <= 0:
            raise Unknown
        ln = mp.log(x.value)
        lost = abs(ln) * y.error + (abs(y.value) + y.error) * x.error / (x.value - x.error)
        if lost > 1:
            raise Unknown
        return self.exp(Near(y.value * ln, lost + abs(y.value * ln) * self.precision.step))

    def atan2(self, y: Near, x: Near) -> Near:
        size = mp.hypot(x.value, y.value)
        if size <= 2 * (x.error + y.error) or abs(y.value) <= y.error:
            raise Unknown
        lost = 2 * (x.error + y.error) / size
        return self.rounded(mp.atan2(y.value, x.value), lost, self.precision.function)

    def erf(self, x: Near) -> Near:
        return self.rounded(mp.erf(x.value), 2 * x.error, self.precision.function)

    def sigmoid(self, x: Near) -> Near:
        value = 1 / (1 + mp.exp(-x.value))
        if x.value - x.error < -self.precision.farthest:
            return Near(value, mp.exp(-self.precision.farthest))
        return self.rounded(value, value * mp.expm1(x.error), self.function(x))
