"""Calls of many passes: what planning them takes grows with their number, not with its square."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

from openaclnn.base.overlap import touching
from openaclnn.calls.functions import Caller
from openaclnn.ops import find
from openaclnn.plan import plan as planning


def work(done: Callable[[], Any]) -> int:
    """How many instructions of Python's something takes: however busy a machine is, the same."""
    count = 0

    def each(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return each

    before = sys.gettrace()
    sys.settrace(each)
    try:
        done()
    finally:
        sys.settrace(before)
    return count


def joined(count: int) -> None:
    arrays = [np.full(3, k, np.float32) for k in range(count)]
    assert Caller(find("cat")).call(arrays, 0, None)[-1] == count - 1


def joined_among_themselves(count: int) -> None:
    """Where every input lies within the memory of the output, and all are staged."""
    whole = np.arange(4.0 * count, dtype=np.float32)
    arrays = [whole[4 * k : 4 * k + 2] for k in range(count)]
    wanted = np.concatenate(arrays)
    assert np.array_equal(Caller(find("cat")).call(arrays, 0, whole[: 2 * count]), wanted)


def joined_beside(count: int) -> None:
    """Where every input lies between elements of the output, and shares none."""
    whole = np.arange(4.0 * count, dtype=np.float32).reshape(2 * count, 2)
    arrays = [whole[2 * k : 2 * k + 2, 0] for k in range(count)]
    wanted = np.concatenate(arrays)
    assert np.array_equal(Caller(find("cat")).call(arrays, 0, whole[:, 1]), wanted)


def windows(count: int) -> None:
    """Where each element of the window is inside at other places, and has a pass of its own."""
    image = np.ones((1, 2, 2), np.float32)
    found = Caller(find("im2col")).call(image, [1, count], [1, 1], [0, count], [1, 1], None)
    assert found.sum() == 4 * count


@pytest.mark.parametrize("call", [joined, joined_among_themselves, joined_beside, windows])
def test_work_grows_with_the_passes(call: Callable[[int], None]) -> None:
    """5,000 tensors took 35 s."""
    call(20)  # what is compiled once
    few, many = work(lambda: call(40)), work(lambda: call(160))
    assert many < 6 * few  # 4 times as many; by their squares it were 16


def test_a_window_is_one_pass_where_it_is_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its elements was one: 90,000 of a window of 300 x 300."""
    passes, known = [], planning.pass_over
    monkeypatch.setattr(planning, "pass_over", lambda *given: passes.append(1) or known(*given))
    image = np.arange(900.0, dtype=np.float32).reshape(1, 30, 30)
    found = Caller(find("im2col")).call(image, [30, 30], [1, 1], [0, 0], [1, 1], None)
    assert np.array_equal(found.ravel(), image.ravel())
    assert len(passes) == 1
    Caller(find("im2col")).call(image, [30, 30], [1, 1], [1, 0], [1, 1], None)
    assert len(passes) < 6


def test_views_that_may_touch_too_often_are_staged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where so many pairs would have to be looked at, they are not, and the result is the same."""
    monkeypatch.setattr(planning, "_MOST_PAIRS", 3)
    joined_beside(10)
    joined_among_themselves(10)


def test_spans_that_touch() -> None:
    """As comparing all with all finds them."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        ours, theirs = (
            [(int(a), int(a + n), k) for k, (a, n) in enumerate(rng.integers(0, [30, 6], (9, 2)))]
            for _ in range(2)
        )
        ours, theirs = ([s for s in spans if s[0] < s[1]] for spans in (ours, theirs))
        found = [*touching(ours, theirs)]
        assert len({*found}) == len(found)
        wanted = {(a, b) for a in ours for b in theirs if a[0] < b[1] and b[0] < a[1]}
        assert {*found} == wanted
