"""Formulas evaluated to about 100 bits: in double-double where that has room for everything, with
exponents beside it where it has not. Formulas of integers are exact.

Accuracy is relative to the largest term of a sum: where terms cancel, as many bits are lost.

>>> from openaclnn.spec.formula import exp, tensor, trace
>>> formula = trace(lambda x: exp(x) - 1, {"x": tensor("x")})
>>> (found,) = evaluate(formula, {"x": Pair(np.ones(1), np.float64(0))}, {}, 1)
>>> found.high[0].item(), found.low[0].item()  # e - 1 to 32 digits
(1.7182818284590453, -7.747991575210629e-17)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.records import dataclass
from openaclnn.base.status import OpenaclnnError
from openaclnn.engines import plain
from openaclnn.spec.formula import WRAPPED, Expr, Traced, walk
from openaclnn.truth import double_double as dd
from openaclnn.truth import pair_functions, scaled
from openaclnn.truth.double_double import Pair
from openaclnn.truth.scaled import Scaled
from openaclnn.truth.tree_functions import FUNCTIONS, power

_CHUNK = 16384  # elements at a time: the many temporaries stay in the cache
_SMALLEST, _LARGEST = 2.0**-450, 2.0**450  # what double-double multiplies without a thought
_FURTHEST = 300.0  # of an exponential's argument

Number = Any  # a Pair or a Scaled
Value = Any  # a Number, or an array of bool: a condition


MEMORY = " memory"  # what the name of a looked-up tensor's memory ends with, behind its address's


@dataclass(frozen=True)
class Storage:
    """The elements of a tensor's storage, which a formula looks up by their distance in bytes."""

    elements: Pair | NDArray[Any]
    itemsize: int

    def at(self, distance: Any, there: Any) -> Any:
        """An element for each distance, 0 where there is none."""
        there = np.asarray(there, bool)
        place = np.where(there, np.asarray(distance), 0).astype(np.int64) // self.itemsize
        if isinstance(self.elements, Pair):
            halves = (self._taken(half, place, there) for half in self.elements)
            return Pair(*halves)
        return self._taken(self.elements, place, there)

    @staticmethod
    def _taken(half: Any, place: Any, there: Any) -> Any:
        if not np.ndim(half):  # every element has the same low half, 0
            return half
        return np.where(there, half[place], half.dtype.type(0)) if half.size else 0.0 * place


@dataclass(frozen=True)
class _Step:
    """One operation on the results of earlier ones, by their places."""

    op: str
    args: tuple[int, ...]
    name: str
    value: Any  # of a constant; of a floored place, its formula


@dataclass(frozen=True)
class _Program:
    """A tree as a list, equal parts once."""

    steps: tuple[_Step, ...]
    results: tuple[int, ...]


@lru_cache(maxsize=256)
def _program(traced: Traced) -> _Program:
    places: dict[Any, int] = {}
    visited: dict[Expr, int] = {}  # what many share is visited once
    steps: list[_Step] = []

    def visit(expr: Expr) -> int:
        if expr not in visited:
            visited[expr] = placed(expr)
        return visited[expr]

    def placed(expr: Expr) -> int:
        if expr.op in ("known_as", "near") and expr.value != WRAPPED:
            return visit(expr.args[-1])  # the value, whatever it is called or computed by
        if expr.op == "floored":
            steps.append(_Step(expr.op, (), expr.name, expr))
            return len(steps) - 1
        args = tuple(map(visit, expr.args))
        key = (expr.op, args, expr.name, repr(expr.value))  # -0.0 is not 0.0
        if key not in places:
            places[key] = len(steps)
            steps.append(_Step(expr.op, args, expr.name, expr.value))
        return places[key]

    results = tuple(map(visit, traced.results))
    return _Program(tuple(steps), results)


