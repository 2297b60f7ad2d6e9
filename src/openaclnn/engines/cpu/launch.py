"""A plan on the CPU: which kernel, cut into which tiles, on how many threads."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import add
from typing import Any

from openaclnn.arithmetic.simplify import simplified, unguarded_where_finite
from openaclnn.engines.cpu import compile, sums, threads
from openaclnn.engines.cpu.access import TILE
from openaclnn.engines.cpu.fold import MERGE, FoldKernel, Tiling
from openaclnn.engines.cpu.fold import NAME as FOLD
from openaclnn.engines.cpu.kernel import (
    COLUMN,
    COLUMN_GROUP,
    NAME,
    NAME_OF_ALL,
    ROW,
    ROW_GROUP,
    kernel_ir,
    step,
)
from openaclnn.engines.cpu.processor import last_cache
from openaclnn.engines.cpu.rows import NAME as ROWS
from openaclnn.engines.cpu.rows import rows_ir
from openaclnn.plan import Pass, Plan
from openaclnn.plan.loop import Loop

# Elements of a unit, about. The least hide what a unit costs but for some 2 %, which the most do
# too; in between, this many units are enough to share
_LEAST, _MOST, _ENOUGH = 8192, 65536, 512
_SERIAL_BELOW = 32768  # elements for which waking a thread takes longer than the work
_HOLDING_BELOW = 4096  # elements for which giving Python's lock away takes longer than the work

# Caches full of operands from which on an output is better written past them. Time that way against
# the usual on two threads beside a cache of 32 MiB, where loads and stores decide (leaky ReLU,
# smooth L1, hardsigmoid; float32, float16), alone | with one after it that reads the output:
#   at 0.75   0.9 to 1.4 | 1.1 to 1.6        at 1.5   0.7 to 0.9 | 0.9 to 1.0
#   at 1      0.8 to 1.2 | 0.8 to 1.2        at 2     0.6 to 0.8 | 0.9 to 1.0
#   at 1.25   0.7 to 1.1 | 1.0 to 1.1        at 3     0.6 to 0.9 | 0.9 to 1.0
# On one thread 1.25 is ahead in both, 0.8 to 0.9 | 0.9 to 1.0; exponentials do not care
_BEYOND_CACHE = 1.25
_LONG_ROW = 256  # bytes

_HOLDING = ctypes.PYFUNCTYPE(None, ctypes.c_char_p)
_HOLDING_RANGE = ctypes.PYFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int64, ctypes.c_int64)
_RELEASING = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


class _Pass:
    """One kernel over one loop; `rows` of it are a unit, where it is told how many."""

    def __init__(self, one: Pass, rows: int = 0) -> None:
        loop, sizes = one.loop, one.body.sizes
        self.body = unguarded_where_finite(simplified(one.body, one.uniforms))
        self.out_size = sizes[-1]
        self.tiling = _Tiling(loop, len(one.written), rows)
        self.units = self.tiling.units
        self.threaded = self.tiling.numel >= _SERIAL_BELOW and self.units > 1
        touched = [_distinct(loop, k) * size for k, size in enumerate(sizes)]
        large = sum(touched) > _BEYOND_CACHE * last_cache()
        # parts of lines are better put together in a cache
        long = self.tiling.columns * self.out_size >= _LONG_ROW
        self.streaming = large and long and len(one.written) == 1
        self.address, self.serial = self.kernel(self.streaming)
        self.starts = [start * size for start, size in zip(loop.starts, sizes, strict=True)]
        self.shifted = any(self.starts)
        self.pointers = struct.Struct(f"{len(sizes)}q")
        self.rest = one.body.packed(one.uniforms) + self.tiling.words(sizes)

    def kernel(self, streaming: bool) -> tuple[int, Any]:
        """The kernel's address, and a function that runs it on all units."""
        at_once = step(self.body, self.tiling.columns, compile.has("avx512f"))
        patterns = self.tiling.patterns()
        ir = kernel_ir(self.body, patterns, at_once, streaming, architecture=compile.architecture())
        call = _HOLDING if self.tiling.numel < _HOLDING_BELOW else _RELEASING
        return compile.function(ir, NAME), call(compile.function(ir, NAME_OF_ALL))

    @cached_property
    def unaligned(self) -> tuple[int, Any]:
        return self.kernel(streaming=False)

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> bytes:
        if self.shifted:
            addresses = [*map(add, addresses, self.starts)]
        return self.pointers.pack(*addresses) + self.rest

    def chosen(self, block: bytes) -> tuple[int, Any]:
        """The kernel for these addresses: streaming demands aligned elements."""
        if self.streaming and self.pointers.unpack_from(block)[-1] % self.out_size:
            return self.unaligned
        return self.address, self.serial

    def run(self, block: bytes) -> None:
        address, serial = self.chosen(block)
        if self.threaded:
            count = min(threads.get_num_threads(), self.units)
            if count > 1:
                threads.sharer()(address, block, self.units, count)
                return
        serial(block)


