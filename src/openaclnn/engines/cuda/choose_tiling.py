"""From a loop to its tiling, by the orders in which operands have their dimensions.

- One dimension: a flat tile.
- An operand whose neighbours lie along another dimension than the output's: rows along that one,
  so that each is read or written in runs, and the tile turned on the chip.
- Two such operands whose neighbours lie along different dimensions: layers along the second's.
- An operand that repeats along an outer dimension: rows along it, so that it is read once for all.
- Anything else: short vectors along the last dimension, or single elements, their place decoded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, permutations
from operator import mul

from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.tile_table import Tile, power_of_two
from openaclnn.engines.cuda.tiling import (
    NEAR,
    SECTOR,
    VECTOR,
    Axis,
    Dim,
    ShiftedTiling,
    StagedTiling,
    Tiling,
    Windows,
    dims_of,
)
from openaclnn.plan.loop import Loop

_WASTE = 1.125  # an axis takes another dimension while its tiles cover so much more than it has
_SECTOR = 32  # bytes that memory moves at once
# Elements of a row that is worth vectors: of shorter ones too much is in parts of a vector. 51 of a
# matrix 0.70, decoded one by one 0.85; 54 in five dimensions, which take longer to decode, 0.90 and
# 0.77; 113 in four 0.95 and 0.79. In four, where the output is in order, 47 0.80 and 0.55, 35 0.72
# and 0.64, 33 0.91 and 0.97; where it is not, 44 0.40 and 0.50.
_SHORT_ROW, _SHORT_ROW_OF_SEVERAL, _SHORT_ROW_IN_ORDER, _SEVERAL = 96, 48, 34, 4
# Where the output's columns are several dimensions, tiles in its order do better than turned ones
# (1.0 to 1.4 times in f32, 0.9 to 1.9 in bf16) if of so many elements so many lie side by side in
# every input; else worse (0.8, 0.6; with 20 of them 0.38 where turned tiles have 0.74). Nor may an
# input have more places that are read at once: 17 to 57 of them 0.23 to 0.65, turned 0.59 to 0.81.
_FOLLOWING, _RUN, _APART = 1024, 21, 16
# Tiles along the columns, of which so few are computed at once and of so many the first have left
# the second cache when their neighbours below are read. Rows of up to 64 bytes, of which a third or
# more are sectors that they share, come below each other first then (16 bits: 1.05 and 1.2 times as
# fast, up to 1.5; between these 0.98). Of 128 bytes a fifth is shared (0.92; of 3000 tiles 1.03).
_AT_ONCE, _LEFT_CACHE, _SHARING, _LEFT_CACHE_OF_LONG = 200, 750, 64, 2000
_FEW_TILES = 8  # of short rows
# Elements of a dimension that a tile in the output's order has many of, and of an input beside it
_FOLLOWED, _SHORT_RUN = 32, 5
_IN_CACHE = 16  # elements of 16 bits, of which a row that repeats need not be read for several
_NARROWEST = 32  # columns of windows, of which 8 more are read
_EMPTY = 1.5  # times as many elements as there are: 34 rows in two tiles 0.54, turned 0.63
_LONGER = 1.1  # times as many elements are covered by tiles with longer rows that are as good
# Rows and columns of matrices that have the highest tiles in windows; of those that have any though
# no input lies like the output (five 1.12 times as fast; eleven of shorter rows 0.94).
_HIGH, _WIDE, _MANY_ROWS, _FAR_APART = 512, 1 << 13, 96, 1 << 15
_SLIGHTLY = 1.14  # times as many elements as there are in larger tiles
# Pieces of an input for an element of a tile, above which three axes are better: 14 random layouts
# of 0.18 to 0.56 1.6 times as fast (45x29x18780 0.62, was 0.21)
_SCATTERED = 1 / 9
# Elements of the output that follow each other, and of its first dimension, for tiles on few warps
_GOES_ON, _SHORT_FIRST = 78, 256


def tiling_of(loop: Loop, itemsizes: Sequence[int], weight: str, outputs: int = 1) -> Tiling:
    """The tiles for a loop over operands with elements of these sizes, the last of them outputs."""
    dims = dims_of(loop, step=1)
    if len(dims) == 1:
        several = tiles.FLAT_OF_SEVERAL if len(itemsizes) > 2 else tiles.FLAT
        tile = tiles.worth_a_program(several.get(weight, tiles.FLAT[weight]), itemsizes, weight)
        return Tiling((Axis((dims[0],), tile.size),), (), tile)
    column = dims[0]
    crossing = [k for k in range(len(itemsizes)) if _fastest(dims, k) is not column]
    if crossing:
        return _turned(dims, _most_crossing(dims, crossing, itemsizes), itemsizes, weight, outputs)
    if column.size * max(itemsizes) < _SECTOR:  # what follows decides which sectors are read
        for operand in range(len(itemsizes)):
            if dims[1].strides[operand] and _fastest(dims[1:], operand) is not dims[1]:
                return _turned(dims, operand, itemsizes, weight, outputs)
    shifted = _shifted(dims, itemsizes, weight)
    if shifted is not None:
        return shifted
    for dim in dims[1:]:
        if any(s == 0 and c != 0 for s, c in zip(dim.strides, column.strides, strict=True)):
            return _repeated(dims, dim, itemsizes, weight)
    return _decoded(dims, itemsizes, weight)


def crosses_oddly(loop: Loop, tiling: Tiling, itemsizes: Sequence[int]) -> bool:
    """Whether an input is transposed to the output, and elements move one by one or in windows."""
    dims = dims_of(loop, step=1)
    odd = isinstance(tiling, StagedTiling) or tiling.odd(itemsizes)
    return odd and bool(_across(dims, len(itemsizes) - 1))


def others(loop: Loop, itemsizes: Sequence[int], weight: str) -> list[Tiling]:
    """Tilings of a loop that an input is transposed in, those that move the fewest sectors first.
    Of 455 random layouts in bf16 the fastest takes 0.93 of the time of the one that rules choose,
    the fastest of that and the first three of these 0.97, up to 0.5; no rule was found that
    tells."""
    dims, inputs, tried = dims_of(loop, step=1), len(itemsizes) - 1, tiles.TRIED[weight]
    orders: list[list[Dim]] = []
    for operand in _across(dims, inputs):
        by_operand = _by(dims, operand)
        orders += [by_operand] if by_operand not in orders else []
    found: list[Tiling | None] = [_loose(dims, weight)]
    for by_operand in orders[:2]:
        facts = dims, by_operand, _by_turns(dims, by_operand)
        found += [_rows_and_columns(*facts, itemsizes, tile) for tile in tried.turned]
        found += [_in_windows(*facts, itemsizes, tile) for tile in tried.in_windows]
        found += [_in_output_order(*facts, tile) for tile in tried.in_output_order]
    for first, second in permutations(orders[:2], 2):
        if first[0] is not second[0]:
            order = _by_turns(dims, first)
            found += [_layered((dims, first, second), order, tile) for tile in tried.layered]
    unique = [one for at, one in enumerate(found) if one is not None and one not in found[:at]]
    return sorted(unique, key=lambda tiling: _cost(tiling, itemsizes))


def _across(dims: list[Dim], inputs: int) -> list[int]:
    """The inputs whose neighbours lie along another dimension than the output's."""
    return [k for k in range(inputs) if _fastest(dims, k) is not dims[0]]


