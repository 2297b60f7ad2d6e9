"""Every operator in every dtype at both levels on CPU and GPU, over 2²⁴ patterns a tensor: half of
them any bits at all, half usual numbers. The exit status tells.

    python tests/long cuda_patterns FILE [SECONDS [NAME ...]]

compares for so many seconds at most, all operators or those that are named, and adds a line to FILE
for every call; what has one is not compared again. Tensors are squares: first every other one
transposed, then each call in another layout, in turn.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import every_operator
import openaclnn.runtime.cuda as runtime
from host_engines import touched
from openaclnn.base import settings
from openaclnn.base.dtypes import DType
from openaclnn.base.tensors import View, contiguous_strides, view
from openaclnn.engines.cpu import CpuEngine, set_num_threads
from openaclnn.engines.cuda import CudaEngine
from openaclnn.ops import all_ops
from openaclnn.plan import Plan, make_plan
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.op import InOut, Op
from openaclnn.spec.sample import Layout, sample_call
from openaclnn.verify.form import same_kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SIDE = 4096
_USUAL = (_SIDE + 3) * (_SIDE + 3)  # elements of a tensor's memory
_MOST = 2 * _USUAL
_PROCESSES = 16  # each with the patterns in memory of the GPU
_LATE = 10  # seconds that a call may take beyond the end
Work = tuple[str, str, str, str]  # an operator, a dtype, a level, a layout


def _pitched(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
    """Rows with something between them, that begin anywhere."""
    padded = (*shape[:-1], shape[-1] + 3) if shape else ()
    return view(dtype, shape, contiguous_strides(padded), 3)


def _stepped(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
    """Every second element, of every other tensor."""
    strides = [stride * (2 - number % 2) for stride in contiguous_strides(shape)]
    return view(dtype, shape, strides)


def _backwards(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
    """Every other tensor from its end."""
    strides = contiguous_strides(shape)
    if number % 2:
        return view(dtype, shape, strides)
    last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    return view(dtype, shape, [-stride for stride in strides], max(last, 0))


def _repeated(op: Op) -> Layout:
    """A row for all rows, or a number for all columns, of tensors that are only read."""
    given = [one for one in op.tensors if one not in op.outputs or isinstance(one, InOut)]
    read = [number for number, one in enumerate(given) if not isinstance(one, InOut)]

    def layout(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
        if number not in read or len(shape) < 2:
            return view(dtype, shape)
        sizes = [1, *shape[1:]] if number % 2 == 0 else [*shape[:-1], 1]
        strides = contiguous_strides(tuple(sizes))
        kept = zip(strides, sizes, shape, strict=True)
        return view(dtype, shape, [stride if size == n else 0 for stride, size, n in kept])

    return layout


LAYOUTS: dict[str, Callable[[Op], Layout]] = {
    "turned": lambda op: every_operator.turned,
    "pitched": lambda op: _pitched,
    "stepped": lambda op: _stepped,
    "backwards": lambda op: _backwards,
    "repeated": _repeated,
}


@cache
def patterns(folder: str, place: int, dtype: DType) -> Any:
    """The memory of a tensor, in bytes, from a file that all processes share."""
    path = Path(folder, f"{place}-{dtype.short}")
    if not path.exists():
        made = path.with_suffix(f".{os.getpid()}")
        _made_up(place, dtype).tofile(made)
        made.rename(path)
    return np.memmap(path, np.uint8, "r")


def prepare(folder: str, place: int, dtype: DType) -> None:
    patterns(folder, place, dtype)


def _made_up(place: int, dtype: DType) -> Any:
    size = dtype.itemsize
    words = np.arange(-(-_MOST * size // 8), dtype=np.uint64) + np.uint64(place << 32)
    words *= _GOLDEN
    words ^= words >> np.uint64(29)
    words *= np.uint64(0xC2B2AE3D27D4EB4F)
    words ^= words >> np.uint64(32)
    found = words.view(np.uint8)[: _MOST * size]
    usual = _usual(place, 64 if size == 8 else 32).astype(dtype.numpy)
    found.reshape(_MOST, size)[::2] = usual.view(np.uint8).reshape(-1, size)
    return found


def _usual(place: int, bits: int) -> Any:
    """Numbers of -256 to 256, small ones not seldom."""
    places = np.arange(0, _MOST, 2, dtype=f"u{bits // 8}")
    places += np.asarray(place << bits - 8, places.dtype)
    places *= np.asarray(int(_GOLDEN) >> 64 - bits | 1, places.dtype)
    found = places.view(f"i{bits // 8}").astype(f"f{bits // 8}")
    for power in range(9):
        found[power::9] *= 2.0 ** (power + 1 - bits)
    return found


def call_of(work: Work) -> tuple[Call, Plan]:
    name, short, level, layout = work
    op = all_ops()[name]
    (dtype,) = [dtype for dtype in describe.dtypes(op) if dtype.short == short]
    call = sample_call(op, (dtype,), (_SIDE, _SIDE), layout=LAYOUTS[layout](op))
    return call, make_plan(call, level)


def memory(call: Call, folder: str, place: int) -> Any:
    tensor = call.used[place].tensor
    block, size = patterns(folder, place, tensor.dtype), tensor.view.end_byte
    return block[:size] if size <= block.size else np.resize(block, size)


@cache
def scratch(number: int) -> Any:
    """Memory of this process that is used again: new pages take longer than most calls."""
    return np.empty(4 * 8 * _MOST, np.uint8)


def room(number: int, size: int) -> Any:
    block = scratch(number)
    return block[:size] if size <= block.size else np.empty(size, np.uint8)


def on_the_cpu(call: Call, plan: Plan, folder: str) -> list[Any]:
    """The memory of the tensors that a call writes, after it."""
    _, written = touched(plan)
    blocks = [memory(call, folder, place) for place in range(len(call.used))]
    for number, place in enumerate(sorted(written)):
        block = room(number, blocks[place].size)
        block[:] = blocks[place]
        blocks[place] = block
    launcher = CpuEngine().prepare(plan)
    workspace = np.empty(max(1, plan.workspace_size), np.uint8)
    launcher.launch(launcher.pack([b.ctypes.data for b in blocks], workspace.ctypes.data), None)
    return [blocks[place] for place in sorted(written)]


@cache
def resident(folder: str, place: int, dtype: DType, count: int) -> int:
    """Where a tensor's memory is on the GPU, so many elements of it."""
    block = patterns(folder, place, dtype)[: count * dtype.itemsize]
    there = runtime.malloc(block.size)
    runtime.memcpy(there, block.ctypes.data, block.size, 1)
    return there


