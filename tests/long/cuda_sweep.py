"""The GPU's bits against the CPU engine's on very many values; prints the mismatches, 0 hopefully.

    python tests/long cuda_sweep [--patterns 26] [--every-float32]

2^26 random bit patterns for every operator, dtype and level; with --every-float32 also all 2^32
values of self for the operators with an exponential, results and slopes before their rounding.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import time
from typing import Any

import numpy as np

import cases
import openaclnn.runtime.cuda as runtime
from openaclnn.base import settings
from openaclnn.base.dtypes import DOUBLE, FLOAT, DType
from openaclnn.base.tensors import Tensor, view
from openaclnn.calls import two_phase
from openaclnn.engines import engine_for
from openaclnn.ops import find
from openaclnn.plan import Plan, pass_over
from openaclnn.spec.op import Op

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2
Array = np.ndarray[Any, Any]


class Buffer:
    """Bytes on the device and, pinned, on the host."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.device = runtime.malloc(size)
        self.address = runtime.malloc_host(size)
        self.bytes: Array = np.frombuffer((ctypes.c_uint8 * size).from_address(self.address), "u1")

    def upload(self, count: int) -> None:
        runtime.memcpy(self.device, self.address, count, HOST_TO_DEVICE)

    def download(self, count: int) -> None:
        runtime.memcpy(self.address, self.device, count, DEVICE_TO_HOST)


class Bench:
    """Inputs, the CPU's result and the GPU's."""

    def __init__(self, size: int) -> None:
        self.inputs = [Buffer(size) for _ in range(3)]
        self.found = Buffer(size)
        self.expected = np.empty(size, np.uint8)

    def mismatches(self, op: Op, dtype: DType, level: str, count: int, variant: int) -> int:
        """Elements that differ, the inputs being on both sides already."""
        facts = view(dtype, (count,))
        used = self.inputs[: len(op.reads)]
        here = [Tensor(facts, b.address) for b in used]
        here.append(Tensor(facts, self.expected.ctypes.data))
        there = [Tensor(facts, b.device, "cuda") for b in used]
        there.append(Tensor(facts, self.found.device, "cuda"))
        with settings.using(math=level):
            gpu = two_phase.prepare(op, cases.arguments(op, there, variant))
            cpu = two_phase.prepare(op, cases.arguments(op, here, variant))
        gpu.run(0, 0, 0)
        cpu.run(0, 0, None)
        return self.different(used, dtype, dtype, count)

    def slope_mismatches(self, op: Op, count: int) -> int:
        """The same for slopes of float32 values before they are rounded: every bit of a float64."""
        used = [self.inputs[2], self.inputs[1]]
        used[0].bytes.view(np.float32)[:count] = 1.0
        used[0].upload(count * 4)
        views = [view(dtype, (count,)) for dtype in (FLOAT, FLOAT, DOUBLE)]
        plan = Plan(op, (pass_over(views, op.traced_in("f64"), DOUBLE, "f64"),))
        there = [*(b.device for b in used), self.found.device]
        here = [*(b.address for b in used), self.expected.ctypes.data]
        for device, addresses, stream in (("cuda", there, 0), ("cpu", here, None)):
            launcher = engine_for(device).prepare(plan)
            launcher.launch(launcher.pack(addresses, 0), stream)
        return self.different(used, FLOAT, DOUBLE, count)

    def different(self, used: list[Buffer], of: DType, out: DType, count: int) -> int:
        size = count * out.itemsize
        self.found.download(size)
        word = f"u{out.itemsize}"
        a, b = self.expected[:size].view(word), self.found.bytes[:size].view(word)
        if np.array_equal(a, b):
            return 0
        where = np.flatnonzero(a != b)
        first = where[0]
        inputs = [hex(b.bytes.view(f"u{of.itemsize}")[first]) for b in used]
        print("   first:", inputs, "CPU", hex(a[first]), "GPU", hex(b[first]))
        return int(where.size)


def random_patterns(bench: Bench, exponent: int) -> int:
    """Every operator, dtype and level on random bits."""
    wrong = 0
    random = np.random.default_rng(1)
    count = 1 << exponent
    for buffer in bench.inputs:
        buffer.bytes.view("u8")[:] = random.integers(0, 2**64, buffer.size // 8, np.uint64)
        buffer.upload(buffer.size)
    for number, op in enumerate(cases.operators()):
        for types in cases.same_types(op):
            for level in settings.LEVELS:
                dtype = types.out
                begin = time.time()
                bad = bench.mismatches(op, dtype, level, count, number % 3)
                print(f"{op.name} {dtype.short} {level}: {bad} of {count} differ"
                      f" ({time.time() - begin:.1f} s)", flush=True)  # fmt: skip
                wrong += bad
    return wrong


def every_float32(bench: Bench, exponent: int, names: tuple[str, ...]) -> int:
    """All 2³² values of self, each with a gradient of random bits; and their slopes."""
    wrong = 0
    count = 1 << exponent
    base = np.arange(count, dtype=np.uint32)
    totals = {(name, level): 0 for name in names for level in (*settings.LEVELS, "slopes")}
    for chunk in range(1 << (32 - exponent)):
        own = bench.inputs[1].bytes[: count * 4].view(np.uint32)
        np.add(base, np.uint32(chunk << exponent), out=own)
        bench.inputs[1].upload(count * 4)
        for name, level in totals:
            if level == "slopes":
                bad = bench.slope_mismatches(find(name), count)
            else:
                bad = bench.mismatches(find(name), FLOAT, level, count, 0)
            totals[name, level] += bad
            wrong += bad
    for (name, level), bad in totals.items():
        print(f"{name} {level}: {bad} of all 2^32 values of self differ", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patterns", type=int, default=26, help="random patterns, as a power of 2")
    parser.add_argument("--every-float32", action="store_true")
    options = parser.parse_args()
    runtime.set_device(0)
    exponent = options.patterns
    bench = Bench((1 << exponent) * 8)
    wrong = random_patterns(bench, exponent)
    if options.every_float32:
        wrong += every_float32(bench, exponent, ("silu_backward", "log_sigmoid_backward"))
    print(f"{wrong} mismatches in all")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
