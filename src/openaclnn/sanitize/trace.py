"""A trace of a program's calls, as Chrome's trace events: Perfetto and chrome://tracing open it.

Host threads have a slice for every call, with the program's lines that it came from, streams one
for whatever they did, with an arrow from the call that asked for it; memory in use is a counter."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import Any

from openaclnn.base.records import dataclass
from openaclnn.capi.arguments import written
from openaclnn.sanitize import tools
from openaclnn.sanitize.records import (
    Began,
    Done,
    Event,
    Frame,
    RecordedCall,
    Span,
    Started,
    Work,
)
from openaclnn.sanitize.report import described, shown
from openaclnn.sanitize.stacks import Lines
from openaclnn.sanitize.uses import uses
from openaclnn.sanitize.world import World

_STREAMS = 1 << 32  # tracks of streams have numbers beyond those of threads
_MICROSECOND = 1000  # in nanoseconds
_DEEPEST = 12  # lines of a stack


@dataclass
class Total:
    """How often something was called, and how long that took."""

    calls: int = 0
    nanoseconds: int = 0


@dataclass
class _Process:
    world: World = field(default_factory=World)
    asked: dict[int, RecordedCall] = field(default_factory=dict)  # of streams, by the call's number
    early: dict[int, list[Work]] = field(default_factory=lambda: defaultdict(list))
    bytes: dict[int, int] = field(default_factory=dict)  # that calls move, likewise
    in_use: list[int] = field(default_factory=lambda: [0, 0])  # bytes of the device, of the host
    streams: dict[int, int] = field(default_factory=dict)  # their tracks, by handle
    ends: dict[int, int] = field(default_factory=dict)  # when the last slice of a track ends
    threads: set[int] = field(default_factory=set)


class Timeline:
    """Turns a record's events into trace events."""

    def __init__(self, program: str = "process") -> None:
        self._program = os.path.basename(program)
        self._processes: dict[int, _Process] = {}
        self._begin: int | None = None
        self._flows = 0
        self._stacks: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
        self.events: list[dict[str, Any]] = []
        self.totals: dict[str, Total] = defaultdict(Total)

    def see(self, event: Event) -> None:
        if isinstance(event, Started):
            parent = self._processes.get(event.parent) if event.forked else None
            world = parent.world.forked() if parent else World()
            self._processes[event.process] = _Process(world)
            self._name("process_name", event.process, 0, f"{self._program} ({event.process})")
        elif isinstance(event, Began):
            self._at(event.call.time)
            for _ in tools.began(self._processes[event.call.process].world, event.call):
                pass  # mistakes are the sanitizer's business
        elif isinstance(event, Done):
            self._call(event.call)
        elif isinstance(event, Work):
            process = self._processes[event.process]
            call = process.asked.get(event.number)
            if call is None:  # it was done before the call that asked for it came back
                process.early[event.number].append(event)
            else:
                self._work(process, call, event)

    def add_lines(self, frames: Callable[[tuple[int, int]], Iterable[Frame]]) -> None:
        """Say of every call from which lines of the program it came, the innermost first."""
        lines, stacks = Lines(), {stack: tuple(frames(stack)) for stack in self._stacks}
        lines.places(frame for found in stacks.values() for frame in found)  # all at once
        for stack, found in stacks.items():
            places = [str(place) for place in lines.places(found)][:_DEEPEST]
            for arguments in self._stacks[stack] if places else ():
                arguments["stack"] = places

    def _at(self, time: int) -> float:
        if self._begin is None:
            self._begin = time
        return (time - self._begin) / _MICROSECOND

    def _name(self, what: str, process: int, track: int, name: str) -> None:
        self.events.append(
            {"ph": "M", "name": what, "pid": process, "tid": track, "args": {"name": name}}
        )

    def _call(self, call: RecordedCall) -> None:
        process = self._processes[call.process]
        if call.thread not in process.threads:
            process.threads.add(call.thread)
            self._name("thread_name", call.process, call.thread, f"host thread {call.thread}")
        total = self.totals[call.name]
        total.calls += 1
        total.nanoseconds += call.done - call.time
        for span in call.spans:
            once = self.totals[f"({span.name})"]
            once.calls += 1
            once.nanoseconds += span.done - span.begun
            around = [o for o in call.spans if o.begun <= span.begun and o.done >= span.done]
            inner = min((o for o in around if o is not span), key=_length, default=None)
            outer = self.totals[f"({inner.name})"] if inner else total
            outer.nanoseconds -= span.done - span.begun
        arguments: dict[str, Any] = {"call": call.number, **shown(call)}
        arguments |= {name: str(what) for name, what in call.meaning.items()}
        given = written(call.operator.name, call.packed) if call.operator else None
        arguments |= {} if given is None else {"arguments": given}
        arguments |= {"refused": call.reason} if call.result and call.reason else {}
        arguments |= self._speed(process, call)
        self.events.append({
            "ph": "X", "name": call.name, "cat": _category(call), "pid": call.process,
            "tid": call.thread, "ts": self._at(call.time),
            "dur": (call.done - call.time) / _MICROSECOND,
            "args": {**arguments, "result": result(call)},
        })  # fmt: skip
        self._stacks[call.stack].append(self.events[-1]["args"])
        for span in call.spans:
            self.events.append({
                "ph": "X", "name": span.name, "cat": "once", "pid": call.process,
                "tid": call.thread, "ts": self._at(span.begun),
                "dur": (span.done - span.begun) / _MICROSECOND, "args": {"call": call.number},
            })  # fmt: skip
        if "stream" in call.arguments:
            process.asked[call.number] = call
            process.bytes[call.number] = _moved(process.world, call)
        for work in process.early.pop(call.number, ()):
            self._work(process, call, work)
        self._count(process, call)

    def _speed(self, process: _Process, call: RecordedCall) -> dict[str, Any]:
        """The bytes and bandwidth of a copy or a fill that is done when the call comes back."""
        if "stream" in call.arguments or not call.name.startswith(("aclrtMemcpy", "aclrtMemset")):
            return {}
        moved, taken = _moved(process.world, call), call.done - call.time
        return {"bytes": moved, "GB/s": round(moved / taken, 3)} if moved and taken else {}

    def _work(self, process: _Process, call: RecordedCall, work: Work) -> None:
        track = self._track(process, call, work.begun)
        process.ends[track] = work.done
        self._flows += 1
        both = {"name": "asked", "cat": "flow", "id": self._flows, "pid": call.process}
        start = max(work.begun, call.time)  # a device's clock may be a little off
        begun, taken = self._at(start), max(work.done - start, 0)
        bytes_moved = process.bytes.get(call.number, 0)
        speed = {"bytes": bytes_moved, "GB/s": round(bytes_moved / taken, 3)} if (
            bytes_moved and taken) else {}  # fmt: skip
        name = call.operator.name if call.operator else call.name
        self.events += [
            {"ph": "s", "tid": call.thread, "ts": self._at(call.time), **both},
            {"ph": "X", "name": name, "cat": "stream", "pid": call.process, "tid": track,
             "ts": begun, "dur": taken / _MICROSECOND, "args": {"call": call.number, **speed}},
            {"ph": "f", "bp": "e", "tid": track, "ts": begun, **both},
        ]  # fmt: skip

    def _track(self, process: _Process, call: RecordedCall, begun: int) -> int:
        """The track of a stream; where threads work on one stream at once, another of it."""
        stream = call.number_of("stream")
        if stream not in process.streams:
            process.streams[stream] = len(process.streams)
        track = _STREAMS + process.streams[stream]
        while process.ends.get(track, 0) > begun:
            track += _STREAMS
        if track not in process.ends:
            number = process.streams[stream]
            name = f"stream {number}" if stream else "the default stream"
            self._name("thread_name", call.process, track, name)
        return track

    def _count(self, process: _Process, call: RecordedCall) -> None:
        """Memory in use, where a call has changed it."""
        tools.done(process.world, call)
        if call.name.startswith(("aclrtMalloc", "aclrtFree")) and not call.result:
            freed = call.name.startswith("aclrtFree")
            block = process.world.blocks.get(
                call.number_of(call.parameters[0].name) if freed else next(iter(call.outs.values()))
            )
            if block:
                process.in_use[block.host] += -block.size if freed else block.size
            device, host = process.in_use
            self.events.append({
                "ph": "C", "name": "memory in use", "pid": call.process, "tid": 0,
                "ts": self._at(call.done), "args": {"device bytes": device, "host bytes": host},
            })  # fmt: skip


