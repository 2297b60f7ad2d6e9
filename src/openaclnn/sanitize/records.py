"""Reads what c/record.c wrote: every call of a program, in the order in which things happened.

A call is two records, one from before it is made and one from when it was done, so that what gives
up something is seen before anybody else can get it."""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import IO, BinaryIO, TypeVar

from openaclnn.base.records import dataclass
from openaclnn.capi import interface
from openaclnn.capi.runtime_api import ENTRIES, Function, Parameter
from openaclnn.capi.runtime_api.function import function

# the variables that ask for it
FILE, STACKS, TIMES = (f"OPENACLNN_RECORD{part}" for part in ("", "_STACKS", "_TIMES"))

(_START, _FORKED, _EXIT, _CALL, _PHASE_1, _PHASE_2, _END, _STACK, _FRAME, _OPERATOR, _WORK,
 _PYTHON_STACK, _DAMAGE, _REASON, _SPAN, _ARGUMENTS) = range(1, 17)  # fmt: skip
_HEADER = struct.Struct("=IHHIIQQQ")
_FIRST = 4096  # where the records begin
_LOST_AT, _ENDED_AT, _INTERFACE_AT = 16, 24, 32  # in struct Shared
_PREFIX = "openaclnn-record-"  # of files, in watcher.c as well
_STALE = 60.0  # seconds after which a record that nobody holds has been given up
_PIECE = 1 << 24  # bytes to read at once; no record is longer
_PUNCH_HOLE = 3  # of fallocate: the file stays as long as it is
_ITEMS = {
    "const int64_t *": "q", "const float *": "f", "const bool *": "?", "size_t *": "Q",
}  # fmt: skip
_SIGNED = {"int32_t": 32, "int64_t": 64, "int": 32, "aclError": 32, "aclnnStatus": 32}

Known = TypeVar("Known")
Value = int | float | tuple[int | float, ...]


@dataclass(frozen=True)
class Started:
    """A program begins (forked: with all that its parent has)."""

    process: int
    parent: int
    forked: bool


@dataclass(frozen=True)
class Ended:
    """A program ends by itself; one that is killed has no such record."""

    process: int


@dataclass(frozen=True)
class RecordedOperator:
    """An operator of a program: its own parameters, and which of them it uses and reads."""

    name: str
    parameters: tuple[Parameter, ...]
    used: tuple[bool, ...]
    read: tuple[bool, ...]


@dataclass(frozen=True)
class Span:
    """A part of a call that takes long once: Python's start, compiling."""

    name: str
    begun: int
    done: int


@dataclass
class RecordedCall:
    """A call. What it gave is known when it is done."""

    process: int
    thread: int
    number: int
    time: int  # nanoseconds
    stack: tuple[int, int]  # the process that wrote it, and its number there
    name: str
    parameters: tuple[Parameter, ...]
    arguments: dict[str, Value]
    operator: RecordedOperator | None = None
    phase: int = 0  # of an operator
    returns: str = "aclnnStatus "
    done: int = 0  # when
    result: int = 0
    reason: str = ""  # why it was refused, in a sentence
    spans: list[Span] = field(default_factory=list)  # of it that are none of its own work
    outs: dict[str, int] = field(default_factory=dict)
    packed: bytes = b""  # of a first phase that went well, all that its arguments stand for
    meaning: dict[str, object] = field(default_factory=dict)  # what arguments stand for

    def number_of(self, name: str) -> int:
        """An argument that is a number or an address."""
        value = self.arguments.get(name, 0)
        return value if isinstance(value, int) else 0


@dataclass(frozen=True)
class Began:
    call: RecordedCall

    @property
    def process(self) -> int:
        return self.call.process


@dataclass(frozen=True)
class Done:
    call: RecordedCall

    @property
    def process(self) -> int:
        return self.call.process


@dataclass(frozen=True)
class Work:
    """What a stream did of a call, on a thread of its own."""

    process: int
    number: int
    begun: int
    done: int


@dataclass(frozen=True)
class Damaged:
    """Bytes beside a block were written over, as a call has noticed, or none."""

    process: int
    call: RecordedCall | None
    block: int
    place: int


Event = Started | Ended | Began | Done | Work | Damaged


@dataclass(frozen=True)
class Frame:
    """A place in a program: of C an address in a file, of Python a line."""

    module: str
    address: int = 0  # in the file
    name: str = ""
    line: int = 0


@contextmanager
def new_record() -> Iterator[Path]:
    """A file for a record, which is gone afterwards. Its beginning is there: a program that can
    write nothing more says so there."""
    sweep()
    handle, name = tempfile.mkstemp(prefix=_PREFIX)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            hold(file)
            file.write(bytes(_FIRST))
            file.flush()
            yield path
    finally:
        path.unlink(missing_ok=True)


