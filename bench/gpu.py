"""The CUDA engine's speed beside the memory's own and PyTorch's, all measured in one run.

    python bench/gpu.py [--json FILE] [--only contiguous,layouts,host]

Bandwidth counts the bytes that must move: every operand's distinct elements once. The limit is what
the fastest of several kernels reaches that only read as many streams and write one.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import openaclnn.runtime.cuda as runtime
from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import make
from openaclnn.base import settings
from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16, DType
from openaclnn.base.scalars import scalar
from openaclnn.base.tensors import Tensor, contiguous_strides, strided_view
from openaclnn.calls import two_phase
from openaclnn.engines.cuda.launch import _Pass
from openaclnn.engines.cuda.layout import Axis, Layout
from openaclnn.engines.cuda.shapes import Shape
from openaclnn.ops import all_ops, find
from openaclnn.plan.loop import Loop
from openaclnn.spec.op import Attr, Op

ELEMENTS = 1 << 28
SIDE = 1 << 14
ATTRIBUTES = {
    "reduction": 0,
    "beta": 1.0,
    "negative_slope": scalar(0.01, FLOAT),
    "self_is_result": False,
}


class Memory:
    """A few large buffers, each filled once per dtype with normally distributed numbers."""

    def __init__(self) -> None:
        self.buffers: dict[int, int] = {}
        self.filled: dict[int, DType] = {}

    def address(self, number: int, dtype: DType, size: int = ELEMENTS * 4) -> int:
        if number not in self.buffers:
            self.buffers[number] = runtime.malloc(size)
        if self.filled.get(number) is not dtype:
            self.fill(self.buffers[number], dtype, size, number)
            self.filled[number] = dtype
        return self.buffers[number]

    def fill(self, address: int, dtype: DType, size: int, seed: int) -> None:
        chunk = 1 << 24
        values = np.random.default_rng(seed).standard_normal(chunk // 4, np.float32) * 2
        if dtype is BF16:
            data = (values.view(np.uint32) >> 16).astype(np.uint16)
        elif dtype is FLOAT16:
            data = values.astype(np.float16)
        else:
            data = values
        runtime.memcpy(address, data.ctypes.data, data.nbytes, 1)
        done = data.nbytes
        while done < size:
            count = min(done, size - done)
            runtime.memcpy(address + done, address, count, 3)
            done += count


memory = Memory()
Strides = Sequence[int]


def median_ms(work: Callable[[], object], runs: int = 10, repeats: int = 7) -> float:
    """Milliseconds of one piece of work on the default stream, by events."""
    start, end = runtime.create_event(0), runtime.create_event(0)
    for _ in range(3):
        work()
    times = []
    for _ in range(repeats):
        runtime.record_event(start, 0)
        for _ in range(runs):
            work()
        runtime.record_event(end, 0)
        runtime.synchronize_event(end)
        times.append(runtime.event_elapsed_time(start, end) * 1e-6 / runs)
    runtime.destroy_event(start)
    runtime.destroy_event(end)
    return statistics.median(times)


def executor_for(
    op: Op, dtypes: Sequence[DType], shape: Sequence[int], strides: Sequence[Strides], level: str
) -> Any:
    """A repeatable executor on the memory here, for the inputs that are read and the output."""
    used = []
    for number, (dtype, steps) in enumerate(zip(dtypes, strides, strict=True)):
        facts = strided_view(dtype, shape, steps)
        used.append(Tensor(facts, memory.address(number, dtype), "cuda"))
    left = list(used)
    arguments: list[Any] = []
    for argument in op.arguments:
        if isinstance(argument, Attr):
            arguments.append(ATTRIBUTES[argument.name])
        elif getattr(argument, "read", True):
            arguments.append(left.pop(0))
        else:
            arguments.append(used[0])
    with settings.using(math=level), settings.using(product="Ascend950"):
        executor = two_phase.prepare(op, arguments)
    executor.make_repeatable()
    return executor


def moved(dtypes: Sequence[DType], shape: Sequence[int], strides: Sequence[Strides]) -> int:
    """Bytes that must move: what is repeated counts once."""
    return sum(
        dtype.itemsize * math.prod(n for n, s in zip(shape, steps, strict=True) if s)
        for dtype, steps in zip(dtypes, strides, strict=True)
    )


def limit(reads: int, torch: Any) -> dict[str, float]:
    """TB/s of kernels that do nothing but read this many streams and write one."""
    result = make("load", "i32", value=0)
    for number in range(1, reads):
        result = result | make("load", "i32", value=number)
    body = Body(("i32",) * reads, (), (result,), (False,))
    loop = Loop((ELEMENTS,), ((1,),) * (reads + 1), (0,) * (reads + 1))
    addresses = [memory.address(number, FLOAT) for number in range(reads + 1)]
    found = {}
    for tile, warps in ((1024, 4), (2048, 4), (2048, 8), (4096, 8)):
        one = _Pass(body, loop, ())
        one.layout = Layout((Axis(one.layout.axes[0].dims, tile),), (), Shape(1, tile, warps))
        launch = one.pack(addresses)
        ms = median_ms(lambda launch=launch: launch.run(0))  # type: ignore[misc]
        found[f"{tile}/{warps}"] = (reads + 1) * ELEMENTS * 4 / ms / 1e9
    if torch is not None and reads < 3:
        tensors = torch_tensors(torch, [FLOAT] * (reads + 1), ELEMENTS)
        work = torch.add if reads == 2 else torch.neg
        ms = median_ms(lambda: work(*tensors[:reads], out=tensors[-1]))
        found[f"torch.{work.__name__}"] = (reads + 1) * ELEMENTS * 4 / ms / 1e9
    return found


def torch_call(op: Op, torch: Any) -> Callable[..., Any]:
    """PyTorch's function of the same operator on tensors (inputs that are read)."""
    aten = torch.ops.aten
    return {
        "hardsigmoid_backward": lambda g, x: aten.hardsigmoid_backward(g, x),
        "leaky_relu_backward": lambda g, x: aten.leaky_relu_backward(g, x, 0.01, False),
        "log_sigmoid_backward": lambda g, x: aten.log_sigmoid_backward(g, x, g),
        "silu_backward": lambda g, x: aten.silu_backward(g, x),
        "smooth_l1_loss_backward": lambda g, x, y: aten.smooth_l1_loss_backward(g, x, y, 0, 1.0),
    }[op.name]


