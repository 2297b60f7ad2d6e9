"""Tiles of large calls, whose operands no cache holds: there memory decides how loops are tiled.

A unit's operands are to be a few long runs each, so that lines of memory are read and written once
and page after page. These loops are Python's alone: recordings have those of smaller calls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from openaclnn.engines.cpu.access import LINE, LONGEST, TILE
from openaclnn.engines.cpu.kernel import AXES, COLUMN, COLUMN_GROUP, ROW, ROW_GROUP
from openaclnn.engines.cpu.tiling import IN_LINE, KEPT, RUN_DOWN, UnitTiling
from openaclnn.engines.cpu.transpose import BLOCK
from openaclnn.plan.loop import Loop

_UNIT = 8192  # elements of a unit that is a block of rows, about
_SHORT_ROW = 1024  # bytes: of longer rows an operand has enough at one place
_LARGE = 8  # times as few elements as there are in all are in a cache, mostly
_FEW_LINES = 64  # that are in the L1 cache when they are needed again


class _LargeTiling(UnitTiling):
    def list_left(self) -> None:
        """The dimensions that no axis has."""
        self.left = [dim[0] for dim in self.dims if dim[1] > 1]

    def count_left(self, loop: Loop) -> None:
        self.count([loop.dimension(dim) for dim in reversed(self.left)])

    def group_rows(self, loop: Loop) -> None:
        """Where there are a few short rows, the dimension before makes groups of them: finding a
        unit of 6 elements takes longer than they do, 9 x 180 x 541 x 3 x 2 float32 0.45 of the
        time."""
        (columns, _), (rows, _), *_ = self.axes
        if self.left and columns < TILE and columns * rows <= _UNIT // 8:
            self.axes[ROW_GROUP] = loop.dimension(self.left.pop())
            self.tile = [columns, rows, 1, _UNIT // (columns * rows)]
            self.far = True

    def is_like(self, other: UnitTiling) -> bool:
        alike = self.axes == other.axes and self.tile == other.tile and self.outer == other.outer
        return alike and self.patterns == other.patterns


class RowTiling(_LargeTiling):
    """Rows one after the other, as the output has them."""

    def __init__(self, loop: Loop, itemsizes: Sequence[int], outputs: int = 1) -> None:
        loop = loop.compact()
        super().__init__(loop, itemsizes, outputs, across=False)
        self.list_left()
        self.group_rows(loop)
        self.count_left(loop)


class FarTiling(_LargeTiling):
    """The usual tiles, but for rows and columns that are short.

    Of products of 2^24 to 2^26 float32 in 800 random layouts, 33 took longer than PyTorch's
    with the usual ones; those take 0.38 to 0.9 of the time so, but for a few.
    """

    def __init__(self, loop: Loop, itemsizes: Sequence[int], outputs: int = 1) -> None:
        loop = loop.compact()
        super().__init__(loop, itemsizes, outputs)
        self.list_left()
        self.itemsizes, self.last = itemsizes, len(loop.sizes) - 1
        self.large = [k for k in range(self.inputs) if _LARGE * _own(loop, k) >= self.numel]
        columns = loop.sizes[-1] if self.last > 0 else LONGEST
        along = self.side_by_side(loop) if columns <= IN_LINE else None
        if along is not None and self.worth_running(loop, along):
            self.run_along(loop, along)
        else:
            if "t" in self.patterns:
                self.lengthen(loop)
            if self.last > 1 and not self.crossing and self.patterns[-1] == "1":
                self.cut_blocks(loop)
            if not (self.crossing or self.far):
                self.group_rows(loop)
        self.count_left(loop)

    def lengthen(self, loop: Loop) -> None:
        """Where one side of a tile is short, the other one is longer; what the output has next to
        a row is walked before the rows: 420,147 x 9 x 10 float32 of which an operand is 10 x 9 x
        420,147 take 0.45 of the time. Many columns are many tiles in any case: 256 of 12 rows take
        1.2 times as long as 64. Asking for tiles of a few elements ahead takes longer than
        waiting for them: 700,877 x 2 x 2 x 12 bfloat16 1.5 times as long."""
        if self.axes[COLUMN_GROUP][0] == 1 and self.left:
            following = loop.dimension(self.left[-1])
            if following[1][-1] * self.itemsizes[-1] < 4 * LINE:
                self.axes[COLUMN_GROUP] = following
                self.left = self.left[:-1]
        self.tile = [min(size, tile) for (size, _), tile in zip(self.axes, self.tile, strict=True)]
        for axis, other in ((COLUMN, ROW), (ROW, COLUMN)):
            size = self.axes[axis][0]
            longest = TILE if axis == COLUMN and size > 2 * LONGEST else LONGEST
            most = min(longest, TILE * TILE // _in_blocks(self.side(other)) // BLOCK * BLOCK)
            if self.tile[axis + 2] > 1:
                self.tile[axis + 2] = min(self.axes[axis + 2][0], most // size)
            else:  # tiles that are equally long
                self.tile[axis] = min(size, _in_blocks(-(-size // -(-size // most))))
        again = self.tile[COLUMN_GROUP] < self.axes[COLUMN_GROUP][0]  # the next tile is beside it
        most = max(BLOCK, KEPT // self.side(COLUMN) // BLOCK * BLOCK)
        if again and self.side(ROW) > most and any(map(self.is_scattered, self.large)):
            self.shorten(most)
        if self.shortest_run() >= TILE:
            self.left.sort()
        self.far = self.side(COLUMN) * self.side(ROW) >= BLOCK * BLOCK

    def shorten(self, most: int) -> None:
        """Have no more rows than so many, in whole groups or parts of one."""
        self.tile[ROW_GROUP] = min(self.tile[ROW_GROUP], max(1, most // self.tile[ROW]))
        if self.tile[ROW_GROUP] == 1:
            self.tile[ROW] = min(self.tile[ROW], most)

    def is_scattered(self, operand: int) -> bool:
        """Whether tiles have a line of an operand for each element: with few rows those are in the
        L1 cache for the next tile. 156 x 864 x 4 x 118 float32 take 0.6 of the time."""
        steps = [abs(self.axes[axis][1][operand]) for axis in (COLUMN, ROW)]
        return self.patterns[operand] == "s" and min(steps) >= LINE // self.itemsizes[operand]

    def shortest_run(self) -> int:
        """The fewest elements side by side that a tile has of what it turns: lines at their ends
        are a small part where they are many, so that tiles may follow each other as the output
        has them. 253 x 26 x 31 x 7 x 11 float32 take a quarter of the time."""
        runs = []
        for k, pattern in enumerate(self.patterns):
            run = 1
            axes = sorted(range(AXES), key=lambda axis: abs(self.axes[axis][1][k]))
            for axis in axes:
                size, strides = self.axes[axis]
                if 0 < abs(strides[k]) <= run:
                    run += abs(strides[k]) * (min(size, self.tile[axis]) - 1)
            if pattern == "t":
                runs.append(run)
        return min(runs)

    def even(self, itemsize: int) -> bool:
        whole = self.tiles[COLUMN] == 1 or self.tile[COLUMN] * itemsize % LINE == 0
        return whole and super().even(itemsize)

    def side(self, axis: int) -> int:
        """Rows or columns of a tile."""
        return math.prod(min(self.axes[k][0], self.tile[k]) for k in (axis, axis + 2))

    def cut_blocks(self, loop: Loop) -> None:
        """Short rows that an input has in another order than the output are walked in blocks of
        both orders, in the input's first: 15 x 120,717 x 34 float32 of which an operand is 120,717
        x 15 x 34 take 0.35 of the time, 9,716 x 2,107 x 3 0.7. Blocks follow each other as most
        inputs have them: 10 x 3 x 16 x 330 x 57 x 3 take 0.4 of the time. Where all of a block's
        rows that an input has at a place are in one line, and the next ones far away, a processor
        foresees those if they come first: 22 x 6 x 60,184 x 2 take 0.6 of the time."""
        row = self.last - 1
        nearest, most_inputs = self.scattered(loop, row)
        columns = loop.sizes[-1]
        if nearest is None or columns * max(self.itemsizes) > _SHORT_ROW:
            return
        rows, groups = _cut(max(1, _UNIT // columns), loop.sizes[nearest], loop.sizes[row])
        if "s" in self.patterns and columns * rows * groups < _UNIT // 8:
            return
        first, second = (loop.dimension(nearest), rows), (loop.dimension(row), groups)
        if any(self.is_apart(loop, k, nearest) for k in self.large):
            first, second = second, first
        (self.axes[ROW], rows), (self.axes[ROW_GROUP], groups) = first, second
        self.tile = [columns, rows, 1, groups]
        self.left = [dim for dim in range(row) if dim != nearest]
        if most_inputs:
            self.left.sort(key=lambda dim: -sum(abs(loop.strides[k][dim]) for k in self.large))
        self.far = True

    def is_apart(self, loop: Loop, operand: int, nearest: int) -> bool:
        """Whether an operand has a whole dimension in a line, and rows in others."""
        steps, itemsize = loop.strides[operand], self.itemsizes[operand]
        near = loop.sizes[nearest] * abs(steps[nearest]) * itemsize
        return 0 < near <= LINE < abs(steps[self.last - 1]) * itemsize

    def scattered(self, loop: Loop, row: int) -> tuple[int | None, bool]:
        """The dimension along which large inputs have rows side by side that the output has not,
        where more than a few lines are walked until it goes on; and whether most of them have it
        so. Walking it first takes 0.17 to 2 times as long as rows as they come, which calls find
        out."""
        found: dict[int, list[int]] = {}  # inputs
        for k in self.large:
            steps = [abs(stride) or 1 << 62 for stride in loop.strides[k][: self.last]]
            dim = steps.index(min(steps))
            if dim != row and steps[dim] < loop.sizes[-1] + LINE // self.itemsizes[k]:
                found.setdefault(dim, []).append(k)
        lines = {dim: sum(self.lines(loop, k, dim) for k in ks) for dim, ks in found.items()}
        dim = max(lines, key=lambda dim: lines[dim], default=row)
        if dim == row or lines[dim] <= _FEW_LINES:
            return None, False
        return dim, 2 * len(found[dim]) > len(self.large)

    def nearest(self, loop: Loop, row: int) -> int | None:
        """The dimension along which a large input's rows are nearest, where that is another one
        than this, and their lines are not in a cache when it is walked."""
        least, found = 1 << 62, None
        for k in self.large:
            strides = loop.strides[k]
            for dim in range(self.last):
                step = abs(strides[dim])
                if 0 < step < min(least, abs(strides[row])) and self.lines(loop, k, dim) > KEPT:
                    least, found = step, dim
        return found

    def lines(self, loop: Loop, operand: int, dim: int) -> int:
        """The most lines of an operand that are walked from one index of a dimension to another."""
        inside = [*zip(loop.sizes, loop.strides[operand], strict=True)][dim + 1 :]
        itemsize, (columns, step) = self.itemsizes[operand], inside[-1]
        spanned = sum((size - 1) * abs(stride) for size, stride in inside) * itemsize // LINE
        of_row = min(columns, 1 + columns * abs(step) * itemsize // LINE)
        return min(spanned, of_row * math.prod(size for size, _ in inside[:-1]))

    def side_by_side(self, loop: Loop) -> int | None:
        """The dimension that more large inputs have side by side than have the last one so."""
        among = [
            sum(abs(loop.strides[k][d]) == 1 for k in self.large) for d in range(self.last + 1)
        ]
        found, most = None, among[-1]
        for dim in reversed(range(self.last)):
            if among[dim] > most and loop.sizes[dim] >= BLOCK:
                found, most = dim, among[dim]
        return found

    def worth_running(self, loop: Loop, along: int) -> bool:
        """Whether vectors are to run along a dimension: rather than to turn tiles of 3 columns and
        more they are not (0.4 to 0.8 of the time), nor of more than 4 beside a long one (0.7 to
        1.0). Some 64 to 512 lines from one index of it to the next are few enough to be there still
        (0.6 to 0.85 of the time without), and too many for what is written to be a run."""
        columns, between = loop.sizes[-1], math.prod(loop.sizes[along + 1 :])
        if "t" in self.patterns:
            narrow = max(self.itemsizes) <= 2
            return self.side(COLUMN) < BLOCK and (columns == 2 or narrow)
        if along == self.last - 1:
            few = columns <= IN_LINE // 2 or loop.sizes[along] <= LONGEST
            return few and self.nearest(loop, along) is None
        return between <= 64 or between * len(self.large) > KEPT

    def run_along(self, loop: Loop, along: int) -> None:
        """Vectors run along a dimension that inputs have side by side, and a few columns are the
        rows; groups are what another operand has nearest: 584 x 520 x 31 x 2 float32 of which an
        operand is 2 x 584 x 520 take half the time."""
        row, none = self.last - 1, (1, [0] * len(loop.strides))
        group = self.nearest(loop, along) if along == row else row
        self.axes = [loop.dimension(along), loop.dimension(self.last), none, loop.dimension(group)]
        columns = loop.sizes[-1]
        each = max(1, _UNIT // columns)
        some, groups = _cut(each, loop.sizes[along], self.axes[ROW_GROUP][0])
        self.tile = [min(max(BLOCK, some), RUN_DOWN // columns), columns, 1, groups]
        self.left = [dim for dim in range(self.last) if dim not in (along, group)]
        steps = self.axes[COLUMN][1]
        self.patterns = "".join({0: "0", 1: "1"}.get(step, "s") for step in steps)
        self.crossing, self.far = False, True


class TurnedTiling(FarTiling):
    """Tiles for operands whose neighbours lie along another dimension than the last, wherever there
    are such."""

    always_across = True

    def worth_running(self, loop: Loop, along: int) -> bool:
        return "t" not in self.patterns and super().worth_running(loop, along)


def _cut(count: int, inner: int, outer: int) -> tuple[int, int]:
    """Two sides of a block of so many: alike, or one longer where the other one cannot be."""
    some = _equally(outer, max(math.isqrt(count), count // inner))
    return _equally(inner, count / some), some


def _equally(whole: int, some: float) -> int:
    """About so many of a whole, in parts that are equally long."""
    return -(-whole // max(1, round(whole / some)))


def _own(loop: Loop, operand: int) -> int:
    """An operand's elements."""
    strides = loop.strides[operand]
    return math.prod(size for size, stride in zip(loop.sizes, strides, strict=True) if stride)


def _in_blocks(count: int) -> int:
    """As many as whole blocks of a transpose have."""
    return -(-count // BLOCK) * BLOCK
