"""What the C library calls inside Python. It unpacks what C hands over and forwards it.

Every function answers a tuple: (0, results...), or (status, message).
"""

from __future__ import annotations

import struct
import sys
from functools import partial
from typing import Any, NamedTuple, TypeVar

from openaclnn import ops, runtime
from openaclnn.base import dtypes, forking, scalars
from openaclnn.base.acl_codes import Code
from openaclnn.base.scalars import Scalar
from openaclnn.base.status import AclnnError, Status, take_recent
from openaclnn.base.tensors import Tensor, View, view, whatever_its_storage
from openaclnn.calls import two_phase
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Argument, Attr, Op

Answer = tuple[Any, ...]
_Known = TypeVar("_Known", Tensor, View, Scalar)

_DONE = (0,)
# struct Description in c/internal.h: the memory around the data and the data's address, then what
# the tensor is
_PLACE = struct.Struct("=QQQ")
_HEADER = struct.Struct("=iiqQQ")

# Descriptions repeat, so their meaning is kept by their bytes. Beyond this many, start again.
_KEPT_AT_MOST = 1 << 12
_tensors: dict[str, dict[bytes, Tensor]] = {}  # by device: those that fit their memory
_views: dict[bytes, View] = {}
_scalars: dict[bytes, Scalar] = {}


def operator(c_name: str, device: str) -> Answer:
    """The two phases of an operator whose tensors live on `device`, as functions for C."""
    with forking.whole:
        phases = _Phases(ops.find(c_name), device)
    return 0, phases.first, phases.second


class _Phases:
    def __init__(self, op: Op, device: str) -> None:
        self.op = op
        self.device = device
        places = dict(enumerate(op.arguments))
        self.tensors = [place for place, a in places.items() if not isinstance(a, Attr)]
        self.used = [place for place in self.tensors if places[place] in op.used]
        self.known = _tensors.setdefault(device, {})
        self.scalars = [place for place, a in places.items() if getattr(a, "host", None) is SCALAR]

    def first(self, *packed: Any) -> Answer:
        arguments = list(packed)  # as Python knows them; numbers are that already, null is None
        strangers: list[int] = []
        try:
            for place in self.tensors:
                if packed[place] is not None:
                    found = self.known.get(packed[place])
                    if found is None:
                        found = self._read_tensor(place, packed[place])
                        strangers.append(place)
                    arguments[place] = found
            for place in self.scalars:
                if packed[place] is not None:
                    arguments[place] = _scalars.get(packed[place]) or _read_scalar(packed[place])
            answer = two_phase.get_workspace_size(self.op, arguments)
            if answer[0] != 0:
                return answer[0], take_recent()
            for place in strangers:
                self._meet(place, arguments[place], packed[place])
        except AclnnError as error:
            return int(error.status), error.message
        return answer

    def second(self, workspace: int, size: int, executor: Any, stream: int) -> Answer:
        status = two_phase.run(self.op, workspace, size, executor, stream or None)
        return _DONE if status == 0 else (status, take_recent())

    def _read_tensor(self, place: int, description: bytes) -> Tensor:
        _, end, address = _PLACE.unpack_from(description)
        described = description[_PLACE.size :]
        try:
            found = _views.get(described) or _read_view(described)
        except AclnnError as error:
            raise AclnnError(error.status, f"{self._name(place)}: {error.message}") from None
        if end or not address:
            found = whatever_its_storage(found)  # whether it fits its block is checked later
        return Tensor(found, address, self.device)

    def _meet(self, place: int, tensor: Tensor, description: bytes) -> None:
        """Remember a tensor that fits its memory; of others, check those that are used."""
        memory = Memory(*_PLACE.unpack_from(description)[:2])
        # a GPU's memory that is not ours may be freed by its owner any time
        if memory.holds(tensor) or (not memory.start and self.device == "cpu"):
            _kept(self.known, description, tensor)
        elif place in self.used:
            _check_memory(self._name(place), tensor, memory)

    def _name(self, place: int) -> str:
        return f"{self.op.c_name}: {self.op.arguments[place].name}"


class Memory(NamedTuple):
    """What C knows about the memory at an address: where the block in or beside which it lies
    begins and ends. An end of 0 says that it was freed, a start of 0 that it is not ours."""

    start: int
    end: int

    def holds(self, tensor: Tensor) -> bool:
        return self.start <= tensor.first and tensor.end <= self.end