def torch_tensors(torch: Any, dtypes: Sequence[DType], count: int) -> list[Any]:
    return [
        torch.randn(count, device="cuda").mul_(2).to(getattr(torch, dtype.numpy_name))
        for dtype in dtypes
    ]


def contiguous(limits: dict[int, float], torch: Any) -> list[dict[str, Any]]:
    """Every operator, dtype and level on 2²⁸ contiguous elements."""
    rows = []
    for op in all_ops().values():
        reads = len(op.reads)
        for dtype in (FLOAT, FLOAT16, BF16):
            dtypes = [dtype] * (reads + 1)
            strides = [[1]] * (reads + 1)
            size = moved(dtypes, [ELEMENTS], strides)
            row: dict[str, Any] = {"op": op.name, "dtype": dtype.short}
            for level in settings.LEVELS:
                executor = executor_for(op, dtypes, [ELEMENTS], strides, level)
                ms = median_ms(lambda e=executor: e.run(0, 0, 0))  # type: ignore[misc]
                row[level] = size / ms / 1e9
                row[f"{level}/limit"] = row[level] / limits[reads]
            if torch is not None:
                tensors = torch_tensors(torch, dtypes[:-1], ELEMENTS)
                eager = torch_call(op, torch)
                row["eager"] = size / median_ms(lambda e=eager, t=tensors: e(*t)) / 1e9
                compiled = torch.compile(eager)
                row["compiled"] = size / median_ms(lambda e=compiled, t=tensors: e(*t)) / 1e9
                del tensors
                torch.cuda.empty_cache()
            rows.append(row)
            print(_line(row), flush=True)
    return rows


def _turned(shape: Sequence[int]) -> list[int]:
    return list(contiguous_strides(tuple(shape)[::-1])[::-1])


def layout_cases() -> list[tuple[str, str, list[DType], list[int], list[list[int]]]]:
    """(name, operator, dtypes, shape, strides) of every layout to measure."""
    square = [SIDE, SIDE]
    dense = [SIDE, 1]
    turned = [1, SIDE]
    eight = [8, 16, 8, 16, 8, 16, 8, 16]
    odd = [7, 9, 11, 13, 5, 11, 7, 13]
    found: list[tuple[str, str, list[DType], list[int], list[list[int]]]] = []
    for dtype in (FLOAT, BF16):
        three = [dtype] * 3
        silu, leaky = "silu_backward", "leaky_relu_backward"
        found += [
            ("self transposed", silu, three, square, [dense, turned, dense]),
            ("output transposed", silu, three, square, [dense, dense, turned]),
            ("self transposed", leaky, three, square, [dense, turned, dense]),
            ("output transposed", leaky, three, square, [dense, dense, turned]),
            ("sliced", silu, three, [SIDE, SIDE - 384], [dense, dense, dense]),
            ("sliced, odd", leaky, three, [SIDE, SIDE - 1001], [[SIDE - 1, 1], dense, dense]),
            ("8-D reversed", leaky, three, eight, [list(contiguous_strides(tuple(eight))),
             _turned(eight), list(contiguous_strides(tuple(eight)))]),
            ("8-D reversed, odd", leaky, three, odd, [list(contiguous_strides(tuple(odd))),
             _turned(odd), list(contiguous_strides(tuple(odd)))]),
            ("row repeated", leaky, three, square, [dense, [0, 1], dense]),
            ("column repeated", leaky, three, square, [dense, [1, 0], dense]),
        ]  # fmt: skip
    mixed = [FLOAT16, FLOAT, FLOAT]
    found.append(("f16 with f32", "silu_backward", mixed, [ELEMENTS], [[1], [1], [1]]))
    found.append(("f16 with f32", "leaky_relu_backward", mixed, [ELEMENTS], [[1], [1], [1]]))
    return found


