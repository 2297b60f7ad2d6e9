"""The tiles: how large each is, how many warps share it, and how they compute it.

A layout's tile is chosen by rules (`choose_tiling.py`), and where these do not suffice by its own
calls (`fastest.py`). The figures are shares of the streaming limit measured in the same run on an
H200 with Triton 3.6, 2²⁸ elements: what the tile reached, and what a neighbour did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, replace
from operator import index

from openaclnn.arithmetic.lower import Body
from openaclnn.base.records import dataclass
from openaclnn.base.trace import most

# What a body weighs: hardly anything, or an exponential in float32 (stored as such or in 16 bits)
# or in float64.
LIGHT, SINGLE, HALF, DOUBLE = "light", "single", "half", "double"


@dataclass(frozen=True)
class Tile:
    """Rows, columns and warps of a tile. `elements` that a thread computes at once, and the most
    `registers` it may use (0: as many as it likes), count for bodies with an exponential. A
    `masked` tile has no way of its own for full tiles: where axes end between vectors, masks cut
    none, and the registers are saved that masks for single elements take. One of rows that are read
    `again`, from a cache, needs no registers for them while they are folded. Loads of one with
    `lines` fetch what lies beside the sectors that they read. Windows of one with `sectors` begin
    with one of the output's, so that it is written at once."""

    rows: int
    columns: int
    warps: int
    elements: int = 8
    registers: int = 0
    layers: int = 1
    _: KW_ONLY
    masked: bool = False
    again: bool = False
    lines: bool = False
    sectors: bool = False

    @property
    def size(self) -> int:
        return self.rows * self.columns


_HEAVY = Tile(1, 1024, 2, 8, 48)
_WORTH_A_PROGRAM = 4096  # bytes
_LONG = 70  # operations; powers of float32 have 76
_SELDOM = 3  # times as long as the usual way is one that counts for nothing
OF_LONG = 2  # elements at once

# All operands contiguous: one axis.
FLAT = {
    LIGHT: Tile(1, 1024, 4),  # leaky relu 0.996 in bf16; 512 or 2048 elements 0.99
    SINGLE: _HEAVY,  # silu 1.00; 2048 elements on 8 warps 0.93 to 0.95
    HALF: _HEAVY,  # silu 0.97 to 0.99, log sigmoid 1.00; 40 registers 0.98 to 1.00, 0.99
    DOUBLE: Tile(1, 1024, 4, 8, 56),  # silu 1.00, f16 with f32 1.00; 2 warps, 48 registers 0.99
}

# The same with several inputs: of 16 elements those fill a thread's registers. The angle of points
# 1.00, gelu's gradient 1.01, log_add_exp2 0.93; 56 registers 1.00, 1.00, 0.90, 2 warps 0.93, 0.93,
# 0.98.
FLAT_OF_SEVERAL = {SINGLE: Tile(1, 1024, 4, 8, 48)}

# Rows along one operand's fastest dimension, columns along another's.
TURNED = {
    LIGHT: Tile(64, 64, 4),  # leaky relu f32 0.98 to 0.99, 8-D 0.95
    SINGLE: Tile(64, 64, 4, 4),  # silu 0.98; 64x32 on 8 warps 0.82
    HALF: Tile(128, 64, 8, 4, 48),  # silu bf16 0.92 to 0.94; without the limit 0.64 to 0.70
    DOUBLE: Tile(64, 32, 4, 4, 56),  # silu 0.96 to 0.97; 32x32 on 2 warps 0.95, 0.91
}
TURNED_NARROW = {LIGHT: Tile(128, 64, 8)}  # 16 bits: 0.96, 8-D 0.88 to 0.91; 64x64 0.91, 0.88
# 16 bits, some of the inputs turned. Several dimensions in an axis, two inputs: runs of 256 bytes,
# leaky relu 8-D 0.93 to 0.94; not masked 0.81, 64x64 on 4 warps 0.88.
TURNED_TOGETHER = {LIGHT: Tile(128, 128, 8, masked=True)}
# Three inputs: smooth L1 0.85, 8-D 0.79; not masked 0.75, 128x64 on 8 warps 0.58.
TURNED_THREE = {LIGHT: Tile(64, 32, 4, masked=True)}
# No vectors: planes of 90x91 channels last | 400x401x403 permuted, 2²⁶ elements, shares of the
# contiguous speed.
TURNED_ODD = {
    LIGHT: Tile(32, 64, 8, 8, 64),  # 0.99 | 0.97, 8-D 0.79; 64x64 0.98 | 0.92, 8-D 0.83
    SINGLE: Tile(32, 64, 4, 2, 64),  # silu 0.97 | 0.91; 64x64 on 4 warps 0.67 | 0.60
    DOUBLE: Tile(32, 32, 4, 2, 48),  # silu 0.91 | 0.87; 64x32 with 56 registers 0.67 | 0.66
}
TURNED_ODD_NARROW = {  # 16 bits
    LIGHT: Tile(64, 64, 8, 8, 64),  # 0.91 | 0.85, 8-D 0.62; 64x32 on 4 warps 0.83 | 0.81, 0.59
    HALF: Tile(64, 32, 4, 4),  # silu 0.69 | 0.67, 8-D 0.54; 64x64 on 8 warps 0.69 | 0.63, 0.53
}

