"""What the C library calls inside Python. It unpacks what C hands over and forwards it.

Every function answers a tuple: (0, results...), or (status, message).
"""

from __future__ import annotations

import os
import struct
import sys
from functools import partial
from typing import Any, NamedTuple

from openaclnn import ops
from openaclnn.base import dtypes, spans
from openaclnn.base.bounded import Bounded
from openaclnn.base.fork_lock import fork_lock
from openaclnn.base.language import translated
from openaclnn.base.status import AclnnError, OpenaclnnError, Status, take_recent
from openaclnn.base.tensors import Tensor, View, view, whatever_its_storage
from openaclnn.calls import two_phase
from openaclnn.calls.executor import Executor, label
from openaclnn.calls.replay.recordings import Recordings
from openaclnn.capi import entries
from openaclnn.capi.interface import disagreement
from openaclnn.engines import Compiled
from openaclnn.plan import WORKSPACE
from openaclnn.spec.host import Host
from openaclnn.spec.op import Argument, Attr, Op, camel

Answer = tuple[Any, ...]

_DONE = (0,)
_NO_SHAPES = bytes(8)
_PYACL = os.path.join("site-packages", "acl") + os.sep
# struct Description in c/internal.h: the memory around the data and the data's address, then what
# the tensor is
_PLACE = struct.Struct("=QQQ")
_HEADER = struct.Struct("=iiqQQ")
_TOLD = struct.Struct("=16Q")  # struct Told in c/internal.h
_NOTHING = bytes(_TOLD.size)

# Descriptions repeat, so their meaning is kept by their bytes.
_KEPT_AT_MOST = 1 << 12
_tensors: dict[str, Bounded[bytes, Tensor]] = {}  # by device: those that fit their memory
_views: Bounded[bytes, View] = Bounded(_KEPT_AT_MOST)
_values: dict[Host, Bounded[Any, Any]] = {}  # by kind


def refusal(interface: str, library: str) -> Answer:
    """Whether a C library is one that this package serves, and if not, why."""
    why = disagreement(interface, library)
    return (int(Status.INNER), why) if why else _DONE


def operator(name: str, device: str, signature: str, own_file: str | None) -> Answer:
    """The two phases of an operator whose tensors live on `device`, as functions for C; `signature`
    is what the C library has for its first call, `own_file` where the user's own one was found."""
    try:
        with fork_lock:
            op = _found(name, own_file)
    except OpenaclnnError as error:
        return int(Status.INNER_FIND_KERNEL_ERROR), f"aclnn{camel('_' + name)}: {error}"
    if entries.signature(op) != signature:
        changed = (
            f"{op.c_name}: the C library was made for {signature}, this operator has "
            f"{entries.signature(op)}; build the program anew (openaclnn home gives the folder)"
        )
        return int(Status.INNER_FIND_KERNEL_ERROR), changed
    phases = _Phases(op, device)
    return 0, phases.first, phases.second


def _found(name: str, own_file: str | None) -> Op:
    try:
        return ops.find(name)
    except LookupError as error:
        if own_file is None:
            raise OpenaclnnError(str(error)) from None
        raise OpenaclnnError(
            f"there is no operator {name} here; it was in {own_file} when the C library was made: "
            f"set {ops.VARIABLE} to its folder where the program runs"
        ) from None


def _recent() -> str | None:
    """Why the thread's latest call was refused, in the language of the environment."""
    message = take_recent()
    return message and translated(message)


class _Stranger(NamedTuple):
    """A tensor whose description was not met before."""

    label: str
    used: bool
    tensor: Tensor
    description: bytes


