"""Timing several calls against each other.

They take turns, so that what the machine does meanwhile meets all of them alike. A sample is a
batch of calls long enough for the clock. What a call costs is the minimum of its samples: what
else the machine does only adds. The median is kept beside it: far above the minimum, it says that
the machine was busy. What calls cost beside each other is told round by round: memory that is
faster in one minute than in the next is so for all of a round, and the median of the rounds stays.
One call can be the gauge, for what the machine can do at best: what the first call reaches of it is
told from the quarter of the rounds in which those two were disturbed least.
"""

from __future__ import annotations

import gc
import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY
from itertools import count, repeat
from time import perf_counter_ns, sleep, thread_time_ns
from typing import Any, Protocol, runtime_checkable

from openaclnn.base.records import dataclass

_SAMPLE = 200_000  # ns: one sample takes at least this long
_FEWEST, _FEWEST_LONG = 7, 3  # rounds; of long calls
_LONG = 300_000_000  # ns: rounds that take longer in all are long calls'
_PATIENCE = 3  # times as long as planned, where the machine is busy
_SCATTER = 1.1  # a median so far above the minimum says that it is
# Worker threads of OpenMP spin for some milliseconds after their work (7.7 on an AMD EPYC). Ours
# and PyTorch's are the same ones, where both find one libgomp; those of others calm down meanwhile.
_PAUSE = 0.003
_ALONE = 4_000  # ns: so long a call can be timed by itself
_WARM = 1_000_000  # ns of calls before every sample, so that threads and caches are one's own again

Call = Callable[[], Any]
Clock = Callable[[], int]  # nanoseconds


@runtime_checkable
class TimesItself(Protocol):
    """A call that is made elsewhere."""

    def __call__(self) -> None: ...

    def batch(self, count: int) -> int:
        """Make so many calls; the nanoseconds that they took."""


@dataclass(frozen=True)
class Times:
    """Seconds of one call."""

    median: float
    minimum: float
    samples: int
    beside: float | None = None  # how many times the first call's, in the median of the rounds

    @property
    def cost(self) -> float:
        """The least disturbed."""
        return self.minimum


def measure(
    calls: Mapping[str, Call],
    seconds: float,
    gauge: str | None = None,
    restore: Callable[[], None] | None = None,
    threads: int = 0,
) -> dict[str, Times]:
    """Time the calls in turns for about this long altogether, longer while their times scatter.
    Of calls on one thread the processor's time counts, which other programs disturb least.

    Calls that change what they read need a `restore` before each of them, outside the time, where
    all are long enough for that: e^x of its own results is infinite after a few.
    """
    clock = thread_time_ns if threads == 1 else perf_counter_ns
    with _no_garbage_collection():
        batches = {name: _batch(call, clock) for name, call in calls.items()}
        if not all(batch.alone for batch in batches.values()):
            restore = None
        samples: dict[str, list[float]] = {name: [] for name in calls}
        turns = list(calls)
        start, planned = perf_counter_ns(), int(seconds * 1e9)
        for number in count():
            taken = perf_counter_ns() - start
            enough = number >= _FEWEST or (number >= _FEWEST_LONG and taken > _LONG)
            if enough and taken > planned * _patience(samples):
                break
            # there and back again: nobody always comes after the one who leaves the caches cold
            for name in turns if number % 2 == 0 else turns[::-1]:
                call, batch = calls[name], batches[name]
                sleep(_PAUSE)
                if batch.warmed:
                    _warm(call)
                samples[name].append(_time(call, batch.count, clock, restore) / batch.count / 1e9)
    first = samples[turns[0]]
    return {name: _times(taken, first, name == gauge) for name, taken in samples.items()}


def _times(taken: list[float], first: list[float], gauge: bool) -> Times:
    rounds = list(zip(taken, first, strict=True))
    if gauge:
        least = min(taken), min(first)
        rounds.sort(key=lambda both: both[0] / least[0] + both[1] / least[1])
        rounds = rounds[: max(_FEWEST // 2, len(rounds) // 4)]
    beside = statistics.median(one / other for one, other in rounds)
    return Times(statistics.median(taken), min(taken), len(taken), beside)


def _patience(samples: dict[str, list[float]]) -> int:
    """How many times longer than planned to go on."""
    scattered = any(statistics.median(t) > _SCATTER * min(t) for t in samples.values())
    return _PATIENCE if scattered else 1


@dataclass(frozen=True)
class _Batch:
    """How many calls fill a sample; long ones need no warming up, they do it on their way, and can
    be timed one by one."""

    count: int
    _: KW_ONLY
    warmed: bool
    alone: bool


def _batch(call: Call, clock: Clock) -> _Batch:
    _warm(call)
    count = 1
    while (taken := _time(call, count, clock)) < _SAMPLE:
        count = max(2 * count, int(count * _SAMPLE / max(taken, 1)) + 1)
    return _Batch(count, warmed=taken < 2 * _WARM, alone=taken >= _ALONE * count)


def _warm(call: Call) -> None:
    end = perf_counter_ns() + _WARM
    call()
    while perf_counter_ns() < end:
        call()


def _time(call: Call, count: int, clock: Clock, restore: Callable[[], None] | None = None) -> int:
    """Nanoseconds of so many calls; a call in another process takes the time there."""
    if isinstance(call, TimesItself):
        return call.batch(count)
    if restore is not None:
        return sum(_time_after(restore, call, clock) for _ in repeat(None, count))
    if count == 1:
        start = clock()
        call()
        return clock() - start
    start = clock()
    for _ in repeat(None, count):
        call()
    return clock() - start


def _time_after(restore: Callable[[], None], call: Call, clock: Clock) -> int:
    restore()
    return _time(call, 1, clock)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.collect(1)  # PyTorch's objects, which are old, would take 0.1 s each time
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
