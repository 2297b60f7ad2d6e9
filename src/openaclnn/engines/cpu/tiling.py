"""From a loop to tiles: which dimensions a tile of the kernel covers, how large it is, and in which
order tiles are walked. calls/plan.h does the same in C, word for word, for small calls."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from operator import mul

from openaclnn.engines.cpu.access import TILE
from openaclnn.engines.cpu.kernel import COLUMN, COLUMN_GROUP, ROW, ROW_GROUP
from openaclnn.plan.loop import Loop

# Elements of a unit, about. The least hide what a unit costs but for some 2 %, which the most do
# too; in between, this many units are enough to share
UNITS = 8192, 65536, 512
IN_LINE = 8  # elements
LINE = 64  # bytes
KEPT = 512  # lines of memory that stay in a cache until they are needed again; C has it, too


class Tiling:
    """Which dimensions are the axes of a tile (see `kernel`), and how they are cut."""

    def __init__(self, loop: Loop, outputs: int = 1, rows_of_unit: int = 0) -> None:
        operands = len(loop.strides)
        none = 1, [0] * operands
        dims = list(range(len(loop.sizes)))
        column = dims.pop() if dims else None
        crossing = _crossing(loop) if dims else None
        row = crossing[1] if crossing is not None else dims[-1] if dims else None
        if row is not None:
            dims.remove(row)
        self.crossing = crossing is not None
        # one element: call it contiguous
        first = (1, [1] * operands) if column is None else loop.dimension(column)
        self.axes = [first, none if row is None else loop.dimension(row), none, none]
        self.patterns = _patterns(self.axes, self.crossing, operands - outputs)
        self.numel = math.prod(loop.sizes)
        (columns, _), (rows, _), *_ = self.axes
        if crossing is None and rows_of_unit:
            self.tile = [columns, rows_of_unit, 1, 1]
        elif crossing is None:
            least, most, enough = UNITS
            unit = min(most, max(least, self.numel // enough // least * least))
            self.tile = [min(columns, unit), max(1, unit // max(columns, 1)), 1, 1]
        else:
            self.tile = [TILE, TILE, 1, 1]
            turned = [k for k, pattern in enumerate(self.patterns) if pattern == "t"]
            if turned and dims:
                others = [k for k in range(operands) if k not in turned]
                dims = self.with_groups(loop, dims, COLUMN, column, others)
                dims = self.with_groups(loop, dims, ROW, row, turned)
                dims = self.within_lines(loop, dims)
            if dims:
                dims = _in_lines(loop, dims, crossing[0], rows * self.axes[ROW_GROUP][0])
        self.outer = [loop.dimension(dim) for dim in reversed(dims)]
        self.tiles = [
            -(-size // tile) for (size, _), tile in zip(self.axes, self.tile, strict=True)
        ]
        self.columns = columns * min(self.axes[COLUMN_GROUP][0], self.tile[COLUMN_GROUP])
        self.units = math.prod(self.tiles) * math.prod([size for size, _ in self.outer])

    def with_groups(
        self, loop: Loop, dims: list[int], axis: int, dim: int | None, operands: Sequence[int]
    ) -> list[int]:
        """Where an axis is short, the dimension that goes on for these operands where it ends makes
        groups of it. Returns the dimensions that are left."""
        size = self.axes[axis][0]
        following = None if dim is None else _following(loop, dims, dim, operands)
        if following is None or 2 * size > TILE:
            return dims
        self.axes[axis + 2] = loop.dimension(following)
        self.tile[axis], self.tile[axis + 2] = size, TILE // size
        return [left for left in dims if left != following]

    def within_lines(self, loop: Loop, dims: list[int]) -> list[int]:
        """A dimension along which an operand moves inside a line of memory is walked before the
        rows: the line is in a cache then. Returns the dimensions that are left."""
        for dim in dims if self.axes[COLUMN_GROUP][0] == 1 else ():
            if any(0 < abs(strides[dim]) < IN_LINE for strides in loop.strides):
                self.axes[COLUMN_GROUP] = loop.dimension(dim)
                return [left for left in dims if left != dim]
        return dims

    def even(self, itemsize: int) -> bool:
        """Whether all tiles of the output begin with a line of memory if the first one does: parts
        of lines that bypass the caches take three times as long. Long rows have few ends."""
        steps = (strides[-1] for _, strides in (*self.axes[1:], *self.outer))
        return not self.crossing or not any(step * itemsize % LINE for step in steps)

    def words(self, sizes: Sequence[int]) -> bytes:
        """The block after pointers and uniforms."""
        words = [size for size, _ in self.axes]
        words += self.tile
        words += self.tiles
        words += (len(self.outer), self.units)
        for _, strides in self.axes:
            words += map(mul, strides, sizes)
        for dim_size, strides in self.outer:
            words.append(dim_size)
            words += map(mul, strides, sizes)
        return struct.pack(f"{len(words)}q", *words)


def _patterns(axes: Sequence[tuple[int, Sequence[int]]], crossing: bool, inputs: int) -> str:
    """How each operand runs along the columns: see `kernel`."""
    columns, rows = axes[COLUMN][1], axes[ROW][1]
    return "".join(
        [
            "1" if column == 1
            else "0" if not column
            else "t" if crossing and rows[k] == 1 and k < inputs
            else "s"
            for k, column in enumerate(columns)
        ]
    )  # fmt: skip


def _crossing(loop: Loop) -> tuple[int, int] | None:
    """The first operand whose neighbours lie along another dimension than the last, and that
    dimension; the last where that is a draw. A few columns that stay in their lines from row to
    row, or whose lines are in a cache when they are needed again, are read one by one in half to a
    seventh of the time that tiles take, and so are those of tiles with fewer elements than a unit's
    own cost is worth."""
    for operand, strides in enumerate(loop.strides):
        last = abs(strides[-1])
        if last > 1:
            steps = [abs(stride) or last for stride in strides]
            least = min(steps)
            row = steps.index(least)
            kept = math.prod(loop.sizes[row + 1 :]) <= KEPT
            few = loop.sizes[-1] <= IN_LINE and (kept or steps[-2] <= 2 * IN_LINE)
            if least < last and not few and loop.sizes[row] * loop.sizes[-1] >= 2 * IN_LINE:
                return operand, row
    return None


def _following(loop: Loop, dims: Sequence[int], before: int, operands: Sequence[int]) -> int | None:
    """A dimension that goes on where another one ends, for all of these operands."""
    length = loop.sizes[before]
    for dim in dims:
        if all(loop.strides[k][dim] == length * loop.strides[k][before] for k in operands):
            return dim
    return None


def _in_lines(loop: Loop, dims: list[int], operand: int, rows: int) -> list[int]:
    """Dimensions in an order that follows a crossing operand for as long as a tile would: where its
    fastest dimension is short, the lines that one tile reads a part of serve the next ones."""
    first: list[int] = []
    for dim in sorted(dims, key=lambda dim: abs(loop.strides[operand][dim]) or 1 << 62):
        if rows >= TILE:
            break
        first.append(dim)
        rows *= loop.sizes[dim]
    return [dim for dim in dims if dim not in first] + first[::-1]