def evaluate(
    traced: Traced, inputs: Mapping[str, Pair], numbers: Mapping[str, Pair | Storage], count: int
) -> list[Value]:
    """The results for inputs of so many elements: pairs, or arrays of bool. `numbers` are the
    uniforms by name."""
    program = _program(traced)
    parts: list[list[Value]] = [[] for _ in program.results]
    lost = np.zeros(count, bool)
    with np.errstate(all="ignore"):
        for start in range(0, max(count, 1), _CHUNK):
            some = slice(start, min(start + _CHUNK, count))
            given = {name: _taken(pair, some) for name, pair in inputs.items()}
            near = _Near(some.stop - start)
            for part, value in zip(parts, _run(near, program, {**given, **numbers}), strict=True):
                part.append(_for_each(value, near.lost.size))
            lost[some] = near.lost
        found = [_joined(part) for part in parts]
        places = np.flatnonzero(lost)
        for start in range(0, places.size, _CHUNK):
            _mend(program, inputs, numbers, places[start : start + _CHUNK], found)
    return found


def symbolic(
    traced: Traced, inputs: Mapping[str, Pair], numbers: Mapping[str, Pair]
) -> list[Value]:
    """The same for symbols, with exponents throughout."""
    found = _run(scaled, _program(traced), {**inputs, **numbers})
    return [scaled.rounded(value) if isinstance(value, Scaled) else value for value in found]


def evaluate_integers(
    traced: Traced,
    inputs: Mapping[str, Any],
    numbers: Mapping[str, int | Storage],
    type: Any,
    held: Any = None,
) -> list[Any]:
    """The results for arrays of integers, computed in a NumPy type, in which they wrap: arrays of
    that type, or of bool. `held` is the type of the tensors, if it is another."""
    with np.errstate(all="ignore"):
        given = {n: np.asarray(array).astype(type) for n, array in inputs.items()}
        given |= {n: _wrapped(number, type) for n, number in numbers.items()}
        found = _run(_Integers(type, held or type), _program(traced), given)
    return [np.asarray(value) for value in found]


def _wrapped(number: int | Storage, type: Any) -> Any:
    if isinstance(number, Storage):
        return replace(number, elements=np.asarray(number.elements).astype(type))
    bits = 8 * np.dtype(type).itemsize
    return np.array(number % 2**bits, f"u{bits // 8}").astype(type)


def _taken(pair: Pair, places: Any) -> Pair:
    return Pair(*(half[places] if np.ndim(half) else half for half in pair))


def _joined(parts: Sequence[Value]) -> Value:
    if isinstance(parts[0], Pair):
        return Pair(*(np.concatenate(halves) for halves in zip(*parts, strict=True)))
    return np.concatenate(parts)


def _mend(
    program: _Program,
    inputs: Mapping[str, Pair],
    numbers: Mapping[str, Pair | Storage],
    places: Any,
    found: Sequence[Value],
) -> None:
    """What has left the range of double-double once more, with exponents."""
    some = {name: _taken(pair, places) for name, pair in inputs.items()}
    better = _run(scaled, program, {**some, **numbers})
    for value, mended in zip(found, better, strict=True):
        if isinstance(value, Pair):
            value.high[places], value.low[places] = scaled.rounded(mended)
        else:
            value[places] = mended


def _for_each(value: Value, count: int) -> Value:
    """A result of its own for every element."""
    if isinstance(value, Pair):
        return Pair(*(np.array(np.broadcast_to(half, count), np.float64) for half in value))
    return np.array(np.broadcast_to(value, count), bool)


