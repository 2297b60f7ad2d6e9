"""Matrix products beside PyTorch's, measured in one run.

    python scripts/bench/products.py [--device cuda] [--only float32,random,short,vector,attention]
                                     [--threads 1] [--seed N] [--json FILE]

`attention` measures the operator of attention that --attention names.

On a GPU PyTorch uses cuBLAS, with TF32 off. Sizes in `random` are drawn anew every time. Results
are checked: where float64 is certain of an element, it must be that one; how many elements it is
not certain of is the share that is repaired by exact sums.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import secrets
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

import openaclnn
from openaclnn.engines.cpu import threads

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


@dataclass(frozen=True)
class Machine:
    """Where products are measured: what one call takes, in seconds, and how many are tried."""

    device: str
    repeats: int

    def seconds(self, call: Callable[[], object]) -> float:
        call()
        call()
        return statistics.median(self.one(call) for _ in range(self.repeats))

    def one(self, call: Callable[[], object]) -> float:
        if self.device == "cpu":
            began = time.perf_counter()
            call()
            return time.perf_counter() - began
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / 2e3

    def tensor(self, *shape: int, dtype: str = "f32") -> torch.Tensor:
        return torch.randn(*shape, device=self.device).to(DTYPES[dtype])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--only", default="float32,random,short,vector")
    parser.add_argument("--attention", metavar="OPERATOR", help="for the table `attention`")
    parser.add_argument("--threads", type=int, help="of the CPU (all)")
    parser.add_argument("--count", type=int, default=8, help="random sizes (8)")
    parser.add_argument("--repeats", type=int, default=7, help="of which the median counts (7)")
    parser.add_argument("--seed", type=int, help="of sizes and numbers; another one every time")
    parser.add_argument("--json", help="write everything to this file")
    options = parser.parse_args()
    seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
    torch.manual_seed(seed)
    torch.backends.cuda.matmul.allow_tf32 = False
    if options.threads:
        torch.set_num_threads(options.threads)
        threads.set_num_threads(options.threads)
    where = Machine(options.device, options.repeats)
    random = np.random.default_rng(seed)
    tables = {
        "float32": lambda: float32(where),
        "random": lambda: random_sizes(where, random, options.count),
        "short": lambda: short(where, random, options.count),
        "vector": lambda: vector(where),
        "attention": lambda: attention(where, random, options.attention),
    }
    results: dict[str, Any] = {"facts": facts(options.device, seed)}
    print(results["facts"])
    for name in options.only.split(","):
        results[name] = rows = list(tables[name]())
        ratios = [row["ratio"] for row in rows]
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"{name}: geometric mean {mean:.2f}, lowest {min(ratios):.2f} of PyTorch's speed")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(results, file, indent=1)


def facts(device: str, seed: int) -> dict[str, Any]:
    return {
        "seed": seed,
        "device": torch.cuda.get_device_name() if device == "cuda" else platform.processor(),
        "torch": torch.__version__,
        "threads": threads.get_num_threads(),
    }


def row(where: Machine, name: str, a: torch.Tensor, b: torch.Tensor, **more: Any) -> dict[str, Any]:
    """One product, a · bᵀ."""
    across = b.T
    found = openaclnn.mm(a, across)
    share = checked(found, a, b)
    ours = where.seconds(lambda: openaclnn.mm(a, across))
    theirs = where.seconds(lambda: a @ across)
    work = 2 * a.shape[0] * a.shape[1] * b.shape[0] / 1e12
    result = {
        "name": name, "shape": [a.shape[0], b.shape[0], a.shape[1]], "ratio": theirs / ours,
        "tflops": work / ours, "torch_tflops": work / theirs, "repaired": share, **more,
    }  # fmt: skip
    said = "  ".join(f"{k} {v:.4g}" if isinstance(v, float) else f"{v}" for k, v in result.items())
    print(said, flush=True)
    return result


def checked(found: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> float:
    """The share of elements that float64 is not certain of; the others must be what it says."""
    if a.shape[0] * b.shape[0] * a.shape[1] > 1 << 37:
        a = a[:512]
    k = a.shape[1]
    wide_a, wide_b = a.double(), b.double()
    total = wide_a @ wide_b.T
    bound = (k + 4) * 2.0**-53 * wide_a.norm(dim=1)[:, None] * wide_b.norm(dim=1)[None, :]
    # PyTorch rounds float64 to float32 on the way to 16 bits
    near = bound + (0 if found.dtype is torch.float32 else total.abs() * 2.0**-24)
    low, high = (total - near).to(found.dtype), (total + near).to(found.dtype)
    certain = low == high
    wrong = int((certain & (found[: a.shape[0]] != low)).sum())
    if wrong:
        raise SystemExit(f"{wrong} elements are wrong")
    chunk = 128 + math.ceil(k / 128) + 4  # what the bound of a kernel's sums is
    bound *= chunk / (k + 4)
    return float(
        ((total - bound).to(found.dtype) != (total + bound).to(found.dtype)).double().mean()
    )


def float32(where: Machine) -> Iterator[dict[str, Any]]:
    for size in (4096, 8192) if where.device == "cuda" else (512, 1024, 2048):
        yield row(where, "float32", where.tensor(size, size), where.tensor(size, size))
    size = 4096 if where.device == "cuda" else 1024
    a, b = where.tensor(size, size), where.tensor(size, size)
    yield row(where, "float32, rows of the second", a, b.T)


def random_sizes(
    where: Machine, random: np.random.Generator, count: int
) -> Iterator[dict[str, Any]]:
    low, high = (500, 6000) if where.device == "cuda" else (300, 3000)
    for _ in range(count):
        m, n, k = (int(size) for size in random.integers(low, high, 3))
        yield row(where, "random", where.tensor(m, k), where.tensor(n, k))


def short(where: Machine, random: np.random.Generator, count: int) -> Iterator[dict[str, Any]]:
    """16-bit inputs. On a CPU they are measured beside PyTorch's float32, too."""
    if where.device == "cuda":
        for dtype in ("f16", "bf16"):
            a, b = (where.tensor(4096, 4096, dtype=dtype) for _ in range(2))
            yield row(where, dtype, a, b)
        return
    for number in range(count):
        dtype = ("f16", "bf16")[number % 2]
        m, n, k = (int(size) for size in random.integers(300, 3000, 3))
        a, b = where.tensor(m, k, dtype=dtype), where.tensor(n, k, dtype=dtype)
        wide = a.float(), b.float().T
        own = where.seconds(lambda a=a, b=b: openaclnn.mm(a, b.T))
        float32 = where.seconds(lambda wide=wide: wide[0] @ wide[1])
        found = {"name": dtype, "shape": [m, n, k], "ratio": float32 / own}
        if dtype == "bf16":
            found["of torch's bf16"] = where.seconds(lambda a=a, b=b: a @ b.T) / own
        print(found, flush=True)
        yield found


