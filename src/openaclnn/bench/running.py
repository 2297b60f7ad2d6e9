"""Measures the jobs of a run one after the other.

Before anything is timed, the results of both sides are compared: who is fast because he computes
something else has won nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import numpy as np

import openaclnn
from openaclnn.base.products import Product
from openaclnn.base.status import OpenaclnnError
from openaclnn.bench import alternatives, layouts, machine, operands, targets
from openaclnn.bench.alternatives import COPY, Prepared
from openaclnn.bench.cases import FROM_C, Case
from openaclnn.bench.copying import Copy
from openaclnn.bench.grid import Job
from openaclnn.bench.measuring import Call, Times, measure
from openaclnn.bench.operands import Operands
from openaclnn.bench.record import OURS, Cell, Record
from openaclnn.bench.stopping import stoppable
from openaclnn.bench.ways import WAYS, FailedError, UnavailableError
from openaclnn.engines.cpu import processor

_COMPARED = 1 << 16  # elements
_TOLERANCE = {"f32": 1e-4, "f16": 5e-3, "bf16": 4e-2}
_MEMORY_SHARE = 0.5  # of what is free
_LONGER = 40  # times as long for a cell that misses a target
_BEYOND_CACHE = 3  # caches full of operands: from here on memory decides, and a copy is the measure

Told = Callable[[int, int, str], None]  # jobs done, of how many, the next one


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
    left_out: dict[str, None] = dict.fromkeys(record.left_out)
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
                    left_out[f"way {job.case.way}: {error}"] = None
                    continue
                except (FailedError, DiffersError) as error:
                    record.failed.append(f"{job.case}: {error}")
                    continue
                if cell is not None:
                    record.cells.append(cell)
            tell(len(todo), len(todo), "")
        except KeyboardInterrupt:
            record.interrupted = True
    record.left_out = list(left_out)


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
    left_out: dict[str, None],
    run: int,
    judged: bool,
) -> Cell | None:
    case = job.case
    product = layouts.product_for(case)
    if isinstance(product, str):
        left_out[f"{case.op} {_lacks(product)}"] = None
        return None
    free = machine.available_memory()
    if free is not None and layouts.bytes_kept(case) > _MEMORY_SHARE * free:
        left_out[f"{case.layout}, {case.numel} elements: too little free memory"] = None
        return None
    with _settings(case, product) as stack:
        data = operands.make(case)
        calls: dict[str, Call] = {OURS: _ours(case, data, threads, stack)}
        expected = _result_of_ours(case, data, calls[OURS])
        for name in job.against:
            prepared = alternatives.module(name).prepare(data, threads)
            if isinstance(prepared, str):
                left_out[f"{name} where {prepared}"] = None
                continue
            if expected is not None:
                _compare(case, name, data, prepared, expected)
            calls[name] = prepared.call
        moved = layouts.bytes_moved(case)
        large = moved >= _BEYOND_CACHE * processor.last_cache()
        if large:
            calls[COPY] = copy
        times = measure(calls, seconds, COPY)
        cell = _cell(case, times, moved, product.name, run)
        if judged and targets.missed_by(cell):
            deciding = {
                name: calls[name] for name in (OURS, targets.AGAINST, COPY) if name in calls
            }
            times |= measure(deciding, _LONGER * seconds, COPY)
            cell = replace(_cell(case, times, moved, product.name, run), again=True)
    return cell


def _cell(case: Case, times: dict[str, Times], moved: int, product: str, run: int) -> Cell:
    copied = 0.0
    if COPY in times:
        beside = times[COPY].beside
        assert beside is not None
        copied = Copy.bytes_moved / (beside * times[OURS].cost)
    return Cell(case, {n: t for n, t in times.items() if n != COPY}, moved, product, copied, run)


def _lacks(refusal: str) -> str:
    """What an operator's rules do not allow, from the sentence that refused it."""
    if "shape" in refusal:
        return "has no broadcast layouts: its rules demand equal shapes"
    return "has no mixed dtypes: its rules demand one"


@contextmanager
def _settings(case: Case, product: Product) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        stack.enter_context(openaclnn.using(product=product.name))
        stack.enter_context(openaclnn.using(math=case.level))
        yield stack


def _ours(case: Case, data: Operands, threads: int, stack: ExitStack) -> Call:
    if case.way != FROM_C:
        return WAYS[case.way](data)
    from openaclnn.bench.from_c import Program

    return stack.enter_context(Program(case, threads))


def _result_of_ours(case: Case, data: Operands, call: Call) -> np.ndarray | None:
    if case.way == FROM_C:  # it has memory of its own
        return None
    call()
    return _sample(data.output.array)


def _compare(
    case: Case, name: str, data: Operands, prepared: Prepared, expected: np.ndarray
) -> None:
    data.output.storage.fill(np.nan)
    found = _sample(prepared.read(prepared.call()))
    tolerance = _TOLERANCE[case.dtype if case.layout != "mixed" else "f16"]
    if not np.allclose(found, expected, tolerance, tolerance):
        worst = np.max(np.abs(found - expected))
        raise DiffersError(f"{name} differs from us by {worst:g}")


def _sample(result: np.ndarray) -> np.ndarray:
    step = max(1, result.size // _COMPARED) | 1
    return np.array(result.reshape(-1)[::step], np.float32)  # a copy: the output is used again