def _fastest(dims: Sequence[Dim], operand: int) -> Dim:
    """Along which dimension an operand's neighbours lie; the first where that is a draw."""
    if dims[0].strides[operand] == 0:
        return dims[0]
    return min(dims, key=lambda dim: abs(dim.strides[operand]) or 1 << 62)


def _most_crossing(dims: list[Dim], crossing: list[int], itemsizes: Sequence[int]) -> int:
    """Of some operands the first whose neighbours are far from each other in the output: not among
    the dimensions in which the output fills a sector."""
    filling = _filling(dims, itemsizes[-1])
    return next((k for k in crossing if _fastest(dims, k) not in filling), crossing[0])


def _filling(dims: list[Dim], itemsize: int) -> list[Dim]:
    """The dimensions in which the output fills a sector."""
    bytes_before = accumulate((dim.size for dim in dims), mul, initial=itemsize)
    return [dim for dim, size in zip(dims, bytes_before, strict=False) if size < _SECTOR]


def _hides(by_operand: list[Dim], columns: list[Dim], operand: int) -> bool:
    """Whether of an operand's second dimension more elements are in a sector than it has of the
    first, and the columns have it after many others: rows along the second are better then
    (109x109x2 of 2 before 109: 0.6, else 0.23)."""
    first, second = by_operand[:2]
    if second not in columns[1:]:
        return False
    before = math.prod(dim.size for dim in columns[: columns.index(second)])
    in_sector = min(second.size, 2 * NEAR / abs(second.strides[operand] or 2 * NEAR))
    return before >= _FOLLOWED and 1.5 * first.size < in_sector


