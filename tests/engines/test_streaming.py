"""Stores past the caches, which only large outputs get: the same bits on every layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import openaclnn
from openaclnn.calls import two_phase
from openaclnn.calls.arrays import as_tensor
from openaclnn.calls.functions import Caller, call, tensor_parameters
from openaclnn.engines.cpu import launch
from openaclnn.ops import all_ops, by_default

ROWS, COLUMNS = 150, 200
Layout = Callable[[np.ndarray], Any]
LAYOUTS: dict[str, Layout] = {
    "contiguous": np.ascontiguousarray,
    "transposed": np.asfortranarray,
    "backwards": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "sliced": lambda a: np.repeat(a, 2, axis=1)[:, ::2],
}


@pytest.fixture
def streamed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """No cache holds anything, and no call is known from before; whether the kernels that are asked
    for bypass the caches."""
    monkeypatch.setattr(launch, "last_cache", lambda: 0)
    monkeypatch.setattr(two_phase, "phase_one", cache(two_phase.PhaseOne))
    found: list[bool] = []
    kernel = launch._BodyKernels.kernel

    def noted(kernels: Any, patterns: str, columns: int, streaming: bool, far: bool = False) -> Any:
        found.append(streaming)
        return kernel(kernels, patterns, columns, streaming, far)

    monkeypatch.setattr(launch._BodyKernels, "kernel", noted)
    two_phase._ready.clear()  # prepared calls remember their kernel
    yield found
    two_phase._ready.clear()


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", by_default())
def test_streaming_changes_no_bit(streamed: list[bool], name: str, layout: str, dtype: Any) -> None:
    op = all_ops()[name]
    draw = np.random.default_rng(0)
    inputs = [draw.normal(0, 3, (ROWS, COLUMNS)).astype(dtype) for _ in op.reads]
    expected = getattr(openaclnn, name)(*inputs)
    inputs[-1] = LAYOUTS[layout](inputs[-1])
    names = [tensor.name for tensor in tensor_parameters(op)]
    given = {**dict.fromkeys(names), **dict(zip([a.name for a in op.reads], inputs, strict=True))}
    caller = Caller(op)
    attributes = caller.converted(caller.defaults)
    size = ROWS * COLUMNS * np.dtype(dtype).itemsize
    for offset in (0, 1, 4, 28):  # bytes that the output begins after an aligned address
        memory = np.empty(size + offset, np.uint8)
        out = memory[offset:].view(dtype).reshape(ROWS, COLUMNS)
        call(op, given, attributes, (out,))
        assert out.tobytes() == expected.tobytes()
    assert any(streamed) or layout != "contiguous"


@pytest.mark.usefixtures("streamed")
def test_nothing_bypasses_the_caches_in_place() -> None:
    """What is written was read there, and is in a cache."""
    array = np.ones((ROWS, 4 * COLUMNS), np.float32)
    tensors = [as_tensor(array, False, "self"), as_tensor(np.empty_like(array), True, "out")]
    one = two_phase.prepare(all_ops()["neg"], tensors).ready.launcher.one
    assert one.chosen(one.pack([4096, 8192])) == (one.address, one.serial) != one.usual
    assert one.chosen(one.pack([4096, 4096])) == one.usual
