"""What a new shape, stride or number costs, beside PyTorch.

    python scripts/bench/new_layouts.py cpu|cuda [SEED]

First what a new layout takes more than a repeated one; then loops over 10,000 random shapes,
layouts and numbers, each of them new, after as many kernels as other 3,000 needed were made:
through the functions, through both phases, folds and lists, and elements that move.
"""

from __future__ import annotations

import gc
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import openaclnn
from openaclnn import aclnn

_CALLS, _WARMING, _TOGETHER = 10_000, 3_000, 250
_SIZES = (1, 2, 3, 5, 8, 17, 33, 64, 100, 300)
_KINDS = {  # rank, the largest size, whether the second operand is permuted
    "contiguous 2-D": (2, 60, False),
    "transposed 2-D": (2, 60, True),
    "contiguous 4-D": (4, 8, False),
    "permuted 4-D": (4, 8, True),
    "permuted 8-D": (8, 4, True),
}
Arguments = tuple[Any, ...]


class Drawing:
    """Random tensors."""

    def __init__(self, device: str, seed: int) -> None:
        self.device, self.chance = device, random.Random(seed)

    def tensor(self, shape: tuple[int, ...], permuted: bool) -> torch.Tensor:
        order = list(range(len(shape)))
        if permuted:
            order = order[::-1] if len(shape) == 2 else self.chance.sample(order, len(order))
        made = torch.ones([shape[dim] for dim in order], device=self.device)
        return made.permute([order.index(dim) for dim in range(len(shape))])

    def pairs(self, rank: int, largest: int, permuted: bool, count: int) -> list[Arguments]:
        shapes: set[tuple[int, ...]] = set()
        while len(shapes) < count:
            shapes.add(tuple(self.chance.randint(2, largest) for _ in range(rank)))
        return [(self.tensor(s, False), self.tensor(s, permuted)) for s in shapes]

    def anything(self, most: int) -> Arguments:
        """Two tensors that broadcast, permuted or sliced, a number, and their common shape."""
        chance = self.chance
        while True:
            shape = tuple(chance.choice(_SIZES) + chance.randint(0, 7) for _ in range(4))
            shape = shape[: chance.randint(1, 4)]
            if torch.Size(shape).numel() <= most:
                break
        first, second = self.tensor(shape, False), self.tensor(shape, chance.random() < 0.5)
        if chance.random() < 0.3:
            second = second[tuple(slice(chance.choice((None, 1))) for _ in shape)]
        if chance.random() < 0.2 and shape[-1] > 3:
            first, second = first[..., 1:], second[..., min(1, second.shape[-1] - 1) :]
        shape = torch.broadcast_shapes(first.shape, second.shape)
        return first, second, chance.random(), shape


def new_and_again(
    call: Callable[..., Any], given: list[Arguments], wait: Callable[[], Any]
) -> tuple[float, float]:
    """Microseconds of a first call and of later ones, in the median; the first of all warm up."""
    new, again = [], []
    for arguments in given:
        times = [time.perf_counter()]
        for _ in range(3):
            call(*arguments)
            times.append(time.perf_counter())
        new.append(times[1] - times[0])
        again.append(min(times[2] - times[1], times[3] - times[2]))
        wait()
    later = len(given) // 3
    return statistics.median(new[later:]) * 1e6, statistics.median(again[later:]) * 1e6


def ours(first: Any, second: Any, number: float, shape: torch.Size) -> None:
    openaclnn.mul(first, second)
    openaclnn.muls(first, number)


_PHASES = {
    name: (getattr(aclnn, f"aclnn{name}GetWorkspaceSize"), getattr(aclnn, f"aclnn{name}"))
    for name in ("Mul", "Muls")
}


def ours_in_phases(first: Any, second: Any, number: float, shape: torch.Size) -> None:
    phase_one, phase_two = _PHASES["Mul"]
    status, _, executor = phase_one(first, second, first.new_empty(shape))
    assert status == 0, aclnn.aclGetRecentErrMsg()
    assert phase_two(0, 0, executor) == 0
    phase_one, phase_two = _PHASES["Muls"]
    status, _, executor = phase_one(first, number, torch.empty_like(first))
    assert status == 0, aclnn.aclGetRecentErrMsg()
    assert phase_two(0, 0, executor) == 0


