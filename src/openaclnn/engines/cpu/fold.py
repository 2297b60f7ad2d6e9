"""Writes the kernel of a fold: terms are computed as any body is, block after block into a buffer
in the L1 cache, and absorbed by a state for every output (`sums.accumulator`).

A unit is a tile of rows, which are outputs, and what is folded: columns of one dimension, for every
index of the other folded ones. Where outputs are few, threads get parts of units; each leaves its
state on the calling thread's stack, and that thread merges them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from itertools import count
from typing import NamedTuple

from openaclnn.arithmetic.folding import Folding
from openaclnn.arithmetic.lower import BYTES, Body
from openaclnn.arithmetic.nodes import FLOATS
from openaclnn.arithmetic.nodes import in_order as nodes_in_order
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import product_of
from openaclnn.base.trace import (
    all_of,
    any_of,
    as_float,
    as_word,
    equal,
    in_order,
    is_traced,
    least,
    less,
    most,
    pick,
)
from openaclnn.engines.cpu import across, transpose
from openaclnn.engines.cpu.access import TILE
from openaclnn.engines.cpu.kernel import (
    AXES,
    COLUMN,
    METADATA,
    ROW,
    Block,
    LoopKernel,
    Step,
    for_all_units,
)
from openaclnn.engines.cpu.sums import accumulator as sums
from openaclnn.engines.cpu.sums import many_rows
from openaclnn.engines.cpu.tiling import Dim, more_than_one, number_of_first, patterns_of, taken
from openaclnn.engines.cpu.vector import Printer, scalar
from openaclnn.plan.folds import Fold
from openaclnn.plan.loop import Loop

NAME = "openaclnn_fold"
ALL = "openaclnn_fold_for_all_units"
SHARED = "openaclnn_fold_shared"
_UNITS, _MERGE = "openaclnn_fold_units", "openaclnn_merge_parts"
_SHORT = 8192  # columns: of shorter ones a unit has several rows, …
_TOGETHER = 32768  # … and more of those that are added up together
STATES = 128  # of parts, at most
_FEW = 128  # columns: shorter rows are added up together, be they ever so few
_STORED_AT_ONCE = 8  # results of rows that were added up together
_DOWN = 1024  # terms of rows that lie side by side and are added up together
_NAMES = sums.NAMES + sums.TOGETHER
_FOLD_WORDS = 5 + len(_NAMES)
# of a kernel; parts leave their states where there is room for those
_RANGE = "ptr %args, i64 %first, i64 %last, ptr %states, i64 %parts"


@dataclass(frozen=True)
class FoldBlock(Block):
    """A kernel's block with what a fold needs besides."""

    def fold(self, number: int) -> int:
        """How many blocks, the count of terms, folded dimensions, parts at most, which word behind
        pointers and uniforms begins those dimensions, then where the functions of a state are."""
        return super().outer() + number

    def outer(self) -> int:
        return super().outer() + _FOLD_WORDS