def layouts(limits: dict[int, float], torch: Any) -> list[dict[str, Any]]:
    """Views that disagree, at level fast and exact, beside PyTorch on the same views."""
    rows = []
    for name, op_name, dtypes, shape, strides in layout_cases():
        op = find(op_name)
        size = moved(dtypes, shape, strides)
        row: dict[str, Any] = {
            "case": name, "op": op_name, "dtype": "-".join(d.short for d in dict.fromkeys(dtypes)),
        }  # fmt: skip
        for level in settings.LEVELS:
            executor = executor_for(op, dtypes, shape, strides, level)
            ms = median_ms(lambda e=executor: e.run(0, 0, 0), 5, 5)  # type: ignore[misc]
            row[level] = size / ms / 1e9
            row[f"{level}/limit"] = row[level] / limits[2]
        if torch is not None:
            row["eager"] = size / torch_layout_ms(torch, op, dtypes, shape, strides) / 1e9
        rows.append(row)
        print(_line(row), flush=True)
    return rows


def torch_layout_ms(
    torch: Any, op: Op, dtypes: list[DType], shape: list[int], strides: list[list[int]]
) -> float:
    views = []
    for dtype, steps in zip(dtypes, strides, strict=True):
        span = 1 + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))
        flat = torch.randn(span, device="cuda").mul_(2).to(getattr(torch, dtype.numpy_name))
        views.append(flat.as_strided(shape, steps))
    g, x, out = views
    aten = torch.ops.aten
    if g.dtype != x.dtype:  # PyTorch wants one dtype: cast first
        call = torch_call(op, torch)
        return median_ms(lambda: call(g.to(x.dtype), x), 5, 5)
    if op.name == "silu_backward":
        return median_ms(lambda: aten.silu_backward.grad_input(g, x, grad_input=out), 5, 5)
    backward = aten.leaky_relu_backward.grad_input
    return median_ms(lambda: backward(g, x, 0.01, False, grad_input=out), 5, 5)


def per_call_us(call: Callable[[], object], calls: int = 400, repeats: int = 15) -> float:
    """Microseconds of host time of one asynchronous call; fewer calls than a queue holds."""
    times = []
    for _ in range(repeats):
        runtime.synchronize_device()
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - begin) / calls * 1e6)
    runtime.synchronize_device()
    return statistics.median(times)


