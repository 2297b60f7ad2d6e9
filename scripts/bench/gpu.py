"""The CUDA engine's speed beside the memory's own and PyTorch's, all measured in one run.

    python scripts/bench/gpu.py [--op NAME …] [--json FILE]
                                [--only contiguous,layouts,odd,random,host]
    python scripts/bench/gpu.py --only odd,random --runs 3 --json FILE

Bandwidth counts the bytes that must move: every operand's distinct elements once. The limit is what
the fastest of several kernels reaches that only read as many streams and write one.
"""

from __future__ import annotations

import argparse
import json
import platform
import secrets
import statistics
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import openaclnn
import openaclnn.runtime.cuda as runtime
from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import make
from openaclnn.base import settings
from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.tensors import Tensor
from openaclnn.bench import cases, layouts
from openaclnn.bench.alternatives import torch_call, torch_compiled
from openaclnn.bench.cases import SMALL, Case
from openaclnn.calls import two_phase
from openaclnn.engines.cuda import precompile
from openaclnn.engines.cuda.compile import binary, cached_at, program_of
from openaclnn.engines.cuda.kernel import kernel_of
from openaclnn.engines.cuda.loaded_kernel import Launch, function
from openaclnn.engines.cuda.passes import kernels_of, other_tilings, passes_of
from openaclnn.engines.cuda.tile_table import Tile
from openaclnn.engines.cuda.tiling import Axis, Dim, Tiling
from openaclnn.ops import by_default, find
from openaclnn.plan import Pass, make_plan
from openaclnn.spec.call import Call

ELEMENTS = 1 << 28
FEWER = 1 << 26  # elements of layouts that are not usual, and of random ones at most
TRIED = 16  # calls after which the fastest of a layout's kernels is known
# Shares of the contiguous speed, with whole sectors counted, that layouts should have in f32, bf16.
ASKED = {
    "channels-last": (0.90, 0.85),
    "odd sizes": (0.90, 0.85),
    "some columns": (0.95, 0.95),
    "few columns": (0.95, 0.92),
    "shifted": (0.98, 0.97),
    "all shifted": (0.98, 0.97),
    "odd dimensions": (0.80, 0.80),
}


