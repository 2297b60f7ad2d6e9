"""Runs a call on NumPy arrays on the chosen device: the CPU, or a GPU with copies there and
back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from openaclnn.calls.functions import call, made_outputs
from openaclnn.spec.op import InOut, Op

if TYPE_CHECKING:
    from numpy.typing import NDArray


def call_at(
    place: str,
    op: Op,
    given: Mapping[str, Any],
    attributes: Mapping[str, Any],
    outs: Sequence[Any] = (),
) -> tuple[NDArray[Any], ...]:
    """The outputs of a call on "cpu" or "cuda". `given` are arrays by name (lists of them, None),
    `outs` arrays to write to; an array that the operator changes is changed."""
    outs = outs or (None,) * len(op.outputs)
    if place == "cpu":
        return call(op, given, attributes, outs)[0]
    from openaclnn.runtime.moving import Moving

    hosts = tuple(
        given[output.name] if isinstance(output, InOut) else host
        for output, host in zip(op.outputs, made_outputs(op, given, attributes, outs), strict=True)
    )
    with Moving() as moving:
        there = {name: _there(moving, value) for name, value in given.items()}
        written = [
            there[output.name] if isinstance(output, InOut) else _there(moving, host)
            for output, host in zip(op.outputs, hosts, strict=True)
        ]
        call(op, there, attributes, written)
        for tensors, host in zip(written, hosts, strict=True):
            for tensor, array in zip(_each(tensors), _each(host), strict=True):
                moving.back(tensor, array)
    return hosts


def _each(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else (value,)


def _there(moving: Any, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [moving.there(array) for array in value]
    return moving.there(value)
