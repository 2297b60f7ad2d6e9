"""Writes a fold whose vectors lie across the rows: each lane is an output, and folded columns come
one after the other.

It serves what `fold` would do row by row where rows are short, or lie side by side: the largest,
counts of units and sums of integers are one number of every row; a sum of floats is two float64,
to which every term is added without a loss. Where a third would be needed, or something is not
finite, nothing has been written, and rows are added up one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from openaclnn.arithmetic.folding import Folding, in_units
from openaclnn.arithmetic.lower import BYTES, Body
from openaclnn.arithmetic.nodes import Node, in_order, make
from openaclnn.arithmetic.pairs import two_sum
from openaclnn.base.trace import all_of, any_of, equal, least, less, most, pick
from openaclnn.engines.cpu import transpose
from openaclnn.engines.cpu.access import LONGEST, TILE
from openaclnn.engines.cpu.kernel import COLUMN, ROW, LoopKernel, Step
from openaclnn.engines.cpu.vector import Printer

if TYPE_CHECKING:
    from openaclnn.engines.cpu.fold import FoldBlock

NAME = "openaclnn_fold_across"
WIDEST = 256  # rows of a unit
SHORT = 16  # columns: shorter rows are folded across, and so many are transposed at once
FEWEST = 8  # rows that lie side by side
FEWEST_SHORT = 32  # short rows
_SHARED = 16  # units, about, of few outputs
_PADDED = WIDEST + TILE  # rows that there is room for
_STORED_AT_ONCE = 8
_MAGNITUDE = (1 << 63) - 1
_BOTH = two_sum(make("load", "f64", value=0), make("load", "f64", value=1))


def is_possible(how: Folding) -> bool:
    return how.kind != "digits"


def pays(outputs: int, rows: int, columns: int, states: int, side_by_side: int, stored: int) -> int:
    """1 where to fold across: where nothing is cut into parts, and rows that lie side by side or
    are short would else be folded one by one. `stored`: they are added up at once as they lie."""
    enough = pick(side_by_side, (FEWEST_SHORT, FEWEST))
    short = any_of(side_by_side, less(columns, SHORT + 1))
    alone = any_of(equal(columns, 1), all_of(1 - stored, short, less(enough - 1, rows)))
    found: int = all_of(alone, less(states // 2, outputs))
    return found


def rows_of_unit(outputs: int) -> int:
    """More where there are many, but enough units for threads to share."""
    found: int = most(TILE, least(WIDEST, outputs // (_SHARED * TILE) * TILE))
    return found


def code_of(body: Body, rows: Sequence[int], columns: Sequence[int]) -> int:
    """How each operand runs along the rows, as `tiling` has it along columns; one whose columns lie
    side by side is transposed."""
    found = 0
    for load, down, step in zip(body.loads, rows, columns, strict=False):
        one, none = equal(down, 1), equal(down, 0)
        turned = equal(step, 1) * (load != "position")
        found = 4 * found + one + (1 - one) * (1 - none) * (2 + turned)
    return found


@lru_cache(maxsize=1024)
def _summands(body: Body, how: Folding) -> Body:
    """The body whose results are added to what a row has."""

    def summand(term: Node) -> Node:
        if how.kind == "powers":
            return in_units(term)
        return make("widen", "f64", term) if how.sums_floats and term.type == "f32" else term

    unguarded = body.unguarded and tuple(map(summand, body.unguarded))
    return replace(body, results=tuple(map(summand, body.results)), unguarded=unguarded)


class AcrossKernel(LoopKernel):
    """Prints the function that folds a unit's rows: true where their results are written. What its
    columns are, along which `patterns` say how operands run, are rows to the block."""

    block: FoldBlock

    def __init__(
        self,
        body: Body,
        how: Folding,
        finish: Body,
        patterns: str,
        step: Step,
        architecture: str,
        block: FoldBlock,
    ) -> None:
        super().__init__(_summands(body, how), f"{patterns}1", step, False, architecture)
        self.sides, self.block = None, block
        self.how, self.finish, self.lost = how, finish, how.sums_floats
        self.start = -(1 << (int(how.term[1:]) - 1)) if how.kind == "max" else 0

    def function(self, pairs: int) -> str:
        """`pairs`: the word of the function that makes values of sums that are two numbers."""
        p = self.p
        p.label("entry")
        self.entry()
        pointers, rows = self.rows_of("%unit")
        self.clear(rows)
        self.fold(pointers, rows)
        if self.lost:
            self.give_up_where_inexact()
            value, count = self.word(pairs, "ptr"), self.word(self.block.fold(1), "double")
            given = f"ptr {self.sums}, ptr {self.rests}, i64 {rows}, double {count}"
            p.line(f"call void {value}({given})")
        self.store_all(pointers[self.out], rows)
        p.line("ret i1 true")
        lines, width = "\n".join(p.lines), '"prefer-vector-width"="512"'
        head = f"define internal i1 @{NAME}(ptr %args, i64 %unit) noinline nounwind {width}"
        return f"\n\n{head} {{\n{lines}\n}}\n"

    def entry(self) -> None:
        p, block, operands = self.p, self.block, range(self.block.operands)
        self.access.make_room()
        self.cells = [p.set("alloca ptr, align 8") for _ in operands]
        self.left = p.set("alloca i64, align 8")
        self.sums, self.rests = (p.set(f"alloca [{8 * _PADDED} x i8], align 64") for _ in range(2))
        self.flags = p.set(f"alloca {p.vector('i64')}, align 64")
        p.line(f"store {p.vector('i64')} zeroinitializer, ptr {self.flags}, align 64")
        self.pointers = [self.word(block.pointer(k), "ptr") for k in operands]
        known = [{"0": "0", "1": str(self.access.size(k))}.get(self.patterns[k]) for k in operands]
        along = [known[k] or self.word(block.stride(ROW, k)) for k in operands[:-1]]
        self.strides = [
            [*along, str(self.access.size(self.out))],
            [self.word(block.stride(COLUMN, k)) for k in operands],
        ]
        self.access.strides = self.strides[COLUMN]
        turned = [k for k in operands if self.patterns[k] == "t"]
        self.lines = {k: p.set(f"alloca [{LONGEST} x i64], align 8") for k in turned}
        for operand, table in self.lines.items():
            down = self.word(block.stride(ROW, operand))

            def line(row: str, _: list[str], table: str = table, down: str = down) -> None:
                offset = p.set(f"mul i64 {row}, {down}")
                p.line(f"store i64 {offset}, ptr {p.shifted(table, row, '8')}, align 8")

            p.loop("line", "0", self.word(block.tile(ROW)), line, step=1)
        self.unvarying()

    def rows_of(self, unit: str) -> tuple[list[str], str]:
        """Where a unit's rows begin, and how many there are."""
        p, block = self.p, self.block
        size, tile, tiles = (self.word(w(ROW)) for w in (block.size, block.tile, block.tiles))
        start = p.set(f"mul i64 {p.set(f'urem i64 {unit}, {tiles}')}, {tile}")
        pointers = [
            p.shifted(pointer, start, self.word(block.stride(ROW, k)))
            for k, pointer in enumerate(self.pointers)
        ]
        rows = self.smaller(tile, p.set(f"sub i64 {size}, {start}"))
        return self.outer_index(p.set(f"udiv i64 {unit}, {tiles}"), pointers), rows

    def clear(self, rows: str) -> None:
        p, type = self.p, self.body.results[0].type
        vector = p.vector(type)
        start = p.splat(type, "0.0" if self.lost else str(self.start))

        def some(row: str, _: list[str]) -> None:
            places = (self.sums, self.rests) if self.lost else (self.sums,)
            for place in places:
                at = p.shifted(place, row, str(BYTES[type]))
                p.line(f"store {vector} {start}, ptr {at}, align 8")

        p.loop("clear", "0", rows, some, step=self.lanes)

    def fold(self, pointers: list[str], rows: str) -> None:
        """All columns, one after the other."""
        p, block = self.p, self.block
        table = p.set(f"add i64 {self.word(block.fold(4))}, {block.size(0)}")
        columns, tiles = self.word(block.size(COLUMN)), self.word(block.tiles(COLUMN))
        every = p.set(f"udiv i64 {self.word(block.fold(0))}, {tiles}")
        others, width = self.word(block.fold(2)), str(SHORT) if self.lines else columns

        def some(first: str, at: list[str]) -> None:
            count = self.smaller(width, p.set(f"sub i64 {columns}, {first}"))
            here, down = [*at[: self.out], self.sums], [*self.strides[ROW][: self.out], "0"]
            for operand, table in self.lines.items():
                size, buffer = self.access.size(operand), self.access.buffers[operand]
                p.line(
                    f"call void {transpose.declared(p, size)}(ptr {at[operand]}, ptr {table}, "
                    f"ptr {buffer}, i64 {WIDEST * size}, i64 {rows}, i64 {count})"
                )
                here[operand], down[operand] = buffer, str(WIDEST * size)
            p.loop("column", "0", count, lambda _, at: self.columns(at, rows), 1, here, down)

        def group(number: str, _: list[str]) -> None:
            at = self.indexed(number, pointers, others, table)
            steps = [p.set(f"mul i64 {width}, {each}") for each in self.strides[ROW]]
            p.loop("columns", "0", columns, some, width, at, steps)

        p.loop("others", "0", every, group, step=1)

    def write(
        self, pointers: list[list[str]], values: list[list[str]], left: str | None = None
    ) -> list[list[str]]:
        """Fold vectors of terms to what their rows have."""
        p, type = self.p, self.body.results[0].type
        vector = p.vector(type)
        for at, (value,) in zip(pointers, values, strict=True):
            here = at[self.out]
            before = p.set(f"load {vector}, ptr {here}, align 8")
            if self.lost:
                if left is not None:
                    value = self.access.first(value, vector, left)
                self.add(here, before, value)
                continue
            if self.how.kind == "max":
                name = p.intrinsic(f"llvm.smax.v{p.lanes}{type}", vector, f"{vector}, {vector}")
                after = p.set(f"call {vector} {name}({vector} {before}, {vector} {value})")
            else:
                after = p.set(f"add {vector} {before}, {value}")
            p.line(f"store {vector} {after}, ptr {here}, align 8")
        return []

    def add(self, here: str, before: str, value: str) -> None:
        """Add terms, what the sums lose to the rests, and note what those lose."""
        p, vector = self.p, self.p.vector("f64")
        total, lost = self.two_sum(before, value)
        p.line(f"store {vector} {total}, ptr {here}, align 8")
        number = p.set(f"sub i64 {p.set(f'ptrtoint ptr {here} to i64')}, "
                       f"{p.set(f'ptrtoint ptr {self.sums} to i64')}")  # fmt: skip
        there = p.set(f"getelementptr i8, ptr {self.rests}, i64 {number}")
        rest = p.set(f"load {vector}, ptr {there}, align 8")
        rest, left = self.two_sum(rest, lost)
        p.line(f"store {vector} {rest}, ptr {there}, align 8")
        integers = p.vector("i64")
        noted = p.set(f"load {integers}, ptr {self.flags}, align 64")
        bits = p.set(f"bitcast {vector} {left} to {integers}")
        p.line(f"store {integers} {p.set(f'or {integers} {noted}, {bits}')}, ptr {self.flags}, "
               "align 64")  # fmt: skip

    def two_sum(self, a: str, b: str) -> tuple[str, str]:
        names: dict[Node, str] = {}
        self.p.print(in_order(_BOTH.high, _BOTH.low), (names, lambda load: (a, b)[int(load.value)]))
        return names[_BOTH.high], names[_BOTH.low]

    def give_up_where_inexact(self) -> None:
        """Return where something was lost, or is not finite."""
        p, vector = self.p, self.p.vector("i64")
        noted = p.set(f"load {vector}, ptr {self.flags}, align 64")
        name = p.intrinsic(f"llvm.vector.reduce.or.v{p.lanes}i64", "i64", vector)
        # the sign of a zero does not count
        lost = p.set(f"and i64 {p.set(f'call i64 {name}({vector} {noted})')}, {_MAGNITUDE}")
        label = p.fresh("exact")[1:]
        p.line(f"br i1 {p.set(f'icmp eq i64 {lost}, 0')}, label %{label}, label %{label}.not")
        p.label(f"{label}.not")
        p.line("ret i1 false")
        p.label(label)

    def store_all(self, out: str, rows: str) -> None:
        """The results of all rows, several at once where they lie side by side."""
        p, down = self.p, self.word(self.block.stride(ROW, self.out))
        (result,), (beside,) = self.finish.results, self.finish.complex
        load, size = self.how.value, BYTES[result.type]
        side_by_side = p.set(f"icmp eq i64 {down}, {0 if beside else size}")
        whole = p.set(f"and i64 {rows}, {-_STORED_AT_ONCE}")
        many = p.set(f"select i1 {side_by_side}, i64 {whole}, i64 0")

        def store(lanes: int, row: str, _: list[str]) -> None:
            some = Printer(lanes)
            some.count, some.lines, some.declared = p.count + 1000, p.lines, p.declared
            at = p.shifted(self.sums, row, str(BYTES[load]))
            values = some.set(f"load {some.vector(load)}, ptr {at}, align 4")
            names: dict[Node, str] = {}
            some.print(in_order(result), (names, lambda node: values))
            to = some.shifted(out, row, down)
            p.count = some.count
            p.line(f"store {some.vector(result.type)} {names[result]}, ptr {to}, align 1")
            if beside:
                place = p.shifted(to, "1", str(size))
                p.line(f"store {some.vector(result.type)} zeroinitializer, ptr {place}, align 1")

        p.loop("rows", "0", many, partial(store, _STORED_AT_ONCE), step=_STORED_AT_ONCE)
        p.loop("row", many, rows, partial(store, 1), step=1)