def _in_output_order(
    dims: list[Dim], by_operand: list[Dim], order: list[Dim], tile: Tile
) -> Tiling:
    """Columns along the output's first dimensions, rows along an operand's that are left: 0.82 and
    0.68 where taken in turns they had 0.27 and 0.28 (2x6x24x13282x11 of 6 first, 2x3x6x5x25712x14
    of 3)."""
    columns = [dims[0]]
    while _wasteful(columns, tile.columns) and len(columns) < len(dims) - 1:
        columns.append(dims[len(columns)])
    left = [dim for dim in by_operand if dim not in columns]
    rows = [left[0]]
    while _wasteful(rows, tile.rows) and len(rows) < len(left):
        rows.append(left[len(rows)])
    return _two_axes(order, rows, columns, tile)


def _turned(
    dims: list[Dim], operand: int, itemsizes: Sequence[int], weight: str, outputs: int
) -> Tiling:
    """Rows along an operand's fastest dimensions, columns along the output's."""
    by_operand = _by(dims, operand)
    inputs, narrow = len(itemsizes) - 1, max(itemsizes) == 2
    some_lie_like_output = any(_fastest(dims, other) is dims[0] for other in range(inputs))
    tile = tiles.TURNED[weight]
    columns, rows = _taken_together((dims, tile.columns), (by_operand, tile.rows))
    if narrow and some_lie_like_output:
        together = len(rows) > 1 or len(columns) > 1
        masked = tiles.TURNED_THREE if inputs == 3 else tiles.TURNED_TOGETHER if together else {}
        if weight in masked:
            tiling = _two_axes(by_operand, rows, columns, masked[weight])
            if tiling.as_large_as_its_tile and tiling.ends_in_vectors(itemsizes):
                return tiling
    if narrow:
        tile = tiles.TURNED_NARROW.get(weight, tile)
    order = dims if some_lie_like_output else by_operand
    tiling = _two_axes(order, rows, columns, tile)
    if not tiling.odd(itemsizes) and by_operand[0] is not dims[0]:
        return tiling
    # runs start and end inside a sector of memory: soon after a tile come those beside it, along
    # the output and along the operand
    order = _by_turns(dims, by_operand)
    tile = (tiles.TURNED_ODD_NARROW if narrow else tiles.TURNED_ODD).get(weight, tile)
    columns, rows = _taken_together((dims, tile.columns), (by_operand, tile.rows))
    several = Axis(tuple(columns), 1).pattern(inputs) == "d"
    if several and all(_follows(dims, other) for other in range(inputs)):
        return _loose(dims, weight)
    inside = by_operand[0] in _filling(dims, itemsizes[-1])[1:]
    if inside and columns != dims[: len(columns)] and narrow and weight in tiles.TURNED_ODD_LONG:
        # The operand crosses the output inside a sector of it: columns are the output's first
        # dimensions, whatever operands have first. Where that is long, tiles in the output's order
        # have runs of it (5x2056x7x9x46 of 2056 first: 0.59, turned 0.31; but where 2 elements of
        # another input lie side by side 0.23 and 0.58).
        if by_operand[0].size >= _FOLLOWED:
            if all(_run(dims, other) >= _SHORT_RUN for other in range(inputs)):
                return _loose(dims, weight)
        elif len(rows) > 1:
            return _in_output_order(dims, by_operand, order, tile)
    if _hides(by_operand, columns, operand):
        by_operand[:2] = reversed(by_operand[:2])
        columns, rows = _taken_together((dims, tile.columns), (by_operand, tile.rows))
    covered = [*_covered(columns, tile.columns), *_covered(rows, tile.rows)]
    for other in range(inputs):
        if other != operand and _fastest(dims, other) not in covered:
            crossed = _crossed(dims, by_operand, _by(dims, other), order, narrow, weight)
            if crossed is not None:
                return crossed
    staged = _staged(dims, by_operand, order, itemsizes, weight) if outputs == 1 else None
    if staged is not None:
        return staged
    cut = partial(_rows_and_columns, dims, by_operand, order, itemsizes)
    tiling = cut(tile)
    if not narrow or weight not in tiles.TURNED_ODD_LONG:
        return tiling
    long = tiles.TURNED_ODD_LONG[weight]
    # one tile has all rows: 36 of them 0.64, in two 0.50; 63 0.65 and 0.68
    whole = long.rows < tiling.axes[0].size < 0.9 * tile.rows
    longer = tiling if whole else cut(long)
    if _cost(longer, itemsizes) < _cost(tiling, itemsizes):
        tiling = longer
    scattered = max(_pieces(tiling, k) for k in range(inputs)) > _SCATTERED
    crossed = _crossed_by_two(dims, inputs, weight) if scattered else None
    if crossed is not None:
        return crossed
    crossing = sum(_fastest(dims, other) is not dims[0] for other in range(inputs))
    if tiling.axes[1].patterns[-1] == "d" and crossing < 2:
        return cut(tiles.TURNED_ODD_APART[weight])
    short = dims[0].size <= _SHORT_FIRST and _goes_on(dims) > _GOES_ON
    in_vectors = any(map(tiling.alignable, range(inputs), itemsizes))
    if short and tiling.axes[0].tile > long.rows and not (whole or in_vectors):
        return cut(tiles.TURNED_ODD_IN_ORDER[weight])
    return tiling