# The same for longer runs along the output: 0.91 | 0.83, 8-D 0.62. The one that moves fewer sectors
# is taken: of 31 random layouts that is on average 3 % slower than the best tile of each.
TURNED_ODD_LONG = {LIGHT: Tile(32, 128, 8, 8, 64)}
# On half of the warps, which wait for fewer others. Where the output goes on from one dimension of
# the columns to the next and no input has vectors, in place of 64x64: 88 random layouts 1.03 times
# as fast, 0.91 to 1.16 (with vectors 1.00).
TURNED_ODD_IN_ORDER = {LIGHT: Tile(32, 64, 4, 8, 64)}
# Where the output does not go on, and one input is transposed to it: 93 random layouts 1.04 times
# as fast, 0.95 to 1.3.
TURNED_ODD_APART = {LIGHT: Tile(16, 128, 4, 8, 64)}
# Tiles whose registers do not suffice for offsets that serve several operands, where nothing is
# aligned: 1271010x52, one operand transposed, 0.77; else 0.60. 8-D 0.68, else 0.62.
CROWDED = (TURNED_ODD_NARROW[LIGHT], TURNED_ODD_LONG[LIGHT])

# The same in windows, through shared memory; the second where it covers less. Planes 0.89, on 8
# warps 0.89 | sizes 0.88, 64x64 on 8 warps 0.87; 8-D 0.76, on 8 warps 0.73, turned 0.70. 17 random
# layouts 0.77, turned 0.69.
STAGED = {LIGHT: (Tile(16, 128, 4, 8, 64), Tile(32, 64, 4, 8, 64))}
# Matrices, of which nothing is decoded: 15 random layouts 0.84, as others 0.81; 7 of many long rows
# 0.87, 0.81; 5 of which no input lies like the output and columns are far apart 0.70, turned 0.63.
STAGED_LARGE = {LIGHT: Tile(32, 128, 8, 8, 64)}
STAGED_HIGH = {LIGHT: Tile(64, 128, 8, 8, 128)}
STAGED_ALL_TURNED = {LIGHT: Tile(64, 64, 8, 8, 64)}
# Several dimensions, inputs in order along the rows: 8-D 0.81, where windows begin with a vector
# 0.79, as others 0.77; 10 random layouts 1.03 times as fast. On 8 warps with 64 registers 8-D 0.74.
# Sizes of matrices have 0.86 so and 0.89 from vectors on: fewer columns are read twice.
STAGED_SEVERAL = {LIGHT: Tile(64, 64, 4, 8, 128, sectors=True)}


@dataclass(frozen=True)
class Tried:
    """Tiles that a layout's own calls try, by how they are cut (`others` in `cutting`). Of some 25
    tiles in 305 random layouts those without which the fastest of four takes longer."""

    turned: tuple[Tile, ...]
    in_windows: tuple[Tile, ...]
    in_output_order: tuple[Tile, ...]
    layered: tuple[Tile, ...]


TRIED = {
    LIGHT: Tried(
        turned=(
            Tile(16, 128, 4, 8, 64, lines=True),
            Tile(64, 64, 4, 8, 128),
            Tile(128, 32, 8, 8, 64, lines=True),
        ),
        in_windows=(Tile(64, 64, 4, 8, 128),),  # planes 0.93, where rules have 0.88
        in_output_order=(Tile(32, 128, 8, 8, 64),),
        layered=(Tile(32, 32, 8, 8, 128, layers=8),),
    ),
}

