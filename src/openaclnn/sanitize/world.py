"""The state of a process at one moment of its record: blocks of memory, objects, executors."""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections import deque
from dataclasses import KW_ONLY, field, replace
from functools import cache, cached_property

from openaclnn.base import dtypes
from openaclnn.base.records import dataclass
from openaclnn.sanitize.records import RecordedCall
from openaclnn.sanitize.written import Runs, Written, runs_of

HANDLES = (
    "aclTensor", "aclScalar", "aclIntArray", "aclFloatArray", "aclBoolArray", "aclTensorList",
    "aclScalarList", "aclOpExecutor", "aclrtStream", "aclrtEvent", "aclDataBuffer", "aclmdlRI",
    "aclrtDrvMemHandle",
)  # fmt: skip
# Fewer than the library lets rest (c/blocks.c): later, an address may be anybody's again.
_RESTING, _RESTING_BYTES = 128, 1 << 29
_RETIRED = 1 << 13  # objects that have ended, and are remembered
_DTYPES = {dtype.code: dtype for dtype in dtypes.ALL}


@cache
def handle_type(c_type: str) -> str:
    """The object that a parameter's type is a handle of, or nothing.

    >>> handle_type("const aclTensor *"), handle_type("aclrtStream "), handle_type("void *")
    ('aclTensor', 'aclrtStream', '')
    """
    name = re.sub(r"\bconst\b|[ *]", "", c_type)
    return name if name in HANDLES else ""


@dataclass
class Allocation:
    """Memory that was allocated, registered or mapped."""

    number: int
    start: int
    size: int
    made: RecordedCall
    freed: RecordedCall | None = None
    written: Written = field(init=False)
    _: KW_ONLY
    host: bool
    own: bool = True  # allocated, and not registered or mapped
    inherited: bool = False  # from the process that was forked: nobody must free it
    device_too: bool = False  # registered: the device may use it
    mapped: bool = False  # what is mapped beside it without a gap can be used as one with it
    used: bool = False  # by anything but its end

    def __post_init__(self) -> None:
        whole = self.host or self.mapped  # the host's stores are not seen
        self.written = Written(self.start, self.size, whole)

    @property
    def end(self) -> int:
        return self.start + self.size

    def __str__(self) -> str:
        return f"block #{self.number} of {self.size} bytes"


@dataclass(frozen=True)
class RecordedView:
    """Where a tensor lies and how it is laid out."""

    data: int
    dtype: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    @cached_property
    def extent(self) -> tuple[int, int]:
        """The first byte and the one behind the last; equal where there is no element."""
        dtype = _DTYPES.get(self.dtype)
        if dtype is None or any(size <= 0 for size in self.shape):
            return self.data, self.data
        steps = [(n - 1) * s for n, s in zip(self.shape, self.strides, strict=True)]
        low = self.offset + sum(step for step in steps if step < 0)
        high = self.offset + sum(step for step in steps if step > 0) + 1
        return self.data + low * dtype.bits // 8, self.data - -high * dtype.bits // 8

    @cached_property
    def runs(self) -> Runs:
        """Its bytes; none where there is no element."""
        dtype = _DTYPES.get(self.dtype)
        if dtype is None or any(size <= 0 for size in self.shape):
            return Runs(self.data, 0)
        size = dtype.itemsize
        steps = ((n, s * size) for n, s in zip(self.shape, self.strides, strict=True))
        return runs_of(self.data + self.offset * size, size, steps)

    def __str__(self) -> str:
        dtype = _DTYPES.get(self.dtype)
        offset = f" offset {self.offset}" if self.offset else ""
        name = dtype.name if dtype else f"dtype {self.dtype}"
        return f"{name} {list(self.shape)} strides {list(self.strides)}{offset}"


@dataclass(frozen=True)
class Placed:
    """A view and the block that it lies in."""

    view: RecordedView
    block: Allocation | None

    def __str__(self) -> str:
        if self.block is None:
            return str(self.view)
        return f"{self.view}, {self.view.data - self.block.start} bytes into {self.block}"