def _goes_on(dims: list[Dim]) -> int:
    """How many elements of the output follow each other in memory."""
    count = 1
    for dim in dims:
        if dim.strides[-1] != count:
            break
        count *= dim.size
    return count


def _pieces(tiling: Tiling, operand: int) -> float:
    """About how many pieces of an operand a tile has for an element, small gaps left out."""
    elements, steps = 1.0, []
    for axis in tiling.axes:
        left = float(axis.tile)
        for dim in axis.dims:
            count = min(dim.size, max(1.0, left))
            elements *= count
            left /= dim.size
            if dim.strides[operand]:
                steps.append((abs(dim.strides[operand]), count))
    steps.sort()
    run = 1.0
    while steps and steps[0][0] < run + NEAR:
        stride, count = steps.pop(0)
        run += stride * (count - 1)
    return math.prod(count for _, count in steps) / elements


def _crossed_by_two(dims: list[Dim], inputs: int, weight: str) -> Tiling | None:
    """Layers as well, where two inputs cross the output along different dimensions."""
    across = _across(dims, inputs)
    for other in across[1:]:
        if _fastest(dims, other) is not _fastest(dims, across[0]):
            first, second = (_by(dims, k) for k in (across[0], other))
            sizes = tiles.CROSSED_NARROW[weight], *tiles.CROSSED_OTHERS[weight]
            made = (_layered((dims, first, second), _by_turns(dims, first), one) for one in sizes)
            return next(filter(None, made), None)
    return None