class _Near:
    """Double-double. `lost` are the elements for which anything is a zero, infinite, no number or
    so large or small that products may not be exact; those that are only read do not count."""

    def __init__(self, count: int) -> None:
        self.lost = np.zeros(count, bool)

    def kept(self, pair: Pair, zeros: bool = False) -> Pair:
        """What was computed; `zeros` where these are right, with their signs."""
        size = np.abs(pair.high)
        if size.size and not (size.min() > _SMALLEST and size.max() < _LARGEST):
            inside = (size > _SMALLEST) & (size < _LARGEST)
            self.lost |= ~(inside | (size == 0) if zeros else inside)
        return pair

    def read(self, pair: Pair) -> Pair:
        size = np.abs(pair.high)
        if size.size and not (size.max() <= _LARGEST and size.min() >= _SMALLEST):
            outside = (size > _LARGEST) | ((size < _SMALLEST) & (size != 0))
            self.lost |= outside & np.isfinite(size)
        return pair

    def constant(self, value: float | int | Fraction) -> Pair:
        return self.read(dd.exact(value))

    def negative(self, x: Pair) -> Pair:
        return Pair(-x.high, -x.low)

    def magnitude(self, x: Pair) -> Pair:
        return Pair(np.abs(x.high), x.low * np.copysign(1.0, x.high))

    def add(self, x: Pair, y: Pair) -> Pair:
        if _bare(x):
            x, y = y, x
        if not _bare(y):
            return self.kept(dd.add(x, y))
        if _bare(x):  # exact: x - x is no reason to begin again
            return self.kept(dd.two_sum(x.high, y.high), zeros=True)
        return self.kept(dd.add_float(x, y.high))

    def multiply(self, x: Pair, y: Pair) -> Pair:
        if _bare(x):
            x, y = y, x
        if not _bare(y):
            return self.kept(dd.multiply(x, y))
        if _bare(x):
            return self.kept(dd.two_product(x.high, y.high))
        return self.kept(dd.multiply_float(x, y.high))

    def divide(self, x: Pair, y: Pair) -> Pair:
        return self.kept(dd.divide(x, y))

    def less(self, x: Pair, y: Pair) -> Any:
        return (x.high < y.high) | ((x.high == y.high) & (x.low < y.low))

    def equal(self, x: Pair, y: Pair) -> Any:
        return (x.high == y.high) & (x.low == y.low)

    def where(self, condition: Any, yes: Pair, no: Pair) -> Pair:
        return dd.where(condition, yes, no)

    def exp(self, x: Pair) -> Pair:
        m, n = dd.exp(self.where_holds(np.abs(x.high) < _FURTHEST, x.high), x.low)
        factor = dd.power_of_two(n)
        return self.kept(Pair(m.high * factor, m.low * factor))

    def where_holds(self, condition: Any, high: Any) -> Any:
        """An argument where a condition holds; where not it is 1, and lost."""
        if np.all(condition):
            return high
        self.lost |= ~condition
        return np.where(condition, high, 1.0)

    def expm1(self, x: Pair) -> Pair:
        high = self.where_holds(np.abs(x.high) < _FURTHEST, x.high)
        return self.kept(dd.expm1(Pair(high, x.low)))

    def log(self, x: Pair) -> Pair:
        return self.kept(dd.log(Pair(self.where_holds(x.high > 0, x.high), x.low)))

    def log1p(self, x: Pair) -> Pair:
        return self.kept(dd.log1p(Pair(self.where_holds(x.high > -1, x.high), x.low)))

    def sqrt(self, x: Pair) -> Pair:
        return self.kept(pair_functions.sqrt(Pair(self.where_holds(x.high > 0, x.high), x.low)))

    def sine(self, x: Pair, turn: int = 0) -> Pair:
        high = self.where_holds(self.ordinary(x, 2.0**-60, _LARGEST), x.high)
        return self.kept(pair_functions.sine(Pair(high, x.low), turn))

    def erf(self, x: Pair) -> Pair:
        size = self.magnitude(x)
        high = self.where_holds(self.ordinary(x, 2.0**-40, 20.0), size.high)
        found = pair_functions.erf(Pair(high, size.low))
        sign = np.copysign(1.0, x.high)
        return self.kept(Pair(found.high * sign, found.low * sign))

    def erfc(self, x: Pair) -> Pair:
        high = self.where_holds((np.abs(x.high) > 2.0**-40) & (np.abs(x.high) < 15), x.high)
        return self.kept(pair_functions.erfc(Pair(high, x.low)))

    def atan(self, x: Pair) -> Pair:
        high = self.where_holds(self.ordinary(x, 2.0**-300, 2.0**300), x.high)
        return self.kept(pair_functions.atan(Pair(high, x.low)))

    def float64(self, x: Pair) -> Any:
        return x.high

    def started(self, start: Any, *given: Pair) -> Pair:
        """What a function of float64 numbers gives."""
        found = start(*map(self.float64, given))
        return Pair(found, np.zeros_like(found))

    def pi(self) -> Pair:
        return pair_functions.pi()

    def ordinary(self, x: Pair, low: float, high: float) -> Any:
        """Where a number is so large and no larger."""
        return (np.abs(x.high) > low) & (np.abs(x.high) < high)