@dataclass(frozen=True)
class Operand:
    """A tensor of an executor, by its argument's name, and what is done with it."""

    name: str
    view: RecordedView
    since: int  # the number of the call that gave its address
    _: KW_ONLY
    reads: bool
    writes: bool


@dataclass(frozen=True)
class Use:
    """Bytes that a call uses."""

    name: str
    where: Runs
    _: KW_ONLY
    reads: bool
    writes: bool


@dataclass
class Capture:
    """Work that is kept instead of done, in some streams, until the capture ends."""

    streams: set[int]
    events: set[int] = field(default_factory=set)
    work: list[tuple[RecordedCall, list[Use]]] = field(default_factory=list)


@dataclass
class Thing:
    """An object behind a handle. A list has members; an executor has an operator and tensors."""

    type: str
    made: RecordedCall
    ended: RecordedCall | None = None
    view: RecordedView | None = None
    members: tuple[int, ...] = ()
    owner: RecordedCall | None = None  # made the list that owns it
    needs: int = 0  # bytes of workspace
    ran: RecordedCall | None = None
    operands: tuple[Operand, ...] = ()
    captured: tuple[tuple[RecordedCall, list[Use]], ...] = ()  # what a model does
    _: KW_ONLY
    inherited: bool = False
    repeatable: bool = False

    @property
    def spent(self) -> bool:
        """Whether it has ended, or is an executor that has run."""
        return self.ended is not None or (self.ran is not None and not self.repeatable)