def vector(where: Machine) -> Iterator[dict[str, Any]]:
    """One row with more than 100 MB of weights."""
    for dtype, lines in (("f32", 8192), ("f16", 16384), ("bf16", 16384)):
        weights = where.tensor(lines, 4100, dtype=dtype)
        x = where.tensor(1, 4100, dtype=dtype)
        bytes = weights.numel() * weights.element_size()
        yield row(where, f"{dtype}, one row", x, weights, megabytes=bytes // 1000000)


def attention(
    where: Machine, random: np.random.Generator, operator: str
) -> Iterator[dict[str, Any]]:
    """Eight heads, beside PyTorch's mathematical path in float32."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    for width in (64, 128):
        for _ in range(3):
            rows = int(random.integers(128, 2048))
            q, k, v = (where.tensor(1, 8, rows, width, dtype="f16") for _ in range(3))
            wide = [x.float() for x in (q, k, v)]

            def ours(q: Any = q, k: Any = k, v: Any = v, width: int = width) -> object:
                return getattr(openaclnn, operator)(
                    q, [k], [v], num_heads=8, scale_value=width**-0.5, input_layout="BNSD"
                )

            def theirs(wide: Any = wide) -> object:
                with sdpa_kernel(SDPBackend.MATH):
                    return torch.nn.functional.scaled_dot_product_attention(*wide)

            own, other = where.seconds(ours), where.seconds(theirs)
            found = {"name": f"D {width}, S {rows}", "ratio": other / own, "seconds": own}
            print(found, flush=True)
            yield found


if __name__ == "__main__":
    main()