class Memory:
    """A few large buffers, each filled once per dtype with normally distributed numbers."""

    def __init__(self) -> None:
        self.buffers: dict[int, int] = {}
        self.sizes: dict[int, int] = {}
        self.filled: dict[int, DType] = {}

    def address(self, number: int, dtype: DType, size: int = ELEMENTS * 4) -> int:
        if self.sizes.get(number, 0) < size:
            if number in self.buffers:
                runtime.free(self.buffers[number])
            self.buffers[number], self.sizes[number] = runtime.malloc(size), size
            self.filled.pop(number, None)
        if self.filled.get(number) is not dtype:
            self.fill(self.buffers[number], dtype, self.sizes[number], number)
            self.filled[number] = dtype
        return self.buffers[number]

    def fill(self, address: int, dtype: DType, size: int, seed: int) -> None:
        chunk = min(1 << 24, size)
        values = np.random.default_rng(seed).standard_normal(chunk // 4, np.float32) * 2
        data = values.astype(dtype.numpy)
        runtime.memcpy(address, data.ctypes.data, data.nbytes, 1)
        done = data.nbytes
        while done < size:
            count = min(done, size - done)
            runtime.memcpy(address + done, address, count, 3)
            done += count


memory = Memory()


def median_ms(work: Callable[[], object], runs: int = 10, repeats: int = 7) -> float:
    """Milliseconds of one piece of work on the default stream, by events; others run before the
    first, so that none waits for the host, and a layout's calls have found its fastest kernel."""
    start, end = runtime.create_event(0), runtime.create_event(0)
    for _ in range(2):
        for _ in range(TRIED):
            work()
        runtime.synchronize_device()
    times = []
    for _ in range(repeats):
        for _ in range(2):
            work()
        runtime.record_event(start, 0)
        for _ in range(runs):
            work()
        runtime.record_event(end, 0)
        runtime.synchronize_event(end)
        times.append(runtime.event_elapsed_time(start, end) * 1e-6 / runs)
    runtime.destroy_event(start)
    runtime.destroy_event(end)
    return statistics.median(times)


def on_the_gpu(call: Call) -> Call:
    """The call, on the memory here."""
    values, number = dict(call.arguments), 0

    def placed(tensor: Tensor) -> Tensor:
        nonlocal number
        size = max(tensor.view.storage_numel * tensor.dtype.itemsize, ELEMENTS * 4)
        number += 1
        return Tensor(tensor.view, memory.address(number - 1, tensor.dtype, size), "cuda")

    for argument in call.op.tensors:
        value = values[argument.name]
        if isinstance(value, tuple):
            values[argument.name] = tuple(map(placed, value))
        elif value is not None:
            values[argument.name] = placed(value)
    return Call(call.op, values, call.product)


def repeatable(call: Call, level: str) -> Callable[[], object]:
    """Phase 2 of a call, to be made as often as one likes."""
    arguments = [call[a.name] for a in call.op.arguments]
    with settings.using(math=level, product=call.product.name):
        executor = two_phase.prepare(call.op, arguments)
    executor.make_repeatable()
    address, keep = 0, None
    if executor.workspace_size:
        address, keep = executor.ready.allocate()
    return lambda keep=keep: executor.run(address, executor.workspace_size, 0)  # type: ignore[misc]


def limit(reads: int, torch: Any) -> dict[str, float]:
    """TB/s of kernels that do nothing but read this many streams and write one."""
    result = make("load", "i32", value=0)
    for number in range(1, reads):
        result = result | make("load", "i32", value=number)
    body = Body(("i32",) * reads, (), (result,), (False,))
    dim = Dim(ELEMENTS, (1,) * (reads + 1))
    addresses = [memory.address(number, FLOAT) for number in range(reads + 1)]
    found = {}
    for tile, warps in ((1024, 4), (2048, 4), (2048, 8), (4096, 8)):
        tiling = Tiling((Axis((dim,), tile),), (), Tile(1, tile, warps))
        kernel = kernel_of(body, tiling, runtime.architecture(0))
        code = function(binary(program_of(kernel, kernel.alignable)))
        launch = Launch(code, kernel.programs, addresses + [p.number for p in kernel.parameters])
        ms = median_ms(lambda launch=launch: launch.run(0))  # type: ignore[misc]
        found[f"{tile}/{warps}"] = (reads + 1) * ELEMENTS * 4 / ms / 1e9
    if torch is not None and reads < 3:
        tensors = [torch.randn(ELEMENTS, device="cuda") for _ in range(reads + 1)]
        work = torch.add if reads == 2 else torch.neg
        ms = median_ms(lambda: work(*tensors[:reads], out=tensors[-1]))
        found[f"torch.{work.__name__}"] = (reads + 1) * ELEMENTS * 4 / ms / 1e9
    return found


def torch_tensor(tensor: Tensor) -> Any:
    """A tensor of PyTorch's that lies as ours does, in memory of its own."""
    import torch

    flat = torch.randn(tensor.view.storage_numel, device="cuda").mul_(2)
    flat = flat.to(getattr(torch, tensor.dtype.numpy_name))
    return flat.as_strided(tensor.shape, tensor.strides, tensor.view.offset)


def measured(case: Case, limits: dict[int, float], torch: Any) -> dict[str, Any] | None:
    """TB/s of one case at both levels, beside PyTorch; None where the operator refuses it."""
    planned = layouts.call(case)
    if isinstance(planned, str):
        return None
    call, moved = on_the_gpu(planned), layouts.bytes_moved(planned)
    streams = limits[min(max(len(planned.reads), 1), max(limits))]
    row: dict[str, Any] = {"op": case.op, "layout": case.layout, "dtype": case.dtype}
    for level in settings.LEVELS:
        row[level] = moved / median_ms(repeatable(call, level)) / 1e9
        row[f"{level}/limit"] = row[level] / streams
    row["sectors"] = layouts.bytes_in_sectors(planned) / moved  # what memory moves for a byte
    if torch is not None:
        for name, made in (
            ("eager", torch_call(call, torch_tensor, into=True)),
            ("compiled", torch_compiled(call, torch_tensor)),
        ):
            if made is not None:
                row[name] = moved / median_ms(made) / 1e9
            torch.cuda.empty_cache()
    print(_line(row), flush=True)
    return row


def shares(op: str, dtype: str, names: Iterable[str], runs: int) -> list[dict[str, Any]]:
    """What of the speed of as many contiguous elements these layouts of 2²⁶ have (random ones of a
    quarter to all), in the worst of some runs: in bytes of the elements, and in bytes of the
    sectors of 32 that hold them, in part or whole, which is what memory moves. A sector that is
    written in part is read before, and counts twice."""
    level = cases.usual_level(op)
    made = [(name, layouts.call(Case(op, dtype, FEWER, name))) for name in names]
    calls = {name: call for name, call in made if isinstance(call, Call)}
    compile_all(calls.values(), level)
    pairs = []
    for name, call in calls.items():
        flat = layouts.call(Case(op, dtype, call.writes[0].tensor.view.numel))
        assert isinstance(flat, Call), flat
        moved = {
            "sectors": layouts.bytes_in_sectors(call) / layouts.bytes_in_sectors(flat),
            "elements": layouts.bytes_moved(call) / layouts.bytes_moved(flat),
        }
        pairs.append((name, call, flat, moved))
    rows: list[dict[str, Any]] = [
        {"layout": name, "op": op, "dtype": dtype, **{kind: [] for kind in moved}}
        for name, *_, moved in pairs
    ]
    for _ in range(runs):
        for row, (_, call, flat, moved) in zip(rows, pairs, strict=True):
            ms, contiguous_ms = (
                median_ms(repeatable(on_the_gpu(one), level), runs=4, repeats=3)
                for one in (call, flat)
            )
            for kind, share in moved.items():
                row[kind].append(share * contiguous_ms / ms)
    return rows


def odd_layouts(ops: Iterable[str], runs: int) -> list[dict[str, Any]]:
    """The layouts that are not usual."""
    names = [name for name, one in layouts.ALL.items() if not one.usual]
    rows = []
    for op in ops:
        for dtype in ("f32", "bf16"):
            rows += shares(op, dtype, names, runs)
    for row in rows:
        asked = ASKED[row["layout"]][row["dtype"] == "bf16"]
        found = "  ".join(f"{kind} {min(row[kind]):.3f}" for kind in ("sectors", "elements"))
        print(f"{row['layout']:15} {row['op']:20} {row['dtype']:5} {found}  asked {asked}")
    return rows


def random_layouts(seed: int, op: str, runs: int) -> dict[str, Any]:
    """Random layouts: for each dtype the median and the worst tenth, in the worst run."""
    results: dict[str, Any] = {"seed": seed, "op": op, "rows": []}
    for dtype in ("f32", "bf16"):
        rows = shares(op, dtype, layouts.random_names(seed), runs)
        results["rows"] += rows
        for kind in ("sectors", "elements"):
            each = [sorted(row[kind][run] for row in rows) for run in range(runs)]
            found = {
                "median": min(map(statistics.median, each)),
                "tenth": min(one[len(one) // 10] for one in each),
            }
            results[f"{dtype}, {kind}"] = found
            print(f"{len(rows)} random layouts of seed {seed}, {op} {dtype}, {kind}: {found}")
    return results


def compile_all(calls: Iterable[Call], level: str) -> None:
    """The kernels of these calls, on all cores."""
    programs, arch = [], runtime.architecture(0)
    for call in calls:
        for one in passes_of(make_plan(call, level)):
            kernels = kernels_of(one, arch)
            if isinstance(one, Pass):
                operands = tuple(range(len(one.places)))
                others = (kernel_of(one.body, tiling, arch) for tiling in other_tilings(one))
                kernels += [(kernel, operands) for kernel in others]
            for kernel, operands in kernels:
                starts = [one.loop.starts[k] * one.sizes[k] for k in operands]
                aligned = [
                    c and at % 16 == 0 for c, at in zip(kernel.alignable, starts, strict=True)
                ]
                programs.append(program_of(kernel, aligned))
    for _ in precompile.compile_all(one for one in programs if not cached_at(one).exists()):
        pass


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


def host(op: str, torch: Any) -> dict[str, float]:
    """Host time of one call on 1 K elements, by every way there is."""
    planned = layouts.call(Case(op, cases.dtypes(op)[0], SMALL))
    assert isinstance(planned, Call), planned
    call, level = on_the_gpu(planned), cases.usual_level(op)
    arguments = [call[a.name] for a in call.op.arguments]
    found = {"repeatable executor": per_call_us(repeatable(call, level))}
    with settings.using(math=level, product=call.product.name):

        def both() -> None:
            executor = two_phase.prepare(call.op, arguments)
            executor.run(0, executor.workspace_size, 0)

        if not two_phase.prepare(call.op, arguments).workspace_size:
            found["both phases"] = per_call_us(both)
        if torch is not None:
            eager = torch_call(call, torch_tensor, into=True)
            compiled = torch_compiled(call, torch_tensor)
            if eager is not None and compiled is not None:
                found["PyTorch eager, out="] = per_call_us(eager)
                found["torch.compile"] = per_call_us(compiled)
            if not any(isinstance(value, tuple) for value in call.arguments.values()):
                inputs = [torch_tensor(given.tensor) for given in call.reads]
                function = getattr(openaclnn, op)
                found["the function"] = per_call_us(lambda: function(*inputs))
    return found


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
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--op", action="append", help="only this operator; may be repeated")
    parser.add_argument("--json")
    parser.add_argument("--only", default="contiguous,layouts,odd,random,host")
    parser.add_argument(
        "--runs", type=int, default=3, help="of odd and random layouts; the worst counts"
    )
    parser.add_argument("--seed", type=int, help="of random layouts; another one every time")
    options = parser.parse_args()
    runtime.set_device(0)
    try:
        import torch
    except ImportError:
        torch = None
    chosen = options.only.split(",")
    names = [find(name).name for name in options.op or by_default()]
    results: dict[str, Any] = {"facts": facts(torch)}
    limits: dict[int, float] = {}
    if {"contiguous", "layouts"} & {*chosen}:
        results["limits"] = {reads: limit(reads, torch) for reads in (1, 2, 3)}
        limits = {reads: max(found.values()) for reads, found in results["limits"].items()}
        print("limits, TB/s:", results["limits"], flush=True)
    for table, wanted in (("contiguous", ["contiguous"]), ("layouts", list(layouts.ALL))):
        if table in chosen:
            fewer = [name for name in wanted if not layouts.ALL[name].usual]
            every = [
                Case(op, dtype, FEWER if layout in fewer else ELEMENTS, layout)
                for op in names
                for layout in wanted
                for dtype in cases.dtypes(op)
            ]
            rows = (measured(case, limits, torch) for case in every)
            results[table] = [row for row in rows if row is not None]
    if "odd" in chosen:
        results["odd"] = odd_layouts(names, options.runs)
    if "random" in chosen:
        seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
        results["random"] = random_layouts(seed, "mul", options.runs)
    if "host" in chosen:
        results["host"] = {op: host(op, torch) for op in names}
        for op, found in results["host"].items():
            for name, us in found.items():
                print(f"{us:8.2f} µs  {op}: {name}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
