"""Folds for another engine to compare with the CPU engine: dtypes, dimensions, layouts, numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

from openaclnn.arithmetic.folding import DIGIT, SPECIAL, digits_left
from openaclnn.base import settings
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, INT8, INT32, INT64, DType
from openaclnn.base.tensors import Tensor, view
from openaclnn.calls import two_phase
from openaclnn.calls.executor import Ready
from openaclnn.engines.cpu import CpuEngine
from openaclnn.engines.cuda import fold, tiling
from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.passes import passes_of
from openaclnn.ops import find
from openaclnn.plan import Pass
from openaclnn.torch import shares

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Case:
    """A fold of numbers of a kind. `order`: how dimensions lie in memory, the fastest last."""

    op: str
    dtype: DType
    shape: tuple[int, ...]
    dims: tuple[int, ...]
    numbers: str = "normal"
    order: tuple[int, ...] = ()
    level: str = "exact"
    parts: bool = False  # whether terms are cut into several parts
    long: bool = False  # whether another kernel takes what the first one marks
    few: bool = False  # whether the kernel for few elements in any layout takes it


CASES = [
    Case("reduce_sum", FLOAT, (700,), (0,)),
    Case("reduce_sum", FLOAT, (700,), (0,), "wide"),
    Case("reduce_sum", FLOAT, (701,), (0,), "wide", parts=True),
    Case("reduce_sum", FLOAT, (3, 70), (0,), "cancelling"),
    Case("reduce_sum", FLOAT, (3, 70), (1,), "cancelling", level="fast"),
    Case("reduce_sum", FLOAT, (3, 70), (1,), "special"),
    Case("reduce_sum", FLOAT, (3, 64), (1,), "-0"),
    Case("reduce_sum", FLOAT, (70, 3), (1,), "wide", order=(1, 0)),
    Case("reduce_sum", FLOAT, (5, 4, 30), (0, 2), "normal"),
    Case("reduce_sum", FLOAT, (3, 40, 6), (1,), "normal", order=(2, 0, 1)),
    Case("reduce_sum", FLOAT, (20, 3, 4, 5), (0, 2), "wide", parts=True),
    Case("reduce_sum", FLOAT, (0, 3), (0,)),
    Case("reduce_sum", FLOAT, (70, 0), (0,)),
    Case("reduce_sum", FLOAT16, (900,), (0,), "wide"),
    Case("reduce_sum", FLOAT16, (3, 300), (1,), "special", parts=True),
    Case("reduce_sum", BF16, (900,), (0,), "wide", parts=True),
    Case("reduce_sum", BF16, (900,), (0,), "wide", parts=True, long=True),
    Case("reduce_sum", BF16, (2, 700), (1,), "normal", parts=True, long=True),
    Case("mean", BF16, (3, 200), (1,), "special", parts=True, long=True),
    Case("reduce_sum", DOUBLE, (900,), (0,), "normal", parts=True),
    Case("reduce_sum", DOUBLE, (600,), (0,), "widest"),
    Case("reduce_sum", DOUBLE, (50, 3), (0,), "widest", parts=True),
    Case("reduce_sum", DOUBLE, (4, 30), (1,), "special"),
    Case("reduce_sum", DOUBLE, (4, 30), (1,), "cancelling", order=(1, 0)),
    Case("reduce_sum", INT8, (3, 300), (1,), parts=True),
    Case("reduce_sum", INT64, (3, 30), (0,)),
    Case("mean", FLOAT, (3, 70), (1,), "normal"),
    Case("mean", FLOAT, (3, 71), (1,), "wide", parts=True),
    Case("mean", DOUBLE, (3, 70), (1,), "widest"),
    Case("mean", DOUBLE, (3, 70), (1,), "largest"),
    Case("mean", DOUBLE, (70, 3), (0,), "largest", parts=True),
    Case("mean", DOUBLE, (3, 70), (1,), "largest", few=True),
    Case("reduce_sum", DOUBLE, (3, 70), (1,), "largest"),
    Case("mean", BF16, (3, 70), (0,), "special"),
    Case("mean", FLOAT16, (0, 3), (0,)),
    Case("amax", FLOAT, (3, 70), (1,), "wide"),
    Case("amax", FLOAT16, (3, 70), (0,), "special"),
    Case("amax", DOUBLE, (3, 300), (1,), "widest", parts=True),
    Case("amax", INT32, (3, 300), (1,), parts=True),
    # sums as integers
    Case("reduce_sum_digits", FLOAT, (3, 70), (1,), "wide"),
    Case("reduce_sum_digits", FLOAT, (70, 3), (0,), "special", order=(1, 0), parts=True),
    Case("reduce_sum_digits", FLOAT, (900,), (0,), "cancelling", parts=True),
    Case("reduce_sum_digits", FLOAT16, (2, 0), (1,)),
    Case("reduce_sum_digits", BF16, (300,), (0,), "normal"),
    Case("reduce_sum_digits", DOUBLE, (3, 40), (1,), "widest"),
    Case("reduce_sum_digits", DOUBLE, (300,), (0,), "special", parts=True),
    # whole rows at once
    Case("softmax", FLOAT, (3, 70), (1,), "normal"),
    Case("softmax", FLOAT, (3, 64), (1,), "far", level="fast"),
    Case("softmax", FLOAT, (9, 48), (1,), "normal", level="fast"),  # in chunks that are masked
    Case("softmax", FLOAT, (64,), (0,), "normal"),  # a single row
    Case("softmax", FLOAT, (70, 3), (0,), "far"),
    Case("softmax", FLOAT, (2, 5, 7), (1,), "special", (2, 0, 1)),
    Case("softmax", BF16, (2, 300), (1,), "far"),
    Case("softmax", FLOAT16, (5, 2, 3), (0,), "normal", (1, 2, 0)),
    Case("softmax_backward", BF16, (9, 3), (1,), "special"),
    Case("softmax_backward", FLOAT, (3, 70), (1,), "wide", level="fast"),
    # in any layout
    Case("reduce_sum", FLOAT, (3, 70), (1,), "wide", few=True),
    Case("reduce_sum", FLOAT, (3, 700), (1,), "special", few=True),
    Case("reduce_sum", FLOAT, (5, 4, 30), (0, 2), "cancelling", few=True),
    Case("reduce_sum", DOUBLE, (70, 3), (0,), "widest", few=True),
    Case("reduce_sum", FLOAT, (0, 3), (0,), few=True),
    Case("reduce_sum_digits", BF16, (3, 70), (1,), "wide", few=True),
    Case("mean", FLOAT16, (3, 4, 5, 6), (1, 3), "normal", (2, 3, 0, 1), few=True),
    Case("amax", BF16, (3, 70), (0,), "special", few=True),
    Case("softmax", FLOAT, (2, 5, 7), (1,), "special", (2, 0, 1), few=True),
    Case("softmax", BF16, (2, 300), (1,), "far", few=True),
]


def numbers(case: Case, random: np.random.Generator) -> Array:
    size = int(np.prod(case.shape))
    if case.dtype.kind == "int":
        found = random.integers(-100, 100, size).astype(float)
    else:
        found = random.normal(size=size)
    if case.numbers == "wide":
        found *= np.exp2(random.uniform(-120, 100, size))
    elif case.numbers == "widest":  # subnormal ones, and ones that a scale must bring down
        found *= np.exp2(random.uniform(-1070, 1020, size))
    elif case.numbers == "largest":  # of which a sum overflows, and the mean does not
        found = random.uniform(0.4, 1.0, size) * np.finfo(np.float64).max
    elif case.numbers == "far":  # some of them by hundreds
        found *= np.exp2(random.uniform(-5, 8, size))
    elif case.numbers == "-0":
        found[:] = -0.0
    elif case.numbers == "cancelling":
        found *= np.exp2(random.uniform(-20, 20, size))
        found[size // 2 :] = -found[: size - size // 2][::-1]
    elif case.numbers == "special":
        found[random.integers(0, size, 3)] = [np.inf, -np.inf, np.nan]
        found[:2] = np.inf
    with np.errstate(all="ignore"):
        made = found.astype(case.dtype.numpy).reshape(case.shape)
    order = case.order or tuple(range(len(case.shape)))
    return np.ascontiguousarray(made.transpose(order)).transpose(np.argsort(order))


@contextmanager
def small_parts(case: Case) -> Iterator[None]:
    """Parts of some terms already, and tiles as for many elements."""
    least = 16 if case.parts else fold.LEAST_PART
    at_once, long = 0 if case.parts else fold.AT_ONCE, 0 if case.long else tiles.LONG
    few = patch.object(tiling, "FEW", tiling.FEW if case.few else 0)
    parts = patch.multiple(fold, LEAST_PART=least, AT_ONCE=at_once, MOST_PARTS=8)
    with parts, patch.object(tiles, "LONG", long), few:
        yield


def run_on(engine: Any, case: Case, given: Array) -> bytes:
    """The output of a case on an engine that works on host memory."""
    op = shares.by_name(case.op) or find(case.op)
    out_shape = [n for d, n in enumerate(case.shape) if d not in case.dims]
    out_dtype = case.dtype
    if case.op.startswith("softmax"):
        out_shape = list(case.shape)
    if case.op.endswith(shares.DIGITS):
        out_shape.append(digits_left("f64" if case.dtype is DOUBLE else "f32"))
        out_dtype = INT64
    out = np.zeros(out_shape, out_dtype.numpy)
    strides = [stride // given.itemsize for stride in given.strides]
    tensors = [
        Tensor(view(case.dtype, case.shape, strides if given.size else None), given.ctypes.data),
        Tensor(view(out_dtype, out_shape), out.ctypes.data),
    ]
    attributes: dict[str, list[Any]] = {"amax": [case.dims, False], "softmax": [case.dims[0]]}
    attributes["softmax_backward"] = [tensors[0], case.dims[0]]
    given_to = attributes.get(case.op, [case.dims, False, case.dtype])
    with settings.using(math=case.level, product="Ascend950"), small_parts(case):
        executor = two_phase.prepare(op, [tensors[0], *given_to, tensors[1]])
        ready = executor.ready
        if not ready.plan.empty:
            first = passes_of(ready.plan)[0]
            assert (isinstance(first, Pass) and first.fold.parts > 1) == case.parts, case
        plan = ready.plan
        launcher = None if plan.empty else engine.prepare(plan)
        executor._ready = Ready(plan, launcher, engine, engine.workspace_size(plan))
        executor._packed = None  # what another engine packed for the same call
        workspace = np.empty(max(1, executor.workspace_size), np.uint8)
        executor.run(workspace.ctypes.data, executor.workspace_size, None)
    if case.op.endswith(shares.DIGITS):
        out = out.reshape(-1, out_shape[-1])
        totals = [sum(int(d) << DIGIT * k for k, d in enumerate(row[SPECIAL:])) for row in out]
        return repr((out[:, :SPECIAL].tolist(), totals)).encode()  # carries may be made or not
    return out.tobytes()


def differing(engine: Any) -> list[Case]:
    """The cases for which an engine's bits are not the CPU engine's."""
    random = np.random.default_rng(7)
    found = []
    for case in CASES:
        given = numbers(case, random)
        if run_on(engine, case, given) != run_on(CpuEngine(), case, given):
            found.append(case)
    return found