class _Phases:
    def __init__(self, op: Op, device: str) -> None:
        self.op = op
        self.device = device
        self.known = _tensors.setdefault(device, Bounded(_KEPT_AT_MOST))
        self.recordings = Recordings(op)
        places = list(enumerate(op.arguments))
        self.lists = [place for place, a in places if a.many]
        self.tensors = [
            place for place, a in places if not isinstance(a, Attr) and place not in self.lists
        ]
        self.values = [
            (place, a.host.from_c, _values.setdefault(a.host, Bounded(_KEPT_AT_MOST)))
            for place, a in places
            if isinstance(a, Attr) and type(a.host).from_c is not Host.from_c
        ]

    def first(self, *packed: Any) -> Answer:
        """The workspace's size, the executor, and what C is told so that it can make equal calls,
        and others of their form, by itself."""
        arguments = list(packed)  # as Python knows them; numbers are that already, null is None
        strangers: list[_Stranger] = []
        try:
            for place in self.tensors:
                if packed[place] is not None:
                    found = self.known.get(packed[place])
                    arguments[place] = found or self._read_tensor(place, packed[place], strangers)
            for place in self.lists:
                if packed[place] is not None:
                    arguments[place] = self._read_list(place, packed[place], strangers)
            for place, from_c, known in self.values:
                value = packed[place]
                if value is not None:
                    found = known.get(value)
                    if found is None:
                        found = known[value] = self._read_value(place, from_c, value)
                    arguments[place] = found
            status, size, executor = two_phase.get_workspace_size(self.op, arguments)
            if executor is None:
                return status, _recent()
            for stranger in strangers:
                self._meet(stranger)
        except AclnnError as error:
            return int(error.status), translated(error.message)
        lasting = self.device == "cpu" and all(one.description in self.known for one in strangers)
        compiled = executor.compiled() if lasting else None
        return 0, size, executor, _NOTHING if compiled is None else self._told(executor, compiled)

    def _told(self, executor: Executor, compiled: Compiled) -> bytes:
        """A C function, the block that it takes, and what is new in the tree of recordings."""
        found = self.recordings.record(executor.call())
        tree, words = (0,) * 4, b""
        if found.before is not None:
            words = found.words[found.before :].tobytes()
            tree = found.number, found.inputs, found.before, found.hole
        traced = sum(1 << self.op.attributes.index(a) for a in self.recordings.traced)
        how = compiled.shared
        sharing: tuple[int, ...] = (0,) * 5
        if how is not None:  # in a C program nobody says another number of threads
            sharing = how.of_units, how.units, how.share, how.threads(), how.on_threads or 0
        moved = [at for at, tensor in compiled.pointers if tensor == WORKSPACE]
        limits = [number for limit in compiled.limits for number in limit]
        lengths = len(compiled.block), len(words)
        room = executor.workspace_size, len(moved), len(compiled.limits)
        told = _TOLD.pack(compiled.function, *lengths, *room, traced, *tree, *sharing)
        return (
            told
            + compiled.block
            + struct.pack(f"={len(moved)}Q{len(limits)}q", *moved, *limits)
            + words
        )

    def second(self, workspace: int, size: int, executor: Any, stream: int) -> Answer:
        status = two_phase.run(self.op, workspace, size, executor, stream or None)
        return (0, self._shapes(executor)) if status == 0 else (status, _recent())

    def _shapes(self, executor: Executor) -> bytes:
        """The shapes that data decided: how many, and of each which argument has it, its
        dimensions, its sizes."""
        if self.op.sized is None:
            return _NO_SHAPES
        names = [a.name for a in self.op.arguments]
        found = [
            (names.index(name), len(shape), *shape) for name, shape in executor.shapes().items()
        ]
        words = [len(found), *(word for each in found for word in each)]
        return struct.pack(f"={len(words)}q", *words)

    def _read_list(
        self, place: int, descriptions: tuple[bytes | None, ...], strangers: list[_Stranger]
    ) -> tuple[Tensor | None, ...]:
        return tuple(
            None
            if description is None
            else self.known.get(description)
            or self._read_tensor(place, description, strangers, member)
            for member, description in enumerate(descriptions)
        )

    def _read_tensor(
        self, place: int, description: bytes, strangers: list[_Stranger], member: int = 0
    ) -> Tensor:
        argument = self.op.arguments[place]
        called = label(self.op, argument, member)
        _, end, address = _PLACE.unpack_from(description)
        described = description[_PLACE.size :]
        try:
            found = _views.get(described) or _read_view(described)
        except AclnnError as error:
            raise AclnnError(error.status, f"{called}: {error.message}") from None
        if end or not address:
            found = whatever_its_storage(found)  # whether it fits its block is checked later
        tensor = Tensor(found, address, self.device)
        strangers.append(_Stranger(called, argument in self.op.used, tensor, description))
        return tensor

    def _read_value(self, place: int, from_c: Any, value: Any) -> Any:
        try:
            return from_c(value)
        except ValueError:
            argument: Any = self.op.arguments[place]
            expected = argument.host.expected
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{self.op.c_name}: {argument.name} is {value!r}; expected {expected}",
            ) from None

    def _meet(self, stranger: _Stranger) -> None:
        """Remember a tensor that fits its memory; of others, check those that are used."""
        memory = MemoryBlock(*_PLACE.unpack_from(stranger.description)[:2])
        # a GPU's memory that is not ours may be freed by its owner any time
        if memory.holds(stranger.tensor) or (not memory.start and self.device == "cpu"):
            self.known[stranger.description] = stranger.tensor
        elif stranger.used:
            _check_memory(stranger.label, stranger.tensor, memory)


