"""The two calls of every operator as Python functions with the C names."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from operator import index as as_integer
from typing import Any

from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor
from openaclnn.calls import two_phase
from openaclnn.calls.arrays import as_tensor, mark_written
from openaclnn.calls.executor import Executor
from openaclnn.calls.functions import attribute
from openaclnn.calls.replay import native
from openaclnn.calls.replay.first_phase import FirstPhase
from openaclnn.ops import all_ops, find
from openaclnn.spec.op import Argument, Attr, Op, Out

__all__ = [
    "as_tensor", "function", "names", "parameters", "set_address", "set_dynamic_address",
    "status_of_handle",
]  # fmt: skip


_PHASE_ONE = "GetWorkspaceSize"


@cache
def function(c_name: str) -> Callable[..., Any]:
    """One of the two calls of an operator by its C name; LookupError where there is none."""
    op = find(c_name.removesuffix(_PHASE_ONE))
    if not c_name.startswith(op.c_name):
        raise LookupError(f"there is no function {c_name!r}")
    return _first(op) if c_name.endswith(_PHASE_ONE) else _second(op)


def names() -> list[str]:
    """Both calls of every operator."""
    return [op.c_name + ending for op in all_ops().values() for ending in (_PHASE_ONE, "")]


def parameters(op: Op) -> list[str]:
    """What phase 1 calls its arguments: the C names, but for a word of Python `_` behind it."""
    return [a.c_name + "_" * keyword.iskeyword(a.c_name) for a in op.arguments]


def _first(op: Op) -> Callable[..., Any]:
    arguments, recall = op.arguments, two_phase.phase_one(op).recall
    signature = inspect.Signature(
        [
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for name in parameters(op)
        ]
    )

    def convert(values: tuple[Any, ...]) -> list[Any]:
        return [_converted(op, a, v) for a, v in zip(arguments, values, strict=True)]

    def bound(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        try:
            return signature.bind(*args, **kwargs).args
        except TypeError as error:
            raise TypeError(f"{op.c_name}{_PHASE_ONE}: {error}") from None

    phase, output = FirstPhase(op, convert), arguments.index(op.outputs[0])

    def phase_one(*args: Any, **kwargs: Any) -> tuple[int, int, Executor | None]:
        if kwargs or len(args) != len(arguments):
            args = bound(args, kwargs)
        if type(args[output]) is not Tensor:  # arrays may be laid
            laid = phase.lay(*args)
            if laid is not None:
                return 0, 0, Executor(op, None, args, laid=(phase, laid))
        try:
            executor = recall(args)
            if executor is not None:
                return 0, executor.workspace_size, executor
            converted = convert(args)
        except Exception as error:
            return two_phase.answer(error), 0, None
        native.want()
        if native.pending:
            native.poll()
        status, size, executor = two_phase.get_workspace_size(op, converted)
        if executor is not None:
            phase.learn(args, executor)
        return status, size, executor

    phase_one.__doc__ = (
        f"Phase 1 of {op.c_name}: check the arguments and prepare the call.\n\n"
        + "\n".join(f"{a.c_name}: {a.en}." for a in op.arguments)
        + "\n\nReturns (status, workspace_size, executor)."
    )
    return _named(phase_one, f"{op.c_name}GetWorkspaceSize", signature)


def _converted(op: Op, argument: Argument, value: Any) -> Any:
    """An argument as phase 1 takes it: arrays as tensors, Python's values as their C types'."""
    if isinstance(argument, Attr):
        return None if value is None and argument.host.pointer else attribute(op, argument, value)
    if value is None or type(value) is Tensor:
        return value
    if argument.many:
        return tuple(_converted(op, replace(argument, many=False), item) for item in value)
    called = f"{op.c_name}: {argument.name}"
    return _output(value, called) if isinstance(argument, Out) else as_tensor(value, called=called)


def _output(array: Any, called: str) -> Tensor:
    """The tensor of an array that phase 2 will write to; its library is told now, since phase 2
    knows memory and no arrays."""
    tensor = as_tensor(array, written=True, called=called)
    mark_written(array)
    return tensor


def _second(op: Op) -> Callable[..., Any]:
    def phase_two(
        workspace: Any, workspaceSize: int, executor: Executor | None, stream: Any = None
    ) -> int:
        if workspace is not None and not isinstance(workspace, int):
            called = f"{op.c_name}: the workspace"
            status, found = two_phase.answering(lambda: as_tensor(workspace, True, called))
            if status:
                return status
            workspace = found.first
            workspaceSize = min(workspaceSize, found.end - found.first)  # an array knows better
        return two_phase.run(op, workspace or 0, workspaceSize, executor, stream)

    phase_two.__doc__ = f"Phase 2 of {op.c_name}: run what phase 1 prepared. Returns a status."
    return _named(phase_two, op.c_name, inspect.signature(phase_two))


def _named(
    function: Callable[..., Any], name: str, signature: inspect.Signature
) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "openaclnn.aclnn"
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def status_of_handle(handle: Any, kind: type, name: str) -> int:
    """The answer to a destroy call; null is nothing to destroy."""

    def check() -> None:
        if handle is not None and not isinstance(handle, kind):
            raise AclnnError(Status.PARAM_INVALID, f"{name} is {handle!r}")

    return two_phase.answering(check)[0]


def set_address(
    kind: str,
    executor: Executor | None,
    index: int,
    tensor: Any,
    address: int | None,
    member: int | None = None,
) -> int:
    """Replace an address in the executor, and in the tensor itself if it is none of an array;
    `member` is its place in a list."""
    if executor is not None and tensor is None:
        message = f"{two_phase.setter(kind, member is not None)}: the tensor is null"
        return two_phase.answer(AclnnError(Status.INNER_NULLPTR, message))
    status, _ = two_phase.set_address(kind, executor, index, address or 0, member=member)
    if status == 0 and isinstance(tensor, Tensor):
        tensor.move_to(as_integer(address or 0))
    return status


def set_dynamic_address(
    kind: str,
    executor: Executor | None,
    index: int,
    member: int,
    tensors: Sequence[Any] | None,
    address: int | None,
) -> int:
    """The same for a member of a list."""
    name = two_phase.setter(kind, of_list=True)
    if executor is not None and tensors is None:
        message = f"{name}: the list of tensors is null"
        return two_phase.answer(AclnnError(Status.INNER_NULLPTR, message))
    known = tensors or ()
    if executor is not None and not 0 <= member < len(known):
        message = f"{name}: relativeIndex is {member}; the list has {len(known)} tensors"
        return two_phase.answer(AclnnError(Status.PARAM_INVALID, message))
    tensor = known[member] if 0 <= member < len(known) else None
    return set_address(kind, executor, index, tensor, address, member)