class _Integers:
    """NumPy's own."""

    negative, magnitude, add, multiply = np.negative, np.abs, np.add, np.multiply
    less, equal, where = np.less, np.equal, staticmethod(np.where)
    power = staticmethod(plain.power)

    def __init__(self, type: Any, held: Any) -> None:
        self.type, self.held = type, held

    def wrapped(self, value: Any) -> Any:
        return value.astype(self.held).astype(self.type)

    def read(self, value: Any) -> Any:
        return value

    def constant(self, value: float | int) -> Any:
        return _wrapped(int(value), self.type)


def _bare(x: Pair) -> bool:
    """Whether a number is one float64."""
    return np.ndim(x.low) == 0 and not x.low


def _run(arithmetic: Any, program: _Program, given: Mapping[str, Any]) -> list[Value]:
    """The results by `_Near`, by `_Integers` or by the functions of `scaled`."""
    done: list[Value] = []
    for step in program.steps:
        if step.op in ("input", "uniform"):
            done.append(arithmetic.read(given[step.name]))
        elif step.op == "const":
            done.append(arithmetic.constant(step.value))
        elif step.op == "random":
            given_to = [_float64(done[arg]) for arg in step.args]
            value = plain.random_numbers(step.name, int(step.value), *given_to)
            if value.dtype.kind == "f":
                value = Pair(value, np.float64(0.0))
            done.append(arithmetic.read(value))
        elif step.op == "floored":
            values = {n: _float64(v) for n, v in given.items() if not isinstance(v, Storage)}
            found = np.asarray(plain.evaluate(step.value, values, values))
            if not isinstance(arithmetic, _Integers):
                found = arithmetic.read(Pair(found.astype(np.float64), np.float64(0.0)))
            done.append(found)
        elif step.op == "peek":
            address, there = (done[arg] for arg in step.args[:2])
            memory = given[step.name + MEMORY]
            done.append(arithmetic.read(memory.at(_float64(address), _condition(there))))
        else:
            done.append(_applied(arithmetic, step.op, [done[arg] for arg in step.args]))
    return [done[place] for place in program.results]


class NoTruthError(OpenaclnnError, LookupError):
    """A formula has a word that kernels know and this module does not."""


def is_known(expr: Expr) -> bool:
    """Whether there are true values of a formula.

    >>> from openaclnn.spec.formula import exp, tensor
    >>> is_known(exp(tensor("x")))
    True
    """
    known = {*_OF_CONDITIONS, *_OF_NUMBERS, *_OTHERS}
    return all(one.op in known for one in walk(expr))


_OTHERS = (
    "input",
    "uniform",
    "const",
    "random",
    "where",
    "fold",
    "described",
    "among_integers",
    "among_numbers",
    "as_number",
    "floored",
    "near",
    "peek",
)


