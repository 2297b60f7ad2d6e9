"""Random views, and the bytes that memory must transfer for a view."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from operator import mul

import numpy as np

from openaclnn.base.dtypes import DType
from openaclnn.base.tensors import View, contiguous_strides, view

_SAMPLED = 1 << 12  # elements
_SECTOR = 32  # bytes
WAYS: tuple[tuple[str, ...], ...] = (
    (), ("permuted",), ("sliced",), ("late",), ("permuted", "sliced"), ("repeated",),
)  # fmt: skip
OUTPUT_WAYS: tuple[tuple[str, ...], ...] = ((), (), ("permuted",), ("sliced",))


def any_shape(chance: random.Random, numel: float) -> tuple[int, ...]:
    cuts = sorted(chance.random() for _ in range(chance.randrange(6)))
    parts = [b - a for a, b in pairwise((0.0, *cuts, 1.0))]
    sizes = [max(1, round(numel**part)) for part in parts]
    longest = sizes.index(max(sizes))
    sizes[longest] = max(1, round(numel / (math.prod(sizes) / sizes[longest])))
    return tuple(sizes)


def any_view(
    chance: random.Random, dtype: DType, shape: tuple[int, ...], ways: tuple[str, ...]
) -> View:
    """One element or more of each dimension is left out of what is sliced; every second one of a
    dimension in a fifth of the cases."""
    order = list(range(len(shape)))
    if "permuted" in ways:
        chance.shuffle(order)
    storage, steps, first = list(shape), [1] * len(shape), [0] * len(shape)
    for dim, size in enumerate(shape):
        if "sliced" in ways and chance.random() < 0.5:
            left_out = chance.randint(1, max(1, min(8, size // 2)))
            storage[dim], first[dim] = size + left_out, chance.randint(0, left_out)
        if "repeated" in ways and chance.random() < 0.4:
            storage[dim] = 0
    if "sliced" in ways and chance.random() < 0.2:
        dim = chance.randrange(len(shape))
        storage[dim], steps[dim] = 2 * storage[dim], 2
    stored = tuple(max(1, storage[dim]) for dim in order)
    along = dict(zip(order, contiguous_strides(stored), strict=True))
    strides = [along[dim] if storage[dim] else 0 for dim in range(len(shape))]
    late = chance.randint(1, 9) if "late" in ways else 0
    offset = late + sum(map(mul, first, strides))
    kept = (math.prod(stored) + late,)
    return view(dtype, shape, tuple(map(mul, strides, steps)), offset, storage_shape=kept)


def sectors(found: View, written: bool = False) -> int:
    """Bytes of the sectors that a view touches, from those of its fastest dimensions at some places
    of the others. A sector that is written in part is read before."""
    dims = sorted(
        (abs(stride), size)
        for size, stride in zip(found.shape, found.strides, strict=True)
        if stride and size > 1
    )
    at, times = np.zeros(1, np.int64), 1.0
    while dims and at.size < _SAMPLED:
        stride, size = dims.pop(0)
        some = min(size, 4 * _SAMPLED // at.size)
        at = (at[:, None] + stride * np.arange(some)).reshape(-1)
        times *= size / some
    at.sort()
    chance, places = random.Random(0), 8 if dims else 1
    moved = 0
    for _ in range(places):
        start = found.offset + sum(chance.randrange(size) * stride for stride, size in dims)
        sector = (at + start) * found.dtype.itemsize // _SECTOR
        ends = np.flatnonzero(np.diff(sector, append=sector[-1] + 1))
        counts = np.diff(ends, prepend=-1)
        in_part = np.count_nonzero(counts * found.dtype.itemsize < _SECTOR)
        moved += counts.size + (in_part if written else 0)
    others = math.prod(size for _, size in dims)
    return round(_SECTOR * moved / places * times * others)
