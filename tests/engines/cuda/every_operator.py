"""Every operator on another engine: the CPU engine's bits, on any bits at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from openaclnn.base import settings
from openaclnn.base.dtypes import DType
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor, View, contiguous_strides, view
from openaclnn.engines.cpu import CpuEngine
from openaclnn.plan import make_plan
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op
from openaclnn.spec.sample import sample_call
from openaclnn.torch.gradients import derived

SHAPE = (3, 70)


def turned(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
    """Every other tensor is transposed."""
    if number % 2 == 0 or len(shape) < 2:
        return view(dtype, shape)
    return view(dtype, shape, contiguous_strides(shape[::-1])[::-1])


def calls(op: Op, few: bool, shape: tuple[int, ...] = SHAPE) -> Iterator[tuple[Call, str]]:
    """Made-up calls in every dtype at both levels; or one of them, another for each operator."""
    allowed = describe.dtypes(op)
    every = [(dtype, level) for dtype in allowed for level in settings.LEVELS]
    for dtype, level in [every[sum(op.name.encode()) % len(every)]] if few else every:
        yield sample_call(op, (dtype,), shape, layout=turned), level


def way_back(op: Op, dtype: DType) -> Iterator[tuple[Call, str]]:
    """A made-up call of the gradient of an operator that moves elements."""
    move = sample_call(op, (dtype,), (3, 5), layout=turned)
    given = {"grad_result": move["out"], "grad_input": move["self"]}
    yield Call(derived(op, "self").op, {**move.arguments, **given}, move.product), settings.EXACT


def memory(tensor: Tensor, random: np.random.Generator) -> np.ndarray[Any, Any]:
    """Any bits at all, every other number a usual one."""
    dtype, count = tensor.dtype, tensor.view.storage_numel
    raw = random.integers(0, 256, count * dtype.itemsize, np.uint8)
    with np.errstate(all="ignore"):
        usual = random.normal(0, 3, count).astype(dtype.numpy)
    size = dtype.itemsize
    raw.reshape(count, size)[::2] = usual.view(np.uint8).reshape(count, size)[::2]
    return raw


def run_on(engine: Any, call: Call, level: str) -> list[bytes]:
    """The memory of all tensors after a call on an engine that works on host memory."""
    random = np.random.default_rng(0)
    plan = make_plan(call, level)
    blocks = [memory(given.tensor, random) for given in call.used]
    if plan.empty:  # has no launcher
        return [block.tobytes() for block in blocks]
    launcher = engine.prepare(plan)
    workspace = np.empty(max(1, plan.workspace_size), np.uint8)
    addresses = [block.ctypes.data for block in blocks]
    try:
        launcher.launch(launcher.pack(addresses, workspace.ctypes.data), None)
    except AclnnError as outside:
        if outside.status != Status.RUNTIME_ERROR:
            raise
        # indices of any bits are outside: the rest of the work is done
    return [block.tobytes() for block in blocks]


def differing(
    engine: Any, op: Op, few: bool = False, made: Iterator[tuple[Call, str]] | None = None
) -> list[str]:
    """The calls for which an engine's bits are not the CPU engine's."""
    return [
        f"{call.op.name} {call.used[0].tensor.dtype} {level}"
        for call, level in made or calls(op, few)
        if (found := _computed(engine, call, level)) is not None
        and found != run_on(CpuEngine(), call, level)
    ]


def _computed(engine: Any, call: Call, level: str) -> list[bytes] | None:
    """The same as `run_on`; None where an engine says that it does not compute this yet: sums of
    floats at indices."""
    try:
        return run_on(engine, call, level)
    except AclnnError as error:
        if error.status != Status.INNER_FIND_KERNEL_ERROR or "at indices" not in error.message:
            raise
        return None
