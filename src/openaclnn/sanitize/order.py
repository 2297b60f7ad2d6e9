"""The tool *order*: what streams do is waited for before anybody else needs it.

Every stream has a clock, a count of what was asked of it, and everybody knows the others' clocks as
far as synchronisation told them: a stream knows what the host knew when it asked, and what an event
brought it; the host knows what it waited for. Work that somebody does not know of may still be
going on, however fast it was this time. The host is one: how its threads wait for each other cannot
be seen, so any thread's waiting counts for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from openaclnn.capi.records import Call, Work
from openaclnn.sanitize import memory
from openaclnn.sanitize.findings import Finding
from openaclnn.sanitize.world import World

_NO_CONTEXT = 107002
_STREAM_DONE, _EVENT_DONE, _RECORDED = 0, 0, 1  # what queries answer when there is no more to do
_ANY_TIME = (  # may be called before aclInit
    "aclrtGetVersion", "aclrtGetSocName", "aclrtGetRunMode", "aclrtGetDeviceCount",
    "aclrtGetLastError", "aclrtPeekAtLastError",
)  # fmt: skip
_CALLBACKS = ("aclrtLaunchHostFunc", "aclrtLaunchCallback")
_SYNCHRONISED = ("aclrtSynchronizeStream", "aclrtSynchronizeStreamWithTimeout")
_DEVICE = ("aclrtSynchronizeDevice", "aclrtSynchronizeDeviceWithTimeout", "aclrtResetDevice",
           "aclrtResetDeviceForce")  # fmt: skip
_DESTROYED = ("aclrtDestroyStream", "aclrtDestroyStreamForce")

Clock = dict[int, int]  # by stream


@dataclass(frozen=True)
class Access:
    """What a stream was asked to do with some bytes."""

    call: Call
    stream: int
    time: int  # on the stream's clock
    low: int
    high: int
    writes: bool
    name: str


class Order:
    """The clocks of one process."""

    def __init__(self) -> None:
        self.initialised = False
        self.finalised: Call | None = None
        self._host: Clock = {}
        self._streams: dict[int, Clock] = {}
        self._events: dict[int, Clock] = {}
        self._marks: dict[int, Clock] = {}  # of functions of the host, by the call's number
        self._pending: list[Access] = []
        self._captures = 0

    def forked(self) -> Order:
        """A child's: its parent's streams do nothing there."""
        child = Order()
        child.initialised, child.finalised = self.initialised, self.finalised
        return child

    def began(self, world: World, call: Call) -> Iterator[Finding]:
        """Look at a call before it is made."""
        yield from self._begun(call)
        if call.name in _DESTROYED:
            yield from self._destroyed(call)
        elif call.name in ("aclrtFree", "aclrtFreeHost"):
            yield from self._freed(world, call)
        elif self._captures:
            return  # what is captured is not done
        elif call.phase == 2 or call.name.endswith("Async"):
            yield from self._asked(world, call)
        else:
            for name, low, high, writes in _accesses(world, call):
                yield from self._conflicts(world, call, None, name, low, high, writes)
        if call.name == "aclrtRecordEvent":
            stream = call.number_of("stream")
            self._events[call.number_of("event")] = dict(self._of(stream, asked=True))
        elif call.name == "aclrtStreamWaitEvent":
            _join(self._of(call.number_of("stream"), asked=True),
                  self._events.get(call.number_of("event"), {}))  # fmt: skip
        elif call.name in _CALLBACKS:
            self._marks[call.number] = dict(self._of(call.number_of("stream"), asked=True))

    def done(self, call: Call) -> Iterator[Finding]:
        """A call has come back: what it waited for is known."""
        if call.result == _NO_CONTEXT and call.name.startswith("aclrt"):
            yield Finding("api-order", call, "the calling thread has no device",
                          "call aclrtSetDevice in each thread first")  # fmt: skip
        if call.result:  # what was refused is not done
            self._pending = [access for access in self._pending if access.call is not call]
            return
        events = [call.number_of(name) for name in ("event", "startEvent", "endEvent")]
        if call.name in _SYNCHRONISED or (
            call.name == "aclrtStreamQuery" and call.outs["status"] == _STREAM_DONE
        ):
            self._know(self._of(call.number_of("stream")))
        elif call.name in _DEVICE:
            for clock in self._streams.values():
                self._know(clock)
        elif (
            call.name.startswith(("aclrtSynchronizeEvent", "aclrtEvent"))
            or (call.name == "aclrtQueryEvent" and call.outs["status"] == _EVENT_DONE)
            or (call.name == "aclrtQueryEventStatus" and call.outs["status"] == _RECORDED)
        ):
            for event in events:
                self._know(self._events.get(event, {}))
        elif call.name in _DESTROYED:
            self._know(self._streams.pop(call.number_of("stream"), {}))
        elif call.name == "aclmdlRICaptureBegin":
            self._captures += 1
        elif call.name == "aclmdlRICaptureEnd":
            self._captures -= 1
        elif call.name == "aclInit":
            self.initialised, self.finalised = True, None
        elif call.name == "aclFinalize":
            self.finalised = call

    def worked(self, work: Work) -> None:
        """A function of the host was called by a stream: it may have told the host so."""
        self._know(self._marks.pop(work.number, {}))

    def _begun(self, call: Call) -> Iterator[Finding]:
        if not (call.phase or call.name.startswith("aclrt")) or call.name in _ANY_TIME:
            return
        if self.finalised:
            yield Finding("api-order", call, "it is called after aclFinalize",
                          "let aclFinalize come last", (("ended by", self.finalised),),
                          )  # fmt: skip
        elif not self.initialised:
            yield Finding(
                "api-order", call, "it is called before aclInit", "let aclInit come first"
            )

    def _of(self, stream: int, asked: bool = False) -> Clock:
        """A stream's clock; whoever asks it for something tells it what the host knows."""
        clock = self._streams.setdefault(stream, {})
        if asked:
            _join(clock, self._host)
        return clock

    def _know(self, clock: Clock) -> None:
        _join(self._host, clock)
        self._pending = [a for a in self._pending if self._host.get(a.stream, 0) < a.time]

    def _asked(self, world: World, call: Call) -> Iterator[Finding]:
        """A stream is asked to do something."""
        stream = call.number_of("stream")
        clock = self._of(stream, asked=True)
        clock[stream] = clock.get(stream, 0) + 1
        added = []
        for name, low, high, writes in _accesses(world, call):
            yield from self._conflicts(world, call, stream, name, low, high, writes)
            added.append(Access(call, stream, clock[stream], low, high, writes, name))
        self._pending += added

    def _conflicts(
        self, world: World, call: Call, stream: int | None, name: str, low: int, high: int,
        writes: bool,
    ) -> Iterator[Finding]:  # fmt: skip
        """What others may still be doing with bytes that a call uses."""
        known = self._host if stream is None else self._of(stream)
        for access in self._pending:
            if (
                access.stream == stream
                or not (writes or access.writes)
                or access.high <= low
                or access.low >= high
                or known.get(access.stream, 0) >= access.time
            ):
                continue
            block = world.block_at(low)
            where = f"{name}, {low - block.start} bytes into {block}" if block else name
            verb = "writes" if access.writes else "reads"
            allocated = (("allocated by", block.made),) if block else ()
            label = f"as {access.name} {'written' if access.writes else 'read'} by"
            kind = "unsynchronised-read" if stream is None and not writes else "race"
            who = "a stream" if stream is None else "another stream"
            advice = ("call aclrtSynchronizeStream first" if stream is None else
                      "let this stream wait for an event of the other one")  # fmt: skip
            yield Finding(kind, call, f"{where}: {who} {verb} it, and nothing waits for that",
                          advice, ((label, access.call), *allocated))  # fmt: skip
            return

    def _freed(self, world: World, call: Call) -> Iterator[Finding]:
        block = world.blocks.get(call.number_of(call.parameters[0].name))
        for access in self._pending if block else ():
            if block and access.low < block.end and access.high > block.start:
                yield Finding("free-while-queued", call,
                              f"{block} is freed, and a stream may still use it as {access.name}",
                              "call aclrtSynchronizeStream before it is freed",
                              (("used by", access.call), ("allocated by", block.made)),
                              )  # fmt: skip
                self._pending = [a for a in self._pending if a is not access]
                return

    def _destroyed(self, call: Call) -> Iterator[Finding]:
        stream = call.number_of("stream")
        for access in self._pending:
            if access.stream == stream:
                yield Finding("destroy-while-queued", call,
                              "the stream is destroyed, and nothing has waited for its work",
                              "call aclrtSynchronizeStream first", (("asked by", access.call),),
                              )  # fmt: skip
                return


def _join(clock: Clock, other: Clock) -> None:
    for stream, time in other.items():
        if clock.get(stream, 0) < time:
            clock[stream] = time


def _accesses(world: World, call: Call) -> Iterator[tuple[str, int, int, bool]]:
    """What a call reads and writes of memory that is known: name, from, to, whether it writes."""
    if call.phase == 2:
        executor = world.things.get(call.number_of("executor"))
        if executor is None or executor.made.operator is None:
            return
        types = {p.name: p.c_type for p in executor.made.operator.parameters}
        for name, view in executor.tensors:
            low, high = view.extent
            if world.block_at(view.data):
                yield name, low, high, not types[name.split("[")[0]].startswith("const")
        workspace = call.number_of("workspace")
        if workspace and executor.needs:
            yield "workspace", workspace, workspace + executor.needs, True
        return
    for name, start, size, _ in memory.ranges(call):
        if size and world.block_at(start):
            yield name, start, start + size, not name.startswith("src")
