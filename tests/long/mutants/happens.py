"""What happens before what, drawn as a graph: the judge of the sanitizer's judge, which counts
clocks instead. Slow, and simple enough to be believed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from openaclnn.sanitize.records import RecordedCall
from openaclnn.sanitize.world import RecordedView, _contiguous

Node = tuple[str, int]  # the host's step, or a stream's work, by the call's number


@dataclass(frozen=True)
class Use:
    """Bytes that a call uses."""

    name: str
    low: int
    high: int
    reads: bool
    writes: bool

    def meets(self, other: Use) -> bool:
        return (self.writes or other.writes) and self.low < other.high and other.low < self.high


@dataclass
class Objects:
    """What handles stand for; enough to tell what calls use. Calls come one after the other."""

    views: dict[int, RecordedView] = field(default_factory=dict)
    lists: dict[int, tuple[int, ...]] = field(default_factory=dict)
    executors: dict[int, RecordedCall] = field(default_factory=dict)
    uses_of: dict[int, list[Use]] = field(default_factory=dict)
    captures: dict[int, list[Use]] = field(default_factory=dict)  # by stream
    models: dict[int, list[Use]] = field(default_factory=dict)

    def see(self, call: RecordedCall) -> list[Use]:
        """What a call uses; of one that is captured, what its model will use."""
        stream = call.number_of("stream")
        if call.name == "aclmdlRICaptureBegin":
            self.captures[stream] = []
        elif call.name == "aclmdlRICaptureEnd":
            self.models[call.outs["modelRI"]] = self.captures.pop(stream)
        elif call.name == "aclmdlRIExecuteAsync":
            return self.models[call.number_of("modelRI")]
        elif is_work(call) and stream in self.captures:
            self.captures[stream] += self._used(call)
            return []
        return self._used(call)

    def _used(self, call: RecordedCall) -> list[Use]:
        if call.name == "aclCreateTensor" and call.result:
            shape, strides = call.arguments["viewDims"], call.arguments["stride"]
            shape = tuple(map(int, shape)) if isinstance(shape, tuple) else ()
            steps = tuple(map(int, strides)) if isinstance(strides, tuple) else _contiguous(shape)
            self.views[call.result] = RecordedView(
                call.number_of("tensorData"), call.number_of("dataType"), shape, steps,
                call.number_of("offset"),
            )  # fmt: skip
        elif call.name == "aclCreateTensorList" and isinstance(call.arguments["value"], tuple):
            self.lists[call.result] = tuple(map(int, call.arguments["value"]))
        elif call.phase == 1 and not call.result:
            self.executors[call.outs["executor"]] = call
            self.uses_of[call.outs["executor"]] = list(self._tensors(call))
        elif call.phase == 2:
            executor = call.number_of("executor")
            needs = self.executors[executor].outs["workspaceSize"]
            start = call.number_of("workspace")
            space = [Use("workspace", start, start + needs, False, True)] if needs else []
            return [*self.uses_of[executor], *space]
        elif call.name in ("aclrtMemset", "aclrtMemsetAsync"):
            start = call.number_of("devPtr")
            return [Use("devPtr", start, start + call.number_of("count"), False, True)]
        elif call.name in ("aclrtMemcpy", "aclrtMemcpyAsync"):
            count = call.number_of("count")
            to, source = call.number_of("dst"), call.number_of("src")
            return [Use("dst", to, to + count, False, True),
                    Use("src", source, source + count, True, False)]  # fmt: skip
        return []

    def _tensors(self, call: RecordedCall) -> Iterator[Use]:
        assert call.operator is not None
        op = call.operator
        for parameter, used, read in zip(op.parameters, op.used, op.read, strict=True):
            handle = call.number_of(parameter.name)
            for tensor in self.lists.get(handle, (handle,)) if used else ():
                if tensor in self.views and self.views[tensor].data:
                    low, high = self.views[tensor].extent
                    constant = parameter.c_type.startswith("const")
                    yield Use(parameter.name, low, high, read, not constant)


def is_work(call: RecordedCall) -> bool:
    """Whether a stream does it, and not the host."""
    return call.phase == 2 or call.name.endswith("Async")


class Graph:
    """Edges point back: from what comes later to what has come before."""

    def __init__(self) -> None:
        self._before: dict[Node, list[Node]] = defaultdict(list)
        self._last: dict[int, Node] = {}  # of each stream
        self._recorded: dict[int, Node] = {}  # of each event
        self._host: Node = ("host", 0)
        self.work: dict[int, tuple[RecordedCall, Node, list[Use]]] = {}

    def add(self, call: RecordedCall, uses: list[Use]) -> None:
        """A call is made."""
        here, stream = ("host", call.number), call.number_of("stream")
        self._before[here].append(self._host)
        self._host = here
        if is_work(call) or call.name in ("aclrtRecordEvent", "aclrtStreamWaitEvent"):
            work = ("work", call.number)
            self._before[work].append(here)
            if stream in self._last:
                self._before[work].append(self._last[stream])
            self._last[stream] = work
            if is_work(call):
                self.work[call.number] = call, work, uses
            elif call.name == "aclrtRecordEvent":
                self._recorded[call.number_of("event")] = work
            elif call.number_of("event") in self._recorded:
                self._before[work].append(self._recorded[call.number_of("event")])
        elif call.name in ("aclrtSynchronizeStream", "aclrtDestroyStream"):
            self._before[here] += [self._last[stream]] if stream in self._last else []
        elif call.name in ("aclrtSynchronizeDevice", "aclrtResetDevice"):
            self._before[here] += self._last.values()
        elif call.name == "aclrtSynchronizeEvent" and call.number_of("event") in self._recorded:
            self._before[here].append(self._recorded[call.number_of("event")])

    def open_work(self, stream: int | None = None) -> list[tuple[RecordedCall, list[Use]]]:
        """Work that the host's next step, or a stream's next, does not come after."""
        seen: set[Node] = set()
        left = [self._host] + ([self._last[stream]] if stream in self._last else [])
        while left:
            node = left.pop()
            if node not in seen:
                seen.add(node)
                left += self._before[node]
        return [(call, uses) for call, node, uses in self.work.values() if node not in seen]

    def recorded_behind(self, event: int) -> list[RecordedCall]:
        """Open work that an event stands behind."""
        seen, left = set(), [self._recorded[event]] if event in self._recorded else []
        while left:
            node = left.pop()
            if node not in seen:
                seen.add(node)
                left += self._before[node]
        return [call for call, _ in self.open_work() if ("work", call.number) in seen]


@dataclass(frozen=True)
class Conflict:
    kind: str
    call: RecordedCall
    others: tuple[RecordedCall, ...]


def conflict(
    graph: Graph, call: RecordedCall, uses: list[Use], blocks: dict[int, int]
) -> Conflict | None:
    """What is wrong with the order of a call that is about to be made; blocks: sizes by address."""
    if call.name in ("aclrtFree", "aclrtFreeHost"):
        start = call.number_of(call.parameters[0].name)
        freed = Use("", start, start + blocks.get(start, 0), True, True)
        met = [c for c, others in graph.open_work() if any(map(freed.meets, others))]
        return Conflict("free-while-queued", call, tuple(met)) if met else None
    if call.name == "aclrtDestroyStream":
        stream = call.number_of("stream")
        met = [c for c, _ in graph.open_work() if c.number_of("stream") == stream]
        return Conflict("destroy-while-queued", call, tuple(met)) if met else None
    if call.name == "aclrtDestroyEvent":
        met = graph.recorded_behind(call.number_of("event"))
        return Conflict("destroy-while-queued", call, tuple(met)) if met else None
    work = is_work(call)
    open_work = graph.open_work(call.number_of("stream") if work else None)
    for use in uses:
        pairs = [(c, other) for c, others in open_work for other in others if use.meets(other)
                 and any(start <= use.low < start + size for start, size in blocks.items())
                 and not (work and c.number_of("stream") == call.number_of("stream"))]  # fmt: skip
        if pairs:
            kind = "race" if work or use.writes else "unsynchronised-read"
            if use.name == pairs[0][1].name == "workspace":
                kind = "workspace-shared"
            return Conflict(kind, call, tuple(c for c, _ in pairs))
    return None