def theirs(first: Any, second: Any, number: float, shape: torch.Size) -> None:
    torch.mul(first, second)
    torch.mul(first, number)


def our_folds(first: Any, second: Any, number: float, shape: torch.Size) -> None:
    openaclnn.softmax(second, -1)
    openaclnn.mean(first, dim=[0])
    openaclnn.cat((first, first))


def their_folds(first: Any, second: Any, number: float, shape: torch.Size) -> None:
    torch.softmax(second, -1)
    torch.mean(first, 0)
    torch.cat((first, first))


def our_moves(first: Any, second: Any, number: float, shape: torch.Size) -> None:
    openaclnn.slice(second, -1, 0, second.shape[-1] // 2 + 1, 1)
    openaclnn.permute(second, [*range(second.dim())][::-1])
    openaclnn.tril(first if first.dim() > 1 else first[None])
    openaclnn.repeat(first, [2] * first.dim())


def their_moves(first: Any, second: Any, number: float, shape: torch.Size) -> None:
    second[..., : second.shape[-1] // 2 + 1].clone(memory_format=torch.contiguous_format)
    second.permute([*range(second.dim())][::-1]).clone(memory_format=torch.contiguous_format)
    torch.tril(first if first.dim() > 1 else first[None])
    first.repeat([2] * first.dim())


Side = Callable[..., None]
_LOOPS: dict[str, tuple[Side, Side]] = {
    "functions": (ours, theirs),
    "both phases": (ours_in_phases, theirs),
    "softmax, mean, cat": (our_folds, their_folds),
    "slice, permute, triangle, repeat": (our_moves, their_moves),
}


def _resident() -> int:
    """Bytes of this process in memory, without what nobody refers to."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def loop(ours: Side, theirs: Side, drawing: Drawing, most: int, wait: Callable[[], Any]) -> str:
    """Seconds of both sides over layouts that are new to both, and how memory grew."""
    for _ in range(_WARMING):
        ours(*drawing.anything(most))
    seconds, before = {ours: 0.0, theirs: 0.0}, 0
    for number in range(_CALLS // _TOGETHER):
        if number == _CALLS // _TOGETHER // 2:
            before = _resident()
        given = [drawing.anything(most) for _ in range(_TOGETHER)]
        for side in (ours, theirs) if number % 2 else (theirs, ours):
            wait()
            start = time.perf_counter()
            for arguments in given:
                side(*arguments)
            wait()
            seconds[side] += time.perf_counter() - start
    grown = (_resident() - before) / (1 << 20)
    ratio = seconds[ours] / seconds[theirs]
    return (
        f"{_CALLS} random layouts of at most {most} elements: {seconds[ours]:.3f} s, PyTorch "
        f"{seconds[theirs]:.3f} s, {ratio:.2f} times; memory grew by {grown:.1f} MiB in the second "
        "half"
    )


def main(device: str, seed: int) -> None:
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    torch.set_num_threads(1)
    openaclnn.set_num_threads(1)
    drawing = Drawing(device, seed)
    print(f"seed {seed}")
    sides: dict[str, Callable[..., Any]] = {
        "silu": lambda first, second: openaclnn.silu(second),
        "mul": openaclnn.mul,
        "PyTorch's mul": torch.mul,
    }
    for kind, facts in _KINDS.items():
        given = drawing.pairs(*facts, count=240)
        for name, call in sides.items():
            new, again = new_and_again(call, given, wait)
            print(f"{kind:16}{name:16}new {new:7.2f} µs, again {again:7.2f}", flush=True)
    x = drawing.tensor((30, 40), False)
    numbers = [(drawing.chance.random(),) for _ in range(300)]
    for name, call in {
        "new number": lambda v: openaclnn.muls(x, v),
        "PyTorch's": lambda v: torch.mul(x, v),
    }.items():
        new, again = new_and_again(call, numbers, wait)
        print(f"{name:32}new {new:7.2f} µs, again {again:7.2f}", flush=True)
    for name, both in _LOOPS.items():
        for most in (1 << 12, 1 << 16):
            print(f"{name}: {loop(*both, drawing, most, wait)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32))
