"""From a loop to tiles: which dimensions a tile of the kernel covers, how large it is, and in which
order tiles are walked. calls/plan.h does the same in C, word for word, for small calls."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from operator import mul

from openaclnn.engines.cpu.access import LINE, TILE
from openaclnn.engines.cpu.kernel import COLUMN, COLUMN_GROUP, ROW, ROW_GROUP
from openaclnn.plan.loop import Loop

# Elements of a unit, about. The least hide what a unit costs but for some 2 %, which the most do
# too; in between, this many units are enough to share
UNITS = 8192, 65536, 512
# Elements of a unit whose vectors run down the rows: lines that one column writes a part of are in
# the L1 cache for the next. Rows of 3 and 4 in memory take 0.7 of the time that they take with 8192
RUN_DOWN = 2048  # C has it, too
IN_LINE = 8  # elements
KEPT = 512  # lines of memory that stay in a cache until they are needed again; C has it, too


class Tiling:
    """Which dimensions are the axes of a tile (see `kernel`), and how they are cut."""

    far = False  # whether it is for kernels of operands that no cache holds
    always_across = False  # whether tiles are made across where rows may be faster, too

    def __init__(
        self,
        loop: Loop,
        itemsizes: Sequence[int],
        outputs: int = 1,
        rows_of_unit: int = 0,
        across: bool = True,
    ) -> None:
        """`across`: tiles may be made for an operand whose neighbours lie along another dimension
        than the last, and vectors may run down the rows."""
        operands = len(loop.strides)
        none = 1, [0] * operands
        dims = list(range(len(loop.sizes)))
        column = dims.pop() if dims else None
        crossing = _crossing(loop, itemsizes, self.always_across) if dims and across else None
        row = crossing[1] if crossing is not None else dims[-1] if dims else None
        if row is not None:
            dims.remove(row)
        plain = row is not None and crossing is None and not rows_of_unit
        down = plain and across and _runs_down(loop, itemsizes)
        if down:
            column, row = row, column
        self.crossing, self.row = crossing is not None, row
        # one element: call it contiguous
        first = (1, [1] * operands) if column is None else loop.dimension(column)
        self.axes = [first, none if row is None else loop.dimension(row), none, none]
        self.inputs = operands - outputs
        self.patterns = _patterns(self.axes, crossing, self.inputs)
        self.numel = math.prod(loop.sizes)
        (columns, _), (rows, _), *_ = self.axes
        if crossing is None and rows_of_unit:
            self.tile = [columns, rows_of_unit, 1, 1]
        elif down:
            self.tile = [min(columns, RUN_DOWN // rows), rows, 1, 1]
        elif crossing is None:
            least, most, enough = UNITS
            unit = min(most, max(least, self.numel // enough // least * least))
            self.tile = [min(columns, unit), max(1, unit // max(columns, 1)), 1, 1]
        else:
            self.tile = [TILE, TILE, 1, 1]
            turned = [k for k, pattern in enumerate(self.patterns) if pattern == "t"]
            if turned and dims:
                others = [k for k in range(operands) if k not in turned]
                both = [(COLUMN, column, others), (ROW, row, turned)]
                # the shorter one first: a dimension may go on where either of them ends
                for axis, dim, walked in both if columns <= rows else reversed(both):
                    dims = self.with_groups(loop, dims, axis, dim, walked)
                dims = self.within_lines(loop, dims)
            if dims:
                dims = _in_lines(loop, dims, crossing[0], rows * self.axes[ROW_GROUP][0])
        self.left = dims
        self.count(loop)

    def count(self, loop: Loop) -> None:
        """How many tiles there are, when it is known which dimensions no axis has."""
        self.outer = [loop.dimension(dim) for dim in reversed(self.left)]
        self.tiles = [
            -(-size // tile) for (size, _), tile in zip(self.axes, self.tile, strict=True)
        ]
        groups = min(self.axes[COLUMN_GROUP][0], self.tile[COLUMN_GROUP])
        self.columns = self.axes[COLUMN][0] * groups
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
        """Whether all rows of the output begin with a line of memory if the first one does: parts
        of lines that bypass the caches take three times as long; with half of one, where the row
        before has just written the other half."""
        steps = (strides[-1] for _, strides in (*self.axes[1:], *self.outer))
        part = LINE if self.crossing else LINE // 2
        return not any(step * itemsize % part for step in steps)

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


def _runs_down(loop: Loop, itemsizes: Sequence[int]) -> bool:
    """Whether vectors run down the rows of 2 to 4 columns: where more operands have the rows side
    by side than have the columns so; of 3 or 4 columns, where all but one have.

    Rows of 2 float32 take 0.45 to 0.85 of the time so, of 3 and 4 0.5 to 0.85, of bfloat16 0.35 to
    0.85. Rows of 7 would take up to 1.3 times as long, of 4 that lie apart in two operands 1.5
    times, of float64 up to 1.5 times.
    """
    *_, rows, columns = loop.sizes
    if columns > IN_LINE // 2 or rows < 4 * IN_LINE or max(itemsizes) > 4:
        return False
    along, down = (sum(strides[dim] in (0, 1) for strides in loop.strides) for dim in (-1, -2))
    return down > along and (columns == 2 or down == len(loop.strides) - 1)


def _patterns(
    axes: Sequence[tuple[int, Sequence[int]]], crossing: tuple[int, int] | None, inputs: int
) -> str:
    """How each operand runs along the columns: see `kernel`. One whose columns are near each other
    is not transposed for another one's sake, which may make longer rows without it."""
    columns, rows = axes[COLUMN][1], axes[ROW][1]
    return "".join(
        [
            "1" if column == 1
            else "0" if not column
            else "t" if crossing and rows[k] == 1 and k < inputs
            and (k == crossing[0] or abs(column) >= IN_LINE)
            else "s"
            for k, column in enumerate(columns)
        ]
    )  # fmt: skip


