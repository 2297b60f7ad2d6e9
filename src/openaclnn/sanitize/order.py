"""The tool *order*: races, found by vector clocks: nobody may use what a stream writes before
waiting for it.

Every stream has a clock, a count of what was asked of it, and everybody knows the others' clocks as
far as synchronisation told them: a stream knows what the host knew when it asked, and what an event
brought it; the host knows what it waited for. Work that somebody does not know of may still be
going on, however fast it was this time. The host is one: how its threads wait for each other cannot
be seen, so any thread's waiting counts for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from openaclnn.base.acl_codes import Code
from openaclnn.base.records import dataclass
from openaclnn.capi.runtime_api import ENTRIES
from openaclnn.sanitize.findings import Finding
from openaclnn.sanitize.records import RecordedCall, Work
from openaclnn.sanitize.uses import uses
from openaclnn.sanitize.world import World

_NO_CONTEXT = 107002
_STREAM_DONE, _EVENT_DONE, _RECORDED = 0, 0, 1  # what queries answer when there is no more to do
_ANY_TIME = (  # may be called before aclInit
    "aclrtGetVersion", "aclrtGetSocName", "aclrtGetRunMode", "aclrtGetDeviceCount",
    "aclrtGetLastError", "aclrtPeekAtLastError",
)  # fmt: skip
_CALLBACKS = ("aclrtLaunchHostFunc", "aclrtLaunchCallback")
_SYNCHRONISED = ("aclrtSynchronizeStream", "aclrtSynchronizeStreamWithTimeout")
_DEVICE = ("aclrtSynchronizeDevice", "aclrtSynchronizeDeviceWithTimeout", "aclrtResetDeviceForce")
_FREED = {  # and how each is told
    "aclrtFree": "freed", "aclrtFreeHost": "freed", "aclrtUnmapMem": "unmapped",
    "aclrtHostUnregister": "unregistered",
}  # fmt: skip
_CHOICES = ("aclrtSetDevice", "aclrtCreateContext", "aclrtSetCurrentContext")
_ASKS = ("aclrtGetDevice", "aclrtGetCurrentContext")  # whether the thread has a device
# what needs a thread's device; what asks for it is asked to learn whether there is one
_NEEDS_DEVICE = {
    entry.name for entry in ENTRIES
    if Code.RT_CONTEXT_NULL in entry.codes and not entry.name.startswith("aclrtGet")
}  # fmt: skip
_DESTROYED = ("aclrtDestroyStream", "aclrtDestroyStreamForce")

Clock = dict[int, int]  # by stream


@dataclass(frozen=True)
class PendingUse:
    """What a stream was asked to do with some bytes."""

    call: RecordedCall
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
        self.finalised: RecordedCall | None = None
        self._host: Clock = {}
        self._streams: dict[int, Clock] = {}
        self._events: dict[int, Clock] = {}
        self._marks: dict[int, Clock] = {}  # of functions of the host, by the call's number
        # what the host does not know to be done, by block; of equal ones the last
        self._pending: dict[int, dict[tuple[int, int, int, bool], PendingUse]] = {}
        self._recorded: dict[int, RecordedCall] = {}  # events
        self._with_device: set[int] = set()  # threads that have chosen one
        self._devices_set = 0  # how often more than reset

    def forked(self, process: int) -> Order:
        """A child's: its parent's streams do nothing there."""
        child = Order()
        child.initialised, child.finalised = self.initialised, self.finalised
        child._devices_set = self._devices_set
        # of the threads only that which forked goes on, and which it was is not known
        child._with_device = {process} if self._with_device else set()
        return child

    def began(self, world: World, call: RecordedCall) -> Iterator[Finding]:
        """Look at a call before it is made."""
        yield from self._begun(call)
        if call.name in _DESTROYED:
            yield from self._destroyed(call)
        elif call.name == "aclrtDestroyEvent":
            yield from self._event_destroyed(call)
        elif call.name in ("aclDestroyAclOpExecutor", "aclmdlRIDestroy"):
            yield from self._work_destroyed(world, call)
        elif call.name in _FREED:
            yield from self._freed(world, call)
        elif world.capture(call):
            return  # what is captured is not done
        elif call.phase == 2 or call.name.endswith("Async"):
            yield from self._asked(world, call)
        else:
            for name, low, high, _, writes in accesses(world, call):
                yield from self._conflicts(world, call, None, name, low, high, writes)
        if call.name == "aclrtRecordEvent":
            stream = call.number_of("stream")
            self._events[call.number_of("event")] = dict(self._of(stream, asked=True))
            self._recorded[call.number_of("event")] = call
        elif call.name == "aclrtStreamWaitEvent":
            _join(self._of(call.number_of("stream"), asked=True),
                  self._events.get(call.number_of("event"), {}))  # fmt: skip
        elif call.name in _CALLBACKS:
            self._marks[call.number] = dict(self._of(call.number_of("stream"), asked=True))

    def done(self, call: RecordedCall) -> Iterator[Finding]:
        """A call has come back: what it waited for is known."""
        if call.result == _NO_CONTEXT and call.name.startswith("aclrt") and call.name not in _ASKS:
            yield Finding("api-order", call, "the calling thread has no device",
                          "call aclrtSetDevice in each thread first")  # fmt: skip
        if call.result:  # what was refused is not done
            self._keep(lambda access: access.call is not call)
            return
        if call.name in _CHOICES:
            self._with_device.add(call.thread)
            self._devices_set += call.name == "aclrtSetDevice"
        elif call.name == "aclrtResetDevice":
            self._devices_set -= 1
            if self._devices_set <= 0:  # only the last one ends the device's work
                self._know_all()
        elif call.name in _SYNCHRONISED or (
            call.name == "aclrtStreamQuery" and call.outs["status"] == _STREAM_DONE
        ):
            self._know(self._of(call.number_of("stream")))
        elif call.name in _DEVICE:
            self._know_all()
        elif (
            call.name.startswith("aclrtSynchronizeEvent")
            or (call.name == "aclrtQueryEvent" and call.outs["status"] == _EVENT_DONE)
            or (call.name == "aclrtQueryEventStatus" and call.outs["status"] == _RECORDED)
        ):
            self._know(self._events.get(call.number_of("event"), {}))
        elif call.name in _DESTROYED:
            self._know(self._streams.pop(call.number_of("stream"), {}))
        elif call.name == "aclrtDestroyEvent":
            self._events.pop(call.number_of("event"), None)
        elif call.name == "aclInit":
            self.initialised, self.finalised = True, None
        elif call.name == "aclFinalize":
            self.finalised = call

    def worked(self, work: Work) -> None:
        """A function of the host was called by a stream: it may have told the host so."""
        self._know(self._marks.pop(work.number, {}))

    def _begun(self, call: RecordedCall) -> Iterator[Finding]:
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
        elif (call.phase == 2 or call.name in _NEEDS_DEVICE) and (
            self._with_device and call.thread not in self._with_device
        ):  # where no thread has one the call is refused
            yield Finding("api-order", call, "the calling thread has chosen no device, and gets "
                          "another thread's here; an NPU answers 107002",
                          "call aclrtSetDevice or aclrtSetCurrentContext in each thread first",
                          )  # fmt: skip

    def _of(self, stream: int, asked: bool = False) -> Clock:
        """A stream's clock; whoever asks it for something tells it what the host knows."""
        clock = self._streams.setdefault(stream, {})
        if asked:
            _join(clock, self._host)
        return clock

    def _know(self, clock: Clock) -> None:
        _join(self._host, clock)
        self._keep(lambda access: self._host.get(access.stream, 0) < access.time)

    def _know_all(self) -> None:
        for clock in self._streams.values():
            self._know(clock)

    def _keep(self, wanted: Callable[[PendingUse], bool]) -> None:
        for block, found in list(self._pending.items()):
            kept = {key: access for key, access in found.items() if wanted(access)}
            if kept:
                self._pending[block] = kept
            else:
                del self._pending[block]

    def _every(self) -> Iterator[PendingUse]:
        for found in self._pending.values():
            yield from found.values()

    def _asked(self, world: World, call: RecordedCall) -> Iterator[Finding]:
        """A stream is asked to do something."""
        stream = call.number_of("stream")
        clock = self._of(stream, asked=True)
        clock[stream] = clock.get(stream, 0) + 1
        added = []
        for name, low, high, _, writes in accesses(world, call):
            yield from self._conflicts(world, call, stream, name, low, high, writes)
            added.append(PendingUse(call, stream, clock[stream], low, high, writes, name))
        for access in added:
            found = self._pending.setdefault(_bucket(world, access.low), {})
            found[stream, access.low, access.high, access.writes] = access

    def _conflicts(
        self, world: World, call: RecordedCall, stream: int | None, name: str, low: int, high: int,
        writes: bool,
    ) -> Iterator[Finding]:  # fmt: skip
        """What others may still be doing with bytes that a call uses."""
        known = self._host if stream is None else self._of(stream)
        for access in self._pending.get(_bucket(world, low), {}).values():
            if (
                access.stream == stream
                or not (writes or access.writes)
                or access.high <= low
                or access.low >= high
                or known.get(access.stream, 0) >= access.time
            ):
                continue
            yield self._conflict(world, call, access, name, low, writes, stream is None)
            return

    def _conflict(
        self, world: World, call: RecordedCall, access: PendingUse, name: str, low: int,
        writes: bool, by_host: bool,
    ) -> Finding:  # fmt: skip
        block = world.block_at(low)
        where = f"{name}, {low - block.start} bytes into {block}" if block else name
        others = (("allocated by", block.made),) if block else ()
        if access.name == name == "workspace":
            return Finding("workspace-shared", call,
                           f"{where}: another stream's executor may still use it",
                           "give each executor its own workspace, or wait for the other stream",
                           (("used by", access.call), *others))  # fmt: skip
        kind = "unsynchronised-read" if by_host and not writes else "race"
        label = f"as {access.name} {'written' if access.writes else 'read'} by"
        verb = "writes" if access.writes else "reads"
        who = "a stream" if by_host else "another stream"
        advice = ("call aclrtSynchronizeStream first" if by_host else
                  "let this stream wait for an event of the other one")  # fmt: skip
        return Finding(kind, call, f"{where}: {who} {verb} it, and nothing waits for that", advice,
                       ((label, access.call), *others))  # fmt: skip

    def _freed(self, world: World, call: RecordedCall) -> Iterator[Finding]:
        block = world.blocks.get(call.number_of(call.parameters[0].name))
        if block is None or block.freed:
            return
        pending = self._pending.get(0 if block.mapped else block.start, {})
        found = {key: access for key, access in pending.items()
                 if access.low < block.end and access.high > block.start}  # fmt: skip
        for key in found:
            del pending[key]
        verb = _FREED[call.name]
        for access in found.values():
            yield Finding("free-while-queued", call,
                          f"{block} is {verb}, and a stream may still use it as {access.name}",
                          f"call aclrtSynchronizeStream before it is {verb}",
                          (("used by", access.call), ("allocated by", block.made)),
                          )  # fmt: skip
            return

    def _destroyed(self, call: RecordedCall) -> Iterator[Finding]:
        stream = call.number_of("stream")
        for access in self._every():
            if access.stream == stream:
                yield Finding("destroy-while-queued", call,
                              "the stream is destroyed, and nothing has waited for its work",
                              "call aclrtSynchronizeStream first", (("asked by", access.call),),
                              )  # fmt: skip
                return

    def _event_destroyed(self, call: RecordedCall) -> Iterator[Finding]:
        event = call.number_of("event")
        clock = self._events.get(event, {})
        if any(self._host.get(stream, 0) < time for stream, time in clock.items()):
            yield Finding("destroy-while-queued", call,
                          "the event is destroyed, and nothing has waited for it",
                          "call aclrtSynchronizeEvent first",
                          (("recorded by", self._recorded[event]),))  # fmt: skip

    def _work_destroyed(self, world: World, call: RecordedCall) -> Iterator[Finding]:
        """A repeatable executor or a model ends; other executors have ended with their run."""
        name = call.parameters[0].name
        handle = call.number_of(name)
        thing = world.things.get(handle)
        lives = thing is not None and (thing.repeatable or thing.type == "aclmdlRI")
        for access in self._every() if lives else ():
            if access.call.arguments.get(name) == handle:
                what = "model" if name == "modelRI" else "executor"
                yield Finding("destroy-while-queued", call,
                              f"the {what} is destroyed, and nothing has waited for its run",
                              "call aclrtSynchronizeStream first", (("run by", access.call),),
                              )  # fmt: skip
                return


def _bucket(world: World, address: int) -> int:
    """Where accesses to an address are kept: by block, but what is mapped may be several."""
    block = world.block_at(address)
    return 0 if block is None or block.mapped else block.start


def _join(clock: Clock, other: Clock) -> None:
    for stream, time in other.items():
        if clock.get(stream, 0) < time:
            clock[stream] = time


def accesses(world: World, call: RecordedCall) -> Iterator[tuple[str, int, int, bool, bool]]:
    """What a call uses of memory that is known: name, from, to, whether it reads and writes."""
    for use in uses(world, call):
        if use.where.run and world.block_at(use.where.start):
            yield use.name, use.where.start, use.where.end, use.reads, use.writes
