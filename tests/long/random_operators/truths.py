"""What must come out of a call, and what is wrong with what does.

The source of a formula is evaluated with numbers of 200 bits, or with integers that wrap.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from random_operators.arguments import CHOICES, Attribute
from random_operators.calls import Call
from random_operators.dtypes import KINDS, Array, kind_of, mp, nearest, short, units_off
from random_operators.formulas import Term
from random_operators.operators import MEMBERS


@dataclass(frozen=True)
class Truth:
    """What an output is to be: shape, dtype, and true values before they are rounded."""

    values: Array  # of mpmath's numbers, or of integers
    dtype: str
    promoted: str
    error: float  # of what is computed, relative, before it is rounded
    promised: bool  # whether results are to be within 0.51 units in the last place

    def complaint(self, found: Array, dtype: str = "") -> str | None:
        """What is wrong with a result; `dtype` is that of an output that was given."""
        dtype = dtype or self.dtype
        if found.shape != self.values.shape or short(found.dtype) != dtype:
            came = f"{short(found.dtype)}{list(found.shape)}"
            return f"{came} came; expected {dtype}{list(self.values.shape)}"
        for place, (came, true) in enumerate(zip(found.flat, self.values.flat, strict=True)):
            wrong = self._wrong(came, true, dtype)
            if wrong:
                expected = mp.nstr(true, 12) if isinstance(true, mp.mpf) else int(true)
                return f"element {place} is {came!r}; expected {expected}{wrong}"
        return None

    def _wrong(self, came: Any, true: Any, dtype: str) -> str:
        if kind_of(self.promoted) != "float":
            once = nearest(int(true), self.promoted)
            return "" if came == nearest(int(once), dtype) else f" as {dtype}"
        if kind_of(dtype) != "float":
            return "" if came in self._converted(true, dtype) else f" as {dtype}"
        off, most = units_off(came, true, dtype), self._allowed(dtype)
        return "" if off <= most else f": {off:.4f} units off, allowed {most:.4f}"

    def _allowed(self, dtype: str) -> float:
        """How many units in the last place a result may be off."""
        bits, first = KINDS[dtype].bits, KINDS[self.promoted].bits
        if dtype == self.promoted:
            return min(0.5 + self.error * 2.0**bits, 0.51 if self.promised else math.inf)
        return 0.5 + (0.5 + self.error * 2.0**first) * 2.0 ** (bits - first + 1)

    def _converted(self, true: Any, dtype: str) -> list[Any]:
        """What a float that may be off by its error becomes as an integer or a flag: cut towards 0,
        the nearest there is where it is out of range."""
        ends = [float(nearest(true * (1 + s * self.error), self.promoted)) for s in (-1, 0, 1)]
        if dtype == "bool":
            return [np.bool_(end != 0) for end in ends]
        info = np.iinfo(KINDS[dtype].numpy)
        return [min(max(int(end), info.min), info.max) for end in ends]


def truths(call: Call, level: str = "exact") -> list[Truth]:
    """What every output is to be."""
    operator, promoted, compute = call.operator, call.promoted, call.compute(level)
    numbers = _Numbers({"i32": np.int32, "i64": np.int64}.get(compute, object))
    found = []
    for number, output in enumerate(operator.outputs):
        formula = operator.formulas[number]
        values = _values(call, formula.text, numbers, compute)
        changed = call.arguments.get(output.name)
        dtype = call.made(number) if changed is None else short(changed.dtype)
        promised = level == "exact" and (compute, promoted) not in (("f32", "f32"), ("f64", "f64"))
        found.append(Truth(values, dtype, promoted, _error(formula, promoted, compute), promised))
    return found


@dataclass(frozen=True)
class _Numbers:
    """Arrays of mpmath's numbers (`object`) or of integers that wrap."""

    dtype: Any

    def __call__(self, given: Any) -> Array:
        """An array of at least one dimension, so that arithmetic leaves one, too."""
        array = np.atleast_1d(np.asarray(given))
        if self.dtype is not object:
            return array.astype(self.dtype)
        found = np.empty(array.size, object)
        found[:] = [mp.mpf(x if isinstance(x, mp.mpf) else float(x)) for x in array.flat]
        return found.reshape(array.shape)

    def evaluated(self, formula: str, known: Mapping[str, Any]) -> Array:
        """The formula's source, in a vocabulary of our own."""

        def each(function: Any) -> Any:
            return lambda x: np.frompyfunc(function, 1, 1)(self(x))

        def where(condition: Any, yes: Any, no: Any) -> Array:
            return np.where(condition, self(yes), self(no))

        words = {
            "where": where,
            "minimum": lambda a, b: np.minimum(self(a), self(b)),
            "maximum": lambda a, b: np.maximum(self(a), self(b)),
            "clamp": lambda x, low, high: np.minimum(np.maximum(self(x), self(low)), self(high)),
            "equal": lambda a, b: self(a) == self(b),
            "not_equal": lambda a, b: self(a) != self(b),
            "known_as": lambda text, x: x,
            "exp": each(mp.exp),
            "expm1": each(mp.expm1),
            "log1p": each(mp.log1p),
            "sigmoid": each(lambda x: 1 / (1 + mp.exp(-x))),
        }
        with np.errstate(over="ignore"):
            return self(eval(formula, words, dict(known)))


