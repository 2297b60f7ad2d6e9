"""Digests of the results for every input: that a change of the code changes no bit.

    python tests/long digests --check [--device cuda] [--op NAME] [--share K/N] [--part]

Computes every sweep anew and compares with digests.json; --write puts the digests there instead,
and without either they are printed. A sweep is 2^32 results of one operator, dtype and level (2^24
for DOUBLE), and the part of it that the test suite computes is the first 2^24. --share 2/3 takes
every third sweep, from the second on.

Sweeps go through all bit patterns in a scattered order (`_patterns`), so that a part has some of
everything. A digest depends neither on the device nor on how the work is cut: it is the sum,
modulo 2^64, of words of 64 bits of results, each mixed with its place.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import ml_dtypes  # noqa: F401  NumPy's bfloat16
import numpy as np

import openaclnn

FIXTURE = Path(__file__).with_name("digests.json")
EVERY, PART = 1 << 32, 1 << 24
LEVELS = ("exact", "fast")

Array = Any  # NumPy's or PyTorch's


@contextmanager
def at(level: str) -> Iterator[None]:
    """Compute at this level, for a product that has all operators and dtypes."""
    with openaclnn.using(product="Ascend910B", math=level):
        yield


class Host:
    """NumPy's arrays. Some threads compute stretches that stay in a cache."""

    size = 1 << 18

    def __init__(self) -> None:
        self.threads = len(os.sched_getaffinity(0))

    def arange(self, count: int) -> Array:
        return np.arange(count, dtype=np.int64)

    def empty(self, count: int, dtype: str) -> Array:
        return np.empty(count, dtype)

    def full(self, count: int, value: float, dtype: str) -> Array:
        return np.full(count, value, dtype)

    def cast(self, array: Array, dtype: str) -> Array:
        """Integers keep their low bits."""
        return array.astype(dtype)

    def view(self, array: Array, dtype: str) -> Array:
        return array.view(dtype)


class Gpu:
    """PyTorch's tensors on the first GPU, in long stretches."""

    size = 1 << 25
    threads = 1

    @property
    def torch(self) -> ModuleType:
        import torch

        return torch

    def arange(self, count: int) -> Array:
        return self.torch.arange(count, dtype=self.torch.int64, device="cuda")

    def empty(self, count: int, dtype: str) -> Array:
        return self.torch.empty(count, dtype=getattr(self.torch, dtype), device="cuda")

    def full(self, count: int, value: float, dtype: str) -> Array:
        return self.torch.full((count,), value, dtype=getattr(self.torch, dtype), device="cuda")

    def cast(self, array: Array, dtype: str) -> Array:
        return array.to(getattr(self.torch, dtype))

    def view(self, array: Array, dtype: str) -> Array:
        return array.view(getattr(self.torch, dtype))


Device = Host | Gpu
DEVICES: dict[str, Callable[[], Device]] = {"cpu": Host, "cuda": Gpu}


@dataclass(frozen=True)
class Stretch:
    """Consecutive places of a sweep, and where their arrays lie."""

    device: Device
    start: int
    count: int

    def full(self, value: float, dtype: str) -> Array:
        return _full(self.device, self.count, value, dtype)


@cache
def _full(device: Device, count: int, value: float, dtype: str) -> Array:
    return device.full(count, value, dtype)


# Arithmetic with wrapping integers, the same in NumPy and in PyTorch (which has no unsigned ones).

GOLDEN = 0x9E3779B97F4A7C15
SCATTER = 0x9E3779B1  # odd: its products with 0, 1, … mod 2^32 are all numbers, well spread


def _signed(number: int, bits: int) -> int:
    """The number of that many bits, as a signed integer."""
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half


@cache
def _multiples(device: Device, count: int, factor: int, bits: int) -> Array:
    products = device.arange(count) * _signed(factor, 64)
    return products if bits == 64 else device.cast(products, f"int{bits}")


def _multiples_from(stretch: Stretch, factor: int, bits: int) -> Array:
    """place·factor for the places of a stretch."""
    first = _signed(stretch.start * factor, bits)
    return _multiples(stretch.device, stretch.count, factor, bits) + first


def _mix(words: Array) -> Array:
    """Each int64 scrambled, in place: two rounds of a shift and a product, both invertible."""
    for shift, factor in ((32, 0xD6E8FEB86659FD93), (29, 0xC2B2AE3D27D4EB4F)):
        words ^= (words >> shift) & ((1 << (64 - shift)) - 1)
        words *= _signed(factor, 64)
    return words