# Three operands, each fastest along a dimension of its own; four random layouts.
CROSSED = {
    LIGHT: Tile(16, 32, 8, layers=8),  # 0.53 to 0.68; two axes 0.19 to 0.63
    SINGLE: Tile(8, 32, 8, 2, 64, layers=8),
    DOUBLE: Tile(8, 32, 8, 2, 64, layers=8),
    HALF: Tile(8, 32, 8, 2, 64, layers=8),
}
CROSSED_NARROW = {
    LIGHT: Tile(16, 32, 8, layers=8),  # 0.37 to 0.50; two axes 0.18 to 0.37
    HALF: Tile(16, 32, 16, 2, 64, layers=8),
}
# Those for columns that fill the first in part.
CROSSED_OTHERS = {
    LIGHT: (Tile(16, 16, 8, 8, 64, layers=16), Tile(8, 64, 8, 8, 128, layers=16)),
}

# Rows along a dimension in which an operand repeats, columns along the output's fastest.
REPEATED = {
    LIGHT: Tile(8, 512, 8),  # leaky relu f32 0.97, bf16 0.96; 16x256 0.91 in bf16
    SINGLE: Tile(8, 128, 2, 8, 48),
    HALF: Tile(8, 128, 2, 8, 48),
    DOUBLE: Tile(8, 128, 2, 8, 48),
}

# Short vectors whose places are decoded.
DECODED = {
    LIGHT: Tile(1, 1024, 4),  # sliced rows 0.99 to 1.00, one column for all 0.96 to 0.97
    SINGLE: _HEAVY,
    HALF: Tile(1, 1024, 2, 8, 40),  # silu 0.97, log sigmoid 0.99; 48 registers 0.93, 1.00
    DOUBLE: Tile(1, 1024, 2, 8, 64),  # silu 1.00; 48 registers 0.96
}

# Single elements whose places are decoded; vectors where an operand has them all side by side.
LOOSE = {
    LIGHT: Tile(1, 1024, 4),  # 13 of 16 columns 1.00 of what its sectors allow
    SINGLE: Tile(1, 1024, 4, 8, 48),
    HALF: Tile(1, 1024, 4, 8, 48),  # on 2 warps registers are kept in memory
    DOUBLE: Tile(1, 1024, 4, 8, 64),
}

# Long rows that no vector fits: not decoded, in vectors where an operand is aligned by itself.
ODD = {
    LIGHT: Tile(1, 512, 4),  # f32 0.99
    SINGLE: _HEAVY,
    HALF: _HEAVY,
    DOUBLE: _HEAVY,
}
ODD_NARROW = {LIGHT: Tile(1, 512, 2)}  # 16 bits, one of three not aligned: 1.00; 4 warps 0.98


# Rows of 16-bit elements that begin anywhere, in aligned vectors. Three operands that all begin one
# element late: 1.00, one by one 0.85. With an exponential shifting takes more instructions than
# there is time for: 0.69 to 0.83, one by one 0.87.
SHIFTED = {LIGHT: Tile(1, 1024, 4)}


@dataclass(frozen=True)
class FoldTile:
    """Rows and columns of a fold's tile, tiles of a group, of which some are read at once."""

    rows: int
    columns: int
    tiles: int
    warps: int = 4
    at_once: int = 4
    registers: int = 0  # the most that a thread may use; 0: as many as it likes

    @property
    def unrolled(self) -> int:
        return min(self.at_once, self.tiles)


