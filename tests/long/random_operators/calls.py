"""Calls of random operators: arguments that are drawn for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from random_operators.arguments import REQUIRED, Attribute, Tensor
from random_operators.dtypes import KINDS, Array, kind_of, promote, promote_number, short
from random_operators.operators import MEMBERS, Operator

_SHAPES = ((7,), (2, 3), (4, 1, 5), (), (3, 17), (0, 3), (2, 1, 2, 3), (33,), (2, 40))
_NOTABLE = (0.0, -0.0, 1.0, -1.0, 0.25, 4.0, -4.0, 2.0)
_ORDER = ("bool", "int", "float")  # of kinds


@dataclass(frozen=True)
class Call:
    """Arguments by name, as Python users give them: arrays, lists of them, values; None where an
    optional one is absent."""

    operator: Operator
    arguments: Mapping[str, Any]

    @property
    def promoted(self) -> str:
        """The dtype that is computed in."""
        if self.operator.how == "created":
            given = self.arguments[self.operator.made[0]]
            return short(given.dtype) if isinstance(given, np.ndarray) else str(given)
        read = [self.arguments[t.name] for t in self.operator.reads]
        arrays = [one for given in read for one in (given if isinstance(given, list) else [given])]
        found = promote([short(array.dtype) for array in arrays if array is not None])
        for attribute in self.operator.attributes:
            if attribute.promotes:
                found = promote_number(found, type(self.arguments[attribute.name]).__name__)
        return found

    def made(self, number: int) -> str:
        """The dtype of a result, whatever it is then written to."""
        made = self.operator.made[number]
        if made in ("promoted", "bool"):
            return self.promoted if made == "promoted" else "bool"
        return self.promoted if self.operator.how == "created" else str(self.arguments[made])

    def compute(self, level: str) -> str:
        """The type that the arithmetic is in."""
        promoted = self.promoted
        if kind_of(promoted) != "float":
            return "i64" if promoted == "s64" else "i32"
        wide = promoted == "f32" and level == "exact" and self.operator.wide
        return "f64" if promoted == "f64" or wide else "f32"

    def __str__(self) -> str:
        def told(value: Any) -> str:
            if isinstance(value, np.ndarray):
                return f"{short(value.dtype)}{list(value.shape)}"
            return f"[{', '.join(map(told, value))}]" if isinstance(value, list) else repr(value)

        given = ", ".join(f"{name}={told(value)}" for name, value in self.arguments.items())
        return f"{self.operator.name}({given})"


def draw(operator: Operator, rng: Random) -> Call:
    """A call that the operator takes."""
    while True:
        arguments: dict[str, Any] = {a.name: _value(a, rng) for a in operator.attributes}
        call = Call(operator, {**arguments, **_arrays(operator, rng, arguments)})
        if _acceptable(call):
            return call


def _value(attribute: Attribute, rng: Random) -> Any:
    """At times the default; None for null."""
    if attribute.optional and rng.random() < 0.3:
        return None
    if attribute.default is not REQUIRED and rng.random() < 0.3:
        return attribute.default
    return attribute.draw(rng)


def _acceptable(call: Call) -> bool:
    """Whether rules let pass what was drawn: numbers that integers can hold, and results that
    convert to what is changed."""
    operator, promoted = call.operator, call.promoted
    if kind_of(promoted) != "float" and operator.how != "created":
        for attribute in operator.attributes:
            number = call.arguments[attribute.name]
            if attribute.kind.constant != "SCALAR" or number is None:
                continue
            if isinstance(number, float) or (promoted == "u8" and number < 0):
                return False
    return all(
        converts(call.made(number), short(call.arguments[output.name].dtype))
        for number, output in enumerate(operator.outputs)
        if output.role == "InOut"
    )


def converts(source: str, target: str) -> bool:
    """Whether results of a dtype may be written to another: to its own kind or a larger one, and no
    number to BOOL."""
    if source == target:
        return True
    return target != "bool" and _ORDER.index(kind_of(source)) <= _ORDER.index(kind_of(target))


def _arrays(operator: Operator, rng: Random, given: Mapping[str, Any]) -> dict[str, Any]:
    """Tensors that have the right shapes and dtypes."""
    common = {t.dtypes: rng.choice(t.dtypes) for t in operator.inputs}
    mixed = not operator.one_dtype and rng.random() < 0.4
    dtypes: dict[str, list[str]] = {t.name: [] for t in operator.inputs}
    for tensor in operator.inputs:
        if not tensor.optional or rng.random() < 0.6:
            count = rng.randint(1, len(MEMBERS)) if tensor.many else 1
            dtypes[tensor.name] = [
                rng.choice(tensor.dtypes) if mixed else common[tensor.dtypes] for _ in range(count)
            ]
    floats = any(kind_of(d) == "float" for t in operator.reads for d in dtypes[t.name])
    shape, found = rng.choice(_SHAPES), {}
    for tensor in operator.inputs:
        arrays = [
            _elements(rng, dtype, _shape(operator, tensor, shape, rng, given, member), floats)
            for member, dtype in enumerate(dtypes[tensor.name])
        ]
        found[tensor.name] = arrays if tensor.many else arrays[0] if arrays else None
    return found


def _shape(
    operator: Operator,
    tensor: Tensor,
    shape: tuple[int, ...],
    rng: Random,
    given: Mapping[str, Any],
    member: int,
) -> tuple[int, ...]:
    if operator.how in ("joined", "halved"):
        sizes, dim = list(shape or (2,)), given["dim"]
        sizes[dim] = rng.randint(0, 4) if operator.how == "joined" else 2 * sizes[dim]
        return tuple(sizes)
    leading = operator.changed or operator.inputs[0]
    if operator.shapes == "same" or (tensor is leading and member == 0):
        return shape
    kept = shape[rng.randint(0, len(shape)) if rng.random() < 0.3 else 0 :]
    return tuple(1 if rng.random() < 0.2 else size for size in kept)


def _elements(rng: Random, dtype: str, shape: tuple[int, ...], beside_floats: bool) -> Array:
    """Numbers of moderate size; integers among themselves are of any size."""
    kind = KINDS[dtype].kind

    def element() -> Any:
        if kind == "float":
            return rng.choice(_NOTABLE) if rng.random() < 0.2 else rng.uniform(-4, 4)
        if kind == "bool":
            return rng.random() < 0.5
        info = np.iinfo(KINDS[dtype].numpy)
        low, high = (max(info.min, -4), 4) if beside_floats else (info.min, info.max)
        return rng.choice([low, high, 0, 1]) if rng.random() < 0.3 else rng.randint(low, high)

    numbers = [element() for _ in range(int(np.prod(shape)))]
    return np.array(numbers, dtype=KINDS[dtype].numpy).reshape(shape)
