"""Measures the jobs of a run one after the other.

Before anything is timed, the results of both sides are compared: who is fast because he computes
something else has won nothing.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from time import sleep
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

import openaclnn
from openaclnn.base import settings
from openaclnn.base.status import OpenaclnnError
from openaclnn.bench import alternatives, layouts, machine, operands, targets
from openaclnn.bench.alternatives import COPY, Prepared
from openaclnn.bench.cases import PHASES, REPEATED_FROM_C, Case
from openaclnn.bench.copying import Copy
from openaclnn.bench.grid import Job
from openaclnn.bench.measuring import Call, Times, measure
from openaclnn.bench.operands import Operands
from openaclnn.bench.record import OURS, Cell, Record
from openaclnn.bench.ways import WAYS, FailedError, UnavailableError
from openaclnn.calls.replay import native
from openaclnn.engines.cpu import processor

_COMPARED = 1 << 16  # elements
_TOLERANCE = {"f64": 1e-9, "f32": 1e-4, "f16": 5e-3, "bf16": 4e-2}  # the coarsest operand's counts
_MEMORY_SHARE = 0.5  # of what is free
_POLLED = 0.05  # seconds
_LONGER, _LONG = 40, 2.0  # times as long for a cell close to a target, and seconds at least
_BEYOND_CACHE = 3  # caches full of operands: from here on memory decides, and a copy is the measure

Told = Callable[[int, int, str], None]  # jobs done, of how many, the next one
LeftOut = dict[tuple[object, ...], str]  # sentences, by what they are about


class DiffersError(OpenaclnnError):
    """An alternative computes something else."""


def measure_all(
    jobs: list[Job],
    record: Record,
    threads: int,
    seconds: float,
    tell: Told,
    runs: int = 1,
    judged: bool = False,
) -> None:
    """Measure the jobs into the record; a keyboard interrupt ends it early, keeping what is there.

    Several runs take turns over all jobs, so that each sees another hour of the machine. A cell
    that will be judged and misses a target is measured once more, much longer, and that counts.
    """
    todo = [(job, run) for run in range(runs) for job in jobs]
    left_out: LeftOut = {}
    _await_short_cut()
    with _threads(threads), stoppable() as stopped:
        copy = Copy(threads)
        try:
            for number, (job, run) in enumerate(todo):
                if stopped():
                    raise KeyboardInterrupt
                tell(number, len(todo), str(job.case))
                try:
                    cell = _measure(job, threads, seconds, copy, left_out, run, judged)
                except UnavailableError as error:
                    left_out[job.case.way, str(error)] = f"way {job.case.way}: {error}"
                    continue
                except (FailedError, DiffersError) as error:
                    record.failed.append(f"{job.case}: {error}")
                    continue
                if cell is not None:
                    record.cells.append(cell)
            tell(len(todo), len(todo), "")
        except KeyboardInterrupt:
            record.interrupted = True
    record.left_out = [*left_out.values()]


def _await_short_cut() -> None:
    """The compiled one is built while Python's is taken: not while something is measured."""
    native.want()
    while native.pending:
        sleep(_POLLED)
        native.poll()


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = openaclnn.get_num_threads()
    openaclnn.set_num_threads(count)
    try:
        yield
    finally:
        openaclnn.set_num_threads(before)


def _measure(
    job: Job,
    threads: int,
    seconds: float,
    copy: Copy,
    left_out: LeftOut,
    run: int,
    judged: bool,
) -> Cell | None:
    case = job.case
    planned = layouts.call(case)
    if isinstance(planned, str):
        left_out.setdefault((case.op, case.layout), f"{case.op}, {case.layout}: {planned}")
        return None
    free = machine.available_memory()
    if free is not None and layouts.bytes_kept(planned) > _MEMORY_SHARE * free:
        size = (case.layout, case.numel)
        left_out[size] = f"{case.layout}, {case.numel} elements: too little free memory"
        return None
    with ExitStack() as stack:
        stack.enter_context(settings.using(product=planned.product.name, math=case.level))
        data = operands.make(planned)
        calls: dict[str, Call] = {OURS: _ours(case, data, threads, stack)}
        expected = [] if run else _results_of_ours(case, data, calls[OURS])
        for name in job.against:
            prepared = alternatives.ALL[name].prepare(data, threads)
            if isinstance(prepared, str):
                left_out[name, case.op] = f"{name} for {case.op}: {prepared}"
                continue
            if expected:
                _compare(name, data, prepared, expected)
            calls[name] = prepared.call
        moved = layouts.bytes_moved(planned)
        if case.way == PHASES and moved >= _BEYOND_CACHE * processor.last_cache():
            calls[COPY] = copy
        restore = data.restore if data.before else None
        times = measure(calls, seconds, COPY, restore, threads)
        cell = _cell(case, times, moved, planned.product.name, run)
        if judged and targets.in_doubt(cell):
            deciding = {
                name: calls[name] for name in (OURS, targets.AGAINST, COPY) if name in calls
            }
            times |= measure(deciding, max(_LONG, _LONGER * seconds), COPY, restore, threads)
            cell = replace(_cell(case, times, moved, planned.product.name, run), again=True)
    return cell


def _cell(case: Case, times: dict[str, Times], moved: int, product: str, run: int) -> Cell:
    copied = 0.0
    if COPY in times:
        beside = times[COPY].beside
        assert beside is not None
        copied = Copy.bytes_moved / (beside * times[OURS].cost)
    return Cell(case, {n: t for n, t in times.items() if n != COPY}, moved, product, copied, run)


def _ours(case: Case, data: Operands, threads: int, stack: ExitStack) -> Call:
    if case.way in WAYS:
        return WAYS[case.way](data)
    from openaclnn.bench.from_c import CallingProgram

    repeated = case.way == REPEATED_FROM_C
    return stack.enter_context(CallingProgram(data.call, case.level, threads, repeated))


def _results_of_ours(case: Case, data: Operands, call: Call) -> list[NDArray[Any]]:
    if case.way not in WAYS:  # a program has memory of its own
        return []
    data.restore()
    call()
    return [_sample(output) for output in data.outputs]


def _compare(name: str, data: Operands, prepared: Prepared, expected: list[NDArray[Any]]) -> None:
    data.restore()
    found = [_sample(result) for result in prepared.read(prepared.call())]
    data.restore()
    dtypes = {given.tensor.dtype.short for given in data.call.used}
    tolerance = max(_TOLERANCE.get(dtype, 0.0) for dtype in dtypes)
    for one, other in zip(found, expected, strict=True):
        if not np.allclose(one, other, tolerance, tolerance, equal_nan=True):
            worst = np.nanmax(np.abs(one - other))
            raise DiffersError(f"{name} differs from us by {worst:g}")


def _sample(result: NDArray[Any]) -> NDArray[Any]:
    step = max(1, result.size // _COMPARED) | 1
    return np.array(result.reshape(-1)[::step], np.float64)  # a copy: the output is used again


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Inside, Ctrl-C is kept, and the given function says whether it was pressed: the first one
    ends a run after the case at hand, the second one at once. An exception would be raised wherever
    Python happens to be, and some libraries' callbacks swallow it there."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    pressed = False
    before = signal.getsignal(signal.SIGINT)

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