def _staged(
    dims: list[Dim],
    by_operand: list[Dim],
    order: list[Dim],
    itemsizes: Sequence[int],
    weight: str,
) -> StagedTiling | None:
    """Tiles that are turned in windows, where that can be; None where no input lies like the output
    and rows are not very long."""
    cut = partial(_in_windows, dims, by_operand, order, itemsizes)
    cuts = [tiling for tiling in map(cut, tiles.STAGED.get(weight, ())) if tiling]
    found = None
    for tiling in cuts:
        alike = "1" in tiling.axes[1].patterns[:-1]
        if alike and (found is None or _LONGER * tiling.covered < found.covered):
            found = tiling
    if len(itemsizes) > 3:
        return found  # more inputs in larger tiles are more than a thread has registers for
    if cuts and found is None:
        larger = cut(tiles.STAGED_ALL_TURNED[weight])
        fits = larger and _is_matrix(larger, _MANY_ROWS, _FAR_APART)
        return larger if fits else None
    if found is None:
        return None
    if not _is_matrix(found):
        larger = cut(tiles.STAGED_SEVERAL[weight])
        fits = larger and _in_runs(larger)
    else:
        high = _is_matrix(found, _HIGH, _WIDE)
        larger = cut((tiles.STAGED_HIGH if high else tiles.STAGED_LARGE)[weight])
        fits = larger and _is_matrix(larger, tiles.STAGED_LARGE[weight].rows)
    return larger if larger and fits and larger.covered < _SLIGHTLY else found


def _in_windows(
    dims: list[Dim], by_operand: list[Dim], order: list[Dim], itemsizes: Sequence[int], tile: Tile
) -> StagedTiling | None:
    """Tiles that are turned in windows; None where elements do not have 16 bits, the output is
    aligned or not in order along the columns, or tiles would be small."""
    plain = _rows_and_columns(dims, by_operand, order, itemsizes, tile)
    down, across = plain.axes
    aligned = plain.alignable(len(itemsizes) - 1, 2)
    if {*itemsizes} != {2} or across.patterns[-1] != "1" or aligned:
        return None
    axes = down, Windows(across.dims, across.tile, SECTOR if tile.sectors else VECTOR)
    tiling = StagedTiling(axes, plain.outer, tile, plain.near, _walked(axes, itemsizes))
    large = down.tile * across.tile == tile.size and across.tile >= _NARROWEST
    fits = large and tiling.covered < _EMPTY and tiling.short(len(itemsizes))
    return tiling if fits else None


def _rows_and_columns(
    dims: list[Dim], by_operand: list[Dim], order: list[Dim], itemsizes: Sequence[int], tile: Tile
) -> Tiling:
    """Rows along an operand's first dimensions, columns along the output's."""
    columns, rows = _taken_together((dims, tile.columns), (by_operand, tile.rows))
    tiling = _two_axes(order, rows, columns, tile)
    return replace(tiling, walked=_walked(tiling.axes, itemsizes))


def _is_matrix(tiling: StagedTiling, rows: int = 1, columns: int = 1) -> bool:
    """Whether axes are one dimension each, and so long."""
    down, across = tiling.axes
    long = down.size >= rows and across.size >= columns
    return long and len(down.dims) == len(across.dims) == 1


def _in_runs(tiling: StagedTiling) -> bool:
    """Whether an input lies like the output, and what is transposed is in order along the rows."""
    down, across = (axis.patterns[:-1] for axis in tiling.axes)
    crossing = [a for a, b in zip(down, across, strict=True) if b not in "01"]
    return "1" in across and "1" in crossing