# Folds over everything, by the size of what is read, in bytes
_ALL = {
    2: FoldTile(1, 2048, 1024, 8, 2, 64),  # f16, as it likes, 0.98
    4: FoldTile(1, 512, 1024, 4, 4, 64),  # 0.90; 1024 on 8 warps 0.88
    8: FoldTile(1, 512, 1024, 8, 4, 64),  # 0.97; on 4 warps, as many registers as it likes 0.96
}
_ALL_OF_8_BITS = FoldTile(1, 512, 1024, 4, 8, 64)  # bf16 0.89; 1024 on 8 warps 0.88, as f16 0.78
_LANES, _WIDE_LANES = 1024, 512  # of a fold's tile
WHOLE_TILES, _TILES = 32, 1024  # of a group at most: where it has all of a row, else
_LANES_OF_A_WARP, _LANES_ACROSS = 256, 512
_ACROSS = 128  # bytes of rows where those are what lies beside each other
_SHORT = 8192  # terms: of shorter folds a program has several rows
_ROW = 256  # columns of a tile of several rows
_ONE_TILE = 4096  # terms of 53 bits: shorter folds have one tile
_FILLED = 1024  # programs that fill a GPU
_REGISTERS = 65536  # that a program's threads have together
_LONGEST_ROW = 16384  # columns that a program has room for
_ROWS_ACROSS = 16
# of several inputs, whose sums' digits fill a thread's registers: of 256 compiling takes minutes
_ROWS_OF_A_WARP, _MOST_ROWS = 16, 128
_CHUNK, _CHUNKED = 64, 128  # bytes of a chunk of a row; elements of rows that are moved in chunks
# Elements of a thread, and the registers that they may use, for whole rows. Softmax over 64, 1024,
# 4096, 16384, f32: 0.96, 0.99, 0.98, 0.70, dense 0.95, 0.81, 0.87, 0.89; bf16 dense: 0.83, 0.95,
# 0.93, 0.79, as usual 0.77, 0.85, 0.74, 0.47
_USUAL_ROW, _DENSE_ROW = (16, 64), (32, 64)
_LONG_ROW = 16384  # columns from which on rows of float32 are dense
# in float64: 0.87, 0.96, 0.89, 0.56; as longer ones 0.85, as short ones, over 1024 and 4096, 0.94
# and 0.79, in 80 registers 0.92 and 0.83
_WIDE_ROW, _SHORT_WIDE_ROW = (16, 64), (16, 72)
# Rows of several inputs, which are read again. Softmax's gradient over 64, 512, 1024: f32 0.91,
# 1.05, 1.02, bf16 0.68, 0.78, 0.69; held in registers 0.74, 1.03, 0.65 and 0.58, 0.55, 0.47
_SEVERAL_ROWS = 16, 128
# Longer ones over 2048, 4096, 8192, 16384: f32 1.04, 1.04, 0.81, 0.70, in float64 1.03, 1.02, 0.78,
# 0.57, bf16 0.82, 0.78, 0.65, 0.51; in 128 registers f32 0.85, 0.86, 16 elements 1.00, 0.90
_LONGER_ROWS, _LONGEST_ROWS = (32, 168), (32, 128)
_LONGER, _LONGEST = 1024, 8192  # columns
_SHORT_LANES = 1024  # elements of short rows of several inputs
LONG = 1 << 24  # terms, from which on parts that take longer are left to a kernel of their own
MERGED = 4096  # words of states that are merged at once
MERGING_WARPS = 8
MOST_WIDE_PARTS = 512
_LEAST_BITS = 4  # of the terms of a fold over few elements
# Of a thread, of a program. 64 rows of 1024 float32 2.7 µs, of 16 elements 3.7, PyTorch's 4.6; 1000
# of 64 2.5, 3.0, 2.3. Of 16 rows compiling takes 12 s
_ELEMENTS_OF_FEW, _ROWS_OF_FEW = 4, 4


