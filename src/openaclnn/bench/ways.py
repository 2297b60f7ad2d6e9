"""A case as a call of ours, in each way that it can be called from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import openaclnn
from openaclnn import aclnn
from openaclnn.base.status import OpenaclnnError
from openaclnn.bench.cases import FUNCTION, PHASES, REPEATED
from openaclnn.bench.operands import Operands
from openaclnn.spec.op import Attr

Call = Callable[[], Any]


class UnavailableError(OpenaclnnError):
    """A way of calling that this machine does not offer."""


class FailedError(OpenaclnnError):
    """A call of ours that should have worked did not."""


def _function(operands: Operands) -> Call:
    function = getattr(openaclnn, operands.op.name)
    inputs = [operand.array for operand in operands.inputs]
    arguments = operands.attributes | {"out": operands.output.array}
    return lambda: function(*inputs, **arguments)


def _phases(operands: Operands) -> Call:
    first, second = _two_calls(operands)
    arguments = _arguments(operands)

    def call() -> None:
        _, size, executor = first(*arguments)
        second(None, size, executor, None)

    _refuse(first(*arguments)[0])
    return call


def _repeated(operands: Operands) -> Call:
    first, second = _two_calls(operands)
    status, size, executor = first(*_arguments(operands))
    _refuse(status)
    _refuse(aclnn.aclSetAclOpExecutorRepeatable(executor))
    return lambda: second(None, size, executor, None)


WAYS: dict[str, Callable[[Operands], Call]] = {
    FUNCTION: _function,
    PHASES: _phases,
    REPEATED: _repeated,
}


def _two_calls(operands: Operands) -> tuple[Callable[..., Any], Callable[..., Any]]:
    name = operands.op.c_name
    return getattr(aclnn, f"{name}GetWorkspaceSize"), getattr(aclnn, name)


def _arguments(operands: Operands) -> list[Any]:
    """Arguments in C order, made once; an input that is never read gets any tensor."""
    tensors = {name: operand.tensor for name, operand in operands.by_name().items()}
    return [
        operands.attributes[a.name]
        if isinstance(a, Attr)
        else tensors.get(a.name) or operands.inputs[0].tensor
        for a in operands.op.arguments
    ]


def _refuse(status: int) -> None:
    if status:
        raise FailedError(f"{status}: {aclnn.aclGetRecentErrMsg()}")
