"""What a formula is worth, by mpmath: numbers, integers and derivatives, to as many digits as it
takes. Nothing here is shared with kernels, with `openaclnn.truth`, or with the rules of
differentiation.

Precision is doubled until two evaluations agree to 2⁻⁸⁰, so cancellation costs time, not digits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from mpmath import mp, mpf

from openaclnn.spec.formula import ALL, WRAPPED, Expr, walk

Index = tuple[int, ...]
_FIRST, _LAST = 160, 1 << 14  # bits
_AGREE = 80
_NOTHING = 1 << 12  # bits in which a zero is one, or less than any type has


_STEPS = ("floor", "ceil", "trunc", "round", "trunc_div", "floor_div", "fmod", "remainder")


class UnknownError(Exception):
    """mpmath has no such number: it has one zero only, and no number for what would follow."""


@dataclass(frozen=True)
class LookedUp:
    """Elements that a formula looks up by their distance in bytes."""

    elements: Any
    itemsize: int


@dataclass
class Point:
    """Where a formula is evaluated: arrays that broadcast, and numbers that hold for all of them.
    `dims` are what folds run along, by what they are over. `wraps`: integers of so many bits, of
    which each result is cut to fit."""

    arrays: Mapping[str, Any]
    numbers: Mapping[str, Any] = field(default_factory=dict)
    dims: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    wraps: int = 0
    held: tuple[int, bool] = (64, False)  # bits of the tensors' integers, and whether unsigned
    moved: tuple[str, mpf] | None = None  # an input that is off by a little
    memories: Mapping[str, LookedUp] = field(default_factory=dict)  # by an address's name
    whole: Index | None = None  # the shape, where the arrays have not all of it

    def as_held(self, number: int) -> int:
        """An integer as the tensors' dtype has it."""
        bits, unsigned = self.held
        wrapped = int(number) % (1 << bits)
        return wrapped if unsigned or not wrapped >> (bits - 1) else wrapped - (1 << bits)

    @property
    def shape(self) -> tuple[int, ...]:
        if self.whole is not None:
            return self.whole
        return np.broadcast_shapes(*(array.shape for array in self.arrays.values()))


def value(expr: Expr, point: Point, index: Index = ()) -> Any:
    """The value of a formula at an index: an mpf, an integer where integers wrap, or a bool."""
    return _agreed(lambda: _Evaluation(point).of(expr, index))


