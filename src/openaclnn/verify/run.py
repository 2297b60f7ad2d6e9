"""Runs all work of a verification on several processes, with intermediate results at any time.

Processes and not threads: most steps are too short for Python's threads to run side by side.
Results are merged in any order and do not depend on it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import KW_ONLY
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.settings import EXACT, FAST, LEVELS
from openaclnn.ops import all_ops, by_default
from openaclnn.spec import describe
from openaclnn.spec.op import Op
from openaclnn.truth import pytorch
from openaclnn.verify.form import same_kernel
from openaclnn.verify.report import Report, Row
from openaclnn.verify.tally import Tally
from openaclnn.verify.tasks import TORCH, Task
from openaclnn.verify.work import parts_of, together, work

Progress = Callable[[float], None]  # told the share of the work that is done


Tallies = dict[tuple[str, str, str], Tally]  # by operator, dtype and subject


@dataclass(frozen=True)
class Scope:
    """What is to be measured: operators in dtypes."""

    pairs: tuple[tuple[Op, DType], ...]
    levels: tuple[str, ...]
    _: KW_ONLY
    exhaustive: bool
    torch: bool

    @property
    def operators(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(op.name for op, _ in self.pairs))

    def tasks(self, device: str) -> list[Task]:
        """The pieces; the same ones in the same order wherever they are counted."""
        return [
            task
            for op, dtype in self.pairs
            for task in _tasks(op, dtype, self.levels, device, self.exhaustive, self.torch)
        ]


def work_of(
    ops: Sequence[Op] | None = None,
    dtypes: Sequence[DType] | None = None,
    levels: Sequence[str] = LEVELS,
    exhaustive: bool = False,
    torch: bool = True,
) -> Scope:
    """All of it; PyTorch is measured too, if wanted and installed."""
    pairs = [
        (op, dtype)
        for op in ops or by_default().values()
        for dtype in describe.dtypes(op)
        if dtype.kind in ("float", "int", "bool") and (not dtypes or dtype in dtypes)
    ]
    torch = torch and pytorch.is_here()
    return Scope(tuple(pairs), tuple(levels), exhaustive=exhaustive, torch=torch)


@dataclass(frozen=True)
class Measured:
    """What is known of some pieces of work; not of all of them where Ctrl-C came."""

    tallies: Tallies
    share: float
    interrupted: bool
    seconds: float


def measure(
    tasks: Sequence[Task], threads: int | None = None, progress: Progress | None = None
) -> Measured:
    """Measure pieces of work, side by side."""
    started = time.perf_counter()
    weights = [_weight(task) for task in tasks]
    total, done = sum(weights), 0.0
    tallies: Tallies = {}
    interrupted = False
    try:
        with _workers(threads or _cores(), len(tasks)) as run:
            if any(task.device == "cuda" for task in tasks):
                for _ in run(_compile, _device().kernels(tasks)):
                    pass
            groups = [(group, tasks[group[0]]) for group in together(tasks)]
            for numbers, (task, found) in run(_numbered, groups):
                for name, tally in found.items():
                    tallies.setdefault((task.op, task.dtype, name), Tally()).add(tally)
                done += sum(weights[number] for number in numbers)
                if progress:
                    progress(done / total)
    except KeyboardInterrupt:
        interrupted = True
    share = done / total if interrupted else 1.0
    return Measured(tallies, share, interrupted, time.perf_counter() - started)


def report_of(
    work: Scope,
    tallies: Tallies,
    device: str,
    seconds: float,
    share: float = 1.0,
    interrupted: bool = False,
) -> Report:
    rows = [row for op, dtype in work.pairs for row in _rows(op, dtype, work.levels, tallies)]
    return Report(
        tuple(rows), device, share, seconds, exhaustive=work.exhaustive, interrupted=interrupted
    )


def verify(
    ops: Sequence[Op] | None = None,
    dtypes: Sequence[DType] | None = None,
    levels: Sequence[str] = LEVELS,
    device: str = "cpu",
    exhaustive: bool = False,
    threads: int | None = None,
    torch: bool = True,
    progress: Progress | None = None,
) -> Report:
    """Measure errors against the true values; what was measured until Ctrl-C where it comes.

    >>> from openaclnn.ops import find
    >>> from openaclnn.base.dtypes import FLOAT16
    >>> report = verify([find("hardsigmoid_backward")], [FLOAT16], threads=1, torch=False)
    >>> report.passed, report.rows[0].tally.worst.error < 0.501
    (True, True)
    """
    work = work_of(ops, dtypes, levels, exhaustive, torch)
    found = measure(work.tasks(device), threads, progress)
    return report_of(work, found.tallies, device, found.seconds, found.share, found.interrupted)


def _tasks(
    op: Op, dtype: DType, levels: Sequence[str], device: str, exhaustive: bool, torch: bool
) -> Iterator[Task]:
    subjects = [level for level in LEVELS if level in levels]
    if same_kernel(op, dtype):  # one stands for both
        subjects = subjects[:1]
    if torch and pytorch.function(op):
        subjects.append(TORCH)
    for number, part in enumerate(parts_of(op.name, dtype.short, exhaustive)):
        for index in range(part.batches):
            yield Task(op.name, dtype.short, number, index, exhaustive, tuple(subjects), device)


def _weight(task: Task) -> float:
    part = parts_of(task.op, task.dtype, task.exhaustive)[task.part]
    return part.size * (part.cost + 0.1 * len(task.subjects))


def _rows(op: Op, dtype: DType, levels: Sequence[str], tallies: Tallies) -> Iterator[Row]:
    torchs = tallies.get((op.name, dtype.short, TORCH))
    alike = same_kernel(op, dtype)
    for level in levels:
        tally = tallies.get((op.name, dtype.short, level))
        if tally is None and alike:
            tally = tallies.get((op.name, dtype.short, EXACT if level == FAST else FAST))
        if tally is not None:
            yield Row(op, dtype, level, tally, torchs, alike)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


Found = tuple[list[int], tuple[Task, dict[str, Tally]]]


@contextmanager
def _workers(count: int, tasks: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """A way to map lists: here, or in as many processes as there is work for."""
    if count == 1 or tasks < 2:
        yield map
        return
    # a fresh interpreter each: neither OpenMP's threads nor a CUDA context survive a fork
    pool = multiprocessing.get_context("spawn").Pool(min(count, tasks), _begin)
    try:
        yield pool.imap_unordered
    finally:
        pool.terminate()
        pool.join()


def _begin() -> None:
    """What a worker does first: leave Ctrl-C to the process that reports, use one core."""
    from openaclnn.engines.cpu import set_num_threads

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    set_num_threads(1)


def _device() -> Any:
    """What judges on a GPU; it needs packages that other devices do not."""
    from openaclnn.verify import device

    return device


def _compile(name: str) -> None:
    _device().compile_for(all_ops()[name])


def _numbered(item: tuple[list[int], Task]) -> Found:
    numbers, task = item
    return numbers, work(task, len(numbers))


class Bar:
    """How much is done and how long the rest takes, on a terminal's last line."""

    def __init__(self) -> None:
        self.started = self.shown = time.perf_counter()
        self.wanted = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __call__(self, share: float) -> None:
        now = time.perf_counter()
        if not self.wanted or now - self.shown < 0.2:
            return
        self.shown = now
        left = (now - self.started) * (1 - share) / max(share, 1e-9)
        filled = "█" * round(30 * share)
        sys.stderr.write(f"\r{filled:░<30} {share:6.1%}  {duration(left)} left \x1b[K")
        sys.stderr.flush()

    def end(self) -> None:
        if self.wanted:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def duration(seconds: float) -> str:
    """As people say it.

    >>> duration(7.4), duration(190), duration(7300)
    ('7 s', '3 min 10 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
