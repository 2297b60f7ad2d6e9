"""One call on the CPU engine and on another, compared byte by byte."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np

import cases
from openaclnn.base import settings
from openaclnn.base.tensors import Tensor
from openaclnn.calls import two_phase
from openaclnn.calls.executor import Ready
from openaclnn.engines.cpu import CpuEngine
from openaclnn.engines.cuda import tiling
from openaclnn.spec.op import Op


def aligned_copy(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same bytes where an allocator would put them."""
    raw = np.empty(data.size + 16, np.uint8)
    start = -raw.ctypes.data % 16
    raw[start : start + data.size] = data
    return raw[start : start + data.size]


def run_on(engine: Any, op: Op, made: list[tuple[Any, Any]], variant: int) -> bytes:
    """The output's storage after a call on an engine that works on host memory."""
    storages = [aligned_copy(data) for _, data in made]
    used = [
        Tensor(facts, data.ctypes.data) for (facts, _), data in zip(made, storages, strict=True)
    ]
    executor = two_phase.prepare(op, cases.arguments(op, used, variant))
    plan = executor.ready.plan
    if not plan.empty:
        size = engine.workspace_size(plan)
        executor._ready = Ready(plan, engine.prepare(plan), engine, size)
        executor._packed = None  # what another engine packed for the same call
    workspace = np.empty(max(1, executor.workspace_size), np.uint8)
    executor.run(workspace.ctypes.data, executor.workspace_size, None)
    return storages[-1].tobytes()


def differing(
    engine: Any,
    op: Op,
    types: cases.Types,
    layout: str,
    level: str,
    variant: int = 0,
    few: bool = False,
) -> int:
    """How many bytes the engine's result differs in from the CPU engine's. The tests' calls are
    small: by the kernels of large ones, or (`few`) by those that serve few elements."""
    random = np.random.default_rng(variant)
    made = cases.tensors(op, types, layout, random)
    with settings.using(math=level, product="Ascend950"):
        expected = run_on(CpuEngine(), op, made, variant)
        with patch.object(tiling, "FEW", tiling.FEW if few else 0):
            found = run_on(engine, op, made, variant)
    if len(expected) > 64:  # the output was written at all
        assert expected != made[-1][1].tobytes()
    return int(np.count_nonzero(np.frombuffer(expected, "u1") != np.frombuffer(found, "u1")))
