"""Every operator in every dtype at both levels on CPU and GPU, over 2²⁴ patterns a tensor: half of
them any bits at all, half usual numbers. The exit status tells.

    PYTHONPATH=tests:tests/cuda python tests/cuda/patterns.py FILE [K/N [SECONDS [NAME ...]]]

does share K of N, of all operators or of those that are named, for so many seconds at most, and
writes to FILE what was compared, what differs and what there was no time for. Tensors are squares,
every other one transposed.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
import zlib
from functools import lru_cache
from typing import Any

import every_operator
import numpy as np
from host_engines import CopyingEngine, touched

from openaclnn.base.dtypes import DType
from openaclnn.engines.cpu import CpuEngine, set_num_threads
from openaclnn.ops import all_ops
from openaclnn.plan import Plan, make_plan
from openaclnn.precision.verify.form import same_kernel
from openaclnn.spec.call import Call

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SIDE = 4096


@lru_cache(maxsize=12)
def patterns(place: int, dtype: DType, count: int) -> Any:
    """The memory of a tensor, in bytes; the same whenever it is asked for."""
    words = (
        np.arange(-(-count * dtype.itemsize // 8), dtype=np.uint64) + np.uint64(place << 32)
    ) * _GOLDEN
    words ^= words >> np.uint64(29)
    words *= np.uint64(0xC2B2AE3D27D4EB4F)
    words ^= words >> np.uint64(32)
    found = words.view(np.uint8)[: count * dtype.itemsize]
    places = np.arange(0, count, 2, dtype=np.uint64) + np.uint64(place << 40)
    shares = (places * _GOLDEN).view(np.int64) * 2.0**-63
    with np.errstate(all="ignore"):
        usual = (shares * np.exp2(places % np.uint64(9))).astype(dtype.numpy)
    size = dtype.itemsize
    found.reshape(count, size)[::2] = usual.view(np.uint8).reshape(-1, size)
    return found


def results(engine: Any, call: Call, plan: Plan) -> list[Any]:
    """The memory of the tensors that a call writes, after it."""
    _, written = touched(plan)
    blocks = [
        patterns(place, given.tensor.dtype, given.tensor.view.storage_numel)
        for place, given in enumerate(call.used)
    ]
    for place in written:
        blocks[place] = blocks[place].copy()
    launcher = engine.prepare(plan)
    workspace = np.empty(max(1, plan.workspace_size), np.uint8)
    launcher.launch(launcher.pack([b.ctypes.data for b in blocks], workspace.ctypes.data), None)
    return [blocks[place] for place in sorted(written)]


def compared(work: tuple[str, float, int]) -> list[list[Any]]:
    """A row for every call of an operator that writes something: what it is, how many bytes were
    compared, a digest of the CPU's, how many bytes differ, and the first of them; those after the
    deadline have no figures."""
    name, deadline, side = work
    set_num_threads(1)
    op = all_ops()[name]
    rows: list[list[Any]] = []
    seen: set[str] = set()
    for call, level in every_operator.calls(op, few=False, shape=(side, side)):
        dtype = call.used[0].tensor.dtype
        plan = make_plan(call, level)
        if plan.empty or (dtype.short in seen and same_kernel(op, dtype)):
            continue
        seen.add(dtype.short)
        row: list[Any] = [name, dtype.short, level]
        if time.time() < deadline:
            here, there = (results(engine, call, plan) for engine in (CpuEngine(), CopyingEngine()))
            digest = 0
            for one in here:
                digest = zlib.crc32(one, digest)
            places = [np.flatnonzero(a != b) for a, b in zip(here, there, strict=True)]
            first = [
                (int(at), int(a[at]), int(b[at]))
                for a, b, found in zip(here, there, places, strict=True)
                for at in found[:8]
            ]
            size, different = (sum(one.size for one in some) for some in (here, places))
            row += [size, f"{digest:08x}", different, first]
        rows.append(row)
    return rows


def main(path: str, share: str = "1/1", seconds: str = "86400", *named: str) -> int:
    number, of = map(int, share.split("/"))
    deadline = time.time() + float(seconds)
    names = (named or list(all_ops()))[number - 1 :: of]
    rows: list[list[Any]] = []
    with multiprocessing.get_context("spawn").Pool() as pool:
        for found in pool.imap_unordered(compared, [(n, deadline, _SIDE) for n in names]):
            rows += found
            with open(path, "w") as file:
                json.dump(sorted(rows), file)
    done = [row for row in rows if len(row) > 3]
    wrong = [row for row in done if row[5]]
    print(f"{len(done)} of {len(rows)} calls compared, {sum(row[3] for row in done):,} bytes")
    print(*(f"DIFFERS {row}" for row in wrong), sep="\n")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