class World:
    """Blocks and things by address and handle, of one process."""

    def __init__(self) -> None:
        self.blocks: dict[int, Allocation] = {}
        self.things: dict[int, Thing] = {}
        self.reserved: dict[int, int] = {}  # addresses, and how many bytes
        self._starts: list[int] = []
        self.captures: list[Capture] = []  # that go on
        self._retired: deque[int] = deque()
        self._resting: deque[Allocation] = deque()
        self._resting_bytes = 0
        self._latest = 0

    def forked(self) -> World:
        """The same, in a child: what was there is not the child's to end."""
        child = World()
        for start, block in self.blocks.items():
            child.blocks[start] = replace(block, inherited=True)
            child.blocks[start].written = block.written  # what one wrote the other may read
        child.things = {h: replace(t, inherited=True) for h, t in self.things.items()}
        child.reserved, child._resting = dict(self.reserved), deque(self._resting)
        child._resting_bytes = self._resting_bytes
        child._starts, child._latest = list(self._starts), self._latest
        return child

    def add(
        self, start: int, size: int, made: RecordedCall, *, host: bool, own: bool = True,
        device_too: bool = False, mapped: bool = False,
    ) -> None:  # fmt: skip
        """A block begins; what was freed there is forgotten."""
        self._latest += 1
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_right(self._starts, start + max(size, 1) - 1)
        for old in self._starts[first:last]:
            if self.blocks[old].end > start or old == start:
                self.remove(old)
        insort(self._starts, start)
        self.blocks[start] = Allocation(
            self._latest,
            start,
            size,
            made,
            host=host,
            own=own,
            device_too=device_too,
            mapped=mapped,
        )

    def remove(self, start: int) -> None:
        if self.blocks.pop(start, None):
            self._starts.remove(start)

    def rest(self, block: Allocation) -> None:
        """A block was freed. It is remembered for as long as nobody else can have its address."""
        self._resting.append(block)
        self._resting_bytes += block.size
        while len(self._resting) > _RESTING or self._resting_bytes > _RESTING_BYTES:
            oldest = self._resting.popleft()
            self._resting_bytes -= oldest.size
            self.forget(oldest)

    def retire(self, handle: int) -> None:
        """An object has ended. It is remembered for a while."""
        self._retired.append(handle)
        if len(self._retired) > _RETIRED:
            self.things.pop(self._retired.popleft(), None)

    def release(self, start: int) -> None:
        """Reserved addresses are anybody's again."""
        end = start + self.reserved.pop(start, 0)
        for block in [b for b in self.blocks.values() if start <= b.start < end]:
            self.forget(block)

    def forget(self, block: Allocation) -> None:
        if self.blocks.get(block.start) is block:
            self.remove(block.start)

    def block_at(self, address: int) -> Allocation | None:
        """The block in which an address lies, or lay."""
        place = bisect_right(self._starts, address)
        if not place:
            return None
        block = self.blocks[self._starts[place - 1]]
        if address >= block.end:
            return None
        return self._widened(block) if block.mapped and not block.freed else block

    def use(self, address: int) -> None:
        """Something needs the block there."""
        block = self.block_at(address)
        if block:
            block.used = True

    def _widened(self, block: Allocation) -> Allocation:
        """With what is mapped before and behind it without a gap."""
        place = self._starts.index(block.start)
        start, end = block.start, block.end
        for below in reversed(self._starts[:place]):
            other = self.blocks[below]
            if not other.mapped or other.freed or other.end != start:
                break
            start = below
        for above in self._starts[place + 1 :]:
            other = self.blocks[above]
            if not other.mapped or other.freed or above != end:
                break
            end = other.end
        return replace(block, start=start, size=end - start)

    def capture(self, call: RecordedCall) -> Capture | None:
        """The capture that a call becomes part of: by its stream, or by the event that it waits
        for."""
        if "stream" not in call.arguments or call.name == "aclmdlRICaptureBegin":
            return None
        stream, event = call.number_of("stream"), call.number_of("event")
        waits = call.name == "aclrtStreamWaitEvent"
        found = (c for c in self.captures if stream in c.streams or (waits and event in c.events))
        return next(found, None)

    def view(self, call: RecordedCall) -> RecordedView:
        """The view that aclCreateTensor or aclInitTensor was given."""
        shape, strides = _numbers(call, "viewDims"), _numbers(call, "stride")
        if len(strides) != len(shape):
            strides = _contiguous(shape)
        data, dtype = call.number_of("tensorData"), call.number_of("dataType")
        return RecordedView(data, dtype, shape, strides, call.number_of("offset"))

    def meaning(self, call: RecordedCall) -> dict[str, object]:
        """What the tensors of an operator's first phase are, by the arguments' names."""
        return {
            parameter.name + place: self.placed(view)
            for parameter in (call.operator.parameters if call.operator else ())
            if "aclTensor" in parameter.c_type
            for place, view in self.tensors(call.number_of(parameter.name))
        }

    def placed(self, view: RecordedView) -> Placed:
        """A view and where it lies."""
        return Placed(view, self.block_at(view.data))

    def operands(self, call: RecordedCall) -> tuple[Operand, ...]:
        """What an operator will use, by its first phase."""
        assert call.operator is not None
        op = call.operator
        return tuple(
            Operand(
                parameter.name + place,
                view,
                reads=read,
                writes=not parameter.c_type.startswith("const"),
                since=call.number,
            )
            for parameter, used, read in zip(op.parameters, op.used, op.read, strict=True)
            if used and "aclTensor" in parameter.c_type
            for place, view in self.tensors(call.number_of(parameter.name))
        )

    def tensors(self, handle: int) -> list[tuple[str, RecordedView]]:
        """The tensors behind a handle: itself, or a list's members with their places."""
        thing = self.things.get(handle)
        if thing is None or thing.ended:
            return []
        if thing.view is not None:
            return [("", thing.view)]
        found = enumerate(self.members(handle))
        return [(f"[{i}]", t.view) for i, t in found if t and t.view and not t.ended]

    def members(self, handle: int) -> list[Thing | None]:
        """The objects of a list."""
        thing = self.things.get(handle)
        return [self.things.get(member) for member in thing.members] if thing else []


def _numbers(call: RecordedCall, name: str) -> tuple[int, ...]:
    value = call.arguments.get(name)
    return tuple(int(item) for item in value) if isinstance(value, tuple) else ()


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