class MemoryBlock(NamedTuple):
    """What C knows about the memory at an address: where the block in or beside which it lies
    begins and ends. A start of 0 says that it is not ours; an end of 0 that it is there no more,
    and the start is how it ended."""

    start: int
    end: int

    def holds(self, tensor: Tensor) -> bool:
        return self.start <= tensor.first and tensor.end <= self.end


def _check_memory(name: str, tensor: Tensor, memory: MemoryBlock) -> None:
    """Refuse a tensor that would take the process along."""
    if not tensor.view.numel or not tensor.address:
        return
    complaint = None
    if memory.start:
        complaint = _complaint(tensor, memory)
    elif tensor.device != "cpu":
        complaint = _out_of_reach(tensor.address)
    if complaint:
        raise AclnnError(Status.PARAM_INVALID, f"{name} {complaint}")


def _out_of_reach(address: int) -> str | None:
    """What is wrong with an address that is none of ours, for a GPU."""
    from openaclnn import runtime  # for which programs on a CPU need not wait

    if runtime.cuda_runtime().reaches(address):
        return None
    return (
        f"lies at {address:#x}, where the device has no memory; "
        "expected an address from aclrtMalloc"
    )


def _complaint(tensor: Tensor, memory: MemoryBlock) -> str | None:
    """What is wrong with the place of a tensor in or beside a block."""
    start, end = memory
    if not end:
        return _in_lost_memory(tensor.address, start)
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


_ENDINGS = {  # enum Ending
    1: "in memory that was freed (aclrtFree)",
    2: "in memory that is not mapped, or not all of it (aclrtMapMem, aclrtUnmapMem)",
    3: "in memory that was unregistered (aclrtHostUnregister)",
}


def _in_lost_memory(address: int, ending: int) -> str:
    return f"lies at {address:#x}, {_ENDINGS[ending]}; expected allocated memory"


def freed(executor: Any, position: int, member: int, address: int, ending: int) -> Answer:
    """Refuse a run: the memory of this tensor has ended since phase 1."""
    called = label(executor.op, executor.op.arguments[position], member)
    return int(Status.PARAM_INVALID), f"{called} {_in_lost_memory(address, ending)}"


