"""Tilings: which dimensions of a loop a program of the kernel covers, and how it finds them.

A tile has one axis, two (rows and columns) or three (layers of them). An axis is one dimension of
the loop or several, flattened; along it every operand has a *pattern*: "0" (one element for all),
"1" (neighbours in memory), "s" (one stride) or "d" (the index must be decoded into dimensions).
What no axis covers is outer: its index is found once per program.

Few elements, whatever their layout, have one axis, decoded: a launch takes longer than they do, and
one kernel serves all. How others are cut says `cutting`.

A kernel's text depends on a tiling's *form*, never on its numbers: sizes and strides are arguments.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple

from openaclnn.base.records import dataclass
from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.tile_table import Tile
from openaclnn.plan.loop import Loop

NEAR = 8  # elements, which share sectors
VECTOR = 8  # elements of 16 bits in 16 bytes
SECTOR = 16  # … in the 32 bytes that memory moves at once
_INT32 = 2**31
_LOOKED_UP = 4  # dimensions, of which where rows begin is looked up; of three 0.96 times as fast
_LEAST_ROW = 9  # elements, so that a tile has no more rows than there is room for
FEW = 1 << 16  # elements, at most, of which no layout is worth a kernel of its own
_RANKS = (2, 4, 8)  # dimensions that kernels for any layout decode
_FEW_TERMS = 4096  # at most, of few elements: longer rows have vectors (16384 float32 4.4 µs, 8.9)
_FOLDED_RANKS = (1, 2, 4, 8)  # … of folds, for what is kept and for what is folded


class Dim(NamedTuple):
    """A dimension of the loop with every operand's stride in elements."""

    size: int
    strides: tuple[int, ...]


