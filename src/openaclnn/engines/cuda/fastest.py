"""Choice of the fastest of several equivalent kernels by timing the calls of a layout.

Each of them runs one kernel, in turns, between two events on the caller's stream, for which nobody
waits: a later call asks whether they were reached. Whichever kernel runs, the bits are the same.
"""

from __future__ import annotations

import math
import threading
from typing import Protocol

from cuda.bindings import driver

import openaclnn.runtime.cuda as runtime

_Events = tuple[int, int]  # before a kernel and after it
_ROUNDS = 3  # in the first of which the driver may still load the kernels


class Rivals(Protocol):
    """The kernels of a call with its arguments; 0 is the usual one."""

    def make_all(self) -> int:
        """Make them ready. Gives how many there are."""

    def run_one(self, way: int, stream: int) -> None: ...


class FastestKernel:
    """The state of finding out, for all calls of a layout. The others than the usual kernel are
    made ready in the second one: compiling them takes a second, and some calls are made once."""

    def __init__(self) -> None:
        self.best: int | None = None
        self.calls = 0
        self.turns: list[int] = []  # those to come
        self.times: list[float] = []  # the shortest of each
        self.running: list[tuple[int, _Events]] = []
        self.lock = threading.Lock()

    def run(self, rivals: Rivals, stream: int) -> None:
        """Run the way whose turn it is, or the best."""
        if self.best is not None:
            rivals.run_one(self.best, stream)
        elif _captured(stream) or not self.lock.acquire(blocking=False):
            rivals.run_one(0, stream)  # a graph's events are no clock; another thread has its turn
        else:
            try:
                self._take_turn(rivals, stream)
            finally:
                self.lock.release()

    def _take_turn(self, rivals: Rivals, stream: int) -> None:
        self.calls += 1
        if self.calls == 2:
            count = rivals.make_all()
            self.times = [math.inf] * count
            self.turns = [*range(count)] * _ROUNDS
        self._gather()
        if not self.turns:
            rivals.run_one(self.best or 0, stream)
            return
        runtime.reenter()
        way, events = self.turns.pop(0), (runtime.create_event(0), runtime.create_event(0))
        try:
            runtime.record_event(events[0], stream)
            rivals.run_one(way, stream)
            runtime.record_event(events[1], stream)
        except BaseException:
            _destroy(events)
            raise
        self.running.append((way, events))

    def _gather(self) -> None:
        """The times of what has run. When all has, the fastest way is known."""
        while self.running and runtime.query_event(self.running[0][1][1]):
            way, events = self.running.pop(0)
            self.times[way] = min(self.times[way], runtime.event_elapsed_time(*events))
            _destroy(events)
        if self.times and not self.turns and not self.running:
            self.best = self.times.index(min(self.times))


def _destroy(events: _Events) -> None:
    for event in events:
        runtime.destroy_event(event)


def _captured(stream: int) -> bool:
    error, status, *_ = driver.cuStreamIsCapturing(stream)
    return bool(error) or status != driver.CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_NONE