def _read_view(description: bytes) -> View:
    code, label, offset, dims, storage_dims = _HEADER.unpack_from(description)
    numbers = struct.unpack_from(f"={2 * dims + storage_dims}q", description, _HEADER.size)
    shape, strides, storage = numbers[:dims], numbers[dims : 2 * dims], numbers[2 * dims :]
    found = view(dtypes.by_code(code), shape, strides, offset, label, storage)
    _views[description] = found
    return found


def judge_indices(executor: Executor, workspace: int) -> Answer:
    """Refuse the indices that a run without Python has read."""
    status, _ = two_phase.answering(lambda: executor.ready.launcher.judge(workspace))  # type: ignore[union-attr]
    return (0, 0) if status == 0 else (status, _recent())


def set_repeatable(executor: Any) -> Answer:
    status = two_phase.set_repeatable(executor)
    return (0, 0) if status == 0 else (status, _recent())


def _set_address(
    kind: str, executor: Any, index: int, address: int, *memory: int, member: int | None = None
) -> Answer:
    """Answers the position of the argument whose address was replaced."""

    def check(argument: Argument, tensor: Tensor) -> None:
        if argument in executor.op.used:
            _check_memory(label(executor.op, argument, member or 0), tensor, MemoryBlock(*memory))

    status, position = two_phase.set_address(kind, executor, index, address, check, member)
    return (0, position) if status == 0 else (status, _recent())


set_input_address = partial(_set_address, "input")
set_output_address = partial(_set_address, "output")
set_tensor_address = partial(_set_address, "tensor")


def _set_dynamic_address(
    kind: str, executor: Any, index: int, member: int, address: int, *memory: int
) -> Answer:
    return _set_address(kind, executor, index, address, *memory, member=member)


set_dynamic_input_address = partial(_set_dynamic_address, "input")
set_dynamic_output_address = partial(_set_dynamic_address, "output")
set_dynamic_tensor_address = partial(_set_dynamic_address, "tensor")


def chooses(name: str) -> Answer:
    """Whether an operator by name is one that chooses among elements."""
    from openaclnn.capi import by_name  # which needs NumPy, for which others need not wait

    return 0, int(name in by_name.FUNCTIONS)


def choose(
    name: str, inputs: tuple[tuple[int, ...], ...], output: tuple[int, ...],
    attributes: tuple[tuple[str, int], ...],
) -> Answer:  # fmt: skip
    """Compute an operator by name. A tensor is its dtype's code, its address on the host, its
    sizes; what is answered is the result's number of dimensions, then those."""
    from openaclnn.base.acl_codes import Code
    from openaclnn.capi import by_name

    try:
        arrays = [by_name.array_at(code, shape, at) for code, at, *shape in inputs]
        result = by_name.compute(name, arrays, dict(attributes))
        code, address, *shape = output
        place = by_name.array_at(code, shape, address).reshape(-1)
        if result.dtype != place.dtype or result.size > place.size:
            return Code.INVALID_PARAM, f"{name}: the result is {result.dtype}, of {result.size}"
        place[: result.size] = result.reshape(-1)
    except (ValueError, TypeError, IndexError, AclnnError) as error:
        return Code.INVALID_PARAM, f"{name}: {error}"
    return 0, result.ndim, *result.shape


def runtime_call(name: str, *values: int) -> Answer:
    """Forward a request of the acl runtime to the module of the device."""
    from openaclnn import runtime
    from openaclnn.base.acl_codes import Code

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


def record_stack() -> tuple[int, int, bytes]:
    """The number of the program's own stack of Python, and the stack, where it is a new one."""
    from openaclnn.capi.python_stack import python_stack

    return 0, *python_stack()


def caller_line() -> tuple[int, str]:
    """The line of the program's Python that has called, as file:line; none of pyACL's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _PYACL in frame.f_code.co_filename:
        frame = frame.f_back
    return 0, f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


def take_spans() -> tuple[Any, ...]:
    """What took long since the last time: names, when it began and when it ended."""
    return 0, *(fact for found in spans.take() for fact in found)
