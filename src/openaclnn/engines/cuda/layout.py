"""From a loop to tiles: which dimensions a program of the kernel covers, and how it finds them.

A tile has one axis or two, rows and columns. An axis is one dimension of the loop or several,
flattened; along it every operand has a *pattern*: "0" (one element for all), "1" (neighbours in
memory), "s" (one stride) or "d" (the index must be decoded into dimensions). What no axis covers is
outer: its index is found once per program.

- One dimension: a flat tile.
- An operand whose neighbours lie along another dimension than the output's: rows along that one,
  so that each is read or written in runs, and the tile turned on the chip.
- An operand that repeats along an outer dimension: rows along it, so that it is read once for all.
- Anything else: short vectors along the last dimension, their place decoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openaclnn.engines.cuda import shapes
from openaclnn.engines.cuda.shapes import Shape, power_of_two
from openaclnn.plan.loop import Loop

_WASTE = 1.125  # an axis takes another dimension while its tiles cover so much more than it has
_INT32 = 2**31


@dataclass(frozen=True)
class Dim:
    """A dimension of the loop with every operand's stride in elements."""

    size: int
    strides: tuple[int, ...]


@dataclass(frozen=True)
class Axis:
    """Dimensions, fastest first, that are walked as one."""

    dims: tuple[Dim, ...]
    tile: int

    @property
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

    def pattern(self, operand: int) -> str:
        """How an operand walks along this axis."""
        step = self.dims[0].strides[operand]
        expected = step
        for dim in self.dims:
            if dim.strides[operand] != expected:
                return "d"
            expected *= dim.size
        return str(step) if step in (0, 1) else "s"

    def reach(self, operand: int) -> int:
        """How far an operand's offsets inside one tile go."""
        pattern = self.pattern(operand)
        if pattern == "d":
            return sum((dim.size - 1) * abs(dim.strides[operand]) for dim in self.dims)
        return (self.tile - 1) * abs(self.dims[0].strides[operand])


@dataclass(frozen=True)
class Layout:
    """How a loop is cut; `axes` ends with the columns."""

    axes: tuple[Axis, ...]
    outer: tuple[Dim, ...]  # fastest first
    shape: Shape

    @property
    def programs(self) -> int:
        result = 1
        for axis in self.axes:
            result *= axis.tiles
        for dim in self.outer:
            result *= dim.size
        return result

    @property
    def as_large_as_its_shape(self) -> bool:
        """Whether no axis is too short for the shape's tile."""
        return [axis.tile for axis in self.axes] == [self.shape.rows, self.shape.columns]

    def wide(self, operands: int) -> bool:
        """Whether offsets inside a tile, or an index to decode, need 64 bits."""
        decoded = any(
            axis.tiles * axis.tile >= _INT32
            for axis in self.axes
            if any(axis.pattern(operand) == "d" for operand in range(operands))
        )
        return decoded or any(
            sum(axis.reach(operand) for axis in self.axes) >= _INT32 for operand in range(operands)
        )

    def short(self, operands: int) -> bool:
        """Whether 32 bits hold every offset from an operand's start."""
        dims = [dim for axis in self.axes for dim in axis.dims] + list(self.outer)
        return all(axis.tiles * axis.tile < _INT32 for axis in self.axes) and all(
            sum(dim.size * abs(dim.strides[operand]) for dim in dims) < _INT32 // 2
            for operand in range(operands)
        )

    def vectors(self, operand: int) -> bool:
        """Whether an operand's neighbours in memory are neighbours in a tile."""
        return any(axis.pattern(operand) == "1" for axis in self.axes)

    def alignable(self, operand: int, itemsize: int) -> bool:
        """Whether 16-byte vectors stay aligned from tile to tile, given an aligned address."""
        dims = [d for a in self.axes if a.pattern(operand) != "1" for d in a.dims]
        return self.vectors(operand) and all(
            dim.strides[operand] * itemsize % 16 == 0 for dim in (*dims, *self.outer)
        )

    def odd(self, itemsizes: Sequence[int]) -> bool:
        """Whether an operand that could be walked in vectors is never aligned."""
        return any(
            self.vectors(operand) and not self.alignable(operand, itemsize)
            for operand, itemsize in enumerate(itemsizes)
        )

    def ends_in_vectors(self, itemsizes: Sequence[int]) -> bool:
        """Whether the axes end between vectors, so that a mask never cuts one."""
        vector = 16 // min(itemsizes)
        return not self.odd(itemsizes) and all(axis.size % vector == 0 for axis in self.axes)


def dims_of(loop: Loop, step: int = 0) -> list[Dim]:
    """A loop's dimensions, the fastest first; where there are none, one of size 1 with that step
    for stride."""
    dims = [
        Dim(size, tuple(strides[number] for strides in loop.strides))
        for number, size in enumerate(loop.sizes)
    ]
    return dims[::-1] or [Dim(1, (step,) * len(loop.strides))]


def layout_of(loop: Loop, itemsizes: Sequence[int], weight: str) -> Layout:
    """The tiles for a loop over operands with elements of these sizes."""
    dims = dims_of(loop, step=1)
    if len(dims) == 1:
        shape = shapes.FLAT[weight]
        return Layout((Axis((dims[0],), shape.tile),), (), shape)
    column = dims[0]
    for operand in range(len(itemsizes)):
        if _fastest(dims, operand) is not column:
            return _turned(dims, operand, itemsizes, weight)
    for dim in dims[1:]:
        if any(s == 0 and c != 0 for s, c in zip(dim.strides, column.strides, strict=True)):
            return _repeated(dims, dim, itemsizes, weight)
    return _decoded(dims, itemsizes, weight)