def _cost(tiling: Tiling, itemsizes: Sequence[int]) -> float:
    """What tiles of a tiling take, beside others: sectors that the second cache moves, its limit
    where runs begin anywhere; those of the output weigh most."""
    *read, written = (_sectors(tiling, k, size) for k, size in enumerate(itemsizes))
    return (sum(read) + 3 * written) * tiling.covered


def _sectors(tiling: Tiling, operand: int, itemsize: int) -> float:
    """Sectors that a tile's element has of an operand, about: those of its runs along one axis."""
    found, once = [], 1
    for axis in tiling.axes:
        first = axis.dims[0]
        if axis.patterns[operand] == "0":
            once *= min(axis.tile, axis.size)
        if not first.strides[operand]:
            continue
        reach, count = abs(first.strides[operand]), min(axis.tile, first.size)
        for dim in axis.dims[1:]:
            if abs(dim.strides[operand]) != reach * count:
                break
            count = min(axis.tile, count * dim.size)
        aligned = reach == 1 and tiling.alignable(operand, itemsize)
        sectors = reach * count * itemsize / _SECTOR + (0 if aligned else 1 - itemsize / _SECTOR)
        found.append(min(1.0, sectors / count))
    return min(found, default=1 / _SECTOR) / once


def _follows(dims: Sequence[Dim], operand: int) -> bool:
    """Whether elements that follow each other in the output read an operand well: long runs of it,
    and not too many at once."""
    apart = 1
    for dim in dims:
        if 0 < abs(dim.strides[operand]) < NEAR:
            break
        apart *= dim.size if dim.strides[operand] else 1
    return _run(dims, operand) >= _RUN and apart <= _APART