def _values(call: Call, formula: str, numbers: _Numbers, compute: str) -> Array:
    """The true values of an output."""
    known, parts = _asked(call, numbers, compute), []
    for arrays, shape in _steps(call):
        read = {name: numbers(array) for name, array in arrays.items()}
        known["share"] = numbers(1.0) / max(math.prod(shape), 1)
        found = numbers.evaluated(formula, {**known, **read})
        parts.append(np.broadcast_to(found, shape or (1,)).reshape(shape))
    if call.operator.how == "joined":
        return np.concatenate(parts, axis=call.arguments["dim"])
    return parts[0]


def _asked(call: Call, numbers: _Numbers, compute: str) -> dict[str, Any]:
    """Arguments as formulas see them: null is the default; of a list what is there."""
    found: dict[str, Any] = dict.fromkeys(MEMBERS) | dict(call.arguments)
    for attribute in call.operator.attributes:
        value = found[attribute.name]
        value = attribute.default if value is None else value
        if attribute.is_number:
            value = numbers(_used(attribute, value, call.promoted, compute))
        elif attribute.host == "dtype":
            value = np.dtype(KINDS[value].numpy)
        elif attribute.host == "choice":
            value = CHOICES.get(value, value)
        found[attribute.name] = value
    return found


def _used(attribute: Attribute, value: Any, promoted: str, compute: str) -> Any:
    """A number as a formula uses it: cut towards 0 among integers; a scalar is a FLOAT unless
    DOUBLE is computed."""
    if kind_of(promoted) == "bool":
        return int(bool(value))
    if kind_of(promoted) == "int":
        return int(value)
    scalar = attribute.kind.constant == "SCALAR" and promoted != "f64"
    single = attribute.host == "float" or scalar or compute == "f32"
    return float(np.float32(value)) if single else value


def _steps(call: Call) -> list[tuple[dict[str, Array], tuple[int, ...]]]:
    """The tensors of every run of the formula, and the shape of what it gives."""
    operator, given = call.operator, call.arguments
    if operator.how == "joined":
        return [({"self": array}, array.shape) for array in given["tensors"]]
    if operator.how == "halved":
        first, second = np.split(given["self"], 2, axis=given["dim"])
        return [({"first": first, "second": second}, first.shape)]
    if operator.how == "folded":
        arrays = dict(zip(MEMBERS, given["tensors"], strict=False))
    else:
        arrays = {t.name: given[t.name] for t in operator.reads if given[t.name] is not None}
    if operator.changed:
        return [(arrays, given[operator.changed.name].shape)]
    if operator.how == "created":
        return [(arrays, given["size"])]
    return [(arrays, np.broadcast_shapes(*(array.shape for array in arrays.values())))]


def _error(formula: Term, promoted: str, compute: str) -> float:
    """How far a computed value may be from the true one, relative, before it is rounded."""
    if compute == "f64":
        return 2 * formula.steps * 2.0**-53 + formula.functions * 2.0**-32.5
    function = 2.0**-21 if promoted == "f32" else 2.0**-19
    return 2 * formula.steps * 2.0**-24 + formula.functions * function
