"""Reductions, softmax, norms and gathers in any shape on a GPU, beside PyTorch.

    python scripts/bench/any_size.py [--count 60] [--seeds 3] [--listed] [--json FILE]

Shapes, dimensions and dtypes are drawn anew every time: one to five dimensions of any size, any of
them reduced. Ratios are shares of PyTorch's speed: 2 is twice as fast. `--listed` measures shapes
that were slow once as well. Kernels are compiled before, by processes on all cores.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import secrets
import statistics
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np
import torch

import openaclnn
from openaclnn.base import settings

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
FOLDS = ("sum", "mean", "amax")
KINDS = (*FOLDS, "softmax", "log softmax", "softmax backward", "layer norm", "index select")
LEVELS = ("fast", "exact")
LARGE = 1 << 20  # elements from which memory decides, not the launch
LEAST, MOST = 10_000, 1 << 27


class Drawn(NamedTuple):
    """A call: an operator, a dtype, a shape, and the dimensions that it reduces or works along."""

    kind: str
    dtype: str
    shape: tuple[int, ...]
    dims: tuple[int, ...]


LISTED = [
    Drawn("sum", "f32", (100_000_003,), (0,)),
    Drawn("sum", "bf16", (100_000_003,), (0,)),
    Drawn("sum", "f32", (8192, 7777), (1,)),
    Drawn("sum", "f32", (8192, 7777), (0,)),
    Drawn("sum", "bf16", (64, 128, 9001), (0, 2)),
    Drawn("mean", "f32", (204_121, 24, 10), (0, 1)),
    Drawn("mean", "f32", (222, 132, 1, 9, 21), (0, 1, 2, 3)),
    Drawn("mean", "f16", (17, 9, 15, 70, 38), (0, 2, 3)),
    Drawn("mean", "f32", (2112, 2, 5000), (0, 1)),
    Drawn("mean", "bf16", (2, 1, 1405, 1781, 1), (0,)),
    *(
        Drawn("softmax", dtype, (50_000_000 // row, row), (1,))
        for dtype in ("f32", "bf16")
        for row in (1000, 77, 50_257)
    ),
]


def drawn(random: np.random.Generator, kinds: Sequence[str] = KINDS) -> Drawn:
    kind, dtype = str(random.choice([*kinds])), str(random.choice([*DTYPES]))
    count = math.exp(random.uniform(math.log(LEAST), math.log(MOST)))
    rank = int(random.integers(1, 6))
    cuts = sorted(random.uniform(0, 1, rank - 1))
    shares = np.diff([0, *cuts, 1])
    shape = tuple(max(round(count**share), 1) for share in shares)
    if kind in FOLDS:
        chosen = [d for d in range(rank) if random.integers(2)]
        dims = tuple(chosen or [int(random.integers(rank))])
    elif kind == "layer norm":
        dims = (rank - 1,)
    else:
        dims = (int(random.integers(rank)),)
    return Drawn(kind, dtype, shape, dims)


def calls(one: Drawn) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Ours and PyTorch's."""
    x = torch.randn(one.shape, device="cuda").to(DTYPES[one.dtype])
    dim, last = one.dims[0], one.shape[-1:]
    name = one.kind.replace(" ", "_")
    ours: Any = getattr(openaclnn, name)
    theirs: Any = getattr(torch, name, None)
    given: list[Any] = [x, dim]
    if one.kind in FOLDS:
        given = [x, one.dims]
    elif one.kind == "softmax backward":
        given = [x, torch.softmax(x, dim), dim]
        theirs = partial(torch.ops.aten._softmax_backward_data, input_dtype=x.dtype)
    elif one.kind == "layer norm":
        given = [x, last, *(torch.randn(last, device="cuda").to(x.dtype) for _ in range(2))]
        theirs = getattr(torch.nn.functional, name)
    elif one.kind == "index select":
        given.append(torch.randint(0, one.shape[dim], (one.shape[dim],), device="cuda"))
    return partial(ours, *given), partial(theirs, *given)