class _Folding:
    """The kernels of a pass that folds: one for the parts, one that merges them."""

    streaming = False

    def __init__(self, one: Pass) -> None:
        assert one.fold is not None
        fold, sizes = one.fold, one.sizes
        self.state, self.place = one.state, one.places[-1]
        self.parts = fold.parts
        body = simplified(one.body, one.uniforms)
        self.tiling = tiling = Tiling(one.loop, fold)
        numel = math.prod(one.loop.sizes) * fold.count
        self.threaded = numel >= _SERIAL_BELOW and tiling.units > 1
        at_once = step(body, tiling.column[0], compile.has("avx512f"))
        kernel = FoldKernel(body, fold, tiling.patterns, at_once, compile.architecture())
        ir = kernel.text()
        call = threads.KERNEL if numel >= _HOLDING_BELOW else _HOLDING_RANGE
        self.addresses = [compile.function(ir, name) for name in (FOLD, MERGE)]
        helpers = sums.functions(fold.how)
        self.functions = [compile.function(helpers, name) for name in sums.NAMES]
        self.kernels = [call(address) for address in self.addresses]
        self.starts = [start * size for start, size in zip(one.loop.starts, sizes, strict=True)]
        self.pointers = struct.Struct(f"{len(sizes)}q")
        self.uniforms, self.sizes = body.packed(one.uniforms), sizes
        self.rest = self.words(0)  # all there is to say where no parts have states

    def words(self, state: int) -> bytes:
        return self.uniforms + self.tiling.words(self.sizes, state, self.functions)

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> bytes:
        rest = self.words(workspace + self.state) if self.parts > 1 else self.rest
        return self.pointers.pack(*map(add, addresses, self.starts)) + rest

    def run(self, block: bytes) -> None:
        self.share(0, block, self.tiling.units)
        if self.parts > 1:
            self.share(1, block, self.tiling.tiles_of_rows)

    def share(self, which: int, block: bytes, units: int) -> None:
        count = min(threads.get_num_threads(), units) if self.threaded else 1
        if count > 1:
            threads.sharer()(self.addresses[which], block, units, count)
        else:
            self.kernels[which](block, 0, units)

    def serial(self, block: bytes) -> None:
        self.run(block)


def _kernels_of(one: Pass) -> _Pass | _Folding:
    return _Pass(one) if one.fold is None else _Folding(one)


def _distinct(loop: Loop, operand: int) -> int:
    """Elements of an operand, each counted once."""
    sizes = zip(loop.sizes, loop.strides[operand], strict=True)
    return math.prod(size for size, stride in sizes if stride)


