"""The ways to call an operator from Python, as benchmarks measure them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from typing import Any

import numpy as np

import openaclnn
from openaclnn import aclnn
from openaclnn.base.scalars import Scalar
from openaclnn.base.status import OpenaclnnError
from openaclnn.base.tensors import Tensor
from openaclnn.bench.cases import FUNCTION, NEW, PHASES, REPEATED, TENSORS
from openaclnn.bench.operands import Operands, array
from openaclnn.calls.functions import signature_of
from openaclnn.spec.op import Attr, InOut
from openaclnn.truth import pytorch

Call = Callable[[], Any]

_SHAPES = 1 << 12  # of new ones: four times what the call cache keeps


class UnavailableError(OpenaclnnError):
    """A way of calling that this machine does not offer."""


class FailedError(OpenaclnnError):
    """A call of ours that should have worked did not."""


def _function(operands: Operands, form: Callable[[Tensor], Any] = array) -> Call:
    function, positional, named = _bound(operands, form)
    return lambda: function(*positional, **named)


def _on_tensors(operands: Operands) -> Call:
    try:
        import torch  # noqa: F401
    except ImportError:
        raise UnavailableError("PyTorch is not installed") from None
    return _function(operands, lambda one: pytorch.tensor(array(one), one.dtype))


def _new(operands: Operands) -> Call:
    """First of all in the shape of the operands; then in others, of which there are more than
    anything is kept of."""
    function, positional, named = _bound(operands)
    arrays = [one for one in (*positional, *named.values()) if isinstance(one, np.ndarray)]
    uneven = any(one.shape != arrays[0].shape or not one.flags.c_contiguous for one in arrays)
    if not arrays or uneven or len(arrays) != len(operands.op.used):
        raise UnavailableError("it is for contiguous arrays of one shape")
    first = arrays[0]

    def part(value: Any, shape: tuple[int, ...]) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        return value.reshape(-1)[: math.prod(shape)].reshape(shape)

    given = cycle(
        [
            (
                [part(value, shape) for value in positional],
                {name: part(value, shape) for name, value in named.items()},
            )
            for shape in (first.shape, *islice(_matrices(first.size), _SHAPES))
        ]
    )

    def call() -> Any:
        positional, named = next(given)
        return function(*positional, **named)

    return call


def _matrices(most: int) -> Iterator[tuple[int, int]]:
    """Shapes of nearly so many elements: all of few rows first."""
    for rows in range(1, most + 1):
        columns = most // rows
        yield from ((rows, columns - less) for less in range(-(-columns // 8)))


def _bound(
    operands: Operands, form: Callable[[Tensor], Any] = array
) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
    """An operator's function, and what it is called with; what is never read is left out, unless it
    has a shape of its own."""
    op, call = operands.op, operands.call
    function = getattr(openaclnn, op.name)
    tensors = {*op.reads, *(output for output in op.outputs if isinstance(output, InOut))}
    attributes = call.attributes.items()
    values = {name: v.value if isinstance(v, Scalar) else v for name, v in attributes}  # as users
    shape = call.reads[0].tensor.shape if op.reads else ()
    unread = (a for a in op.inputs if not a.read and isinstance(call[a.name], Tensor))
    tensors |= {a for a in unread if call[a.name].shape != shape}
    values |= {a.name: operands.given(a.name, form) for a in tensors}
    outs = [operands.given(output.name, form) for output in op.separate]
    if outs:
        values["out"] = outs[0] if len(outs) == 1 else tuple(outs)
    positional, named = [], {}
    in_order = True  # nothing was left out so far
    for name, parameter in signature_of(op).parameters.items():
        in_order &= name in values and parameter.kind is not inspect.Parameter.KEYWORD_ONLY
        if in_order:
            positional.append(values[name])
        elif name in values:
            named[name] = values[name]
    return function, positional, named


def _phases(operands: Operands) -> Call:
    first, second = _two_calls(operands)
    arguments = _arguments(operands)
    status, size, _ = first(*arguments)
    _refuse(status)
    workspace, keep = _workspace(size)

    def call(keep: object = keep) -> None:
        _, size, executor = first(*arguments)
        second(workspace, size, executor, None)

    return call


def _repeated(operands: Operands) -> Call:
    first, second = _two_calls(operands)
    status, size, executor = first(*_arguments(operands))
    _refuse(status)
    _refuse(aclnn.aclSetAclOpExecutorRepeatable(executor))
    workspace, keep = _workspace(size)
    return lambda keep=keep: second(workspace, size, executor, None)  # type: ignore[misc]


WAYS: dict[str, Callable[[Operands], Call]] = {
    FUNCTION: _function,
    NEW: _new,
    TENSORS: _on_tensors,
    PHASES: _phases,
    REPEATED: _repeated,
}


def _two_calls(operands: Operands) -> tuple[Callable[..., Any], Callable[..., Any]]:
    name = operands.op.c_name
    return getattr(aclnn, f"{name}GetWorkspaceSize"), getattr(aclnn, name)


def _arguments(operands: Operands) -> list[Any]:
    """Arguments in C order, made once."""
    return [
        operands.call[a.name] if isinstance(a, Attr) else operands.given(a.name, lambda one: one)
        for a in operands.op.arguments
    ]


def _workspace(size: int) -> tuple[int | None, object]:
    """An address, and what keeps the memory there."""
    memory = np.empty(size, np.uint8)
    return (memory.ctypes.data if size else None), memory


def _refuse(status: int) -> None:
    if status:
        raise FailedError(f"{status}: {aclnn.aclGetRecentErrMsg()}")