def on_the_gpu(call: Call, plan: Plan, folder: str) -> list[Any]:
    """The same there."""
    _, written = touched(plan)
    launcher = CudaEngine().prepare(plan)
    owned = [runtime.malloc(max(1, plan.workspace_size))]
    addresses = []
    for place, given in enumerate(call.used):
        dtype, size = given.tensor.dtype, given.tensor.view.end_byte
        short = size > _MOST * dtype.itemsize
        count = _USUAL if size <= _USUAL * dtype.itemsize else _MOST
        address = 0 if short else resident(folder, place, dtype, count)
        if place in written or short:
            owned.append(runtime.malloc(max(1, size)))
            if short:
                block = memory(call, folder, place)
                runtime.memcpy(owned[-1], block.ctypes.data, size, 1)
            else:
                runtime.memcpy(owned[-1], address, size, 3)
            address = owned[-1]
        addresses.append(address)
    launcher.launch(launcher.pack(addresses, owned[0]), None)
    found = []
    for number, place in enumerate(sorted(written)):
        found.append(room(-1 - number, call.used[place].tensor.view.end_byte))
        runtime.memcpy(found[-1].ctypes.data, addresses[place], found[-1].size, 2)
    for address in owned:
        runtime.free(address)
    return found


def works(named: tuple[str, ...]) -> Iterator[Work]:
    """Every call, in no order: neighbours would wait for the same memory."""
    calls: list[tuple[str, str, str]] = []
    for name in named or all_ops():
        op = all_ops()[name]
        for dtype in describe.dtypes(op):
            levels = settings.LEVELS[:1] if same_kernel(op, dtype) else settings.LEVELS
            calls += [(name, dtype.short, level) for level in levels]
    numbers = {call: zlib.crc32("".join(call).encode()) for call in calls}
    calls.sort(key=numbers.__getitem__)
    first, *others = LAYOUTS
    yield from ((*call, first) for call in calls)
    yield from ((*call, others[numbers[call] % len(others)]) for call in calls)


def row(given: tuple[Work, float, str]) -> list[Any]:
    """What the call is and what was found; no figures after the deadline."""
    work, deadline, folder = given
    if time.time() > deadline:
        return [*work]
    try:
        return [*work, *compared(*call_of(work), folder)]
    except Exception as error:
        return [*work, 0, 1, repr(error)[:500]]


def compared(call: Call, plan: Plan, folder: str) -> list[Any]:
    """How many bytes were compared, how many differ, and the first of them."""
    set_num_threads(1)
    both = list(zip(on_the_cpu(call, plan, folder), on_the_gpu(call, plan, folder), strict=True))
    places = [np.flatnonzero([] if np.array_equal(a, b) else a != b) for a, b in both]
    first = [
        (int(at), int(a[at]), int(b[at]))
        for (a, b), some in zip(both, places, strict=True)
        for at in some[:8]
    ]
    return [sum(a.size for a, _ in both), sum(some.size for some in places), first]


def main(path: str, seconds: str = "86400", *named: str) -> int:
    deadline = time.time() + float(seconds)
    text = Path(path).read_text() if Path(path).exists() else ""
    rows = [json.loads(line) for line in text.splitlines()]
    known = {tuple(one[:4]) for one in rows}
    wanted = [work for work in works(named) if work not in known]
    with (
        tempfile.TemporaryDirectory() as folder,
        open(path, "a") as file,
        multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, _PROCESSES)) as pool,
    ):
        dtypes = {dtype for name, *_ in wanted for dtype in describe.dtypes(all_ops()[name])}
        pool.starmap(prepare, [(folder, *one) for one in product(range(3), dtypes)], 1)
        found = pool.imap_unordered(row, [(work, deadline, folder) for work in wanted])
        with suppress(StopIteration, multiprocessing.TimeoutError):
            while True:
                made = found.next(timeout=max(1, deadline + _LATE - time.time()))
                if len(made) > 4:
                    rows.append(made)
                    print(json.dumps(made), file=file, flush=True)
        # before the processes are ended, which takes a GPU's for ever where its kernels do
        return told(rows, wanted)


def told(rows: list[list[Any]], wanted: list[Work]) -> int:
    """How many calls differ or are left."""
    done = {tuple(one[:4]) for one in rows}
    wrong = [one for one in rows if one[5]]
    missing = [" ".join(work) for work in wanted if work not in done]
    operators, size = len({one[0] for one in rows}), sum(one[4] for one in rows)
    print(f"{len(rows)} calls of {operators} operators compared, {size:,} bytes")
    print(f"{len(missing)} are left:", *missing[:40])
    print(*(f"DIFFERS {one}" for one in wrong), sep="\n", flush=True)
    return min(len(wrong) + len(missing), 255)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