def prepare(some: Sequence[Drawn]) -> None:
    for one in some:
        ours, _ = calls(one)
        for level in LEVELS:
            with settings.using(math=level):
                ours()
        torch.cuda.synchronize()


def milliseconds(call: Callable[[], Any], times: int) -> float:
    event: Any = torch.cuda.Event
    start, end = (event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(times):
        call()
    end.record()
    end.synchronize()
    taken: float = start.elapsed_time(end)
    return taken / times


def ratio(ours: Callable[[], Any], theirs: Callable[[], Any], level: str) -> tuple[float, float]:
    """PyTorch's time by ours, and ours in µs: medians of interleaved rounds."""
    with settings.using(math=level):
        for call in (ours, theirs):
            milliseconds(call, 3)
        times = min(max(int(0.5 / max(milliseconds(theirs, 3), 1e-4)), 3), 100)
        pairs = [(milliseconds(ours, times), milliseconds(theirs, times)) for _ in range(7)]
    own, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    return other / own, own * 1e3


def summary(name: str, ratios: Sequence[float]) -> dict[str, float]:
    if not ratios:
        return {}
    ordered = sorted(ratios)
    found = {
        "count": len(ordered),
        "mean": math.exp(statistics.fmean(map(math.log, ordered))),
        "worst tenth": ordered[len(ordered) // 10],
        "lowest": ordered[0],
    }
    print(name, *(f"{key} {value:.2f}" for key, value in found.items()), sep="  ", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=60, help="calls of each seed (60)")
    parser.add_argument("--seeds", type=int, default=3, help="how many are drawn (3)")
    parser.add_argument("--kinds", default=",".join(KINDS), help="of calls; all")
    parser.add_argument("--listed", action="store_true", help="shapes that were slow once, too")
    parser.add_argument("--seconds", type=float, default=600, help="for compiling, at most")
    parser.add_argument("--json", help="write everything to this file")
    options = parser.parse_args()
    seeds = [secrets.randbelow(1 << 32) for _ in range(options.seeds)]
    print("seeds", *seeds, torch.cuda.get_device_name(), torch.__version__, flush=True)
    cases = [one for one in LISTED if one.kind in options.kinds.split(",")] * options.listed
    for seed in seeds:
        random = np.random.default_rng(seed)
        cases += [drawn(random, options.kinds.split(",")) for _ in range(options.count)]
    workers = max((os.cpu_count() or 1) - 2, 1)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        list(pool.map(prepare, [cases[k::workers] for k in range(workers)]))
    rows: list[dict[str, Any]] = []
    for one in cases:
        found: dict[str, Any] = {**one._asdict(), "listed": one in LISTED}
        ours, theirs = calls(one)
        for level in LEVELS:
            found[level], found[f"{level} us"] = ratio(ours, theirs, level)
        rows.append(found)
    for found in sorted(rows, key=lambda row: min(row[level] for level in LEVELS)):
        if found["listed"] or min(found[level] for level in LEVELS) < 0.8:
            print(f"{found['kind']:16} {found['dtype']:4} {found['shape']} over {found['dims']}",
                  *(f"{level} {found[level]:.2f} ({found[f'{level} us']:.0f} us)"
                    for level in LEVELS), sep="  ", flush=True)  # fmt: skip
    summaries = {}
    for level in LEVELS:
        for name, large in (("below 2^20", False), ("from 2^20", True)):
            chosen = [r[level] for r in rows
                      if not r["listed"] and (math.prod(r["shape"]) >= LARGE) == large]  # fmt: skip
            summaries[f"{level}, {name}"] = summary(f"{level}, {name}", chosen)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"seeds": seeds, "rows": rows, "summaries": summaries}, file, indent=1)


if __name__ == "__main__":
    main()
