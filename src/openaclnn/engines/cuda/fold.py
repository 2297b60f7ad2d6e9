"""Writes the kernels of a fold: terms are computed as any body is, group after group of tiles, and
absorbed by a state for every row of a tile (`sums`).

A program has a tile's rows, which are outputs, and a part of what is folded. Where there are
several parts, each leaves its state in the workspace, and a second kernel merges them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any

from openaclnn.arithmetic.folding import in_units
from openaclnn.arithmetic.lower import Body
from openaclnn.base.records import dataclass
from openaclnn.engines.cuda import sums
from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.body import INTERPRETER, arguments, function_source
from openaclnn.engines.cuda.kernel import Kernel, Writer
from openaclnn.engines.cuda.tile_table import FoldTile
from openaclnn.engines.cuda.tiling import AnyAxis, AnyTiling, Axis, Dim, Tiling, dims_of, few_dims
from openaclnn.plan import Pass
from openaclnn.plan.folds import Fold

AT_ONCE = 1 << 15  # terms of an output that one program folds, where there are few elements
LEAST_PART = 1 << 13  # terms of a part, of all rows that a program has
MOST_PARTS = 2048
_PROGRAMS = 2048  # that fill a GPU
PARTS_AT = 255  # where a layout's numbers have how many parts there are


@dataclass(frozen=True)
class FoldTiling:
    """How a fold is cut. Rows are kept, columns folded; of other dimensions, fastest first, some
    are kept and some folded."""

    rows: Axis
    columns: Axis
    kept: tuple[Dim, ...]
    folded: tuple[Dim, ...]
    tile: FoldTile
    parts: int

    @cached_property
    def outputs(self) -> int:
        return _size((*self.rows.dims, *self.kept))

    @property
    def tiles(self) -> int:
        """Tiles of columns, of every index of the other folded dimensions."""
        return self.columns.tiles * _size(self.folded)

    @property
    def programs(self) -> int:
        return self.rows.tiles * _size(self.kept) * self.parts

    @property
    def whole(self) -> bool:
        """Whether a program has all terms of its rows in one group."""
        return self.parts == 1 and self.tiles <= min(self.tile.tiles, tiles.WHOLE_TILES)

    @property
    def any_layout(self) -> bool:
        """Whether a kernel for any layout serves it."""
        return isinstance(self.rows, AnyAxis)

    @property
    def as_tiling(self) -> Tiling:
        """Where operands lie, as it is for a loop over all dimensions."""
        outer = (*self.kept, *self.folded)
        kind = AnyTiling if self.any_layout else Tiling
        return kind((self.rows, self.columns), outer, tiles.Tile(1, 1, self.tile.warps))


def _size(dims: tuple[Dim, ...]) -> int:
    result = 1
    for dim in dims:
        result *= dim.size
    return result


def fold_tiling(one: Pass) -> FoldTiling:
    """The tiles of a pass that folds."""
    fold = one.fold
    assert fold is not None
    few = few_dims(one.loop, fold.folded) if fold.parts == 1 else None
    if few is not None:
        tile = tiles.few_fold_tile(fold.count, *_term_of(one, fold))
        rows_of_few = AnyAxis(tuple(few[0]), tile.rows)
        return FoldTiling(rows_of_few, AnyAxis(tuple(few[1]), tile.columns), (), (), tile, 1)
    kept, folded = dims_of(one.loop), dims_of(fold.folded)
    inputs = range(len(one.body.loads))
    column, row = folded[0], kept[0]
    turned = [
        dim
        for dim in kept
        if any(abs(dim.strides[k]) == 1 and abs(column.strides[k]) > 1 for k in inputs)
    ]
    if turned:
        row = turned[0]
    outputs, count = _size(tuple(kept)), fold.count
    across = row.size if turned else 0
    tile = tiles.fold_tile(across, outputs, fold.parts, count, *_term_of(one, fold))
    columns = [column]
    if len(folded) > 1 and column.size < tile.columns:  # too short for a tile: decoded
        columns = folded
    rows = [row]
    if not turned and row.size < tile.rows:
        rows = kept
    parts = min(fold.parts, tiles.MOST_WIDE_PARTS) if fold.how.term == "f64" else fold.parts
    return FoldTiling(
        rows=Axis(tuple(rows), tile.rows),
        columns=Axis(tuple(columns), tile.columns),
        kept=tuple(dim for dim in kept if dim not in rows),
        folded=tuple(dim for dim in folded if dim not in columns),
        tile=tile,
        parts=parts,
    )


def in_parts(one: Pass) -> Pass:
    """A pass that folds in as many parts as fill a GPU: each is a program's."""
    fold = one.fold
    assert fold is not None
    parts = 1
    if not folds_at_once(one):
        two = fold_tiling(replace(one, fold=replace(fold, parts=2)))
        most = fold.count * two.tile.rows // LEAST_PART
        parts = max(1, min(MOST_PARTS, -(-_PROGRAMS // max(two.programs // 2, 1)), most))
    return replace(one, fold=replace(fold, parts=parts))


def folds_at_once(one: Pass) -> bool:
    """Whether a pass is small enough for one kernel, which serves any layout."""
    fold = one.fold
    assert fold is not None
    return fold.count <= AT_ONCE and few_dims(one.loop, fold.folded) is not None


def _term_of(one: Pass, fold: Fold) -> tuple[int, int]:
    """Bytes of a term, or of what it is made of, and its bits."""
    size = 8 if fold.how.term == "f64" else min(max(one.body.sizes[:-1]), 4)
    return size, fold.how.bits


def fold_kernels(one: Pass, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    """The kernels of a pass that folds, in order, each with the operands that it takes; the last of
    them, one more than there are, is the states' place."""
    one = _powers_as_integers(one)
    assert one.fold is not None
    tiling = fold_tiling(one)
    inputs = tuple(range(len(one.body.loads)))
    out, states = len(inputs), len(inputs) + 1
    usual = _FoldWriter(one.body, one.fold, tiling, arch)
    if tiling.parts == 1:
        return [(usual.kernel(), (*inputs, out))]
    readers = [usual]
    if usual.way == sums.NARROW and one.fold.count * tiling.outputs >= tiles.LONG:
        readers = [
            _FoldWriter(one.body, one.fold, tiling, arch, sums.NARROW_OR_MARKS),
            _FoldWriter(one.body, one.fold, tiling, arch, marked=True),
        ]
    merging = _MergeWriter(one.fold, tiling, arch)
    return [*((reader.kernel(), (*inputs, states)) for reader in readers),
            (merging.kernel(), (states, out))]  # fmt: skip


def _powers_as_integers(one: Pass) -> Pass:
    """A sum of powers as one of how many units they have; others as they are."""
    if one.fold is None or one.fold.how.kind != "powers":
        return one
    body = replace(one.body, results=tuple(map(in_units, one.body.results)))
    fold = replace(one.fold, how=replace(one.fold.how, term="i64"))
    return replace(one, body=body, fold=fold)


class _FoldingWriter(Writer):
    fold: Fold
    cut: FoldTiling

    @property
    def count_at(self) -> int | None:
        """Where a layout has the number that a mean divides by."""
        counted = self.fold.divided_by is None and not self.cut.folded
        return self.places.length(1) if counted else None


class _FoldWriter(_FoldingWriter):
    """The kernel that reads terms, in a way that is not the usual one, or only where parts are
    marked."""

    def __init__(
        self,
        body: Body,
        fold: Fold,
        tiling: FoldTiling,
        arch: int,
        way: str = "",
        marked: bool = False,
    ) -> None:
        super().__init__(body, tiling.as_tiling, arch)
        self.fold, self.cut, self.how, self.marked = fold, tiling, fold.how, marked
        self.digits = self.how.kind == "digits"
        self.whole = tiling.whole and not self.digits
        self.way = way or sums.way_of(self.how, tiling.tile.tiles, self.whole)
        self.sizes = (*body.sizes[:-1], 8 if tiling.parts > 1 else fold.finish.sizes[-1])
        self.inputs = range(len(body.loads))
        self.far = "i64"
        strides = [dim.strides for dim in (*tiling.rows.dims, *tiling.columns.dims)]
        if any(abs(stride) >= 1 << 31 for one in strides for stride in one):
            self.wide, self.index = True, "i64"

    def loaded(self, operand: int) -> int:
        """How many elements of an operand a tile has."""
        axes = (self.cut.rows, self.cut.columns)
        return math.prod(axis.tile for axis in axes if axis.pattern(operand) != "0")

    def kernel(self) -> Kernel:
        tile = self.cut.tile
        self.place()
        self.axis_of_rows()
        if self.cut.parts > 1:
            self.line(f"slot = p{self.out} + (output * parts + part) * {self.how.words}")
        if self.marked:
            self.lines += sums.only_marked()
        inner, passed = self.terms_function()
        self.groups(passed)
        self.leave()
        numbers: dict[str, Any] = {"ROWS": tile.rows, "COLUMNS": tile.columns}
        numbers |= {"TILES": tile.tiles, "UNROLLED": tile.unrolled}
        numbers["PAD"] = sums.padding(self.how)
        # the hardware's own ways take two elements at once, which a load of one has not
        several = all(self.loaded(k) > 1 for k in self.inputs)
        value = function_source("value", self.body, self.arch if several else INTERPRETER)
        sources = [value, inner]
        if self.how.sums_floats:
            bits = ((size - 1).bit_length() for size in (tile.tiles, tile.columns))
            numbers |= sums.numbers(self.how, *bits)
            sources += [sums.functions(self.how), sums.gathering(self.how, self.way, passed)]
        else:
            sources.append(sums.gathering_integers(self.how, passed))
        if self.cut.parts == 1:
            sources.append(function_source("finish", self.fold.finish, INTERPRETER))
        sources.append(self.function())
        result = "i64" if self.cut.parts > 1 else self.fold.finish.results[0].type
        aligned = map(self.tiling.alignable, self.inputs, self.sizes)
        return self.finished(
            sums.replaced("\n\n".join(sources), numbers),
            pointers=(*map(self.pointee, self.inputs), f"*{result}"),
            warps=tile.warps,
            registers=0 if self.way == sums.ALWAYS_EXACT else tile.registers,
            programs=self.cut.programs,
            alignable=(*aligned, False),
        )

    def place(self) -> None:
        """From the program's number to its part, rows, and every pointer's start."""
        cut = self.cut
        self.line("j = tl.program_id(0)")
        if cut.parts > 1:
            self.digit("part", "parts", cut.parts, False, False, PARTS_AT)
        at = self.places.tiles(0)
        self.digit("tile0", "t0", cut.rows.tiles, not cut.kept, False, at)
        self.line(f"start0 = tile0.to(tl.int64) * {cut.rows.tile}")
        if cut.parts > 1:
            at = self.places.length(0)
            size = self.parameter("row_size", "i64", cut.rows.size, at=at)
            others = f"j.to(tl.int64) * {size} + " if cut.kept else ""
            self.line(f"output = {others}start0 + tl.arange(0, ROWS)")
        for number, dim in enumerate(cut.kept):
            last, at = number == len(cut.kept) - 1, self.places.size(dim)
            self.digit(f"outer{number}", f"e{number}", dim.size, last, False, at)
            for k in self.placed():
                if dim.strides[k]:
                    stride = self.stride(f"o{number}_{self.like[k]}", "i64", dim, k)
                    self.advance(k, f"outer{number}.to(tl.int64) * {stride}")

    def placed(self) -> list[int]:
        """Operands that lie along the loop: an output's place is its own where there are parts."""
        return [*self.inputs, *([self.out] if self.cut.parts == 1 else [])]

    @property
    def repeats_rows(self) -> bool:
        """Whether rows beyond the last are the last again, of which no vectors are read: then only
        what is stored needs a mask."""
        rows = self.cut.rows
        return not self.cut.any_layout and rows.size % rows.tile > 0 and rows.size % 16 > 0

    def axis_of_rows(self) -> None:
        axis = self.cut.rows
        at = self.places.length(0)
        size = self.parameter("n0", "i64", axis.size, self.vector(axis), at)
        self.line(f"left0 = {size} - start0")
        self.line("i0 = tl.arange(0, ROWS)")
        self.line("m0 = i0 < tl.minimum(left0, ROWS).to(tl.int32)")
        if self.repeats_rows:
            self.line("i0 = tl.minimum(i0, tl.minimum(left0, ROWS).to(tl.int32) - 1)")
        if any(axis.pattern(k) == "d" for k in self.operands):
            self.decode(0, axis)
        for k in self.placed():
            self.along(0, axis, k)

    def vector(self, axis: Axis) -> int:
        """What an axis' size is a multiple of, so that masks cut no vectors."""
        return 16 if axis.size % 16 == 0 and not self.cut.any_layout else 1

    def terms_function(self) -> tuple[str, str]:
        """The function of a tile's terms, and what it takes besides a tile's number."""
        kernel_lines, kernel_parameters = self.lines, self.parameters
        self.lines, self.parameters = [], []
        columns, folded = self.cut.columns, self.cut.folded
        type = "tl.int64" if self.long else "tl.int32"
        if self.cut.parts > 1:
            self.line("tile = (tile // UNROLLED * parts + part) * UNROLLED + tile % UNROLLED")
        self.line(f"j = (tl.full((), 0, {type}) + tile).to({type})")  # to the interpreter an int
        if folded:
            self.digit("j1", "t1", columns.tiles, False, self.long)
        for number, dim in enumerate(folded):
            last = number == len(folded) - 1
            self.digit(f"folded{number}", f"f{number}", dim.size, last, self.long)
            for k in self.inputs:
                if dim.strides[k]:
                    stride = self.stride(f"w{number}_{self.like[k]}", "i64", dim, k)
                    self.advance(k, f"folded{number}.to(tl.int64) * {stride}")
        self.line(f"start1 = {'j1' if folded else 'j'}.to(tl.int64) * {columns.tile}")
        self.line("i1 = tl.arange(0, COLUMNS)")
        if any(columns.pattern(k) == "d" for k in self.inputs):
            self.decode(1, columns)
        for k in self.inputs:
            self.along(1, columns, k)
        at = self.places.length(1)
        size = self.parameter("n1", "i64", columns.size, self.vector(columns), at)
        self.line("if masked:")
        self.line(f"left1 = tl.where(tile < end, tl.minimum({size} - start1, COLUMNS), 0)", 2)
        self.line("m1 = i1 < left1.to(tl.int32)", 2)
        self.load([0, 1], 2)
        self.line("t = tl.where(m0[:, None] & m1[None, :], t, PAD)", 2)
        self.line("else:")
        self.load([], 2)
        self.line("return t")
        rows = [f"a0_{k}" for k in self.inputs if self.cut.rows.pattern(k) != "0"]
        uniforms = [f"u{number}" for number in range(len(self.body.uniforms))]
        names = [f"p{k}" for k in self.inputs] + rows + ["m0", "end"] + uniforms
        names += ["part", "parts"] * (self.cut.parts > 1)
        names += [parameter.name for parameter in self.parameters]
        head = f"@triton.jit\ndef terms(tile, {', '.join(names)}, masked: tl.constexpr):\n"
        source = head + "\n".join(self.lines) + "\n"
        self.lines, self.parameters = kernel_lines, [*kernel_parameters, *self.parameters]
        return source, ", ".join(names)

    @property
    def long(self) -> bool:
        """Whether a tile's number needs 64 bits."""
        return self.cut.tiles + self.cut.tile.tiles >= 1 << 31

    def load(self, masked: list[int], depth: int) -> None:
        for k in self.inputs:
            address, axes = self.address(k)
            mask = self.mask(axes, masked)
            loaded = f"tl.load({address}{f', mask={mask}, other=0' if mask else ''})"
            if self.body.loads[k] == "position":
                loaded = f"({address}).to(tl.int64)"
                loaded = f"tl.where({mask}, {loaded}, 0)" if mask else loaded
            if len(axes) < 2:  # some instructions take pairs of elements
                loaded = f"tl.broadcast_to({loaded}, [ROWS, COLUMNS])"
            self.line(f"x{k} = {loaded}", depth)
        value = f"value({', '.join(arguments(self.body))})"
        self.line(f"t = tl.broadcast_to({value}, [ROWS, COLUMNS])", depth)

    def groups(self, passed: str) -> None:
        """Absorb this program's tiles, in steps of those that are read at once."""
        cut = self.cut
        at = None if cut.folded else self.places.tiles(1)
        self.line(f"end = {self.parameter('tiles', 'i64', cut.tiles, at=at)}")
        self.line("steps = (end + (UNROLLED - 1)) // UNROLLED")
        self.line("first = end * 0")
        # parts take steps in turns: programs that run at once read what lies together
        own = "(steps - part + (parts - 1)) // parts" if cut.parts > 1 else "steps"
        self.line(f"last = {own} * UNROLLED")
        # the first tiles, which are full: all of them, or none, or all but the last
        if cut.columns.size % cut.columns.tile == 0 and not cut.any_layout:
            self.line("full = end")
        else:
            self.line("full = end * 0" if cut.folded else "full = n1 // COLUMNS")
        if not self.repeats_rows:
            self.line("full = tl.where(left0 >= ROWS, full, 0)")
        if cut.parts > 1:
            self.line("full = (full // UNROLLED - part + (parts - 1)) // parts * UNROLLED")
        self.lines += sums.absorbing(self.how, self.way, self.whole, passed)
        rounded = (self.whole and self.way != sums.PAIRS) or self.digits
        if self.how.sums_floats and cut.parts == 1 and not rounded:
            self.line("total, remainder, shift = rounded(digits)")

    def leave(self) -> None:
        """Store the result, or a part's state."""
        if self.cut.parts == 1:
            varying = self.cut.rows.pattern(self.out) != "0"
            address = f"p{self.out} + {f'a0_{self.out}' if varying else 'i0 * 0'}"
            if self.digits:
                self.line(f"out = {address}")
                self.lines += sums.leaving_digits()
                return
            if self.how.sums_floats:
                count = self.parameter("count", "i64", self.fold.divisor, at=self.count_at)
                self.line(f"y = finish(result(total, remainder, shift, special, {count}))")
            else:
                self.line("y = finish(state)")
            self.line(f"tl.store({address}, y, mask=m0)")
            return
        self.lines += sums.leaving(self.how)


class _MergeWriter(_FoldingWriter):
    """The kernel that merges parts: a program for each output."""

    def __init__(self, fold: Fold, tiling: FoldTiling, arch: int) -> None:
        super().__init__(fold.finish, tiling.as_tiling, arch)
        self.fold, self.cut, self.how = fold, tiling, fold.how

    def kernel(self) -> Kernel:
        cut, how = self.cut, self.how
        self.line("j = tl.program_id(0)")
        parts = self.parameter("parts", "i32", cut.parts, at=PARTS_AT)
        self.line(f"slot = p0 + j.to(tl.int64) * {parts} * WORDS")
        dims = [*cut.rows.dims, *cut.kept]
        self.line("at = j.to(tl.int64) * 0")
        for number, dim in enumerate(dims):
            last, at = number == len(dims) - 1, self.places.size(dim)
            self.digit(f"d{number}", f"n{number}", dim.size, last, False, at)
            at = self.places.stride(dim, len(dim.strides) - 1)
            stride = self.parameter(f"s{number}", "i64", dim.strides[-1], at=at)
            self.line(f"at += d{number}.to(tl.int64) * {stride}")
        numbers = {"ROWS": 1, "WORDS": how.words, "BLOCK": tiles.MERGED}
        sources = [function_source("finish", self.fold.finish, INTERPRETER)]
        if how.sums_floats:
            numbers |= sums.numbers(how)
            numbers["BLOCK"] //= numbers["LANES"]
            sources.append(sums.finishing(how))
            self.lines += sums.merging(how)
            self.line("out = p1 + at + tl.arange(0, 1)")
            if how.kind == "digits":
                self.line("m0 = tl.full([1], 1, tl.int32) != 0")
                self.lines += sums.leaving_digits()
            else:
                count = self.parameter("count", "i64", self.fold.divisor, at=self.count_at)
                self.line(f"y = finish(result(total, remainder, shift, special, {count}))")
                self.line("tl.store(out, y)")
        else:
            numbers["PAD"] = sums.padding(how)
            self.lines += sums.merging(how)
            self.line("tl.store(p1 + at, finish(state))")
        sources.append(self.function())
        return self.finished(
            sums.replaced("\n\n".join(sources), numbers),
            pointers=("*i64", f"*{self.fold.finish.results[0].type}"),
            warps=tiles.MERGING_WARPS,
            registers=0,
            programs=cut.outputs,
            alignable=(False, False),
        )
