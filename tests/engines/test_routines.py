"""Operators that run routines: the plain engine's results in any layout and dtype, in place of what
they read, and again without planning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import openaclnn
from openaclnn.base import settings
from openaclnn.base.dtypes import DType
from openaclnn.base.tensors import Tensor, View, contiguous_strides, view
from openaclnn.engines.cpu import CpuEngine
from openaclnn.engines.plain import PlainEngine
from openaclnn.ops import all_ops
from openaclnn.plan import make_plan, staged
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op
from openaclnn.spec.sample import sample_call

SHAPES = ((5, 37), (3, 1, 4), (300,), (), (0, 3), (2, 3, 2, 5))


def spread(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
    """Dimensions in another order, a gap, walked from their ends."""
    strides = [3 * stride for stride in contiguous_strides(shape[::-1])[::-1]]
    start = 0
    if shape and number % 2 and 0 not in shape:
        start = (shape[0] - 1) * strides[0]
        strides[0] = -strides[0]
    reach = sum((n - 1) * abs(s) for n, s in zip(shape, strides, strict=True)) + 1
    return view(dtype, shape, strides, start, storage_shape=(max(reach, 1),))


def plain(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
    return view(dtype, shape)


@pytest.fixture(scope="module")
def with_routines() -> list[Op]:
    found = []
    for op in all_ops().values():
        call = sample_call(op, describe.dtypes(op)[:1], (3, 4))
        if any(
            step.limits for member in call.members for step in member.call.op.steps(member.call)
        ):
            continue  # places or counts, which not every number is
        if make_plan(call, settings.EXACT).routines:
            found.append(op)
    assert found
    return found


def calls(op: Op) -> Iterator[Call]:
    for number, dtype in enumerate(describe.dtypes(op)):
        for shape in SHAPES:
            layout = spread if number % 2 else plain
            call = sample_call(op, (dtype,), shape, layout=layout)
            if all(rule.complaint(call) is None for rule in op.checks):
                yield call


def memory(tensor: Tensor, random: np.random.Generator) -> np.ndarray[Any, Any]:
    """Numbers of few values, so that some are equal, among them special ones."""
    count, dtype = max(tensor.view.storage_numel, 1), tensor.dtype.numpy
    values = random.integers(-4, 5, count) * 10.0 ** random.integers(-3, 3, count)
    values[::7] = random.choice([0.0, -0.0, np.nan, np.inf, -np.inf], values[::7].size)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def run_on(engine: Any, call: Call, by_workspace: bool = False) -> list[bytes]:
    random = np.random.default_rng(5)
    plan = make_plan(call, settings.EXACT)
    if by_workspace:
        plan = staged(plan)
    blocks = [memory(given.tensor, random) for given in call.used]
    workspace = np.empty(plan.workspace_size + 1, np.uint8)
    launcher = engine.prepare(plan)
    packed = launcher.pack([block.ctypes.data for block in blocks], workspace.ctypes.data)
    launcher.launch(packed, None)
    return [block.tobytes() for block in blocks]


def test_the_plain_engine_agrees(with_routines: list[Op]) -> None:
    for op in with_routines:
        for call in calls(op):
            expected = run_on(PlainEngine(), call)
            assert run_on(CpuEngine(), call) == expected, call.arguments
            assert run_on(CpuEngine(), call, by_workspace=True) == expected, call.arguments


def test_a_result_in_place_of_what_is_read() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    expected = np.cumsum(x, axis=1)
    openaclnn.cumsum(x, 1, out=x)
    np.testing.assert_array_equal(x, expected)


def test_equal_calls_plan_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from openaclnn.calls import two_phase

    x = np.ones((2, 9), np.float32)
    first = openaclnn.cumsum(x, -1)
    monkeypatch.setattr(two_phase, "make_plan", None)
    np.testing.assert_array_equal(openaclnn.cumsum(x + 1, -1), 2 * first)