def digest(results: Array, stretch: Stretch) -> int:
    """Of results in their places; those of neighbouring stretches add up."""
    words = stretch.device.view(results, "int64")
    per_word = stretch.count // len(words)
    places = Stretch(stretch.device, stretch.start // per_word, len(words))
    return int(_mix(_multiples_from(places, GOLDEN, 64) + words).sum()) % 2**64


# What the operators are given.

Inputs = Callable[[Stretch, str, int], Sequence[Array]]  # of a stretch, in a dtype, how many


def _patterns(stretch: Stretch) -> Array:
    """Bit patterns of 32 bits: each once in 2^32 places."""
    return _multiples_from(stretch, SCATTER, 32)


def every_self(stretch: Stretch, dtype: str, arity: int) -> Sequence[Array]:
    """Gradient 1, target 0."""
    self = stretch.device.view(_patterns(stretch), dtype)
    return [stretch.full(1.0, dtype), self, stretch.full(0.0, dtype)][:arity]


def every_gradient(stretch: Stretch, dtype: str, arity: int) -> Sequence[Array]:
    """A self where no result is 0 or the gradient itself."""
    gradient = stretch.device.view(_patterns(stretch), dtype)
    return [gradient, stretch.full(-0.3, dtype), stretch.full(0.0, dtype)][:arity]


def every_pair(stretch: Stretch, dtype: str, arity: int) -> Sequence[Array]:
    """Of gradient and self; of self and target where there is one, and then the gradient changes
    from time to time so that all of its significands take part."""
    device, patterns = stretch.device, _patterns(stretch)
    pair = [device.view(device.cast(half, "int16"), dtype) for half in (patterns >> 16, patterns)]
    return pair if arity == 2 else [device.view(_gradients(stretch, dtype), dtype), *pair]


def _gradients(stretch: Stretch, dtype: str) -> Array:
    """From 1 to 2, one for 2^20 places."""
    one, span = {"float16": (0x3C00, 1 << 10), "bfloat16": (0x3F80, 1 << 7)}[dtype]
    first = (stretch.start >> 20) % span
    return ((_megas(stretch.device, stretch.count) + first) & (span - 1)) + one


@cache
def _megas(device: Device, count: int) -> Array:
    return device.cast(device.arange(count) >> 20, "int16")


def random_pairs(stretch: Stretch, dtype: str, arity: int) -> Sequence[Array]:
    """Of 64 bits each."""
    drawn = [_mix(_multiples_from(stretch, factor, 64)) for factor in (GOLDEN, 0xBF58476D1CE4E5B9)]
    return [stretch.device.view(bits, dtype) for bits in drawn]


@dataclass(frozen=True)
class Operator:
    """How many tensors an operator reads, the attributes of its sweeps, and their inputs."""

    arity: int = 2
    attributes: Mapping[str, Any] = field(default_factory=dict)
    double: bool = False

    def inputs(self) -> list[tuple[str, Inputs]]:
        found: list[tuple[str, Inputs]] = [
            ("float32", every_self),
            ("float32", every_gradient),
            ("float16", every_pair),
            ("bfloat16", every_pair),
        ]
        return [*found, ("float64", random_pairs)] if self.double else found


OPERATORS = {
    "hardsigmoid_backward": Operator(),
    "leaky_relu_backward": Operator(
        attributes={"negative_slope": float(np.float32(0.01))}, double=True
    ),
    "log_sigmoid_backward": Operator(),
    "silu_backward": Operator(),
    "smooth_l1_loss_backward": Operator(arity=3, attributes={"reduction": "none", "beta": 1.5}),
}


@dataclass(frozen=True)
class Sweep:
    """An operator at a level over many inputs of a dtype."""

    operator: str
    dtype: str
    inputs: Inputs
    level: str

    @property
    def count(self) -> int:
        return PART if self.dtype == "float64" else EVERY

    @property
    def key(self) -> dict[str, str]:
        """Its row of the fixture, before the digests."""
        name = self.inputs.__name__.replace("_", " ")
        return {"op": self.operator, "dtype": self.dtype, "inputs": name, "level": self.level}

    def digest(self, stretch: Stretch) -> int:
        """Of the results in a stretch."""
        facts = OPERATORS[self.operator]
        inputs = self.inputs(stretch, self.dtype, facts.arity)
        out = stretch.device.empty(stretch.count, self.dtype)
        with at(self.level):
            getattr(openaclnn, self.operator)(*inputs, **facts.attributes, out=out)
        return digest(out, stretch)


def sweeps(operator: str) -> list[Sweep]:
    """All of an operator."""
    pairs = OPERATORS[operator].inputs()
    return [Sweep(operator, *pair, level) for pair in pairs for level in LEVELS]


def digests(sweep: Sweep, device: Device, whole: bool) -> dict[str, str]:
    """Of a sweep's part and, if wanted, of the whole."""
    count = sweep.count if whole else PART
    ends = sorted({PART, *range(device.size, count, device.size), count})
    stretches = [Stretch(device, a, b - a) for a, b in zip([0, *ends], ends, strict=False)]
    with _one_thread_a_call(), ThreadPoolExecutor(device.threads) as pool:
        found = list(pool.map(sweep.digest, stretches))
    sums = {"part": sum(d for d, s in zip(found, stretches, strict=True) if s.start < PART)}
    if whole:
        sums["whole"] = sum(found)
    return {name: f"{total % 2**64:016x}" for name, total in sums.items()}


@contextmanager
def _one_thread_a_call() -> Iterator[None]:
    """Several calls run at once here."""
    before = openaclnn.get_num_threads()
    openaclnn.set_num_threads(1)
    try:
        yield
    finally:
        openaclnn.set_num_threads(before)


Rows = list[dict[str, str]]


def known(path: Path = FIXTURE) -> Rows:
    """The rows of the fixture."""
    rows: Rows = json.loads(path.read_text()) if path.exists() else []
    return rows


def expected(sweep: Sweep, rows: Rows) -> dict[str, str]:
    """The digests of a sweep in these rows, or nothing."""
    key = sweep.key.items()
    for row in rows:
        if key <= row.items():
            return dict(row.items() - key)
    return {}


def write(found: Rows, path: Path) -> None:
    """These rows and, of the others in the file, those of sweeps that still exist."""
    lines = []
    for sweep in every_sweep():
        values = expected(sweep, found) or expected(sweep, known(path))
        if values:
            lines.append(json.dumps(sweep.key | dict(sorted(values.items()))))
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def every_sweep() -> list[Sweep]:
    """Of all operators."""
    return [sweep for operator in OPERATORS for sweep in sweeps(operator)]


def main() -> int:
    """The command; 1 where a digest is not the expected one."""
    options = _options()
    device = DEVICES[options.device]()
    chosen = [sweep for sweep in every_sweep() if options.op in (None, sweep.operator)]
    share, shares = options.share
    chosen = chosen[share - 1 :: shares]
    rows, wrong = known(options.file), 0
    found: Rows = []
    for turn, sweep in enumerate(chosen, 1):
        began = time.perf_counter()
        values = digests(sweep, device, whole=not options.part)
        took = time.perf_counter() - began
        found.append(sweep.key | values)
        differs = options.check and not values.items() <= expected(sweep, rows).items()
        wrong += differs
        said = [*sweep.key.values(), *values.values(), *["DIFFERS"] * differs]
        print(f"{turn}/{len(chosen)} {took:.1f} s:", *said, file=sys.stderr, flush=True)
        if options.write:
            write(found, options.file)
    if not options.check and not options.write:
        print(json.dumps(found, indent=1))
    return bool(wrong)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    parser.add_argument("--op", choices=OPERATORS)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="compare with the fixture")
    what.add_argument("--write", action="store_true", help="put the digests into the fixture")
    parser.add_argument("--part", action="store_true", help="only the part of every sweep")
    parser.add_argument("--share", type=_share, default=(1, 1), metavar="K/N")
    parser.add_argument("--file", type=Path, default=FIXTURE, help="another fixture")
    options = parser.parse_args()
    if options.write and options.part:
        parser.error("--write needs whole sweeps; expected no --part")
    return options


def _share(text: str) -> tuple[int, int]:
    share, shares = map(int, text.split("/"))
    if not 1 <= share <= shares:
        raise argparse.ArgumentTypeError(f"{text} is no share; expected K/N with 1 <= K <= N")
    return share, shares


if __name__ == "__main__":
    sys.exit(main())