def slope(expr: Expr, point: Point, along: str, index: Index = ()) -> Any:
    """The derivative of a formula with respect to an input, from its values on both sides; unknown
    where these disagree: at an edge, or a step."""
    steps = any(one.op in _STEPS for one in walk(expr))

    def difference() -> Any:
        near = mpf(2) ** -(mp.prec // (2 if steps else 3))
        step = near * max(abs(_number(point.arrays[along][index])), mpf(2) ** -40)
        below, here, above = (
            _Evaluation(Point(point.arrays, point.numbers, moved=(along, off))).of(expr, index)
            for off in (-step, mpf(0), step)
        )
        left, right = here - below, above - here
        if abs(right - left) > (abs(left) + abs(right)) * mpf(2) ** -20:
            raise UnknownError
        return (above - below) / (2 * step)

    return _agreed(difference, 1600 if steps else _FIRST)


def _agreed(evaluate: Callable[[], Any], bits: int = _FIRST) -> Any:
    before: Any = None
    while bits <= _LAST:
        with mp.workprec(bits):
            found = evaluate()
            if not isinstance(found, mpf):
                return found
            same = found == before or (mp.isnan(found) and before is not None and mp.isnan(before))
            if not same and before is not None and mp.isfinite(before) and mp.isfinite(found):
                same = abs(found - before) <= abs(found) * mpf(2) ** -_AGREE
            if same and (found != 0 or bits >= _NOTHING):
                return found
            # what vanishes twice may only have needed more digits
            before, bits = found, _NOTHING if found == 0 == before else 2 * bits
    raise UnknownError


def ulps(found: float, true: mpf, bits: int, lowest: int, highest: int) -> float:
    """How far a result is from the true value, in units in the last place of a type."""
    if math.isnan(found) or mp.isnan(true):
        return 0.0 if math.isnan(found) and mp.isnan(true) else math.inf
    exponent = int(mp.frexp(true)[1]) - 1 if true and mp.isfinite(true) else lowest
    unit = mpf(2) ** (max(lowest, min(exponent, highest)) - bits + 1)
    beyond = mpf(2) ** (highest + 1)
    if math.isinf(found):
        if abs(true) >= beyond - unit / 2:
            return 0.0 if (found > 0) == (true > 0) else math.inf
        return float(abs(math.copysign(1, found) * beyond - true) / unit)
    return math.inf if mp.isinf(true) else float(abs(mpf(found) - true) / unit)


class _Evaluation:
    def __init__(self, point: Point) -> None:
        self.point, self.done = point, {}  # type: ignore[var-annotated]
        self.rounded: dict[tuple[int, Index, Any], Any] = {}

    def of(self, expr: Expr, index: Index) -> Any:
        if expr.op == "fold":  # the same for all that it is made of
            dims = self.along(expr)
            index = tuple(0 if dim in dims else k for dim, k in enumerate(index))
        key = id(expr), index
        if key not in self.done:
            self.done[key] = self.computed(expr, index)
        return self.done[key]

    def computed(self, expr: Expr, index: Index) -> Any:
        point = self.point
        if expr.op == "input":
            array = point.arrays[expr.name]
            found = self.number(np.broadcast_to(array, point.shape)[index])
            moved = point.moved and point.moved[0] == expr.name
            return found + point.moved[1] if moved and point.moved else found
        if expr.op == "uniform":
            return self.number(point.numbers[expr.name])
        if expr.op == "const":
            return self.number(expr.value)
        if expr.op == "peek":
            return self.looked_up(expr, index)
        if expr.op == "floored":
            kind = np.float64 if expr.name else np.float32
            with np.errstate(all="ignore"):
                return self.number(int(np.floor(self.in_floats(expr.args[0], index, kind))))
        if expr.op == "random":
            return self.number(drawn(expr.name, int(expr.value or 0),
                                     *(int(self.of(arg, index)) for arg in expr.args)))  # fmt: skip
        if expr.op in ("among_integers", "among_numbers", "as_number"):
            return self.of(expr.args[0], index)
        if expr.op in ("known_as", "near"):
            found = self.of(expr.args[-1], index)
            return point.as_held(found) if point.wraps and expr.value == WRAPPED else found
        if expr.op == "fold":
            return self.folded(expr, index)
        if expr.op == "where":
            condition, yes, no = expr.args
            return self.of(yes if _holds(self.of(condition, index)) else no, index)
        args = [self.of(arg, index) for arg in expr.args]
        if expr.op in _CONDITIONS:
            return _CONDITIONS[expr.op](*map(_holds, args))
        args = [self.number(int(arg)) if isinstance(arg, bool) else arg for arg in args]
        words = _OF_INTEGERS if self.point.wraps else _OF_FLOATS
        try:
            found = words[expr.op](*args)
        except (ZeroDivisionError, OverflowError):
            raise UnknownError from None
        if isinstance(found, mpmath.mpc):
            return mpf("nan")
        return self.number(found) if self.point.wraps and not isinstance(found, bool) else found

    def along(self, fold: Expr) -> Index:
        every = tuple(range(len(self.point.shape)))
        return self.point.dims.get(fold.over, every if fold.over == ALL else ())

    def looked_up(self, expr: Expr, index: Index) -> Any:
        address, there = (self.of(arg, index) for arg in expr.args[:2])
        memory = self.point.memories[expr.name]
        if not _holds(there):
            return self.number(0)
        return self.number(memory.elements[int(address) // memory.itemsize])

    def in_floats(self, expr: Expr, index: Index, kind: Any) -> Any:
        """As a type computes it: every operation is rounded."""
        key = (id(expr), index, kind)
        if key not in self.rounded:
            self.rounded[key] = self.computed_in_floats(expr, index, kind)
        return self.rounded[key]

    def computed_in_floats(self, expr: Expr, index: Index, kind: Any) -> Any:
        if expr.op == "input":
            return kind(np.broadcast_to(self.point.arrays[expr.name], self.point.shape)[index])
        if expr.op == "uniform":
            return kind(float(self.point.numbers[expr.name]))
        if expr.op == "const":
            return kind(expr.value)
        if expr.op == "floored":
            inner = np.float64 if expr.name else np.float32
            return kind(np.floor(self.in_floats(expr.args[0], index, inner)))
        if expr.op in ("known_as", "among_numbers", "as_number"):
            return self.in_floats(expr.args[-1], index, kind)
        words: dict[str, Callable[..., Any]] = {
            "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
            "div": lambda a, b: a / b, "maximum": np.maximum, "minimum": np.minimum,
            "neg": lambda a: -a, "abs": abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
            "round": np.rint, "fmod": np.fmod,
            "where": lambda holds, yes, no: yes if holds else no, **_COMPARISONS,
        }  # fmt: skip
        return words[expr.op](*(self.in_floats(arg, index, kind) for arg in expr.args))

    def folded(self, expr: Expr, index: Index) -> Any:
        shape = self.point.shape
        dims = self.along(expr)
        along = [range(size) if dim in dims else (index[dim],) for dim, size in enumerate(shape)]
        terms = [self.of(expr.args[0], at) for at in itertools.product(*along)]
        if expr.name == "max":
            return max(terms) if not any(mp.isnan(term) for term in terms) else mpf("nan")
        if self.point.wraps:
            return self.number(sum(terms))
        total = mp.fsum(terms)
        return total / len(terms) if expr.name == "mean" else total

    def number(self, given: Any) -> Any:
        bits = self.point.wraps
        if not bits:
            return _number(given)
        wrapped = int(given) % (1 << bits)
        return wrapped - (1 << bits) if wrapped >> (bits - 1) else wrapped


_ROUNDS = 10
_BUMPS, _FACTORS = (0x9E3779B9, 0xBB67AE85), (0xD2511F53, 0xCD9E8D57)


def drawn(kind: str, half: int, place: int, *stream: int) -> Any:
    """A random number by Philox4x32-10: the counter is a place in 64 bits and an offset, the key a
    seed, each in halves, of which `stream` has the lower ones first."""
    word = (1 << 32) - 1
    key, counter = list(stream[:2]), [place & word, place >> 32 & word, *stream[2:]]
    for _ in range(_ROUNDS):
        low, high = (counter[2 * k] * _FACTORS[k] for k in (0, 1))
        counter = [
            high >> 32 ^ counter[1] ^ key[0], high & word, low >> 32 ^ counter[3] ^ key[1],
            low & word,
        ]  # fmt: skip
        key = [one + bump & word for one, bump in zip(key, _BUMPS, strict=True)]
    bits = counter[2 * half] << 32 | counter[2 * half + 1]
    if kind == "integer":
        return bits >> 1
    return Fraction(bits >> 11 | (kind == "centre"), 1 << 53)


def _number(given: Any) -> mpf:
    if isinstance(given, Fraction):
        return mpf(given.numerator) / given.denominator
    if isinstance(given, (int, np.integer)):
        return mpf(int(given))
    return given if isinstance(given, mpf) else mpf(float(given))


def _holds(given: Any) -> bool:
    return bool(given != 0)


def _smaller(a: mpf, b: mpf) -> mpf:
    return mpf("nan") if mp.isnan(a) or mp.isnan(b) else min(a, b)


def _larger(a: mpf, b: mpf) -> mpf:
    return mpf("nan") if mp.isnan(a) or mp.isnan(b) else max(a, b)


def _clamped(x: mpf, low: mpf, high: mpf) -> mpf:
    x = high if high < x else x
    return low if x < low else x


def _half_even(x: mpf) -> mpf:
    below = mp.floor(x)
    off = x - below
    up = off > 0.5 or (off == 0.5 and mp.floor(below / 2) * 2 != below)
    return below + 1 if up else below


def _trunc(x: mpf) -> mpf:
    return mp.floor(x) if x >= 0 else mp.ceil(x)


def _fmod(a: mpf, b: mpf) -> mpf:
    exact, divisor = Fraction(*_ratio(a)), Fraction(*_ratio(b))
    return _number(exact - divisor * int(exact / divisor))  # int() cuts towards 0


def _remainder(a: mpf, b: mpf) -> mpf:
    exact, divisor = Fraction(*_ratio(a)), Fraction(*_ratio(b))
    return _number(exact - divisor * (exact // divisor))


def _ratio(x: mpf) -> tuple[int, int]:
    """An mpf as it is, a ratio of integers."""
    sign, mantissa, exponent, _ = x._mpf_
    if not mantissa and exponent:
        raise UnknownError  # an infinity, or NaN
    whole = -int(mantissa) if sign else int(mantissa)
    return (whole << exponent, 1) if exponent >= 0 else (whole, 1 << -exponent)


def _power(x: mpf, y: mpf) -> mpf:
    if y == 0 or x == 1:
        return mpf(1)
    if x == 0:
        if y < 0:
            raise UnknownError
        return mpf(0)
    if x < 0 and y != mp.floor(y):
        return mpf("nan")
    size = mp.exp(y * mp.log(abs(x)))
    return -size if x < 0 and mp.floor(y / 2) * 2 != y else size


def _inside(function: Callable[[mpf], mpf]) -> Callable[[mpf], mpf]:
    """A function from -1 to 1."""
    return lambda x: function(x) if abs(x) < 1 else _end(function, x)


def _end(function: Callable[[mpf], mpf], x: mpf) -> mpf:
    if abs(x) > 1:
        return mpf("nan")
    if function in (mp.asin, mp.acos):
        return function(x)
    return x * mpf("inf")


_COMPARISONS: dict[str, Callable[..., bool]] = {
    "lt": lambda a, b: bool(a < b),
    "le": lambda a, b: bool(a <= b),
    "gt": lambda a, b: bool(a > b),
    "ge": lambda a, b: bool(a >= b),
    "equal": lambda a, b: bool(a == b),
    "not_equal": lambda a, b: bool(a != b),
}
_CONDITIONS: dict[str, Callable[..., bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
    "not": lambda a: not a,
}
_OF_FLOATS: dict[str, Callable[..., Any]] = {
    **_COMPARISONS,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda x: -x,
    "abs": abs,
    "minimum": _smaller,
    "maximum": _larger,
    "clamp": _clamped,
    "floor": mp.floor,
    "ceil": mp.ceil,
    "trunc": _trunc,
    "round": _half_even,
    "trunc_div": lambda a, b: _trunc(a / b),
    "floor_div": lambda a, b: mp.floor(a / b),
    "fmod": _fmod,
    "remainder": _remainder,
    "signbit": lambda x: bool(x < 0),
    "exp": mp.exp,
    "exp2": lambda x: mpf(2) ** x,
    "expm1": mp.expm1,
    "log": lambda x: mp.log(x) if x >= 0 else mpf("nan"),
    "log1p": lambda x: mp.log1p(x) if x >= -1 else mpf("nan"),
    "log2": lambda x: mp.log(x) / mp.ln2 if x >= 0 else mpf("nan"),
    "log10": lambda x: mp.log(x) / mp.ln10 if x >= 0 else mpf("nan"),
    "logaddexp": lambda a, b: mp.log(mp.exp(a) + mp.exp(b)),
    "logaddexp2": lambda a, b: mp.log(mpf(2) ** a + mpf(2) ** b) / mp.ln2,
    "sqrt": lambda x: mp.sqrt(x) if x >= 0 else mpf("nan"),
    "rsqrt": lambda x: 1 / mp.sqrt(x) if x >= 0 else mpf("nan"),
    "sin": mp.sin,
    "cos": mp.cos,
    "tan": mp.tan,
    "asin": _inside(mp.asin),
    "acos": _inside(mp.acos),
    "atan": mp.atan,
    "atan2": mp.atan2,
    "sinh": mp.sinh,
    "cosh": mp.cosh,
    "asinh": mp.asinh,
    "acosh": lambda x: mp.acosh(x) if x >= 1 else mpf("nan"),
    "atanh": _inside(mp.atanh),
    "tanh": mp.tanh,
    "erf": mp.erf,
    "erfc": mp.erfc,
    "erfinv": _inside(mp.erfinv),
    "pow": _power,
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
}


def _whole_power(x: int, y: int) -> int:
    if y >= 0:
        return pow(x, y, 1 << 128)  # what is cut off later does not count now
    return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)


_OF_INTEGERS: dict[str, Callable[..., Any]] = {
    **_COMPARISONS,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda x: -x,
    "abs": abs,
    "minimum": min,
    "maximum": max,
    "clamp": lambda x, low, high: max(min(x, high), low),
    **dict.fromkeys(("floor", "ceil", "trunc", "round"), lambda x: x),
    "trunc_div": lambda a, b: 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "floor_div": lambda a, b: 0 if b == 0 else a // b,
    "fmod": lambda a, b: a if b == 0 else int(math.copysign(1, a)) * (abs(a) % abs(b)),
    "remainder": lambda a, b: a if b == 0 else a % b,
    "gcd": math.gcd,
    "bit_and": lambda a, b: a & b,
    "bit_or": lambda a, b: a | b,
    "bit_xor": lambda a, b: a ^ b,
    "signbit": lambda x: x < 0,
    "shift_left": lambda x, places: x << places if 0 <= places < 64 else 0,
    "shift_right": lambda x, places: x >> places if 0 <= places < 64 else -(x < 0),
    "pow": _whole_power,
}