def hold(file: IO[bytes]) -> None:
    """Nobody else may delete this record for as long as it is open."""
    with suppress(OSError):  # a file system without locks has none to look for either
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


def sweep() -> None:
    """Delete the records of readers that were killed: they are large, if sparse."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            facts = path.lstat()
            if facts.st_uid != os.geteuid() or time.time() - facts.st_mtime < _STALE:
                continue
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # its reader would hold it
                path.unlink()


class Reader:
    """Turns the bytes of a record into events, as they come."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = self._given_back = _FIRST
        self._open: dict[tuple[int, int], RecordedCall] = {}
        self._operators: dict[tuple[int, int], RecordedOperator] = {}
        self._frames: dict[tuple[int, int], Frame] = {}
        self._stacks: dict[tuple[int, int], tuple[int, ...] | tuple[Frame, ...]] = {}
        self._parents: dict[int, int] = {}

    def incomplete(self) -> str:
        """Why not all calls can be read; empty where they can."""
        if self._is_stale():
            return (
                "the program uses a library that another openaclnn has built; link it again with "
                "the one in the folder that openaclnn home prints"
            )
        return "there was no room for the record of all calls" if self._shared(_LOST_AT) else ""

    def _is_stale(self) -> bool:
        """Whether a library of other sources wrote the records, which then mean something else."""
        return self._shared(0) != 0 and self._shared(_INTERFACE_AT) != interface.number()

    def waits(self, process: int) -> bool:
        """Whether a process has made its last call and waits for what is said of it."""
        return self._shared(_ENDED_AT) == process

    def _shared(self, at: int) -> int:
        return int.from_bytes(os.pread(self._file.fileno(), 8, at), "little")

    def events(self, over: bool = False) -> Iterator[Event]:
        """What was added since the last time. Where the program is over, what was begun and is not
        whole is passed over."""
        if self._is_stale():
            return
        while True:
            used = self._shared(0)
            data = os.pread(self._file.fileno(), min(_FIRST + used - self._at, _PIECE), self._at)
            at = 0
            while len(data) - at >= _HEADER.size:
                size, *header = _HEADER.unpack_from(data, at)
                if (not over and not header[0]) or len(data) - at < size:
                    break
                if header[0]:
                    event = self._event(header, data[at + _HEADER.size : at + size])
                    if event is not None:
                        yield event
                at += -(-size // 8) * 8 if size else 8
            if not at:
                return
            self._at += at
            if self._at - self._given_back >= _PIECE and self._file.writable():
                self._give_back()

    def _give_back(self) -> None:
        """Let the disk have what was read; a file system that cannot do that keeps it."""
        start, end = self._given_back, self._at // _FIRST * _FIRST
        libc = ctypes.CDLL(None)
        if hasattr(libc, "fallocate"):
            offsets = ctypes.c_int64(start), ctypes.c_int64(end - start)
            libc.fallocate(self._file.fileno(), _PUNCH_HOLE, *offsets)
        self._given_back = end

    def frames(self, stack: tuple[int, int]) -> tuple[Frame, ...]:
        """The places of a stack, the innermost first."""
        process, number = stack
        found: list[Frame] = []
        for item in self._known(self._stacks, process, number) or ():
            frame = item
            if isinstance(item, int):
                frame = self._known(self._frames, process, item) or Frame("", item)
            assert isinstance(frame, Frame)
            found.append(frame)
        return tuple(found)

    def _known(self, table: dict[tuple[int, int], Known], process: int, key: int) -> Known | None:
        """What a process knows, or knew before it was forked."""
        while (process, key) not in table and process in self._parents:
            process = self._parents[process]
        return table.get((process, key))

    def _event(self, header: list[int], body: bytes) -> Event | None:
        kind, number, process, thread, when, call, stack = header
        numbers = struct.unpack_from(f"={len(body) // 8}Q", body)
        if kind in (_START, _FORKED):
            self._parents.pop(process, None)
            if kind == _FORKED:
                self._parents[process] = numbers[0]
            return Started(process, numbers[0], kind == _FORKED)
        if kind == _EXIT:
            return Ended(process)
        if kind == _WORK:
            return Work(process, call, numbers[0], when)
        if kind == _DAMAGE:
            return Damaged(process, self._open.get((process, call)), *numbers)
        if kind == _SPAN:
            slow = self._open.get((process, call))
            if slow:
                name = body[16:].decode("utf-8", "replace")
                slow.spans.append(Span(name, numbers[0], numbers[1]))
            return None
        if kind == _REASON:
            refused = self._open.get((process, call))
            if refused:
                refused.reason = body.decode("utf-8", "replace")
            return None
        if kind == _ARGUMENTS:
            prepared = self._open.get((process, call))
            if prepared:
                prepared.packed = body
            return None
        if kind == _END:
            return self._done(process, call, when, numbers)
        if kind in (_CALL, _PHASE_1, _PHASE_2):
            made = RecordedCall(process, thread, call, when, (process, stack), "", (), {})
            if kind == _CALL:
                _fill(made, ENTRIES[number], body)
            else:
                self._fill_phase(made, 1 if kind == _PHASE_1 else 2, numbers)
            self._open[process, call] = made
            return Began(made)
        self._describe(kind, process, stack, numbers, body)
        return None

    def _done(self, process: int, number: int, when: int, values: tuple[int, ...]) -> Event | None:
        call = self._open.pop((process, number), None)
        if call is None:  # a fork in between
            return None
        call.done = when
        call.result = _signed(values[0], call.returns)
        outs = [p for p in call.parameters if p.out]
        call.outs = {
            p.name: _signed(value, p.c_type[:-1].strip())
            for p, value in zip(outs, values[1:], strict=False)
        }
        return Done(call)

    def _fill_phase(self, call: RecordedCall, phase: int, values: tuple[int, ...]) -> None:
        operator = self._known(self._operators, call.process, values[0])
        assert operator is not None
        call.operator, call.phase = operator, phase
        call.name = operator.name + ("GetWorkspaceSize" if phase == 1 else "")
        own = operator.parameters if phase == 1 else ()
        call.parameters = (*own, *(_STORED if phase == 1 else _SECOND_PHASE))
        call.arguments = _arguments(call.name, call.parameters, values[1:])

    def _describe(
        self, kind: int, process: int, stack: int, numbers: tuple[int, ...], body: bytes
    ) -> None:
        if kind == _STACK:
            self._stacks[process, stack] = numbers
        elif kind == _PYTHON_STACK:
            rows = (line.split("\x1f") for line in body.decode().split("\n"))
            self._stacks[process, stack] = tuple(
                Frame(file, name=name, line=int(line)) for file, line, name in rows
            )
        elif kind == _FRAME:
            module, _, name = body[16:].partition(b"\0")
            place = Frame(os.fsdecode(module), numbers[0] - numbers[1], name.decode())
            self._frames[process, numbers[0]] = place
        elif kind == _OPERATOR:
            name, signature, used = body[8:].split(b"\0")
            self._operators[process, numbers[0]] = _operator(
                name.decode(), signature.decode(), used.decode()
            )


def _parameters(prototype: str) -> tuple[Parameter, ...]:
    return function("", prototype, "").parameters


_STORED = _parameters("out uint64_t *workspaceSize, out aclOpExecutor **executor")
_SECOND_PHASE = _parameters(
    "void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream"
)


@cache
def _operator(name: str, signature: str, used: str) -> RecordedOperator:
    parameters = _parameters(signature.strip("()"))[: len(used)]
    marks = tuple(int(mark) for mark in used)
    return RecordedOperator(
        name, parameters, tuple(map(bool, marks)), tuple(mark > 1 for mark in marks)
    )


def _fill(call: RecordedCall, entry: Function, body: bytes) -> None:
    call.name, call.parameters, call.returns = entry.name, entry.parameters, entry.returns
    count = len(entry.parameters)
    values = struct.unpack_from(f"={count}Q", body)
    call.arguments = _arguments(entry.name, entry.parameters, values)
    at = 8 * count
    for parameter in entry.parameters:
        if parameter.length:
            (size,) = struct.unpack_from("=Q", body, at)
            letter = _ITEMS.get(parameter.c_type, "Q")
            if values[entry.parameters.index(parameter)]:
                items = struct.unpack_from(
                    f"={size // struct.calcsize(letter)}{letter}", body, at + 8
                )
                call.arguments[parameter.name] = items
            at += 8 + size


_kinds: dict[str, list[tuple[str, str]]] = {}  # names and types of a function's arguments


def _arguments(
    function: str, parameters: tuple[Parameter, ...], values: tuple[int, ...]
) -> dict[str, Value]:
    """Values by name; only numbers that are signed or have a fraction need a closer look."""
    kinds = _kinds.get(function)
    if kinds is None:
        looked = (*_SIGNED, "float", "double")
        pairs = ((p.name, p.c_type.strip()) for p in parameters)
        kinds = _kinds[function] = [(name, c if c in looked else "") for name, c in pairs]
    return {
        name: _value(bits, c_type) if c_type else bits
        for (name, c_type), bits in zip(kinds, values, strict=False)
    }


def _value(bits: int, c_type: str) -> Value:
    if c_type in ("float", "double"):
        size = 4 if c_type == "float" else 8
        value: float = struct.unpack(c_type[0], bits.to_bytes(8, "little")[:size])[0]
        return value
    return _signed(bits, c_type)


def _signed(bits: int, c_type: str) -> int:
    width = _SIGNED.get(c_type.strip(), 0)
    if width:
        bits &= (1 << width) - 1
    return bits - (1 << width) if width and bits >> (width - 1) else bits
