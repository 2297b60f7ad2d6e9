"""Stores past the caches, which only large outputs get: the same bits on every layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import openaclnn
from openaclnn import aclnn
from openaclnn.calls import two_phase
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


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", by_default())
def test_streaming_changes_no_bit(
    monkeypatch: pytest.MonkeyPatch, name: str, layout: str, dtype: Any
) -> None:
    op = all_ops()[name]
    draw = np.random.default_rng(0)
    inputs = [draw.normal(0, 3, (ROWS, COLUMNS)).astype(dtype) for _ in op.reads]
    function = getattr(openaclnn, name)
    expected = function(*inputs)
    inputs[-1] = LAYOUTS[layout](inputs[-1])
    monkeypatch.setattr(launch, "last_cache", lambda: 0)
    two_phase._ready.clear()  # prepared calls remember their kernel
    try:
        size = ROWS * COLUMNS * np.dtype(dtype).itemsize
        for offset in (0, 1, 4, 28):  # bytes that the output begins after an aligned address
            memory = np.empty(size + offset, np.uint8)
            out = memory[offset:].view(dtype).reshape(ROWS, COLUMNS)
            assert function(*inputs, out=out).tobytes() == expected.tobytes()
    finally:
        two_phase._ready.clear()


def test_nothing_bypasses_the_caches_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written was read there, and is in a cache."""
    monkeypatch.setattr(launch, "last_cache", lambda: 0)
    array = np.ones((ROWS, 4 * COLUMNS), np.float32)
    _, _, executor = aclnn.aclnnNegGetWorkspaceSize(array, np.empty_like(array))
    two_phase._ready.clear()
    one = executor.ready.launcher.one
    assert one.chosen(one.pack([4096, 8192])) == (one.address, one.serial) != one.usual
    assert one.chosen(one.pack([4096, 4096])) == one.usual
