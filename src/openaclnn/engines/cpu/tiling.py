"""From a loop to tiles: which dimensions a tile of the kernel covers, how large it is, and in which
order tiles are walked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import count, pairwise
from operator import index, mul
from typing import Any

from openaclnn.base.trace import (
    all_of,
    any_of,
    equal,
    in_order,
    least,
    less,
    most,
    pick,
)
from openaclnn.engines.cpu.access import LINE, TILE
from openaclnn.engines.cpu.kernel import COLUMN, COLUMN_GROUP, ROW, ROW_GROUP
from openaclnn.plan.loop import Loop

# Elements of a unit, about. The least hide what a unit costs but for some 2 %, which the most do
# too; in between, this many units are enough to share
UNITS = 8192, 65536, 512
# Elements of a unit whose vectors run down the rows: lines that one column writes a part of are in
# the L1 cache for the next. Rows of 3 and 4 in memory take 0.7 of the time that they take with 8192
RUN_DOWN = 2048
IN_LINE = 8  # elements
KEPT = 512  # lines of memory that stay in a cache until they are needed again


Dim = tuple[int, ...]  # which one it is in its loop, its size, then every operand's stride


class UnitTiling:
    """Which dimensions are the axes of a tile (see `kernel`), and how they are cut."""

    far = False  # whether it is for kernels of operands that no cache holds
    always_across = False  # whether tiles are made across where rows may be faster, too

    def __init__(
        self,
        loop: Loop,
        itemsizes: Sequence[int],
        outputs: int = 1,
        across: bool = True,
    ) -> None:
        """`across`: tiles may be made for an operand whose neighbours lie along another dimension
        than the last, and vectors may run down the rows."""
        operands = len(loop.strides)
        self.none = none = 1, [0] * operands
        dims: list[Dim] = [*zip(count(), loop.sizes, *loop.strides)]
        column = _axis(dims.pop()) if dims else none
        across = across and bool(dims)
        crossing = _crossing(loop, itemsizes, self.always_across) if across else None
        row, down = none, 0
        if crossing is not None:
            line, dims = taken(dims, crossing[1])
            row = _axis(line)
        elif dims:
            row = _axis(dims.pop())
        if across and crossing is None:
            down = _runs_down(loop, itemsizes)
            column, row = _chosen(down, row, column), _chosen(down, column, row)
        self.crossing = crossing is not None
        alone = equal(column[0], 1)  # one element: call it contiguous
        first = column[0], [pick(alone, (stride, 1)) for stride in column[1]]
        self.axes = [first, row, none, none]
        self.inputs = operands - outputs
        self.code, turns = _patterns(self.axes, crossing, self.inputs)
        self.numel = math.prod(loop.sizes)
        (columns, _), (rows, _), *_ = self.axes
        if crossing is not None:
            self.tile = [TILE, TILE, 1, 1]
            if dims:
                dims = self.with_groups(dims, turns)
                dims = _in_lines(dims, crossing[0], rows * self.axes[ROW_GROUP][0])
        else:
            small, large, enough = UNITS
            unit = least(large, most(small, self.numel // enough // small * small))
            several = pick(down, (most(1, unit // most(columns, 1)), rows))
            unit = pick(down, (unit, RUN_DOWN // most(rows, 1)))
            self.tile = [least(columns, unit), several, 1, 1]
        self.dims = dims
        self.count([_axis(dim) for dim in reversed(dims)])

    @cached_property
    def patterns(self) -> str:
        """How each operand runs along the columns: see `kernel`."""
        return patterns_of(index(self.code), len(self.axes[0][1]))

    def count(self, outer: list[tuple[int, list[int]]]) -> None:
        """How many tiles there are, given the dimensions that no axis has."""
        self.outer = outer
        self.tiles = [
            -(-size // tile) for (size, _), tile in zip(self.axes, self.tile, strict=True)
        ]
        groups = least(self.axes[COLUMN_GROUP][0], self.tile[COLUMN_GROUP])
        self.columns = self.axes[COLUMN][0] * groups
        self.units = math.prod(self.tiles) * math.prod([size for size, _ in self.outer])

    def with_groups(self, dims: list[Dim], turns: Sequence[int]) -> list[Dim]:
        """Where an axis is short, the dimension that goes on for its operands where it ends makes
        groups of it: of rows for those that are transposed, of columns for others. Where columns
        have none, a dimension along which an operand moves inside a line of memory is walked before
        the rows: the line is in a cache then. Returns the dimensions that are left, those that are
        gone with size 1."""
        worth = any_of(*turns)
        column, row = ((*self.axes[axis], walked) for axis, walked in (
            (COLUMN, [1 - turn for turn in turns]), (ROW, turns)
        ))  # fmt: skip
        # the shorter one first: a dimension may go on where either of them ends
        rows_first = less(row[0], column[0])
        (both, found) = [], []
        for number in range(2):
            which = rows_first if number == 0 else 1 - rows_first
            size = pick(which, (column[0], row[0]))
            ends = [size * pick(which, pair) for pair in zip(column[1], row[1], strict=True)]
            walked = [pick(which, pair) for pair in zip(column[2], row[2], strict=True)]
            short = all_of(worth, less(2 * size, TILE + 1))
            goes_on = [
                all_of(short, *(
                    any_of(1 - walks, equal(step, end))
                    for walks, step, end in zip(walked, dim[2:], ends, strict=True)
                ))
                for dim in dims
            ]  # fmt: skip
            following, dims = first_of(dims, goes_on)
            both.append(following)
            found.append(any_of(*goes_on))
        for axis, which in ((COLUMN, rows_first), (ROW, 1 - rows_first)):
            size, grouped = self.axes[axis][0], pick(which, found)
            self.axes[axis + 2] = _chosen(which, both[1], both[0])
            self.tile[axis] = pick(grouped, (TILE, size))
            self.tile[axis + 2] = pick(grouped, (1, TILE // size))
        alone = 1 - pick(rows_first, found)
        moves = [
            all_of(worth, alone, any_of(
                *(less(0, abs(step)) * less(abs(step), IN_LINE) for step in dim[2:])
            ))
            for dim in dims
        ]  # fmt: skip
        moving, dims = first_of(dims, moves)
        self.axes[COLUMN_GROUP] = _chosen(alone, moving, self.axes[COLUMN_GROUP])
        return dims

    def even(self, itemsize: int) -> bool:
        """Whether all rows of the output begin with a line of memory if the first one does: parts
        of lines that bypass the caches take three times as long; with half of one, where the row
        before has just written the other half."""
        steps = (strides[-1] for _, strides in (*self.axes[1:], *self.outer))
        part = LINE if self.crossing else LINE // 2
        return not any(step * itemsize % part for step in steps)

    def words(self, sizes: Sequence[int]) -> list[int]:
        """The block after pointers and uniforms."""
        words = [size for size, _ in self.axes]
        words += self.tile
        words += self.tiles
        words += (more_than_one(self.outer), self.units)
        for _, strides in self.axes:
            words += map(mul, strides, sizes)
        for dim_size, strides in self.outer:
            words.append(dim_size)
            words += map(mul, strides, sizes)
        return words


def _runs_down(loop: Loop, itemsizes: Sequence[int]) -> int:
    """1 where vectors run down the rows of 2 to 4 columns: where more operands have the rows side
    by side than have the columns so; of 3 or 4 columns, where all but one have.

    Rows of 2 float32 take 0.45 to 0.85 of the time so, of 3 and 4 0.5 to 0.85, of bfloat16 0.35 to
    0.85. Rows of 7 would take up to 1.3 times as long, of 4 that lie apart in two operands 1.5
    times, of float64 up to 1.5 times.
    """
    *_, rows, columns = loop.sizes
    if max(itemsizes) > 4:
        return 0
    along, down = (
        sum(any_of(equal(strides[dim], 0), equal(strides[dim], 1)) for strides in loop.strides)
        for dim in (-1, -2)
    )
    few = all_of(less(columns, IN_LINE // 2 + 1), less(4 * IN_LINE - 1, rows))
    side_by_side = any_of(equal(columns, 2), equal(down, len(loop.strides) - 1))
    found: int = all_of(few, less(along, down), side_by_side)
    return found


def _patterns(
    axes: Sequence[tuple[int, Sequence[int]]], crossing: tuple[int, int] | None, inputs: int
) -> tuple[int, list[int]]:
    """How each operand runs along the columns, two bits for each, and which of them are transposed:
    see `kernel`. One whose columns are near each other is not transposed for another one's sake,
    which may make longer rows without it."""
    columns, rows = axes[COLUMN][1], axes[ROW][1]
    found: Any = 0
    turns: list[Any] = []
    for k, column in enumerate(columns):
        turned: Any = 0
        if crossing and k < inputs:
            far = any_of(equal(k, crossing[0]), less(IN_LINE - 1, abs(column)))
            turned = all_of(equal(rows[k], 1), far)
        # the first of these that holds
        one, none = equal(column, 1), equal(column, 0)
        turns.append((1 - one) * (1 - none) * turned)
        found = 4 * found + one + (1 - one) * (1 - none) * 2 + turns[-1]
    return found, turns


def patterns_of(code: int, operands: int) -> str:
    """Such bits as `kernel` reads them."""
    return "".join("01st"[code >> 2 * k & 3] for k in reversed(range(operands)))


def _crossing(loop: Loop, itemsizes: Sequence[int], always: bool) -> tuple[int, int] | None:
    """The operand that tiles are made for, and the dimension its neighbours lie along: the first
    whose columns lie in a line of memory each, or the one whose columns are furthest apart."""
    found = []
    for operand, strides in enumerate(loop.strides[:-1]):  # the last one's fastest is innermost
        worth, row = _row_across(loop, strides, itemsizes[operand], always)
        found.append((worth * least(abs(strides[-1]), 2 * IN_LINE), operand, row))
    if not found:
        return None
    apart, operand, row = in_order(found, lambda one: (one[0], 0))[0]
    return (operand, row) if apart > 1 else None


def _row_across(
    loop: Loop, strides: Sequence[int], itemsize: int, always: bool = False
) -> tuple[int, int]:
    """Whether tiles are worth it, 1 or 0, and the dimension other than the last along which an
    operand's neighbours lie, the first where that is a draw; they may have to be made always.

    Columns whose lines are in a cache when they are needed again are read one by one in half to a
    seventh of the time that tiles take, where they are few; where a unit of them is large, also if
    they are some more (9 to 32 of float32 take 0.6 to 0.9 of it, of bfloat16 1.1 to 3 times), or
    near each other, or if nothing can be transposed. So are a few that stay in their lines from row
    to row, and those of tiles with fewer elements than a unit's own cost is worth. Tiles of columns
    near each other ask for more of them: 2 rows of 2^22 and more take 0.75 of the time by
    themselves, 3 rows 1.3 times.
    """
    columns, last = loop.sizes[-1], abs(strides[-1])
    steps = [pick(equal(stride, 0), (abs(stride), last)) for stride in strides]
    inside = [math.prod(loop.sizes[dim + 1 :]) for dim in range(len(steps))]
    dims = [*zip(steps, range(len(steps)), loop.sizes, inside, strict=True)]
    nearest, row, rows, between = in_order(dims, lambda dim: (-dim[0], 0))[0]
    crosses = less(nearest, last)
    if always:
        return crosses, row
    few, near, kept = less(columns, IN_LINE + 1), less(last, IN_LINE), less(between, KEPT + 1)
    large = less(4 * TILE - 1, columns * loop.sizes[-2])
    some_more = less(columns, 4 * IN_LINE + 1) if itemsize > 2 else 0
    by_rows = any_of(
        all_of(kept, any_of(few, all_of(large, any_of(some_more, near, less(1, nearest))))),
        all_of(few, less(steps[-2], 2 * IN_LINE + 1)),
    )
    of_tile = least(rows, TILE) * least(columns, TILE)
    wide = all_of(near, large, equal(nearest, 1), 1 - few)
    enough = wide * less(2 * TILE, of_tile) + (1 - wide) * less(2 * IN_LINE - 1, rows * columns)
    return all_of(crosses, 1 - by_rows, enough), row


def _in_lines(dims: list[Dim], operand: int, rows: int) -> list[Dim]:
    """Dimensions in an order that follows a crossing operand for as long as a tile would: where its
    fastest dimension is short, the lines that one tile reads a part of serve the next ones. Those
    of size 1 are outside of all."""
    steps = [abs(pick(operand, dim[2:])) for dim in dims]
    far = [
        (-step - equal(step, 0) * (1 << 62), *dim) for step, dim in zip(steps, dims, strict=True)
    ]
    placed: list[tuple[int, ...]] = []
    for place, (_, *dim) in enumerate(in_order(far, lambda dim: (dim[0], 0))):
        follows = less(rows, TILE)
        outside = pick(equal(dim[1], 1), (1 - follows, 2))
        placed.append((outside, pick(follows, (-dim[0], place)), *dim))
        rows *= dim[1]
    return [dim[2:] for dim in in_order(placed, lambda dim: (dim[0], dim[1]))]


def taken(dims: list[Dim], which: int) -> tuple[Dim, list[Dim]]:
    """A dimension by its number, and the others."""
    columns = [*zip(*dims, strict=True)]
    others = [
        tuple(pick(less(number, which), pair) for pair in zip(after, dim, strict=True))
        for number, (dim, after) in enumerate(pairwise(dims))
    ]
    return tuple(pick(which, column) for column in columns), others


def first_of(dims: list[Dim], wanted: Sequence[int]) -> tuple[tuple[int, list[int]], list[Dim]]:
    """The first dimension that is wanted as an axis, or none, and the dimensions with one of size 1
    in its place."""
    none = (len(dims), 1, *[0] * (len(dims[0]) - 2))
    which = number_of_first(wanted, len(dims))
    found = [pick(which, column) for column in zip(*dims, none, strict=True)]
    left = []
    for number, dim in enumerate(dims):
        gone = equal(which, number)
        left.append((dim[0], *(pick(gone, pair) for pair in zip(dim[1:], none[1:], strict=True))))
    return (found[1], found[2:]), left


def number_of_first(wanted: Sequence[int], default: int) -> int:
    """The number of the first that is wanted."""
    for number, flag in reversed([*enumerate(wanted)]):
        default = pick(flag, (default, number))
    return default


def _chosen(
    which: int, one: tuple[int, Sequence[int]], other: tuple[int, Sequence[int]]
) -> tuple[int, list[int]]:
    """One axis where `which` is 1, else the other."""
    (size, strides), (its, others) = one, other
    pairs = zip(others, strides, strict=True)
    return pick(which, (its, size)), [pick(which, pair) for pair in pairs]


def more_than_one(outer: Sequence[tuple[int, Any]]) -> int:
    """How many dimensions a kernel walks: those of size 1 are the last."""
    return sum(1 - equal(size, 1) for size, _ in outer)


def _axis(dim: Dim) -> tuple[int, list[int]]:
    """Size and strides of a dimension."""
    return dim[1], [*dim[2:]]
