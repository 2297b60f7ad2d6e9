"""Measuring takes turns, fills samples, and keeps what an interrupted run has."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import openaclnn
from openaclnn.bench import alternatives, grid, machine, measuring, running
from openaclnn.bench.alternatives import Prepared
from openaclnn.bench.cases import Case
from openaclnn.bench.copying import Copy
from openaclnn.bench.grid import Job
from openaclnn.bench.measuring import Times
from openaclnn.bench.record import OURS, Record


def test_calls_take_turns_with_the_collector_off() -> None:
    order: list[str] = []

    def call(name: str) -> None:
        assert not gc.isenabled()
        if order[-1:] != [name]:
            order.append(name)
        time.sleep(0.0005)

    times = measuring.measure({"a": lambda: call("a"), "b": lambda: call("b")}, 0)
    assert gc.isenabled()
    # sizing the batches, then rounds there and back: b b and a a follow each other unseen
    assert order == ["a", "b"] * (len(order) // 2)
    assert len(order) >= 6
    assert all(0.0005 <= taken.minimum <= taken.median for taken in times.values())


def test_a_sample_is_long_enough_for_the_clock() -> None:
    counts: list[int] = []

    class Elsewhere:
        """A call of a microsecond that takes its own time."""

        def __call__(self) -> None: ...

        def batch(self, count: int) -> int:
            counts.append(count)
            return 1000 * count

    times = measuring.measure({"c": Elsewhere()}, 0)
    assert times["c"].minimum == pytest.approx(1e-6)
    assert counts[-1] >= 50


def test_what_calls_change_is_restored_before_each() -> None:
    done: list[str] = []

    def call() -> None:
        done.append("call")
        time.sleep(0.00005)

    measuring.measure({"a": call, "b": call}, 0, restore=lambda: done.append("restore"))
    timed = done[done.index("restore") :]
    assert timed.count("restore") >= 6
    assert all(later == "call" for one, later in pairwise(timed) if one == "restore")
    done.clear()
    measuring.measure({"a": call, "b": int}, 0, restore=lambda: done.append("restore"))
    assert "restore" not in done  # the shorter call cannot be timed by itself


def test_the_gauge_counts_where_the_least_disturbed_it() -> None:
    class Scripted:
        """A call of given durations in ns, which says so itself."""

        def __init__(self, *durations: int) -> None:
            self.left = [1_000_000, *durations]  # the first sizes the batch

        def __call__(self) -> None: ...

        def batch(self, count: int) -> int:
            return self.left.pop(0)

    def calls() -> dict[str, Scripted]:
        ours = Scripted(*[3_000_000] * 4, *[2_000_000] * 3)
        return {"ours": ours, "copy": Scripted(*[6_000_000] * 4, *[2_000_000] * 3)}

    assert measuring.measure(calls(), 0)["copy"].beside == 2
    assert measuring.measure(calls(), 0, "copy")["copy"].beside == 1


def test_the_copy_copies() -> None:
    copy = Copy(2)
    source, target = copy._memory
    source[-100_000:] = 7
    target[:] = 0
    copy()
    assert target[1 << 20] == 1
    assert target[-1000] == 7


def test_the_free_share_is_a_share(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < machine.free_share(1, 0.02) < 1.1

    class Late(threading.Thread):
        """A thread that a busy machine lets begin late."""

        def run(self) -> None:
            time.sleep(0.03)
            super().run()

    monkeypatch.setattr(machine.threading, "Thread", Late)
    used = []
    monkeypatch.setattr(machine.hashlib, "sha256", lambda data: used.append(data))
    assert 0 < machine.free_share(1, 0.02) < 1.1
    assert used


def _record() -> Record:
    return Record({})


def _quiet(done: int, of: int, following: str) -> None: ...


def test_a_real_run_is_measured_beside_numpy() -> None:
    record, threads = _record(), openaclnn.get_num_threads()
    jobs = [
        Job(Case(op, dtype, 2**10, layout), ("numpy",))
        for op, dtype, layout in [
            ("leaky_relu_backward", "f32", "contiguous"),
            ("silu_backward", "bf16", "row"),
            ("hardsigmoid_backward", "f16", "row"),
        ]
    ]
    running.measure_all(jobs, record, 1, 0, _quiet)
    assert [cell.case for cell in record.cells] == [job.case for job in jobs[:2]]
    assert [cell.product for cell in record.cells] == ["Ascend910B", "Ascend950"]
    assert all(set(cell.times) == {OURS, "numpy"} for cell in record.cells)
    (left_out,) = record.left_out
    assert left_out.startswith("hardsigmoid_backward, row: aclnnHardsigmoidBackward: ")
    assert "shape" in left_out
    assert not record.failed
    assert openaclnn.get_num_threads() == threads


def test_who_computes_something_else_has_won_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(operands: object, threads: int) -> Prepared:
        return Prepared(lambda: np.zeros(1024, np.float32), lambda result: [result])

    wrong = replace(alternatives.ALL["numpy"], prepare=prepare)
    monkeypatch.setitem(alternatives.ALL, "numpy", wrong)
    record = _record()
    running.measure_all([Job(Case("silu_backward", "f32", 1024), ("numpy",))], record, 1, 0, _quiet)
    assert not record.cells
    assert "numpy differs from us by" in record.failed[0]


def test_an_interrupt_keeps_what_is_measured() -> None:
    record = _record()
    jobs = [Job(Case("leaky_relu_backward", "f32", 1 << k), ()) for k in (8, 9, 10)]

    def tell(done: int, of: int, following: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    running.measure_all(jobs, record, 1, 0, tell)
    assert len(record.cells) == 2
    assert record.interrupted


def test_ctrl_c_ends_the_run_after_the_case() -> None:
    record = _record()
    jobs = [Job(Case("leaky_relu_backward", "f32", 1 << k), ()) for k in (8, 9, 10)]
    before = signal.getsignal(signal.SIGINT)

    def tell(done: int, of: int, following: str) -> None:
        if done == 1:
            os.kill(os.getpid(), signal.SIGINT)

    running.measure_all(jobs, record, 1, 0, tell)
    assert len(record.cells) == 2
    assert record.interrupted
    assert signal.getsignal(signal.SIGINT) is before


def test_runs_go_over_all_cases_again() -> None:
    record = _record()
    jobs = [Job(Case("leaky_relu_backward", "f32", 1 << k), ()) for k in (8, 9)]
    running.measure_all(jobs, record, 1, 0, _quiet, runs=2)
    assert [cell.run for cell in record.cells] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("judged", "ratio", "planned", "again"),
    [
        (False, 0.95, 0.1, 0), (True, 0.95, 0.1, 4), (True, 0.95, 0, 2),  # one is asked for
        (True, 1.05, 0, 2), (True, 0.5, 0, 0), (True, 1.3, 0, 0),
    ],
)  # fmt: skip
def test_what_is_close_to_a_target_is_measured_again(
    monkeypatch: pytest.MonkeyPatch, judged: bool, ratio: float, planned: float, again: float
) -> None:
    """Whether it has met it at first or not."""
    theirs = Times(2 * ratio, 2 * ratio, 1, ratio)
    first = {OURS: Times(2, 2, 1, 1.0), "torch": theirs, "numpy": Times(4, 4, 1, 2.0)}
    longer = {OURS: Times(2, 2, 9, 1.0), "torch": Times(3, 3, 9, 1.5)}
    seconds = []

    def measure(calls: dict[str, object], duration: float, *_: object) -> dict[str, Times]:
        seconds.append(duration)
        return {name: (longer if len(seconds) > 1 else first)[name] for name in calls}

    monkeypatch.setattr(running, "measure", measure)
    record = _record()
    jobs = [Job(Case("leaky_relu_backward", "f32", 1024), ("torch", "numpy"))]
    running.measure_all(jobs, record, 1, planned, _quiet, judged=judged)
    (cell,) = record.cells
    assert cell.again is bool(again)
    assert cell.ratio("torch") == pytest.approx(1.5 if again else ratio)
    assert cell.ratio("numpy") == 2
    assert seconds == ([planned, pytest.approx(again)] if again else [planned])


def test_without_a_compiler_c_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from openaclnn.capi import build

    monkeypatch.setattr(build, "python_library", lambda: None)
    record = _record()
    jobs = [Job(Case("silu_backward", "f32", 1024, way="c"), ())]
    running.measure_all(jobs, record, 1, 0, _quiet)
    assert record.left_out == ["way c: this Python has no shared library"]
    assert not record.failed


def test_a_case_larger_than_the_memory_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.machine, "available_memory", lambda: 1000)
    record = _record()
    jobs = grid.jobs(grid.Selection(ops=("silu_backward",), layouts=("contiguous",)), ["numpy"])
    running.measure_all(jobs, record, 1, 0, _quiet)
    assert not record.cells
    assert all("too little free memory" in reason for reason in record.left_out)