@dataclass(frozen=True)
class Axis:
    """Dimensions, fastest first, that are walked as one."""

    dims: tuple[Dim, ...]
    tile: int

    @cached_property
    def size(self) -> int:
        result = 1
        for dim in self.dims:
            result *= dim.size
        return result

    @property
    def tiles(self) -> int:
        return -(-self.size // self.tile)

    @property
    def whole(self) -> bool:
        """Whether every tile is full, whatever the size: the tile is the axis."""
        return len(self.dims) == 1 and self.dims[0].size == self.tile

    @cached_property
    def patterns(self) -> str:
        """How every operand walks along this axis."""
        return "".join(map(self._pattern, range(len(self.dims[0].strides))))

    def _pattern(self, operand: int) -> str:
        step = self.dims[0].strides[operand]
        expected = step
        for dim in self.dims:
            if dim.strides[operand] != expected:
                return "d"
            expected *= dim.size
        return str(step) if step in (0, 1) else "s"

    def pattern(self, operand: int) -> str:
        """How an operand walks along this axis."""
        return self.patterns[operand]

    def moves(self, position: int, operand: int) -> bool:
        """Whether a dimension of a decoded axis moves an operand."""
        return self.dims[position].strides[operand] != 0

    def in_runs(self, operand: int) -> bool:
        """Whether an operand's neighbours in memory are neighbours along this axis, but for where
        its first dimension ends."""
        return self.dims[0].strides[operand] == 1

    @cached_property
    def in_rows(self) -> int:
        """How many of many dimensions make rows whose beginnings are looked up; else 0."""
        sizes = accumulate((dim.size for dim in self.dims), mul)
        found = next((n for n, size in enumerate(sizes, 1) if size >= _LEAST_ROW), len(self.dims))
        many = len(self.dims) >= _LOOKED_UP and "d" in self.patterns
        return found if many and len(self.dims) - found > found else 0

    @property
    def form(self) -> tuple[Any, ...]:
        """What of an axis shapes a kernel's text."""
        decoded = "d" in self.patterns
        moving = tuple([tuple(map(bool, dim.strides)) for dim in self.dims]) if decoded else ()
        runs = tuple([step == 1 for step in self.dims[0].strides]) if decoded else ()
        return self.tile, self.whole, self.patterns, len(self.dims), moving, runs, self.in_rows

    def reach(self, operand: int) -> int:
        """How far an operand's offsets inside one tile go."""
        pattern = self.pattern(operand)
        if pattern == "d":
            return sum((dim.size - 1) * abs(dim.strides[operand]) for dim in self.dims)
        return (self.tile - 1) * abs(self.dims[0].strides[operand])


@dataclass(frozen=True)
class Tiling:
    """How a loop is cut; `axes` ends with the columns. Programs follow each other along the first
    `near` of the outer dimensions, then along the axes, the last one first or as `walked`, then
    along the other ones."""

    axes: tuple[Axis, ...]
    outer: tuple[Dim, ...]  # fastest first
    tile: Tile
    near: int = 0
    walked: tuple[int, ...] = ()

    @property
    def programs(self) -> int:
        result = 1
        for axis in self.axes:
            result *= axis.tiles
        for dim in self.outer:
            result *= dim.size
        return result

    @property
    def covered(self) -> float:
        """How many elements tiles have room for, for each that there is."""
        result = 1.0
        for axis in self.axes:
            result *= axis.tiles * axis.tile / axis.size
        return result

    def runs_along(self, operand: int) -> int:
        """The axis along which most of an operand's elements share a sector; -1: none. Where it has
        vectors, theirs: kernels take what runs for contiguous, and what is known to be aligned
        besides would become vectors."""
        if self.vectors(operand):
            return next(n for n, axis in enumerate(self.axes) if axis.patterns[operand] == "1")
        found, most = -1, 0.0
        for number, axis in enumerate(self.axes):
            first = axis.dims[0]
            stride = abs(first.strides[operand])
            size = first.size if axis.patterns[operand] == "d" else axis.size
            if 0 < stride < NEAR and min(size, axis.tile, 2 * NEAR / stride) >= most:
                found, most = number, min(size, axis.tile, 2 * NEAR / stride)
        return found

    @property
    def as_large_as_its_tile(self) -> bool:
        """Whether no axis is too short for the tile."""
        return [axis.tile for axis in self.axes] == [self.tile.rows, self.tile.columns]

    def wide(self, operands: int) -> bool:
        """Whether offsets inside a tile, or an index to decode, need 64 bits."""
        reaches = [0] * operands
        for axis in self.axes:
            if "d" in axis.patterns and axis.tiles * axis.tile >= _INT32:
                return True
            for operand, pattern in enumerate(axis.patterns[:operands]):
                if pattern != "0":
                    reaches[operand] += axis.reach(operand)
        return max(reaches) >= _INT32

    def short(self, operands: int) -> bool:
        """Whether 32 bits hold every offset from an operand's start."""
        spans = [0] * operands
        for dim in (*(dim for axis in self.axes for dim in axis.dims), *self.outer):
            for operand, stride in enumerate(dim.strides[:operands]):
                spans[operand] += dim.size * abs(stride)
        long = [axis for axis in self.axes if axis.tiles * axis.tile >= _INT32]
        return not long and max(spans) < _INT32 // 2

    def twin(self, operand: int, itemsizes: Sequence[int]) -> int:
        """The first operand that lies in memory like this one: offsets are computed for one and
        serve both, but where there are not registers enough to keep them."""
        if len(self.axes) == 1 and self.axes[0].patterns[operand] != "d":
            return operand
        aligned = any(map(self.alignable, range(len(itemsizes)), itemsizes))
        long = self.axes[-1].tile >= self.tile.columns
        if self.tile in tiles.CROWDED and long and not aligned:
            return operand
        dims = [*(dim for axis in self.axes for dim in axis.dims), *self.outer]
        return next(
            other
            for other in range(len(itemsizes))
            if itemsizes[other] == itemsizes[operand]
            and all(dim.strides[other] == dim.strides[operand] for dim in dims)
        )

    def never_full(self, number: int) -> bool:
        """Whether a tile always has more rows, or columns, than there are."""
        axis = self.axes[number]
        return len(self.axes) > 1 and axis.size < axis.tile

    def form(self, itemsizes: Sequence[int]) -> tuple[Any, ...]:
        """What of a tiling shapes a kernel's text: tilings of one form differ in numbers, which are
        the kernel's arguments, and in how many programs run."""
        count = len(itemsizes)
        ranges = self.wide(count), self.short(count)
        if len(self.axes) == 1 and len(self.axes[0].dims) == 1:  # the most usual: nothing is outer
            return self.tile, self.axes[0].patterns, self.axes[0].whole, *ranges
        return (
            self.tile,
            tuple([axis.form for axis in self.axes]),
            tuple([tuple(map(bool, dim.strides)) for dim in self.outer]),
            self.near,
            self.walked,
            tuple([self.twin(operand, itemsizes) for operand in range(count)]),
            tuple(map(self.alignable, range(count), itemsizes)),
            tuple(map(self.runs_along, range(count))),
            tuple(map(self.never_full, range(len(self.axes)))),
            *ranges,
        )

    @property
    def numbers(self) -> list[int]:
        """All that differs between tilings of one form, in the order of `Places`."""
        found: list[int] = []
        for axis in self.axes:
            found += (axis.tiles, axis.size)
            for dim in axis.dims:
                found.append(dim.size)
                found += dim.strides
        for dim in self.outer:
            found.append(dim.size)
            found += dim.strides
        return found

    def vectors(self, operand: int) -> bool:
        """Whether an operand's neighbours in memory are neighbours in a tile."""
        return any(axis.pattern(operand) == "1" for axis in self.axes)

    def alignable(self, operand: int, itemsize: int) -> bool:
        """Whether 16-byte vectors stay aligned from tile to tile, given an aligned address."""
        if not self.vectors(operand):
            return False
        dims = [d for a in self.axes if a.pattern(operand) != "1" for d in a.dims]
        return not any(dim.strides[operand] * itemsize % 16 for dim in (*dims, *self.outer))

    def odd(self, itemsizes: Sequence[int]) -> bool:
        """Whether elements of an operand move one by one: it is never aligned, or has no neighbours
        along an axis."""
        return any(
            not self.alignable(operand, itemsize)
            if self.vectors(operand)
            else all(axis.pattern(operand) in "sd" for axis in self.axes)
            for operand, itemsize in enumerate(itemsizes)
        )

    def ends_in_vectors(self, itemsizes: Sequence[int]) -> bool:
        """Whether the axes end between vectors, so that a mask never cuts one."""
        vector = 16 // min(itemsizes)
        return not self.odd(itemsizes) and all(axis.size % vector == 0 for axis in self.axes)


class Places:
    """Where each of a tiling's numbers stands among them."""

    def __init__(self, tiling: Tiling) -> None:
        self.axes: list[int] = []
        self.dims: dict[int, int] = {}  # by the dimension's identity
        at = 0
        for dims, axis in (*((axis.dims, True) for axis in tiling.axes), (tiling.outer, False)):
            if axis:
                self.axes.append(at)
                at += 2
            for dim in dims:
                self.dims[id(dim)] = at
                at += 1 + len(dim.strides)

    def tiles(self, axis: int) -> int:
        return self.axes[axis]

    def length(self, axis: int) -> int:
        return self.axes[axis] + 1

    def size(self, dim: Dim) -> int:
        return self.dims[id(dim)]

    def stride(self, dim: Dim, operand: int) -> int:
        return self.dims[id(dim)] + 1 + operand


@dataclass(frozen=True)
class AnyAxis(Axis):
    """One that is decoded for every operand, whatever its strides are."""

    @property
    def whole(self) -> bool:
        return False

    @cached_property
    def patterns(self) -> str:
        return "d" * len(self.dims[0].strides)

    def moves(self, position: int, operand: int) -> bool:
        return True

    def in_runs(self, operand: int) -> bool:
        return False

    @cached_property
    def in_rows(self) -> int:
        return 0


@dataclass(frozen=True)
class AnyTiling(Tiling):
    """A few elements in any layout of so many dimensions: the rest are of size 1."""

    def runs_along(self, operand: int) -> int:
        return -1

    def twin(self, operand: int, itemsizes: Sequence[int]) -> int:
        return operand

    def form(self, itemsizes: Sequence[int]) -> tuple[Any, ...]:
        return len(self.axes[0].dims), self.tile


@dataclass(frozen=True)
class ShiftedTiling(Tiling):
    """Rows that begin anywhere in memory: the first axis has the vectors of 16 bytes in which the
    output has its rows, the second the elements of one."""

    @property
    def programs(self) -> int:
        return self.axes[0].tiles

    def alignable(self, operand: int, itemsize: int) -> bool:
        return False  # whatever the addresses are, the kernel is the same

    def form(self, itemsizes: Sequence[int]) -> tuple[Any, ...]:
        return "shifted", *super().form(itemsizes)


@dataclass(frozen=True)
class Windows(Axis):
    """Columns of which every row has others in a tile: it begins with a vector of 16 bytes, or with
    a sector, up to one less than so many elements `early`."""

    early: int = VECTOR

    @property
    def tiles(self) -> int:
        return -(-(self.size + self.early - 1) // self.tile)

    @property
    def whole(self) -> bool:
        return False


@dataclass(frozen=True)
class StagedTiling(Tiling):
    """Rows and columns, turned on the chip, where rows begin anywhere in memory: columns are
    windows, so that the output is written in vectors."""

    def alignable(self, operand: int, itemsize: int) -> bool:
        return False  # whatever the addresses are, the kernel is the same

    def form(self, itemsizes: Sequence[int]) -> tuple[Any, ...]:
        return "staged", *super().form(itemsizes)


@dataclass(frozen=True)
class LateTiling(Tiling):
    """One dimension of operands that all begin the same number of elements after a vector of 16
    bytes: so do the tiles, but for the first one."""

    @property
    def programs(self) -> int:
        (axis,) = self.axes
        return -(-(axis.size + 15) // axis.tile)

    def alignable(self, operand: int, itemsize: int) -> bool:
        return False  # the kernel aligns what it is given

    def form(self, itemsizes: Sequence[int]) -> tuple[Any, ...]:
        return "late", *super().form(itemsizes)


def any_tiling(
    loop: Loop, weight: str, at_odd_addresses: bool = False, few: bool = True
) -> AnyTiling | None:
    """The tiling that serves all loops over few elements, or all loops, where this is one of them;
    those over elements that follow each other only where they are `at_odd_addresses`."""
    loop = loop.compact()
    rank = len(loop.sizes)
    if rank > _RANKS[-1] or not rank:
        return None
    count = 1
    for size in loop.sizes:
        count *= size
    flat = rank == 1 and all(strides == (1,) for strides in loop.strides)
    if (few and count > FEW) or (flat and not at_odd_addresses):
        return None
    for strides in loop.strides:
        if sum([size * abs(s) for size, s in zip(loop.sizes, strides, strict=True)]) >= _INT32 // 2:
            return None
    dims = [*map(Dim, loop.sizes, zip(*loop.strides, strict=True))][::-1]
    padded = next(most for most in _RANKS if rank <= most)
    dims += [Dim(1, (0,) * len(loop.strides)) for _ in range(padded - rank)]
    tile = tiles.DECODED[weight]
    return AnyTiling((AnyAxis(tuple(dims), tile.size),), (), tile)


def few_dims(kept: Loop, folded: Loop) -> tuple[list[Dim], list[Dim]] | None:
    """The dimensions of a fold over few elements, padded, so that one kernel serves all layouts;
    None where there are many."""
    kept, folded = kept.compact(), folded.compact()
    rank, count = max(len(kept.sizes), len(folded.sizes)), 1
    for size in (*kept.sizes, *folded.sizes):
        count *= size
    both = zip(kept.strides, folded.strides, strict=True)
    reaches = [
        sum(size * abs(s) for size, s in zip((*kept.sizes, *folded.sizes), (*a, *b), strict=True))
        for a, b in both
    ]
    if (
        count > FEW
        or math.prod(folded.sizes) > _FEW_TERMS
        or rank > _FOLDED_RANKS[-1]
        or max(reaches) >= _INT32 // 2
    ):
        return None
    rank = next(most for most in _FOLDED_RANKS if rank <= most)
    padding = [[Dim(1, (0,) * len(kept.strides)) for _ in range(rank)] for _ in range(2)]
    rows, columns = dims_of(kept) + padding[0], dims_of(folded) + padding[1]
    return rows[:rank], columns[:rank]


def dims_of(loop: Loop, step: int = 0) -> list[Dim]:
    """A loop's dimensions, the fastest first; where there are none, one of size 1 with that step
    for stride."""
    loop = loop.compact()
    dims = [
        Dim(size, tuple(strides[number] for strides in loop.strides))
        for number, size in enumerate(loop.sizes)
    ]
    return dims[::-1] or [Dim(1, (step,) * len(loop.strides))]
