"""What the C library calls inside Python. It unpacks what C hands over and forwards it.

Every function answers a tuple: (0, results...), or (status, message).
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from typing import Any

from openaclnn import ops, runtime
from openaclnn.base import dtypes, scalars
from openaclnn.base.scalars import Scalar
from openaclnn.base.status import AclnnError, Status, take_recent
from openaclnn.base.tensors import Tensor, View, view
from openaclnn.calls import two_phase
from openaclnn.spec.op import Attr

Answer = tuple[Any, ...]

_DONE = (0,)
_SCALAR = "const aclScalar*"
_HEADER = struct.Struct("=iiqQQ")  # struct Description in c/internal.h

# Descriptions repeat, so their meaning is kept by their bytes. Beyond this many, start again.
_KEPT_AT_MOST = 1 << 16
_views: dict[bytes, View] = {}
_scalars: dict[bytes, Scalar] = {}


def operator(c_name: str, device: str) -> Answer:
    """The two phases of an operator whose tensors live on `device`, as functions for C."""
    op = ops.find(c_name)
    get_workspace_size, run = two_phase.get_workspace_size, two_phase.run
    tensors = [position for position, a in enumerate(op.arguments) if not isinstance(a, Attr)]
    slots = [
        position
        for position, a in enumerate(op.arguments)
        if isinstance(a, Attr) and a.c_type == _SCALAR
    ]

    used = [position for position in tensors if getattr(op.arguments[position], "read", True)]
    names = [argument.name for argument in op.arguments]

    def unpack(packed: Answer) -> list[Any]:
        arguments = list(packed)
        for position in tensors:
            if packed[position] is not None:
                description, address, _ = packed[position]
                found = _views.get(description) or _read_view(description, names[position])
                arguments[position] = Tensor(found, address, device)
        for position in slots:
            if packed[position] is not None:
                arguments[position] = _scalars.get(packed[position]) or _read_scalar(
                    packed[position]
                )
        return arguments

    def first_phase(*packed: Any) -> Answer:
        try:
            arguments = unpack(packed)
        except AclnnError as error:
            return int(error.status), f"{c_name}: {error.message}"
        answer = get_workspace_size(op, arguments)
        if answer[0] != 0:
            return answer[0], take_recent()
        for position in used:
            room = packed[position][2]
            if room >= 0 and room < _bytes_reached(arguments[position].view):
                return _refuse_room(arguments[position].view, room, f"{c_name}: {names[position]}")
        return answer

    def second_phase(workspace: int, size: int, executor: Any, stream: int) -> Answer:
        status = run(op, workspace, size, executor, stream or None)
        return _DONE if status == 0 else (status, take_recent())

    return 0, first_phase, second_phase


def _read_view(description: bytes, argument: str) -> View:
    code, label, offset, dims, storage_dims = _HEADER.unpack_from(description)
    numbers = struct.unpack_from(f"={2 * dims + storage_dims}q", description, _HEADER.size)
    shape, strides, storage = numbers[:dims], numbers[dims : 2 * dims], numbers[2 * dims :]
    try:
        found = view(dtypes.by_code(code), shape, strides, offset, label, storage)
    except AclnnError as error:
        raise AclnnError(error.status, f"{argument}: {error.message}") from None
    if len(_views) >= _KEPT_AT_MOST:
        _views.clear()
    _views[description] = found
    return found


def _bytes_reached(of: View) -> int:
    return (of.high + 1) * of.dtype.itemsize if of.numel else 0


def _refuse_room(of: View, room: int, what: str) -> Answer:
    """C knows what was allocated: a tensor that reaches beyond would take the process with it."""
    message = (
        f"{what} reaches {_bytes_reached(of)} bytes from its address; {room} are allocated there"
    )
    return int(Status.PARAM_INVALID), message


def _read_scalar(description: bytes) -> Scalar:
    dtype = dtypes.by_code(struct.unpack_from("=i", description)[0])
    try:
        found = scalars.from_bytes(description[4:], dtype)
    except TypeError:  # a dtype that no operator computes with: its check will name it
        found = Scalar(0, dtype)
    if len(_scalars) >= _KEPT_AT_MOST:
        _scalars.clear()
    _scalars[description] = found
    return found


def _answer(status: int) -> Answer:
    return _DONE if status == 0 else (status, take_recent())


def set_repeatable(executor: Any) -> Answer:
    return _answer(two_phase.set_repeatable(executor))


def set_input_address(executor: Any, index: int, address: int) -> Answer:
    return _answer(two_phase.set_input_address(executor, index, address))


def set_output_address(executor: Any, index: int, address: int) -> Answer:
    return _answer(two_phase.set_output_address(executor, index, address))


def set_tensor_address(executor: Any, index: int, address: int) -> Answer:
    return _answer(two_phase.set_tensor_address(executor, index, address))


# What C cannot express as integers, or asks about no device in particular.
_SPECIAL: dict[str, Callable[..., Any]] = {
    "exists": lambda: runtime.cuda_exists(),
    "elapsed_ms": lambda start, end: round(runtime.cuda_runtime().elapsed_ms(start, end) * 1e6),
}


def runtime_call(name: str, *values: int) -> Answer:
    """Forward a request of the acl runtime to the module of the device."""
    try:
        function = _SPECIAL.get(name) or getattr(runtime.cuda_runtime(), name)
        result = function(*values)
    except runtime.AclError as error:
        return error.code, error.message
    except MemoryError as error:
        return 207001, f"{name}: out of memory: {error}"
    except Exception as error:  # a mistake of ours must not take the program with it
        return 500000, f"{name}: {type(error).__name__}: {error}"
    if result is None:
        return _DONE
    return (0, *result) if isinstance(result, tuple) else (0, int(result))


def print_at_once() -> Answer:
    """Python inside a C program is never finalised, so nobody would flush what it printed."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    return _DONE