def _applied(a: Any, op: str, args: list[Value]) -> Value:
    if op in ("among_integers", "among_numbers", "as_number"):
        return args[0]
    if op == "where":
        condition, yes, no = _condition(args[0]), *args[1:]
        if not (_is_number(yes) or _is_number(no)):
            return np.where(condition, yes, no)
        return a.where(condition, _number(a, yes), _number(a, no))
    if op in _OF_CONDITIONS:
        return _OF_CONDITIONS[op](*map(_condition, args))
    if op not in _OF_NUMBERS:
        raise NoTruthError(f"there are no true values of {op!r} yet")
    return _OF_NUMBERS[op](a, *(_number(a, arg) for arg in args))


def _is_number(value: Value) -> bool:
    return isinstance(value, (Pair, Scaled)) or value.dtype.kind != "b"


def _number(a: Any, value: Value) -> Number:
    """A condition is a number, 0 or 1."""
    return value if _is_number(value) else a.where(value, a.constant(1), a.constant(0))


def _condition(value: Value) -> Any:
    """A number is a condition that holds unless it is 0."""
    return _high(value) != 0 if _is_number(value) else value


def _float64(value: Number) -> Any:
    return _high(scaled.rounded(value) if isinstance(value, Scaled) else value)


def _high(value: Number) -> Any:
    return value.high if isinstance(value, (Pair, Scaled)) else value


def _is_nan(x: Number) -> Any:
    return np.isnan(_high(x))


def _smaller(a: Any, x: Number, y: Number) -> Number:
    return a.where(_is_nan(x) | a.less(x, y), x, y)


def _larger(a: Any, x: Number, y: Number) -> Number:
    return a.where(_is_nan(x) | a.less(y, x), x, y)


def _clamp(a: Any, x: Number, low: Number, high: Number) -> Number:
    x = a.where(a.less(high, x), high, x)
    return a.where(a.less(x, low), low, x)


def _whole(a: Any, round_one: Any, x: Number) -> Number:
    """A number rounded to a whole one: its parts, of which the second counts where the first is
    whole."""
    if not isinstance(x, (Pair, Scaled)):
        return x
    high, low = scaled.rounded(x) if isinstance(x, Scaled) else x
    if isinstance(x, Scaled):  # what is too small for float64 is no zero
        high = np.where((high == 0) & (x.high != 0), np.copysign(5e-324, x.high), high)
    first = round_one(high)
    rest = low + np.zeros_like(high)
    second = np.where(first == high, _whole_rest(round_one, high, rest), 0.0)
    if round_one is np.rint:  # a half, and something
        half = (np.abs(high - first) == 0.5) & (np.sign(rest) == np.sign(high - first))
        second = np.where(half, np.sign(rest), second)
    whole = dd.ordered_sum(first, np.where(np.isfinite(first), second, 0.0))
    found = Pair(np.where(np.isfinite(first) & (first != 0), whole.high, first), whole.low)
    return scaled.read(found) if isinstance(x, Scaled) else a.kept(found)


def _whole_rest(round_one: Any, high: Any, low: Any) -> Any:
    """What rounding does to the rest of a number that is whole but for it."""
    if round_one is np.trunc:  # towards 0, as seen from the number
        return np.where(high > 0, np.floor(low), np.ceil(low))
    return round_one(low)


def _of_floats(a: Any, function: Any, x: Number, y: Number) -> Number:
    """A function of NumPy's that is exact for float64; arguments here are no longer than that."""
    numbers = [scaled.rounded(n) if isinstance(n, Scaled) else n for n in (x, y)]
    found = Pair(function(numbers[0].high, numbers[1].high), np.float64(0.0))
    return scaled.read(found) if isinstance(x, Scaled) else a.kept(found)