def _check_memory(name: str, tensor: Tensor, memory: Memory) -> None:
    """Refuse a tensor that would take the process along."""
    if not tensor.view.numel or not tensor.address:
        return
    complaint = None
    if memory.start:
        complaint = _complaint(tensor, memory)
    elif tensor.device != "cpu" and not runtime.cuda_runtime().reaches(tensor.address):
        complaint = (
            f"lies at {tensor.address:#x}, where the device has no memory; "
            "expected an address from aclrtMalloc"
        )
    if complaint:
        raise AclnnError(Status.PARAM_INVALID, f"{name} {complaint}")


def _complaint(tensor: Tensor, memory: Memory) -> str | None:
    """What is wrong with the place of a tensor in or beside a block."""
    start, end = memory
    if not end:
        return _in_freed_memory(tensor.address)
    if memory.holds(tensor):
        return None
    if not start <= tensor.address < end:
        side = "before" if tensor.address < start else "behind"
        return (
            f"lies at {tensor.address:#x}, just {side} a block of {end - start} bytes from "
            f"aclrtMalloc; expected an address inside it"
        )
    if tensor.end > end:
        return (
            f"reaches {tensor.end - tensor.address} bytes from its address; "
            f"{end - tensor.address} are allocated there"
        )
    return (
        f"begins {tensor.address - tensor.first} bytes before its address; "
        f"{tensor.address - start} are allocated there"
    )


def _in_freed_memory(address: int) -> str:
    return f"lies at {address:#x}, in memory that was freed (aclrtFree); expected allocated memory"


def freed(executor: Any, position: int, address: int) -> Answer:
    """Refuse a run that would use this argument: its memory was freed after phase 1."""
    argument = executor.op.arguments[position]
    if argument not in executor.op.used:
        return _DONE
    complaint = f"{executor.op.c_name}: {argument.name} {_in_freed_memory(address)}"
    return int(Status.PARAM_INVALID), complaint


def _read_view(description: bytes) -> View:
    code, label, offset, dims, storage_dims = _HEADER.unpack_from(description)
    numbers = struct.unpack_from(f"={2 * dims + storage_dims}q", description, _HEADER.size)
    shape, strides, storage = numbers[:dims], numbers[dims : 2 * dims], numbers[2 * dims :]
    found = view(dtypes.by_code(code), shape, strides, offset, label, storage)
    return _kept(_views, description, found)


def _read_scalar(description: bytes) -> Scalar:
    dtype = dtypes.by_code(struct.unpack_from("=i", description)[0])
    try:
        found = scalars.from_bytes(description[4:], dtype)
    except TypeError:  # a dtype that no operator computes with: its check will name it
        found = Scalar(0, dtype)
    return _kept(_scalars, description, found)


def _kept(among: dict[bytes, _Known], description: bytes, found: _Known) -> _Known:
    if len(among) >= _KEPT_AT_MOST:
        among.clear()
    among[description] = found
    return found


def set_repeatable(executor: Any) -> Answer:
    status = two_phase.set_repeatable(executor)
    return (0, 0) if status == 0 else (status, take_recent())


def _set_address(kind: str, executor: Any, index: int, address: int, *memory: int) -> Answer:
    """Answers the position of the argument whose address was replaced."""

    def check(argument: Argument, tensor: Tensor) -> None:
        if argument in executor.op.used:
            _check_memory(f"{executor.op.c_name}: {argument.name}", tensor, Memory(*memory))

    status, position = two_phase.set_address(kind, executor, index, address, check)
    return (0, position) if status == 0 else (status, take_recent())


set_input_address = partial(_set_address, "input")
set_output_address = partial(_set_address, "output")
set_tensor_address = partial(_set_address, "tensor")


def _set_dynamic_address(kind: str, executor: Any, index: int, *_: int) -> Answer:
    """No operator has a list among its arguments."""
    status, _ = two_phase.answering(lambda: executor.refuse_member(kind, index))
    return status, take_recent()


set_dynamic_input_address = partial(_set_dynamic_address, "input")
set_dynamic_output_address = partial(_set_dynamic_address, "output")
set_dynamic_tensor_address = partial(_set_dynamic_address, "tensor")


def runtime_call(name: str, *values: int) -> Answer:
    """Forward a request of the acl runtime to the module of the device."""
    try:
        if name == "exists":
            return 0, int(runtime.cuda_exists())
        result = getattr(runtime.cuda_runtime(), name)(*values)
    except runtime.AclError as error:
        return error.code, error.message
    except MemoryError as error:
        return Code.RT_MEMORY_ALLOCATION, f"{name}: out of memory: {error}"
    except Exception as error:  # a mistake of ours must not take the program with it
        return Code.INTERNAL_ERROR, f"{name}: {type(error).__name__}: {error}"
    if result is None:
        return _DONE
    return (0, *result) if isinstance(result, tuple) else (0, int(result))


def print_at_once() -> None:
    """Python inside a C program is never finalised, so nobody would flush what it printed."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