def host(torch: Any) -> dict[str, float]:
    """Host time of one call on 1 K elements, by every way there is."""
    from cuda.bindings import driver

    op = find("silu_backward")
    executor = executor_for(op, [FLOAT] * 3, [1024], [[1]] * 3, "fast")
    executor.run(0, 0, 0)
    launch = executor._packed
    function = launch.function
    found = {
        "repeatable executor": per_call_us(lambda: executor.run(0, 0, 0)),
        "its launch alone": per_call_us(lambda: launch.run(0)),
    }
    handle, arguments = function.handle, launch.arguments
    found["bare cuLaunchKernel, cuda-bindings"] = per_call_us(
        lambda: driver.cuLaunchKernel(
            handle, 1, 1, 1, function.threads, 1, 1, function.shared, 0, arguments, 0
        )
    )
    libcuda = ctypes.CDLL("libcuda.so.1")
    raw = libcuda.cuLaunchKernel
    raw.argtypes = [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3
    address = int(handle)
    found["cuLaunchKernel, ctypes"] = per_call_us(
        lambda: raw(address, 1, 1, 1, function.threads, 1, 1, function.shared, 0, arguments, 0)
    )
    found |= _stub(raw, address, function, arguments)
    try:
        found |= _cuda_core(launch)
    except Exception as error:  # another version of cuda-core
        print("cuda-core:", error)
    arguments_list = list(executor.used())
    with settings.using(math="fast"):

        def both() -> None:
            two_phase.prepare(op, arguments_list).run(0, 0, 0)

        found["both phases"] = per_call_us(both)
    if torch is not None:
        import openaclnn

        g, x = torch_tensors(torch, [FLOAT, FLOAT], 1024)
        out = torch.empty_like(g)
        aten = torch.ops.aten
        found["PyTorch eager"] = per_call_us(lambda: aten.silu_backward(g, x))
        found["PyTorch eager, out="] = per_call_us(
            lambda: aten.silu_backward.grad_input(g, x, grad_input=out)
        )
        compiled = torch.compile(lambda g, x: aten.silu_backward(g, x))
        found["torch.compile"] = per_call_us(lambda: compiled(g, x))
        if hasattr(openaclnn, "silu_backward"):
            with settings.using(math="fast"):
                found["openaclnn.silu_backward, out="] = per_call_us(
                    lambda: openaclnn.silu_backward(g, x, out=out)
                )
                found["openaclnn.silu_backward"] = per_call_us(
                    lambda: openaclnn.silu_backward(g, x)
                )
    return found


_STUB = """
define i32 @openaclnn_stub(ptr %block, ptr %stream) nounwind {
  %call = load ptr, ptr %block, align 8
  %f.at = getelementptr i64, ptr %block, i64 1
  %f = load ptr, ptr %f.at, align 8
  %threads.at = getelementptr i64, ptr %block, i64 2
  %threads = load i32, ptr %threads.at, align 8
  %args.at = getelementptr i64, ptr %block, i64 3
  %args = load ptr, ptr %args.at, align 8
  %shared.at = getelementptr i64, ptr %block, i64 4
  %shared = load i32, ptr %shared.at, align 8
  %r = call i32 %call(ptr %f, i32 1, i32 1, i32 1, i32 %threads, i32 1, i32 1,
                      i32 %shared, ptr %stream, ptr %args, ptr null)
  ret i32 %r
}
"""


def _stub(raw: Any, handle: int, function: Any, arguments: int) -> dict[str, float]:
    """What a compiled function of two arguments would cost that calls the driver."""
    from openaclnn.engines.cpu import compile

    address = compile.function(_STUB, "openaclnn_stub")
    block = (ctypes.c_uint64 * 5)(
        ctypes.cast(raw, ctypes.c_void_p).value,
        handle,
        function.threads,
        arguments,
        function.shared,
    )
    at = ctypes.addressof(block)
    stub = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address)
    assert stub(at, 0) == 0
    return {"cuLaunchKernel, compiled stub": per_call_us(lambda: stub(at, 0))}


def _cuda_core(launch: Any) -> dict[str, float]:
    from cuda.core import Device, LaunchConfig, ObjectCode
    from cuda.core import launch as core_launch

    device = Device()
    device.set_current()
    stream = device.default_stream
    code = ObjectCode.from_cubin(launch.function.cubin)
    kernel = code.get_kernel("kernel")
    config = LaunchConfig(grid=1, block=launch.function.threads, shmem_size=launch.function.shared)
    words = [ctypes.c_uint64(word) for word in launch.block[: len(launch.block) // 2]]
    return {
        "cuda-core launch": per_call_us(lambda: core_launch(stream, config, kernel, *words), 200, 7)
    }


def _line(row: dict[str, Any]) -> str:
    return "  ".join(f"{k} {v:.3f}" if isinstance(v, float) else str(v) for k, v in row.items())


def facts(torch: Any) -> dict[str, Any]:
    from importlib.metadata import version

    return {
        "python": platform.python_version(),
        "triton": version("triton"),
        "torch": getattr(torch, "__version__", None),
        "cuda-bindings": version("cuda-bindings"),
        "architecture": runtime.architecture(0),
        "device": torch.cuda.get_device_name() if torch is not None else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json")
    parser.add_argument("--only", default="contiguous,layouts,host")
    options = parser.parse_args()
    runtime.set_device(0)
    try:
        import torch
    except ImportError:
        torch = None
    chosen = options.only.split(",")
    results: dict[str, Any] = {"facts": facts(torch)}
    results["limits"] = {reads: limit(reads, torch) for reads in (1, 2, 3)}
    limits = {reads: max(found.values()) for reads, found in results["limits"].items()}
    print("limits, TB/s:", results["limits"], flush=True)
    if "contiguous" in chosen:
        results["contiguous"] = contiguous(limits, torch)
    if "layouts" in chosen:
        results["layouts"] = layouts(limits, torch)
    if "host" in chosen:
        results["host"] = host(torch)
        for name, us in results["host"].items():
            print(f"{us:8.2f} µs  {name}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