def _trunc_div(a: Any, x: Number, y: Number) -> Number:
    if isinstance(x, (Pair, Scaled)):
        return _whole(a, np.trunc, a.divide(x, y))
    return np.where(y == 0, 0, (x - np.fmod(x, _divisor(y))) // _divisor(y)).astype(x.dtype)


def _floor_div(a: Any, x: Number, y: Number) -> Number:
    if not isinstance(x, (Pair, Scaled)):
        return np.where(y == 0, 0, x // _divisor(y)).astype(x.dtype)
    found = _whole(a, np.floor, a.divide(x, y))
    # of infinities, as PyTorch has it
    once = np.isinf(_high(y)) & (np.sign(_high(x)) * np.sign(_high(y)) < 0)
    found = a.where(once, a.constant(-1), found)
    none = np.isinf(_high(x)) & (_high(y) != 0)
    return a.where(none, a.constant(np.nan), found)


def _divisor(y: Any) -> Any:
    return np.where(y == 0, 1, y).astype(y.dtype)


def _fmod(a: Any, x: Number, y: Number) -> Number:
    if isinstance(x, (Pair, Scaled)):
        return _of_floats(a, np.fmod, x, y)
    return np.where(y == 0, x, np.fmod(x, _divisor(y)))


def _remainder(a: Any, x: Number, y: Number) -> Number:
    if not isinstance(x, (Pair, Scaled)):
        return np.where(y == 0, x, np.mod(x, _divisor(y)))
    rest = _fmod(a, x, y)
    apart = np.sign(_high(rest)) * np.sign(_high(y)) < 0
    return a.where(apart, a.add(rest, y), rest)


def _shifted(x: Any, places: Any, shift: Any, beyond: Any) -> Any:
    inside = (places >= 0) & (places < 8 * x.dtype.itemsize)
    return np.where(inside, shift(x, np.where(inside, places, 0).astype(x.dtype)), beyond)


_OF_NUMBERS: dict[str, Callable[..., Value]] = {
    "add": lambda a, x, y: a.add(x, y),
    "sub": lambda a, x, y: a.add(x, a.negative(y)),
    "mul": lambda a, x, y: a.multiply(x, y),
    "div": lambda a, x, y: a.divide(x, y),
    "known_as": lambda a, x: a.wrapped(x) if isinstance(a, _Integers) else x,  # a `wrapped`
    "neg": lambda a, x: a.negative(x),
    "abs": lambda a, x: a.magnitude(x),
    "lt": lambda a, x, y: a.less(x, y),
    "gt": lambda a, x, y: a.less(y, x),
    "le": lambda a, x, y: a.less(x, y) | a.equal(x, y),
    "ge": lambda a, x, y: a.less(y, x) | a.equal(x, y),
    "equal": lambda a, x, y: a.equal(x, y),
    "not_equal": lambda a, x, y: ~a.equal(x, y),
    "minimum": _smaller,
    "maximum": _larger,
    "clamp": _clamp,
    "floor": lambda a, x: _whole(a, np.floor, x),
    "ceil": lambda a, x: _whole(a, np.ceil, x),
    "trunc": lambda a, x: _whole(a, np.trunc, x),
    "round": lambda a, x: _whole(a, np.rint, x),
    "trunc_div": _trunc_div,
    "floor_div": _floor_div,
    "fmod": _fmod,
    "remainder": _remainder,
    "gcd": lambda a, x, y: np.gcd(x, y),
    "bit_and": lambda a, x, y: x & y,
    "bit_or": lambda a, x, y: x | y,
    "bit_xor": lambda a, x, y: x ^ y,
    "shift_left": lambda a, x, y: _shifted(x, y, np.left_shift, x.dtype.type(0)),
    "shift_right": lambda a, x, y: _shifted(x, y, np.right_shift, -(x < 0).astype(x.dtype)),
    "signbit": lambda a, x: np.signbit(_high(x)),
    "pow": lambda a, x, y: a.power(x, y) if isinstance(a, _Integers) else power(a, x, y),
    **FUNCTIONS,
}
_OF_CONDITIONS: dict[str, Callable[..., Any]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
    "not": np.logical_not,
}