def _crossing(loop: Loop, itemsizes: Sequence[int], always: bool) -> tuple[int, int] | None:
    """The operand that tiles are made for, and the dimension its neighbours lie along: the first
    whose columns lie in a line of memory each, or the one whose columns are furthest apart."""
    found, furthest = None, 1
    for operand, strides in enumerate(loop.strides):
        apart = min(abs(strides[-1]), 2 * IN_LINE)
        if apart <= furthest:
            continue
        row = _row_across(loop, strides, itemsizes[operand], always)
        if row is not None:
            found, furthest = (operand, row), apart
    return found


def _row_across(
    loop: Loop, strides: Sequence[int], itemsize: int, always: bool = False
) -> int | None:
    """The dimension other than the last along which an operand's neighbours lie; the first where
    that is a draw, none where tiles are not worth it, unless they are to be made always.

    Columns whose lines are in a cache when they are needed again are read one by one in half to a
    seventh of the time that tiles take, where they are few; where a unit of them is large, also if
    they are some more (9 to 32 of float32 take 0.6 to 0.9 of it, of bfloat16 1.1 to 3 times), or
    near each other, or if nothing can be transposed. So are a few that stay in their lines from row
    to row, and those of tiles with fewer elements than a unit's own cost is worth. Tiles of columns
    near each other ask for more of them: 2 rows of 2^22 and more take 0.75 of the time by
    themselves, 3 rows 1.3 times.
    """
    columns, last = loop.sizes[-1], abs(strides[-1])
    steps = [abs(stride) or last for stride in strides]
    least = min(steps)
    row = steps.index(least)
    rows, few, near = loop.sizes[row], columns <= IN_LINE, last < IN_LINE
    if always:
        return row if least < last else None
    some_more = itemsize > 2 and columns <= 4 * IN_LINE
    large = columns * loop.sizes[-2] >= 4 * TILE
    kept = math.prod(loop.sizes[row + 1 :]) <= KEPT
    if kept and (few or (large and (some_more or near or least > 1))):
        return None
    if least == last or (few and steps[-2] <= 2 * IN_LINE):
        return None
    if near and large and least == 1 and not few:
        return row if min(rows, TILE) * min(columns, TILE) > 2 * TILE else None
    return row if rows * columns >= 2 * IN_LINE else None


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