class Tiles(NamedTuple):
    """Columns and rows of a tile. Of operands that are turned it always has so many; of others so
    many at most, and as many rows as make so many `elements`. Of rows up to `short` columns there
    are more."""

    turned: bool
    columns: int
    rows: int
    elements: int = 0
    short: int = 0
    short_rows: int = 0
    short_elements: int = 0

    def tile(self, columns: int) -> tuple[int, int]:
        if self.turned:
            return self.columns, self.rows
        usual, few = less(columns, self.columns + 1), less(columns, self.short + 1)
        most_columns = most(columns, 1)
        several = least(self.rows, usual * (self.elements // most_columns))
        of_short = least(self.short_rows, self.short_elements // most_columns)
        rows = most(1, several + few * (of_short - several))
        return least(most_columns, self.columns), rows


def tiles_of(body: Body, how: Folding, patterns: str) -> Tiles:
    """`patterns`: of the first operand at least, and a "t" where there is one."""
    several = together(body, how, patterns)
    if "t" in patterns:
        return Tiles(True, _DOWN if several else TILE, TILE)
    block = sums.block_of(how, as_they_lie(body, how, patterns))
    short = (many_rows.longest(how), many_rows.ROWS, _TOGETHER) if several else (0, 0, 0)
    return Tiles(False, block, TILE, _SHORT, *short)


class FoldUnits:
    """Which dimensions are rows and columns, and how they are cut."""

    states = STATES

    def __init__(self, kept: Loop, fold: Fold, body: Body) -> None:
        self.fold = fold
        folded, inputs = fold.folded, len(kept.strides) - 1
        column = len(folded.sizes) - 1 if folded.sizes else None
        self.column = columns, steps = folded.dimension(column)
        dims: list[Dim] = [*zip(count(), kept.sizes, *kept.strides)]
        far = [(1 - equal(step, 0)) * (1 - equal(step, 1)) for step in steps[:inputs]]
        # positions, which lie in no memory, are never transposed
        turns = [away * (load != "position") for away, load in zip(far, body.loads, strict=True)]
        flags = [
            any_of(*(all_of(equal(dim[2 + k], 1), turns[k]) for k in range(inputs))) for dim in dims
        ]
        several = fold.how.sums_floats and is_stored(body, fold.how)
        # rows along an operand's neighbours, which is transposed then
        self.turned = any_of(0, *flags)
        self.row = kept.dimension(None)
        if dims:
            row, dims = taken(dims, number_of_first(flags, len(dims) - 1))
            if dims and across.is_possible(fold.how) and not several:
                row, dims = self.longer(columns, row, dims)
            self.row = row[1], [*row[2:]]
        codes = [
            equal(step, 1) + 2 * away + turn * equal(across, 1)
            for step, across, away, turn in zip(steps, self.row[1], far, turns, strict=False)
        ]
        self.code: int = reduce(lambda code, one: 4 * code + one, codes)
        kinds = [first + turned for turned in ("", "t") for first in "01st"]
        which = 4 * self.turned + codes[0]
        if not is_traced(which):
            kinds, which = [kinds[which]], 0
        tiles = [tiles_of(body, fold.how, kind).tile(columns) for kind in kinds]
        self.tile = tuple(pick(which, sides) for sides in zip(*tiles, strict=True))
        self.outer = [(dim[1], [*dim[2:]]) for dim in reversed(dims)]
        outputs = product_of((self.row[0], *(size for size, _ in self.outer)))
        self.across: int = 0
        if across.is_possible(fold.how):
            stored = any_of(self.turned, equal(codes[0], 1)) if several else 0
            rows = self.row[0]
            self.across = across.pays(outputs, rows, columns, STATES, self.turned, stored)
            units = pick(self.across, (self.tile[1], across.rows_of_unit(outputs)))
            self.tile = self.tile[0], units
            own = 1 << 2 * len(body.loads)
            self.code += self.across * own * (own + across.code_of(body, self.row[1], steps))
        others = range(len(folded.sizes) - 1)
        self.folded = [folded.dimension(dim) for dim in reversed(others)]
        self.blocks = -(-columns // self.tile[0])
        for size, _ in self.folded:
            self.blocks *= size
        self.units = -(-self.row[0] // self.tile[1])
        for size, _ in self.outer:
            self.units *= size
        self.parts = most(1, least(self.blocks, STATES // most(outputs, 1)))  # at most

    def longer(self, columns: int, row: Dim, dims: list[Dim]) -> tuple[Dim, list[Dim]]:
        """The row or, where it has few elements and columns are few, the longest dimension in its
        place; the others."""
        longest, *others = in_order([row, *dims], lambda dim: (dim[1], 0))
        few = all_of(less(row[1], across.FEWEST), less(columns, across.SHORT + 1))
        other = all_of(few, less(across.FEWEST_SHORT - 1, longest[1]))
        self.turned = self.turned * (1 - other)
        pairs = zip(
            [row, *dims], [longest, *in_order(others, lambda dim: (-dim[0], 0))], strict=True
        )
        found, *left = (
            tuple(pick(other, both) for both in zip(*pair, strict=True)) for pair in pairs
        )
        return found, left

    def patterns_of(self, code: int) -> str:
        """How each operand runs along the columns: see `kernel`."""
        return patterns_of(code, len(self.row[1]) - 1) + "1"

    def across_of(self, code: int) -> str | None:
        """How each runs along the rows, where those are folded across."""
        inputs = len(self.row[1]) - 1
        return patterns_of(code >> 2 * inputs, inputs) if code >> 4 * inputs else None

    def words(self, sizes: Sequence[int], functions: Sequence[int]) -> list[int]:
        """The block after pointers and uniforms."""
        axes = [self.column, self.row, *((1, [0] * len(sizes)),) * (AXES - 2)]
        tile = [*self.tile, *(1,) * (AXES - 2)]
        words = [size for size, _ in axes] + tile
        words += [-(-size // t) for (size, _), t in zip(axes, tile, strict=True)]
        words += [more_than_one(self.outer), self.units]
        for _, strides in axes:
            words += [stride * size for stride, size in zip(strides, sizes, strict=True)]
        count = as_word(as_float(self.fold.divisor))
        behind = len(words) + _FOLD_WORDS + len(self.outer) * (1 + len(sizes))
        words += [self.blocks, count, more_than_one(self.folded), self.parts, behind, *functions]
        words += [0] * (len(_NAMES) - len(functions))
        for dim_size, strides in (*self.outer, *self.folded):
            words.append(dim_size)
            words += [stride * size for stride, size in zip(strides, sizes, strict=True)]
        return words


def as_they_lie(body: Body, how: Folding, patterns: str) -> bool:
    """Whether terms are numbers of an input side by side."""
    return is_stored(body, how) and patterns[0] == "1"


def is_stored(body: Body, how: Folding) -> bool:
    """Whether terms are numbers of an input."""
    (result,) = body.results
    return result.op == "load" or how.halves


def together(body: Body, how: Folding, patterns: str) -> bool:
    """Whether several rows may be added up as they lie."""
    return how.sums_floats and is_stored(body, how) and patterns[0] in "1t"


class FoldKernel(LoopKernel):
    """The kernel of a body whose results are terms."""

    def __init__(
        self,
        body: Body,
        fold: Fold,
        patterns: str,
        step: Step,
        architecture: str,
        along_rows: str | None = None,
        step_across: Step | None = None,
    ) -> None:
        """`along_rows`: how operands run there, where rows are folded `across`."""
        super().__init__(body, patterns, step, streaming=False, architecture=architecture)
        self.block = FoldBlock(len(body.sizes), len(body.uniforms))
        self.along_rows, self.step_across = along_rows, step_across or step
        self.fold, self.how = fold, fold.how
        self.state_size = fold.state_size
        self.together = together(body, fold.how, patterns)
        self.room = sums.block_of(self.how)

    def text(self) -> str:
        kernel = self.function(_UNITS, self.unit)
        merging = FoldKernel(
            self.body, self.fold, self.patterns, Step(self.lanes), self.architecture
        )
        merge = merging.function(_MERGE, merging.merged_unit)
        declared = {**self.p.declared, **merging.p.declared}
        if self.along_rows is not None:
            block = FoldBlock(len(self.body.sizes), len(self.body.uniforms))
            own = across.AcrossKernel(
                self.body,
                self.how,
                self.fold.finish,
                self.along_rows,
                self.step_across,
                self.architecture,
                block,
            )
            kernel = own.function(block.fold(5 + _NAMES.index(sums.PAIRS))) + kernel
            declared |= own.p.declared
        every = self.alone() + for_all_units(ALL, NAME, self.block) + self.shared()
        return "\n".join(declared.values()) + kernel + merge + every + METADATA

    def function(self, name: str, unit: Callable[[str, list[str]], None]) -> str:
        p = self.p
        p.label("entry")
        restore = self.plain_arithmetic()
        self.entry()
        assert isinstance(self.block, FoldBlock)
        first = self.block.fold(5)
        found = (self.word(first + k, "ptr") for k in range(len(_NAMES)))
        self.init, self.take, self.stored, self.merge, self.value, *others = found
        self.short, self.down, self.put_all, self.worth, _ = others
        room = self.room + sums.LANES
        self.terms = p.set(f"alloca [{room * BYTES[self.how.term]} x i8], align 64")
        self.states = p.set(f"alloca [{TILE * self.state_size} x i8], align 64")
        self.sums = p.set(f"alloca [{many_rows.ROOM} x i8], align 64")
        p.loop("unit", "%first", "%last", unit, step=1)
        if restore:
            p.line(restore)
        p.line("ret void")
        width = '"prefer-vector-width"="512"'
        return (
            f"\n\ndefine internal void @{name}({_RANGE}) nounwind {width} {{\n"
            + "\n".join(p.lines)
            + "\n}\n"
        )

    def alone(self) -> str:
        """The function that runs whole units."""
        return f"""
define void @{NAME}(ptr %args, i64 %first, i64 %last) nounwind {{
  call void @{_UNITS}(ptr %args, i64 %first, i64 %last, ptr null, i64 1)
  ret void
}}
"""

    def shared(self) -> str:
        """The function that runs all units on so many threads, which `%share` gives theirs."""
        assert isinstance(self.block, FoldBlock)
        return f"""
define internal void @openaclnn_fold_some(ptr %work, i64 %first, i64 %last) nounwind {{
  %args = load ptr, ptr %work, align 8
  %states.at = getelementptr i64, ptr %work, i64 1
  %states = load ptr, ptr %states.at, align 8
  %parts.at = getelementptr i64, ptr %work, i64 2
  %parts = load i64, ptr %parts.at, align 8
  call void @{_UNITS}(ptr %args, i64 %first, i64 %last, ptr %states, i64 %parts)
  ret void
}}

define void @{SHARED}(ptr %share, ptr %args, i64 %most, i32 %threads) nounwind {{
entry:
  %units.at = getelementptr i64, ptr %args, i64 {self.block.units()}
  %units = load i64, ptr %units.at, align 8
  %parts.at = getelementptr i64, ptr %args, i64 {self.block.fold(3)}
  %parts.most = load i64, ptr %parts.at, align 8
  %wanted = sext i32 %threads to i64
  %fewer = icmp slt i64 %wanted, %parts.most
  %parts = select i1 %fewer, i64 %wanted, i64 %parts.most
  %all = mul i64 %units, %parts
  %cut = icmp sgt i64 %parts, 1
  %room = alloca [{STATES * self.state_size} x i8], align 64
  %states = select i1 %cut, ptr %room, ptr null
  %work = alloca [3 x i64], align 8
  store ptr %args, ptr %work, align 8
  %states.to = getelementptr i64, ptr %work, i64 1
  store ptr %states, ptr %states.to, align 8
  %parts.to = getelementptr i64, ptr %work, i64 2
  store i64 %parts, ptr %parts.to, align 8
  call void %share(ptr @openaclnn_fold_some, ptr %work, i64 %all, i32 %threads)
  br i1 %cut, label %merge, label %done
merge:
  call void @{_MERGE}(ptr %args, i64 0, i64 %units, ptr %states, i64 %parts)
  br label %done
done:
  ret void
}}
"""

    def state(self, row: str) -> str:
        return self.p.shifted(self.states, row, str(self.state_size))

    def each_row(self, rows: str, work: Callable[[str], None]) -> None:
        self.p.loop("row", "0", rows, lambda row, _: work(row), step=1)

    def rows_of(self, number: str) -> tuple[list[str], str, str]:
        """Where a tile of rows begins, how many there are, and the first one's number."""
        p = self.p
        size, tile, tiles = (
            self.word(word(ROW)) for word in (self.block.size, self.block.tile, self.block.tiles)
        )
        start = p.set(f"mul i64 {p.set(f'urem i64 {number}, {tiles}')}, {tile}")
        rest = p.set(f"udiv i64 {number}, {tiles}")
        first = p.set(f"add i64 {p.set(f'mul i64 {rest}, {size}')}, {start}")
        pointers = [
            p.shifted(pointer, start, stride)
            for pointer, stride in zip(self.pointers, self.strides[ROW], strict=True)
        ]
        rows = self.smaller(tile, p.set(f"sub i64 {size}, {start}"))
        return self.outer_index(rest, pointers), rows, first

    def unit(self, unit: str, _: list[str]) -> None:
        p = self.p
        part = p.set(f"urem i64 {unit}, %parts")
        pointers, rows, first_row = self.rows_of(p.set(f"udiv i64 {unit}, %parts"))
        done = p.fresh("done")[1:]
        whole = p.set("icmp eq ptr %states, null")
        if self.along_rows is not None:  # nothing is cut into parts
            self.try_across(unit, done)
        if self.together and self.how.kind != "digits":
            self.try_directly(pointers, rows, whole, done)

        def some(start: str, _: list[str]) -> None:
            here = [
                p.shifted(pointer, start, stride)
                for pointer, stride in zip(pointers, self.strides[ROW], strict=True)
            ]
            count = self.smaller(str(TILE), p.set(f"sub i64 {rows}, {start}"))
            self.some_rows(here, count, part, p.set(f"add i64 {first_row}, {start}"), whole)

        p.loop("rows", "0", rows, some, step=TILE)
        p.line(f"br label %{done}")
        p.label(done)

    def some_rows(
        self, pointers: list[str], rows: str, part: str, first_row: str, whole: str
    ) -> None:
        """A part of rows that there are states for."""
        p, block = self.p, self.block
        assert isinstance(block, FoldBlock)
        blocks = self.word(block.fold(0))
        self.each_row(rows, lambda row: p.line(f"call void {self.init}(ptr {self.state(row)})"))
        following = p.set(f"add i64 {part}, 1")
        first, last = (
            p.set(f"udiv i64 {p.set(f'mul i64 {blocks}, {number}')}, %parts")
            for number in (part, following)
        )
        step = "1"
        if as_they_lie(self.body, self.how, self.patterns):  # blocks that follow each other are one
            follow = p.set(f"icmp eq i64 {self.word(block.fold(2))}, 0")
            all_of = p.set(f"select i1 {follow}, i64 {p.set(f'sub i64 {last}, {first}')}, i64 1")
            step = p.set(f"select i1 {p.set(f'icmp sgt i64 {all_of}, 1')}, i64 {all_of}, i64 1")
        p.loop("block", first, last, lambda at, _: self.absorb(at, step, pointers, rows), step)
        label = p.fresh("whole")[1:]
        p.line(f"br i1 {whole}, label %{label}, label %{label}.not")
        p.label(label)
        self.each_row(rows, lambda row: self.finish(row, pointers[self.out], self.state(row)))
        p.line(f"br label %{label}.done")
        p.label(f"{label}.not")

        def keep(row: str) -> None:
            number = p.set(f"add i64 {first_row}, {row}")
            slot = self.slot(p.set(f"add i64 {p.set(f'mul i64 {number}, %parts')}, {part}"))
            name = p.intrinsic("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
            p.line(f"call void {name}(ptr {slot}, ptr {self.state(row)}, "
                   f"i64 {self.state_size}, i1 false)")  # fmt: skip

        self.each_row(rows, keep)
        p.line(f"br label %{label}.done")
        p.label(f"{label}.done")

    def slot(self, number: str) -> str:
        """Where a part's state lies."""
        return self.p.shifted("%states", number, str(self.state_size))

    def merged_unit(self, unit: str, _: list[str]) -> None:
        p = self.p
        pointers, rows, first_row = self.rows_of(unit)

        def row_of(row: str) -> None:
            number = p.set(f"add i64 {first_row}, {row}")
            slots = self.slot(p.set(f"mul i64 {number}, %parts"))
            state = self.states
            p.line(f"call void {self.init}(ptr {state})")

            def merge(part: str, _: list[str]) -> None:
                other = p.shifted(slots, part, str(self.state_size))
                p.line(f"call void {self.merge}(ptr {state}, ptr {other})")

            p.loop("part", "0", "%parts", merge, step=1)
            self.finish(row, pointers[self.out], state)

        self.each_row(rows, row_of)

    def absorb(self, number: str, blocks: str, pointers: list[str], rows: str) -> None:
        """Blocks of columns: the terms of every row, and what becomes of them."""
        p, block = self.p, self.block
        assert isinstance(block, FoldBlock)
        size, tile, tiles = (
            self.word(word(COLUMN)) for word in (block.size, block.tile, block.tiles)
        )
        start = p.set(f"mul i64 {p.set(f'urem i64 {number}, {tiles}')}, {tile}")
        rest = p.set(f"udiv i64 {number}, {tiles}")
        moved = [
            p.shifted(pointer, start, self.strides[COLUMN][k]) if k < self.out else pointer
            for k, pointer in enumerate(pointers)
        ]
        width = p.set(f"mul i64 {tile}, {blocks}")
        columns = self.smaller(width, p.set(f"sub i64 {size}, {start}"))
        table = p.set(f"add i64 {self.word(block.fold(4))}, {block.size(0)}")
        at = self.indexed(rest, moved, self.word(block.fold(2)), table)
        done = p.fresh("together")[1:]
        if self.together:
            self.try_together(at[0], columns, rows, done)
        if self.lines and self.together:

            def turned(start: str, _: list[str]) -> None:
                here = [p.shifted(at[0], start, self.strides[COLUMN][0]), *at[1:]]
                left = p.set(f"sub i64 {columns}, {start}")
                self.one_by_one(here, self.smaller(str(TILE), left), rows)

            p.loop("turned", "0", columns, turned, step=TILE)
        else:
            self.one_by_one(at, columns, rows)
        p.line(f"br label %{done}")
        p.label(done)

    def one_by_one(self, at: list[str], columns: str, rows: str) -> None:
        """The terms of every row, one after the other."""
        p = self.p
        at = [*at[: self.out], self.terms]
        down = [*self.strides[ROW][: self.out], "0"]
        for operand, lines in self.lines.items():
            pitch, buffer = TILE * self.access.size(operand), self.access.buffers[operand]
            p.line(
                f"call void {transpose.declared(p, self.access.size(operand))}(ptr {at[operand]}, "
                f"ptr {lines}, ptr {buffer}, i64 {pitch}, i64 {columns}, i64 {rows})"
            )
            at[operand], down[operand] = buffer, str(pitch)

        def one(row: str, here: list[str]) -> None:
            state, count = self.state(row), columns
            if as_they_lie(
                self.body, self.how, self.patterns
            ):  # what makes whole vectors need not be copied
                call = f"call i64 {self.stored}(ptr {here[0]}, i64 {columns}, ptr {state})"
                taken = p.set(call)
                count = p.set(f"sub i64 {columns}, {taken}")
                here = [p.shifted(here[0], taken, str(self.access.size(0))), *here[1:]]
            label = p.fresh("some")[1:]
            some = p.set(f"icmp sgt i64 {count}, 0")
            p.line(f"br i1 {some}, label %{label}, label %{label}.done")
            p.label(label)
            self.take_row(here, count, state)
            p.line(f"br label %{label}.done")
            p.label(f"{label}.done")

        p.loop("row", "0", rows, one, step=1, carried=at, advance=down)

    def take_row(self, here: list[str], count: str, state: str) -> None:
        """So many terms, and zeros or what else changes nothing behind them, for a state."""
        p, type = self.p, scalar(self.how.term)
        empty = "0.0" if self.how.term in FLOATS else str(sums.padding(self.how))
        padding = "<" + ", ".join([f"{type} {empty}"] * sums.LANES) + ">"
        self.columns(here, count)
        end = p.shifted(self.terms, count, str(BYTES[self.how.term]))
        p.line(f"store <{sums.LANES} x {type}> {padding}, ptr {end}, align 1")
        p.line(f"call void {self.take}(ptr {self.terms}, i64 {count}, ptr {state})")

    def added_up(self, at: str, columns: str, rows: str) -> str:
        """Whether rows' sums are found, all at once."""
        function, pitch = self.short, self.strides[ROW][0]
        if self.patterns[0] == "t":
            function, pitch = self.down, self.strides[COLUMN][0]
        return self.p.set(
            f"call i1 {function}(ptr {at}, i64 {pitch}, i64 {columns}, i64 {rows}, ptr {self.sums})"
        )

    def few(self, columns: str, rows: str) -> str:
        """Whether rows may be added up at once: those that lie side by side always, short ones, and
        several."""
        p = self.p
        if self.patterns[0] == "t":
            return "true"
        short = p.set(f"icmp sle i64 {columns}, {_FEW}")
        longer = p.set(f"icmp sle i64 {columns}, {many_rows.longest(self.how)}")
        several = p.set(f"icmp sge i64 {rows}, {many_rows.AT_ONCE}")
        return p.set(f"or i1 {short}, {p.set(f'and i1 {longer}, {several}')}")

    def try_together(self, at: str, columns: str, rows: str, done: str) -> None:
        """Lines that go on at a label where rows could be added up together."""
        p = self.p
        apart, label = (p.fresh(hint)[1:] for hint in ("apart", "add"))
        p.line(f"br i1 {self.few(columns, rows)}, label %{label}, label %{apart}")
        p.label(label)
        found = self.added_up(at, columns, rows)
        p.line(f"br i1 {found}, label %{label}.put, label %{apart}")
        p.label(f"{label}.put")
        p.line(f"call void {self.put_all}(ptr {self.sums}, i64 {rows}, ptr {self.states})")
        p.line(f"br label %{done}")
        p.label(apart)

    def try_across(self, unit: str, done: str) -> None:
        """Lines that go on at a label where a unit's rows could be folded across."""
        p, label = self.p, self.p.fresh("lengthwise")[1:]
        found = p.set(f"call i1 @{across.NAME}(ptr %args, i64 {unit})")
        p.line(f"br i1 {found}, label %{done}, label %{label}")
        p.label(label)

    def try_directly(self, pointers: list[str], rows: str, whole: str, done: str) -> None:
        """Lines that go on at a label where rows are a block each, and their sums all there is."""
        p, block = self.p, self.block
        assert isinstance(block, FoldBlock)
        apart, label = (p.fresh(hint)[1:] for hint in ("states", "block"))
        columns = self.word(block.size(COLUMN))
        one = p.set(f"icmp eq i64 {self.word(block.fold(0))}, 1")
        single = p.set(f"and i1 {whole}, {p.set(f'and i1 {one}, {self.few(columns, rows)}')}")
        p.line(f"br i1 {single}, label %{label}, label %{apart}")
        p.label(label)
        found = self.added_up(pointers[0], columns, rows)
        p.line(f"br i1 {found}, label %{label}.found, label %{apart}")
        p.label(f"{label}.found")
        count = self.word(block.fold(1), "double")
        worth = p.set(f"call i1 {self.worth}(ptr {self.sums}, i64 {rows}, double {count})")
        p.line(f"br i1 {worth}, label %{label}.worth, label %{apart}")
        p.label(f"{label}.worth")

        def store(lanes: int, row: str, _: list[str]) -> None:
            at = p.shifted(self.sums, row, "8")
            values = p.set(f"load <{lanes} x double>, ptr {at}, align 8")
            self.store(row, pointers[self.out], values, lanes)

        (result,), (beside,) = self.fold.finish.results, self.fold.finish.complex
        size = 0 if beside else BYTES[result.type]
        side_by_side = p.set(f"icmp eq i64 {self.strides[ROW][self.out]}, {size}")
        whole = p.set(f"and i64 {rows}, {-_STORED_AT_ONCE}")
        many = p.set(f"select i1 {side_by_side}, i64 {whole}, i64 0")
        p.loop("rows", "0", many, partial(store, _STORED_AT_ONCE), step=_STORED_AT_ONCE)
        p.loop("row", many, rows, partial(store, 1), step=1)
        p.line(f"br label %{done}")
        p.label(apart)

    def finish(self, row: str, out: str, state: str) -> None:
        """Store what a state is worth."""
        p = self.p
        assert isinstance(self.block, FoldBlock)
        if self.how.kind == "digits":
            at = p.shifted(out, row, self.strides[ROW][self.out])
            p.line(f"call void {self.value}(ptr {state}, ptr {at})")
            return
        count = self.word(self.block.fold(1), "double")
        call = f"call {scalar(self.how.value)} {self.value}(ptr {state}, double {count})"
        type = scalar(self.how.value)
        value = p.set(f"insertelement <1 x {type}> poison, {type} {p.set(call)}, i64 0")
        self.store(row, out, value, 1)

    def store(self, row: str, out: str, values: str, lanes: int) -> None:
        """Store values as the results that they are: of rows that follow each other."""
        p = self.p
        at = p.shifted(out, row, self.strides[ROW][self.out])
        some = Printer(lanes)
        some.count, some.lines, some.declared = p.count + 1000, p.lines, p.declared
        (result,) = self.fold.finish.results
        names: dict[object, str] = {}
        some.print(nodes_in_order(result), (names, lambda node: values))  # type: ignore[arg-type]
        p.count = some.count
        p.line(f"store {some.vector(result.type)} {names[result]}, ptr {at}, align 1")
        if self.fold.finish.complex[0]:
            beside = p.shifted(at, "1", str(BYTES[result.type]))
            p.line(f"store {some.vector(result.type)} zeroinitializer, ptr {beside}, align 1")