class _Tiling:
    """Which dimensions are the axes of a tile (see `kernel`), and how they are cut."""

    def __init__(self, loop: Loop, outputs: int = 1, rows_of_unit: int = 0) -> None:
        self.outputs = outputs
        dims = list(range(len(loop.sizes)))
        column = dims.pop() if dims else None
        across = [_fastest(strides, column) for strides in loop.strides]
        crossing = next((dim for dim in across if dim != column), None)
        row = crossing if crossing is not None else (dims[-1] if dims else None)
        if row is not None:
            dims.remove(row)
        self.crossing = crossing is not None
        self.axes = [loop.dimension(dim) for dim in (column, row, None, None)]
        (columns, _), (rows, _), *_ = self.axes
        if column is None:  # one element: call it contiguous
            self.axes[COLUMN] = 1, [1] * len(loop.strides)
        if crossing is None and rows_of_unit:
            self.tile = [columns, rows_of_unit, 1, 1]
        elif crossing is None:
            unit = min(_MOST, max(_LEAST, math.prod(loop.sizes) // _ENOUGH // _LEAST * _LEAST))
            self.tile = [min(columns, unit), max(1, unit // max(columns, 1)), 1, 1]
        else:
            self.tile = [TILE, TILE, 1, 1]
            turned = [k for k, pattern in enumerate(self.patterns()) if pattern == "t"]
            others = [k for k in range(len(loop.strides)) if k not in turned]
            if turned:
                dims = self.with_groups(loop, dims, COLUMN, column, others)
                dims = self.with_groups(loop, dims, ROW, row, turned)
            dims = _in_lines(loop, dims, across.index(crossing), rows * self.axes[ROW_GROUP][0])
        self.outer = [loop.dimension(dim) for dim in reversed(dims)]
        self.tiles = [
            -(-size // tile) for (size, _), tile in zip(self.axes, self.tile, strict=True)
        ]
        self.columns = columns * min(self.axes[COLUMN_GROUP][0], self.tile[COLUMN_GROUP])
        self.numel = math.prod(loop.sizes)
        self.units = math.prod(self.tiles) * math.prod(size for size, _ in self.outer)

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

    def patterns(self) -> str:
        """How each operand runs along the columns: see `kernel`."""
        found = [
            str(column) if column in (0, 1) else "t" if self.crossing and row == 1 else "s"
            for column, row in zip(self.axes[COLUMN][1], self.axes[ROW][1], strict=True)
        ]
        inputs = len(found) - self.outputs
        return "".join(found[:inputs]) + "".join(found[inputs:]).replace("t", "s")

    def words(self, sizes: Sequence[int]) -> bytes:
        """The block after pointers and uniforms."""
        words = [size for size, _ in self.axes] + self.tile + self.tiles
        words += [len(self.outer), self.units]
        for _, strides in self.axes:
            words += [stride * size for stride, size in zip(strides, sizes, strict=True)]
        for dim_size, strides in self.outer:
            words.append(dim_size)
            words += [stride * size for stride, size in zip(strides, sizes, strict=True)]
        return struct.pack(f"{len(words)}q", *words)


def _following(loop: Loop, dims: Sequence[int], before: int, operands: Sequence[int]) -> int | None:
    """A dimension that goes on where another one ends, for all of these operands."""
    length = loop.sizes[before]
    for dim in dims:
        if all(loop.strides[k][dim] == length * loop.strides[k][before] for k in operands):
            return dim
    return None


def _fastest(strides: Sequence[int], column: int | None) -> int | None:
    """The dimension along which an operand's neighbours lie; the column where that is a draw."""
    if column is None or strides[column] == 0:
        return column
    return min(range(len(strides)), key=lambda d: (abs(strides[d]) or 1 << 62, d != column))


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


class _Rows:
    """Passes over rows, unit by unit: what one pass read is in a cache when the next one does."""

    def __init__(self, passes: Sequence[Pass]) -> None:
        folds = [_Folding(one) for one in passes[:-1]]
        self.rows = folds[0].tiling.tile[1]
        last = _Pass(passes[-1], self.rows)
        self.passes: list[_Folding | _Pass] = [*folds, last]
        self.places = [one.places for one in passes]
        self.units, self.threaded = last.units, last.threaded
        self.together = all(_walk_alike(fold, passes[-1], last) for fold in folds)
        ir = rows_ir(len(passes))
        self.address = compile.function(ir, ROWS)
        call = threads.KERNEL if last.tiling.numel >= _HOLDING_BELOW else _HOLDING_RANGE
        self.kernel = call(self.address)

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        words, blocks = [], []
        for one, places in zip(self.passes, self.places, strict=True):
            found = [place.address(addresses, workspace) for place in places]
            packed = one.pack(found, workspace)
            blocks.append(ctypes.create_string_buffer(packed, len(packed)))
            kernel = one.addresses[0] if isinstance(one, _Folding) else one.chosen(packed)[0]
            words += [kernel, ctypes.addressof(blocks[-1])]
        return struct.pack(f"{len(words)}q", *words), blocks

    def launch(self, packed: Any, stream: int | None) -> None:
        block, _ = packed
        count = min(threads.get_num_threads(), self.units) if self.threaded else 1
        if count > 1:
            threads.sharer()(self.address, block, self.units, count)
        else:
            self.kernel(block, 0, self.units)


def _walk_alike(fold: _Folding, one: Pass, last: _Pass) -> bool:
    """Whether a unit is the same rows to a fold and to the pass that reads what it gave."""
    mine, its = fold.tiling, last.tiling
    slot = one.places.index(fold.place)
    of_fold = [(size, strides[-1]) for size, strides in (mine.row, *mine.outer)]
    of_last = [(size, strides[slot]) for size, strides in (its.axes[ROW], *its.outer)]
    plain = not its.crossing and "t" not in mine.patterns and not mine.folded
    return plain and fold.parts == 1 and mine.tile[1] == its.tile[ROW] and of_fold == of_last


class _Direct:
    """A plan of one pass over the call's tensors as they come: the shortest way."""

    def __init__(self, one: _Pass | _Folding) -> None:
        self.pack: Callable[[Sequence[int], int], object] = one.pack
        self.launch: Callable[[Any, int | None], None] = lambda packed, stream: one.run(packed)
        if not (one.threaded or one.streaming):  # for the smallest calls
            self.launch = lambda packed, stream: one.serial(packed)


class _Passes:
    """Any plan: its passes one after the other."""

    def __init__(self, passes: Sequence[Pass]) -> None:
        self.passes = [(_kernels_of(one), one.places) for one in passes]

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return [
            one.pack([place.address(addresses, workspace) for place in places], workspace)
            for one, places in self.passes
        ]

    def launch(self, packed: Any, stream: int | None) -> None:
        for (one, _), block in zip(self.passes, packed, strict=True):
            one.run(block)


class CpuEngine:
    """Runs plans on host memory."""

    def prepare(self, plan: Plan) -> _Direct | _Passes | _Rows:
        passes = [one for one in plan.passes if not one.empty]
        if plan.rows is not None and len(passes) == len(plan.passes):
            rows = _Rows(passes)
            if rows.together:
                return rows
        if len(passes) == 1 and passes[0].in_order:
            return _Direct(_kernels_of(passes[0]))
        return _Passes(passes)

    def allocate(self, size: int) -> tuple[int, object]:
        buffer = ctypes.create_string_buffer(size)
        return ctypes.addressof(buffer), buffer