def _length(span: Span) -> int:
    return span.done - span.begun


def _moved(world: World, call: RecordedCall) -> int:
    """The bytes that a call copies, or that an operator reads and writes."""
    if "count" in call.arguments:
        return call.number_of("count")
    return sum(use.where.run * use.where.count for use in uses(world, call))


def _category(call: RecordedCall) -> str:
    if call.phase:
        return f"phase {call.phase}"
    return "runtime" if call.name.startswith("aclrt") else "objects"


def result(call: RecordedCall) -> str:
    """What a call gave: its status, or a handle."""
    if call.returns == "void ":
        return ""
    return hex(call.result) if "*" in call.returns else str(call.result)


def logged(call: RecordedCall) -> str:
    """A call as one line, as strace prints it."""
    outs = "".join(f", {name} → {value:#x}" for name, value in call.outs.items())
    taken = (call.done - call.time) / _MICROSECOND
    meaning = (f"{name}: {text}" for name, text in call.meaning.items())
    text = ", ".join(filter(None, [described(call), *meaning]))
    line = f"{call.name}({text}{outs}) = {result(call)} <{taken:.1f} µs>"
    why = f" {call.reason}" if call.result and call.reason else ""
    return f"[{call.process}.{call.thread}] {line}{why}"


def table(totals: dict[str, Total]) -> Iterator[list[str]]:
    """Rows of the totals, what took longest first: name, calls, milliseconds, µs a call."""
    for name, total in sorted(totals.items(), key=lambda row: -row[1].nanoseconds):
        each = total.nanoseconds / total.calls / _MICROSECOND
        yield [name, str(total.calls), f"{total.nanoseconds / 1e6:.3f}", f"{each:.2f}"]