def fold_tile(across: int, outputs: int, parts: int, count: int, size: int, bits: int) -> FoldTile:
    """The tile for so many outputs of so many terms. `across`: how many outputs lie beside each
    other where terms do not, else 0; `size`: of a term, or of what it is made of, in bytes;
    `bits`: of a term."""
    lanes = _WIDE_LANES if size == 8 else _LANES
    if across:
        rows = min(power_of_two(across), _ACROSS // max(size, 2))
        if count * rows < lanes:  # few terms: many rows of them
            columns, rows = power_of_two(count), min(power_of_two(across), _MOST_ROWS)
            warps = max(1, rows * columns // _LANES_OF_A_WARP)
            return FoldTile(rows, columns, 1, warps, registers=64)
        if size < 8:
            return FoldTile(rows, _LANES_ACROSS // rows, _TILES, registers=64)
    elif count <= _ONE_TILE and outputs > _FILLED and size == 8:
        columns = max(8, power_of_two(count))
        return FoldTile(max(1, lanes // columns), columns, 1, 4 if columns <= 1024 else 8)
    elif count <= _SHORT and outputs > _FILLED:
        rows = lanes // min(_ROW, max(8, power_of_two(count)))
    elif parts > 1:
        return _ALL_OF_8_BITS if bits == 8 else _ALL[max(size, 2)]
    else:
        rows = 1
    columns = lanes // rows
    tiles = -(-count // columns)
    whole = parts == 1 and tiles <= WHOLE_TILES
    return FoldTile(rows, columns, power_of_two(tiles) if whole else _TILES)


def row_tile(
    count: int, size: int, itemsize: int, wide: bool, across: bool, inputs: int = 1
) -> Tile:
    """The tile of so many rows, whole, or where they are too long of what there is room for; its
    layers are chunks of rows. `wide`: something is computed in float64; `across`: rows lie beside
    each other, and what is in them does not."""
    least = _ROWS_ACROSS if across else 1
    several = inputs > 1
    longest = _LONGEST_ROW >> (several and wide and itemsize != 4)  # else reading twice is faster
    columns = min(power_of_two(size), longest // least)
    if several and (columns <= _LONGER or itemsize == 8):
        elements, registers = _SEVERAL_ROWS
    elif several:
        elements, registers = _LONGEST_ROWS if columns >= _LONGEST else _LONGER_ROWS
    elif wide:
        elements, registers = _SHORT_WIDE_ROW if columns <= _CHUNKED else _WIDE_ROW
    else:
        dense = itemsize == 2 or columns >= _LONG_ROW
        elements, registers = _DENSE_ROW if dense else _USUAL_ROW
    lanes, most = 32 * elements, count
    if several:
        short = columns <= _CHUNKED and not wide
        lanes, most = _SHORT_LANES if short else lanes, min(count, _MOST_ROWS)
    rows = max(least, min(lanes // columns, power_of_two(most)))
    warps = rows // _ROWS_OF_A_WARP if several else 1
    warps = min(32, max(1, warps, rows * columns // (32 * elements)))
    registers = min(registers, _REGISTERS // (32 * warps))  # more cannot be launched
    chunks = max(1, columns * itemsize // _CHUNK) if columns <= _CHUNKED and not across else 1
    return Tile(rows, columns, warps, registers=registers, layers=chunks, again=several)


def _class_of(count: int) -> int:
    """A power of four that stands for this many terms and fewer, so that kernels are few."""
    bits = index(most(_LEAST_BITS, (count - 1).bit_length()))
    return 1 << bits + bits % 2


def few_fold_tile(count: int, size: int, bits: int) -> FoldTile:
    """The tile of a fold over few elements in any layout: short ones are several to a program."""
    outputs = 2 * _FILLED if count <= _ROW else 1
    return fold_tile(0, outputs, 1, _class_of(count), size, bits)


def few_row_tile(size: int, itemsize: int, wide: bool, inputs: int) -> Tile:
    """The tile of few rows in any layout: threads have few elements, which come sooner."""
    found = row_tile(_MOST_ROWS, _class_of(size), itemsize, wide, False, inputs)
    rows = max(1, min(_ROWS_OF_FEW, 32 * _ELEMENTS_OF_FEW // found.columns))
    warps = min(32, max(1, rows * found.columns // (32 * _ELEMENTS_OF_FEW)))
    registers = min(found.registers, _REGISTERS // (32 * warps))
    return replace(found, rows=rows, warps=warps, registers=registers, layers=1)


def worth_a_program(tile: Tile, itemsizes: Sequence[int], weight: str) -> Tile:
    """As many elements as programs are started for: with 2 KiB each they are started too slowly
    (bf16 filled at 3.36 TB/s, at 4.62 with 4 KiB; float32 at 3.38 and 4.66).

    >>> worth_a_program(FLAT[LIGHT], (2,), LIGHT).columns
    2048
    """
    columns = tile.columns
    while weight == LIGHT and columns * sum(itemsizes) < _WORTH_A_PROGRAM:
        columns *= 2
    return replace(tile, columns=columns)


def power_of_two(size: int) -> int:
    """The first that is not below a size."""
    return 1 << index(most(size - 1, 0).bit_length())


def long(body: Body) -> bool:
    """Whether few elements at once take all registers, though all is float32."""
    return not body.wide and body.cost > _LONG


def weight(body: Body) -> str:
    """What computing one element takes, where another way is seldom gone on that way alone: in
    float64 sines reach 1.00 so, else 0.99, tangents 1.00 and 0.95, sines of bf16 0.94 and 0.84."""
    if not body.costly:
        return LIGHT
    if (body.wide and body.cost < _SELDOM * body.usual.cost) or long(body):
        return DOUBLE
    return HALF if body.results[0].type == "i16" else SINGLE