def _run(dims: Sequence[Dim], operand: int) -> int:
    """How many elements of an operand lie side by side among some that follow each other in the
    output, the least of them with small gaps; repeated ones count as often."""
    left, steps, run, times = _FOLLOWING, [], 1, 1
    for dim in dims:
        if dim.strides[operand]:
            steps.append((abs(dim.strides[operand]), min(dim.size, left)))
        else:
            times *= min(dim.size, left)
        left = max(1, left // dim.size)
    for stride, count in sorted(steps):
        if stride > run + NEAR:
            break
        run += stride * (count - 1)
    return run * times


def _covered(group: Sequence[Dim], tile: int) -> list[Dim]:
    """The dimensions of an axis of which a tile has more than one index."""
    sizes = [1, *accumulate((dim.size for dim in group), mul)]
    return [dim for dim, before in zip(group, sizes, strict=False) if 2 * before <= tile]


def _by(dims: Sequence[Dim], operand: int) -> list[Dim]:
    """Dimensions as an operand has them, the fastest first."""
    return sorted(dims, key=lambda dim: abs(dim.strides[operand]) or 1 << 62)


def _by_turns(dims: list[Dim], by_operand: list[Dim]) -> list[Dim]:
    """A dimension of the output's order, one of the operand's, and so on."""
    return list(dict.fromkeys(dim for pair in zip(dims, by_operand, strict=True) for dim in pair))


def _crossed(
    dims: list[Dim],
    by_operand: list[Dim],
    by_other: list[Dim],
    order: list[Dim],
    narrow: bool,
    weight: str,
) -> Tiling | None:
    """Layers along a third operand's fastest dimensions, so that each of three moves in runs; None
    where tiles would be half empty."""
    tile = tiles.CROSSED[weight]
    if narrow:
        tile = tiles.CROSSED_NARROW.get(weight, tile)
    return _layered((dims, by_operand, by_other), order, tile)


def _layered(
    orders: tuple[list[Dim], list[Dim], list[Dim]], order: list[Dim], tile: Tile
) -> Tiling | None:
    """Columns, rows and layers, each along an order of dimensions; None where tiles would be half
    empty."""
    sizes = tile.columns, tile.rows, tile.layers
    groups = _taken_together(*zip(orders, sizes, strict=True))
    axes = [
        Axis(tuple(group), min(size, power_of_two(Axis(tuple(group), 1).size)))
        for group, size in zip(groups, sizes, strict=True)
    ][::-1]
    if any(axis.tiles * axis.tile > 1.34 * axis.size for axis in axes):
        return None
    outer, near = _outer(order, axes)
    # sectors are shared along all three: 1.3 to 1.7 times
    walked = sorted(range(len(axes)), key=lambda number: (axes[number].tiles, -number))
    return Tiling(tuple(axes), outer, tile, near, tuple(walked))


def _walked(axes: Sequence[Axis], itemsizes: Sequence[int]) -> tuple[int, ...]:
    """The order in which programs follow each other along rows and columns that begin anywhere."""
    rows, columns = axes
    if rows.tile * max(itemsizes) > _SHARING:
        below_first = columns.tiles > _LEFT_CACHE_OF_LONG
    else:
        below_first = not _AT_ONCE < columns.tiles < _LEFT_CACHE
    return (0, 1) if below_first and 1 < rows.tiles < columns.tiles else ()


def _taken_together(*orders: tuple[list[Dim], int]) -> list[list[Dim]]:
    """For every axis, given an order of dimensions and a tile's size, as many as fill a tile."""
    groups: list[list[Dim]] = []
    for order, _ in orders:
        groups.append([next(dim for dim in order if [dim] not in groups)])
    while True:
        for group, (order, tile) in zip(groups, orders, strict=True):
            more = next((dim for dim in order if all(dim not in each for each in groups)), None)
            if more is not None and _wasteful(group, tile):
                group.append(more)
                break
        else:
            return groups


def _repeated(dims: list[Dim], rows: Dim, itemsizes: Sequence[int], weight: str) -> Tiling:
    """Rows along a dimension that an operand repeats in."""
    tile = tiles.REPEATED[weight]
    columns = [dims[0]]
    for dim in dims[1:]:
        if dim is rows or not _wasteful(columns, tile.columns):
            break
        columns.append(dim)
    across = Axis(tuple(columns), 1).size
    if weight == tiles.LIGHT and max(itemsizes) == 2 and across < _IN_CACHE:
        return _loose(dims, weight)  # 4 columns 0.94, 0.87 and 0.85, tiles 0.75, 0.79 and 0.79
    if power_of_two(across) > _WASTE * across and across < tile.columns:
        return _decoded(dims, itemsizes, weight)  # so short a row stays in the cache anyway
    gaps = Axis(tuple(columns), 1).patterns[-1] == "d" and dims[0].size >= _SECTOR // itemsizes[-1]
    if gaps and max(itemsizes) == 2:
        return _decoded(dims, itemsizes, weight)  # rows of 38 0.61, tiles 0.47; of 30 0.53, 0.44
    tiling = _two_axes(dims, [rows], columns, tile)
    small = 2 * tiling.axes[0].tile * tiling.axes[1].tile < tile.size
    return _decoded(dims, itemsizes, weight) if small else tiling  # 8x15: 0.42, tiles 0.09


def _decoded(dims: list[Dim], itemsizes: Sequence[int], weight: str) -> Tiling:
    """Short vectors along the last dimension, all their indices in one decoded axis."""
    column = dims[0]
    if column.strides[-1] != 1:
        return _loose(dims, weight)  # every second element stored: 1.01, eight by a thread 0.26
    vector = 16 // min(itemsizes)
    while column.size % vector:
        vector //= 2
    odd, tile = tiles.ODD[weight], tiles.DECODED[weight]
    if max(itemsizes) == 2:
        odd = tiles.ODD_NARROW.get(weight, odd)
    if vector * min(itemsizes) < 8 and column.size >= 8 * odd.columns:
        return _two_axes(dims, [dims[1]], [column], odd)
    # what inputs repeat is computed once for a short vector: 4 columns 0.68 to 0.79, one by one
    # 0.36 to 0.48
    repeated = vector > 1 and not any(column.strides[:-1])
    if vector * min(itemsizes) < 16 and not repeated:
        return _loose(dims, weight)
    rest = [Dim(column.size // vector, tuple(vector * s for s in column.strides)), *dims[1:]]
    rows = Axis(tuple(dim for dim in rest if dim.size > 1), tile.size // vector)
    return Tiling((rows, Axis((Dim(vector, column.strides),), vector)), (), tile)


def _shifted(dims: list[Dim], itemsizes: Sequence[int], weight: str) -> ShiftedTiling | None:
    """Rows in the output's vectors; None where they are short, not in order, or aligned."""
    column = dims[0]
    others = [stride for dim in dims[1:] for stride in dim.strides]
    in_order = Axis(tuple(dims), 1).pattern(len(itemsizes) - 1) == "1"
    least = _SHORT_ROW_IN_ORDER if in_order else _SHORT_ROW_OF_SEVERAL
    if len(dims) < _SEVERAL:
        least = _SHORT_ROW
    if column.size < least or not any(n % VECTOR for n in (column.size, *others)):
        return None
    return shifted_rows(dims, itemsizes, weight)


def shifted_rows(
    dims: Sequence[Dim], itemsizes: Sequence[int], weight: str
) -> ShiftedTiling | None:
    """Rows in the output's vectors, of which each has parts of one more than it would fill; None
    where elements do not have 16 bits, rows are not in order, or none is read."""
    column, tile = dims[0], tiles.SHIFTED.get(weight)
    if tile is None or {*itemsizes} != {2} or not {*column.strides} <= {0, 1}:
        return None
    count = -(-(column.size + VECTOR - 1) // VECTOR)
    vectors = Dim(count, tuple(VECTOR * stride for stride in column.strides))
    axes = Axis((vectors, *dims[1:]), tile.size // VECTOR), Axis((column,), VECTOR)
    tiling = ShiftedTiling(axes, (), tile)
    fits = column.strides[-1] == 1 and 1 in column.strides[:-1]
    return tiling if fits and tiling.short(len(itemsizes)) else None


def _loose(dims: Sequence[Dim], weight: str) -> Tiling:
    """Elements in the output's order, each decoded."""
    tile = tiles.LOOSE[weight]
    return Tiling((Axis(tuple(dims), tile.size),), (), tile)


def _two_axes(dims: list[Dim], rows: list[Dim], columns: list[Dim], tile: Tile) -> Tiling:
    """Tiles of rows and columns, one after another along the other dimensions in their order."""
    high, across = (Axis(tuple(group), 1).size for group in (rows, columns))
    tile_rows = min(tile.rows, power_of_two(high))
    tile_columns = min(max(tile.columns, tile.size // tile_rows), power_of_two(across))
    tile_rows = min(tile.size // tile_columns, power_of_two(high))
    axes = Axis(tuple(rows), tile_rows), Axis(tuple(columns), tile_columns)
    outer, near = _outer(dims, axes)
    return Tiling(axes, outer, tile, near)


def _outer(dims: list[Dim], axes: Sequence[Axis]) -> tuple[tuple[Dim, ...], int]:
    """The dimensions of no axis, those along which an operand stays in a sector first, and how many
    these are."""
    taken = [dim for axis in axes for dim in axis.dims]
    outer = [dim for dim in dims if dim not in taken]
    # an operand that a tile has one element of counts where rows are short (1301 of them: 1.4 times
    # as fast without, 127: 0.6)
    moved = [any(strides) for strides in zip(*(dim.strides for dim in taken), strict=True)]
    counts = [some or axes[-1].tiles <= _FEW_TILES for some in moved]
    near = [
        dim
        for dim in outer
        if any(0 < abs(s) < NEAR and count for s, count in zip(dim.strides, counts, strict=True))
    ]
    return (*near, *(dim for dim in outer if dim not in near)), len(near)


def _wasteful(group: list[Dim], tile: int) -> bool:
    axis = Axis(tuple(group), tile)
    return axis.tiles * tile > _WASTE * axis.size
