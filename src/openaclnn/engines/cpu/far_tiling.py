"""Tiles of operands that no cache holds: memory decides there how loops are best cut.

A unit's operands are to be a few long runs each, so that lines of memory are read and written once
and page after page. These loops are Python's alone: calls/plan.h has those of smaller calls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from openaclnn.engines.cpu.access import LINE, LONGEST, TILE
from openaclnn.engines.cpu.kernel import COLUMN, COLUMN_GROUP, ROW, ROW_GROUP
from openaclnn.engines.cpu.tiling import IN_LINE, KEPT, RUN_DOWN, Tiling
from openaclnn.engines.cpu.transpose import BLOCK
from openaclnn.plan.loop import Loop

_UNIT = 8192  # elements of a unit that is a block of rows, about
_SHORT_ROW = 1024  # bytes: of longer rows an operand has enough at one place
_LARGE = 8  # times as few elements as there are in all are in a cache, mostly


class FarTiling(Tiling):
    """The usual tiles, but for rows and columns that are short.

    Of products of 2^24 to 2^26 float32 in 800 layouts by chance, 33 took longer than PyTorch's
    with the usual ones; those take 0.38 to 0.9 of the time so, but for a few.
    """

    def __init__(self, loop: Loop, itemsizes: Sequence[int], outputs: int = 1) -> None:
        super().__init__(loop, itemsizes, outputs)
        self.itemsizes, self.last = itemsizes, len(loop.sizes) - 1
        self.large = [k for k in range(self.inputs) if _LARGE * _own(loop, k) >= self.numel]
        columns = loop.sizes[-1] if self.last > 0 else LONGEST
        turns = "t" in self.patterns
        along = self.side_by_side(loop) if columns <= IN_LINE else None
        if along is not None and not (turns and self.side(COLUMN) >= BLOCK):
            self.run_along(loop, along)
        elif turns:
            self.lengthen(loop)
        elif self.last > 1 and columns * max(itemsizes) <= _SHORT_ROW and "s" not in self.patterns:
            self.cut_blocks(loop)
        self.count(loop)

    def lengthen(self, loop: Loop) -> None:
        """Where one side of a tile is short, the other one is longer; what the output has next to
        a row is walked before the rows: 420,147 x 9 x 10 float32 of which an operand is 10 x 9 x
        420,147 take 0.45 of the time. Asking for tiles of a few elements ahead takes longer than
        waiting for them: 700,877 x 2 x 2 x 12 bfloat16 1.5 times as long."""
        if self.axes[COLUMN_GROUP][0] == 1 and self.left:
            following = loop.dimension(self.left[-1])
            if following[1][-1] * self.itemsizes[-1] < 4 * LINE:
                self.axes[COLUMN_GROUP] = following
                self.left = self.left[:-1]
        self.tile = [min(size, tile) for (size, _), tile in zip(self.axes, self.tile, strict=True)]
        for axis, other in ((COLUMN, ROW), (ROW, COLUMN)):
            most = min(LONGEST, TILE * TILE // _in_blocks(self.side(other)) // BLOCK * BLOCK)
            size = self.axes[axis][0]
            if self.tile[axis + 2] > 1:
                self.tile[axis + 2] = min(self.axes[axis + 2][0], most // size)
            else:  # tiles that are equally long
                self.tile[axis] = min(size, _in_blocks(-(-size // -(-size // most))))
        self.far = self.side(COLUMN) * self.side(ROW) >= BLOCK * BLOCK

    def even(self, itemsize: int) -> bool:
        whole = self.tiles[COLUMN] == 1 or self.tile[COLUMN] * itemsize % LINE == 0
        return whole and super().even(itemsize)

    def side(self, axis: int) -> int:
        """Rows or columns of a tile."""
        return math.prod(min(self.axes[k][0], self.tile[k]) for k in (axis, axis + 2))

    def cut_blocks(self, loop: Loop) -> None:
        """Short rows that an input has in another order than the output are walked in blocks of
        both orders, in the input's first: 15 x 120,717 x 34 float32 of which an operand is 120,717
        x 15 x 34 take 0.35 of the time, 9,716 x 2,107 x 3 0.7."""
        row = self.last - 1
        nearest = self.nearest(loop, row)
        if nearest is None:
            return
        columns = loop.sizes[-1]
        rows, groups = _cut(max(1, _UNIT // columns), loop.sizes[nearest], loop.sizes[row])
        self.axes[ROW], self.axes[ROW_GROUP] = loop.dimension(nearest), loop.dimension(row)
        self.tile = [columns, rows, 1, groups]
        self.left = [dim for dim in range(row) if dim != nearest]
        self.far = True

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
        spanned = sum((size - 1) * abs(stride) for size, stride in inside)
        walked = math.prod(size for size, _ in inside)
        return min(spanned * self.itemsizes[operand] // LINE, walked)

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


def _cut(count: int, inner: int, outer: int) -> tuple[int, int]:
    """Two sides of a block of so many: alike, or one longer where the other one cannot be."""
    some = min(outer, max(math.isqrt(count), count // inner))
    return min(inner, max(1, count // some)), some


def _own(loop: Loop, operand: int) -> int:
    """An operand's elements."""
    strides = loop.strides[operand]
    return math.prod(size for size, stride in zip(loop.sizes, strides, strict=True) if stride)


def _in_blocks(count: int) -> int:
    """As many as whole blocks of a transpose have."""
    return -(-count // BLOCK) * BLOCK