def _fastest(dims: Sequence[Dim], operand: int) -> Dim:
    """Along which dimension an operand's neighbours lie; the first where that is a draw."""
    if dims[0].strides[operand] == 0:
        return dims[0]
    return min(dims, key=lambda dim: abs(dim.strides[operand]) or 1 << 62)


def _turned(dims: list[Dim], operand: int, itemsizes: Sequence[int], weight: str) -> Layout:
    """Rows along an operand's fastest dimensions, columns along the output's."""
    by_operand = sorted(dims, key=lambda dim: abs(dim.strides[operand]) or 1 << 62)
    inputs, narrow = len(itemsizes) - 1, max(itemsizes) == 2
    some_lie_like_output = any(_fastest(dims, other) is dims[0] for other in range(inputs))
    shape = shapes.TURNED[weight]
    rows, columns = _taken_together(dims, by_operand, shape)
    if narrow and some_lie_like_output:
        together = len(rows) > 1 or len(columns) > 1
        masked = shapes.TURNED_THREE if inputs == 3 else shapes.TURNED_TOGETHER if together else {}
        if weight in masked:
            layout = _two_axes(by_operand, rows, columns, masked[weight])
            if layout.as_large_as_its_shape and layout.ends_in_vectors(itemsizes):
                return layout
    if narrow:
        shape = shapes.TURNED_NARROW.get(weight, shape)
    order = dims if some_lie_like_output else by_operand
    layout = _two_axes(order, rows, columns, shape)
    if not layout.odd(itemsizes):
        return layout
    shape = (shapes.TURNED_ODD_NARROW if narrow else shapes.TURNED_ODD).get(weight, shape)
    rows, columns = _taken_together(dims, by_operand, shape)
    # runs start and end inside a sector of memory: soon after a tile come those beside it, along
    # the output and along the operand
    by_turns = [dim for pair in zip(dims, by_operand, strict=True) for dim in pair]
    return _two_axes(list(dict.fromkeys(by_turns)), rows, columns, shape)


def _taken_together(
    dims: list[Dim], by_operand: list[Dim], shape: Shape
) -> tuple[list[Dim], list[Dim]]:
    """As many dimensions for rows, the operand's fastest, and columns as fill a tile."""
    rows, columns = [by_operand[0]], [dims[0]]
    while True:
        taken = [*columns, *rows]
        for group, order, tile in (
            (columns, dims, shape.columns),
            (rows, by_operand, shape.rows),
        ):
            more = next((dim for dim in order if dim not in taken), None)
            if more is not None and _wasteful(group, tile):
                group.append(more)
                break
        else:
            return rows, columns


def _repeated(dims: list[Dim], rows: Dim, itemsizes: Sequence[int], weight: str) -> Layout:
    """Rows along a dimension that an operand repeats in."""
    shape = shapes.REPEATED[weight]
    columns = [dims[0]]
    for dim in dims[1:]:
        if dim is rows or not _wasteful(columns, shape.columns):
            break
        columns.append(dim)
    across = Axis(tuple(columns), 1).size
    if power_of_two(across) > _WASTE * across and across < shape.columns:
        return _decoded(dims, itemsizes, weight)  # so short a row stays in the cache anyway
    return _two_axes(dims, [rows], columns, shape)


def _decoded(dims: list[Dim], itemsizes: Sequence[int], weight: str) -> Layout:
    """Short vectors along the last dimension, all their indices in one decoded axis."""
    column = dims[0]
    vector = 16 // min(itemsizes)
    while column.size % vector:
        vector //= 2
    odd, shape = shapes.ODD[weight], shapes.DECODED[weight]
    if max(itemsizes) == 2:
        odd = shapes.ODD_NARROW.get(weight, odd)
    if vector * min(itemsizes) < 8 and column.size >= 8 * odd.columns:
        return _two_axes(dims, [dims[1]], [column], odd)
    rest = [Dim(column.size // vector, tuple(vector * s for s in column.strides)), *dims[1:]]
    rows = Axis(tuple(dim for dim in rest if dim.size > 1), shape.tile // vector)
    return Layout((rows, Axis((Dim(vector, column.strides),), vector)), (), shape)


def _two_axes(dims: list[Dim], rows: list[Dim], columns: list[Dim], shape: Shape) -> Layout:
    """Tiles of rows and columns, one after another along the other dimensions in their order."""
    outer = tuple(dim for dim in dims if dim not in rows and dim not in columns)
    high, across = (Axis(tuple(group), 1).size for group in (rows, columns))
    tile_rows = min(shape.rows, power_of_two(high))
    tile_columns = min(max(shape.columns, shape.tile // tile_rows), power_of_two(across))
    tile_rows = min(shape.tile // tile_columns, power_of_two(high))
    return Layout((Axis(tuple(rows), tile_rows), Axis(tuple(columns), tile_columns)), outer, shape)


def _wasteful(group: list[Dim], tile: int) -> bool:
    axis = Axis(tuple(group), tile)
    return axis.tiles * tile > _WASTE * axis.size
