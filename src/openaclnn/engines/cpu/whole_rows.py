"""Writes the kernel of several passes over whole rows: each reduction keeps what it has so far in
registers, and the next pass finds its result there.

Vectors run along a row, or *across* rows that lie side by side, each in a lane of its own; then a
few of them go down all columns before the next ones do. A sum of floats is one float64, or two
where terms are float64; every addition is checked (its two differences give back what was added),
and where one was rounded, or is not finite, the row's sum is made once more by `sums`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from openaclnn.arithmetic.folding import Folding, in_units
from openaclnn.arithmetic.lower import BYTES, Body
from openaclnn.arithmetic.nodes import Node, in_order, make
from openaclnn.arithmetic.pairs import two_sum
from openaclnn.arithmetic.sum_rounding import quotient, rounded_pair
from openaclnn.base.records import dataclass
from openaclnn.engines.cpu import transpose
from openaclnn.engines.cpu.kernel import (
    COLUMN,
    COLUMN_GROUP,
    METADATA,
    NAME,
    NAME_OF_ALL,
    ROW,
    Block,
    LoopKernel,
    Step,
    for_all_units,
)
from openaclnn.engines.cpu.sums import accumulator as sums
from openaclnn.engines.cpu.vector import Printer, scalar

FUNCTIONS = sums.NAMES  # of `sums`, for every fold
_WORDS = 1 + len(FUNCTIONS)  # of a fold: what its mean divides by, those functions
_EXACT = "openaclnn_exact"
_MANY = 12  # operations: an exponential takes more
_EIGHT = 8  # lanes of float64 that fill a register
_LONG = 1024  # terms: of fewer a call for what is left counts
_CHUNK = 256  # vectors of terms that are added up exactly at once
TURNED, MOST_TURNED = 64, 128  # rows and columns that are transposed at once
KEPT = 1 << 17  # bytes of a row's terms, at most
_MAGNITUDE = (1 << 63) - 1
_LOADS = [make("load", "f64", value=k) for k in range(3)]
_BOTH = two_sum(*_LOADS[:2])


@dataclass(frozen=True)
class RowPass:
    """A pass: what it reads of the operands, or behind those of the results of folds; what it
    writes; how its terms are folded, and the body that makes of that what it writes, or what later
    passes read. `once`: it writes one element of a row."""

    body: Body
    reads: tuple[int, ...]
    writes: tuple[int, ...] = ()
    once: bool = False
    how: Folding | None = None
    finish: Body | None = None
    uniforms: int = 0  # of the passes before


@dataclass(frozen=True)
class RowsBlock(Block):
    """The kernel's words: axes are the innermost folded dimension, the rows', the folded dimension
    around the innermost one; other dimensions have tables."""

    folds: int

    def planes(self) -> int:
        """How many planes of two folded dimensions; the count of the others; where their table
        is."""
        return super().outer()

    def fold(self, number: int) -> int:
        return super().outer() + 3 + _WORDS * number

    def outer(self) -> int:
        return self.fold(self.folds)


@dataclass(frozen=True)
class _OwnBlock(Block):
    """The same for a pass, whose uniforms stand behind those of others."""

    before: int

    def uniform(self, number: int) -> int:
        return self.before + number


class _Pass(LoopKernel):
    """Prints what one pass computes for a vector."""

    def __init__(self, stage: RowPass, whole: WholeRows) -> None:
        inputs, outputs = whole.inputs, len(whole.sizes) - whole.inputs
        self.operands = [*stage.reads]
        if stage.how is None:
            self.operands += range(inputs, inputs + outputs)
        patterns = "".join(
            whole.patterns[k] if k < len(whole.sizes) else "0" for k in self.operands
        )
        step = Step(whole.lanes)
        super().__init__(stage.body, patterns + "1" * (stage.how is not None), step, False, "")
        self.p = self.access.p = whole.p
        self.stage, self.whole = stage, whole
        # terms that are numbers of an input, side by side
        plain = stage.how and (stage.body.results[0].op == "load" or stage.how.halves)
        self.lies_there = bool(plain) and self.patterns[0] == "1"
        self.block = _OwnBlock(0, 0, whole.block.operands + stage.uniforms)

    def begin(self) -> None:
        self.access.make_room()
        lanes = self.whole.strides[COLUMN]
        self.access.strides = [lanes[k] if k < len(lanes) else "0" for k in self.operands]
        self.unvarying()

    def known(self, found: Sequence[str]) -> dict[Node, str]:
        """What a vector needs to know before columns: results of folds, and what follows from them
        alone."""
        names, fixed = dict(self.names), set[Node]()
        first = len(self.whole.sizes)
        for node in self.nodes:
            if node.op == "load" and self.stage.reads[int(node.value)] >= first:
                names[node] = found[self.stage.reads[int(node.value)] - first]
            if node in names or (node.args and fixed.issuperset(node.args)):
                fixed.add(node)
        self.p.print((node for node in self.nodes if node in fixed), (names, self.no_load))
        return names

    def of(self, pointers: list[str], left: str | None) -> Callable[[Node], str]:
        """How the operands of a vector are loaded, given all operands."""

        def load(node: Node) -> str:
            operand = int(node.value)
            at = pointers[self.stage.reads[operand]]
            if self.patterns[operand] == "0":
                return self.access.load_for_all(operand, at)
            return self.access.load(operand, at, left)

        return load


class _Folded:
    """What some vectors of terms make so far, in cells of which LLVM makes registers."""

    def __init__(
        self, p: Printer, how: Folding, parts: int, along: bool, pair: bool = False
    ) -> None:
        """`pair`: a sum of floats is two numbers, as one of float64 always is."""
        self.p, self.how, self.parts, self.along = p, how, parts, along
        self.pair = how.sums_floats and (pair or how.term == "f64")
        type = "f64" if how.sums_floats else how.term if how.kind == "max" else "i64"
        self.type, kinds = type, [type] * (1 + self.pair)
        self.cells = [[self.cell(type) for type in kinds] for _ in range(parts)]
        self.lost = self.cell("i64")
        self.of_eight: list[str] = []  # what additions in eight lanes lost
        vector = p.vector("f64")
        fence = p.intrinsic(f"llvm.arithmetic.fence.v{p.lanes}f64", vector, vector)
        self.ones = p.set(f"call {vector} {fence}({vector} {p.constant('f64', 1.0)})")

    def cell(self, type: str) -> str:
        return self.p.set(f"alloca {self.p.vector(type)}, align 64")

    @property
    def least(self) -> str:
        """What changes nothing."""
        if self.how.kind != "max":
            return "zeroinitializer"
        return self.p.constant(self.type, -(1 << (int(self.type[1:]) - 1)))

    def start(self) -> None:
        for cell in (cell for cells in self.cells for cell in cells):
            self.p.line(f"store {self.p.vector(self.type)} {self.least}, ptr {cell}, align 64")
        if self.how.sums_floats:
            vector = self.p.vector("i64")
            self.p.line(f"store {vector} zeroinitializer, ptr {self.lost}, align 64")

    def add(self, part: int, term: str, left: Callable[[str, str, str], str] | None) -> None:
        """Fold a vector of terms, of which only those count that `left` leaves."""
        p, how = self.p, self.how
        names: dict[Node, str] = {}
        node = make("load", how.term, value=0)
        if how.kind == "powers":
            node = in_units(node)
        elif how.sums_floats and how.term == "f32":
            node = make("widen", "f64", node)
        p.print(in_order(node), (names, lambda _: term))
        value, vector = names[node], p.vector(self.type)
        if left is not None and (self.along or how.sums_floats):
            value = left(value, vector, self.least)
        now = [p.set(f"load {vector}, ptr {cell}, align 64") for cell in self.cells[part]]
        for cell, after in zip(self.cells[part], self.both(now, [value]), strict=True):
            p.line(f"store {vector} {after}, ptr {cell}, align 64")

    def both(self, one: list[str], other: list[str], lanes: int = 0) -> list[str]:
        """Two results as one; of sums that are two numbers the other may be one."""
        p, kind = self.p, self.how.kind
        vector = f"<{lanes or p.lanes} x {scalar(self.type)}>"
        (a, *rest), (b, *more) = one, other
        if kind == "max":
            name = f"llvm.smax.v{lanes or p.lanes}{self.type}"
            name = p.intrinsic(name, vector, f"{vector}, {vector}")
            return [p.set(f"call {vector} {name}({vector} {a}, {vector} {b})")]
        if not self.how.sums_floats:
            return [p.set(f"add {vector} {a}, {b}")]
        if not rest:
            return [self.exact(a, b, vector)]
        total = p.set(f"fadd {vector} {a}, {b}")
        back = self.minus(total, a, vector)
        under = p.set(f"fsub {vector} {a}, {self.minus(total, back, vector)}")
        low = p.set(f"fadd {vector} {under}, {p.set(f'fsub {vector} {b}, {back}')}")
        for each in more:
            low = self.exact(low, each, vector)
        return [total, self.exact(rest[0], low, vector)]

    def exact(self, a: str, b: str, vector: str) -> str:
        """The sum of two vectors; what a lane lost, if it did, leaves bits in a cell."""
        p, lanes = self.p, int(vector[1:].split()[0])
        total = p.set(f"fadd {vector} {a}, {b}")
        integers, bits = f"<{lanes} x i64>", list[str]()
        for one, other in ((a, b), (b, a)):
            left = self.minus(self.minus(total, one, vector), other, vector)
            bits.append(p.set(f"bitcast {vector} {left} to {integers}"))
        if lanes != p.lanes:
            self.of_eight += bits
            return total
        now = p.set(f"load {integers}, ptr {self.lost}, align 64")
        for each in bits:
            now = p.set(f"or {integers} {now}, {each}")
        p.line(f"store {integers} {now}, ptr {self.lost}, align 64")
        return total

    def minus(self, a: str, b: str, vector: str) -> str:
        """A difference by what multiplies, too: a processor has other units for that than for sums,
        and both are busy then."""
        p, lanes = self.p, int(vector[1:].split()[0])
        name = p.intrinsic(f"llvm.fma.v{lanes}f64", vector, f"{vector}, {vector}, {vector}")
        ones = self.ones if lanes == p.lanes else self.lanes_of(self.ones, p.lanes, 0)
        less = p.set(f"fneg {vector} {b}")
        return p.set(f"call {vector} {name}({vector} {a}, {vector} {ones}, {vector} {less})")

    def found(self, parts: int) -> list[list[str]]:
        """The results of parts; along a row that of all lanes, in one."""
        p, vector = self.p, self.p.vector(self.type)
        each = [
            [p.set(f"load {vector}, ptr {cell}, align 64") for cell in cells]
            for cells in self.cells[:parts]
        ]
        if not self.along:
            return each
        (total,), lanes = each, p.lanes
        if not self.how.sums_floats:
            word = "smax" if self.how.kind == "max" else "add"
            name = p.intrinsic(f"llvm.vector.reduce.{word}.v{lanes}{self.type}", self.type, vector)
            one = p.set(f"call {self.type} {name}({vector} {total[0]})")
            return [[p.set(f"insertelement <1 x {self.type}> poison, {self.type} {one}, i64 0")]]
        if lanes > _EIGHT:
            low, high = ([self.lanes_of(each, lanes, k) for each in total] for k in (0, _EIGHT))
            total = self.both(low, high, lanes=_EIGHT)
        for step in (4, 2, 1):  # all lanes have the sum in the end
            turned = [self.lanes_of(each, _EIGHT, step) for each in total]
            total = self.both(total, turned, lanes=_EIGHT)
        return [[self.lanes_of(each, _EIGHT, 0, 1) for each in total]]

    def lanes_of(self, value: str, lanes: int, first: int, count: int = _EIGHT) -> str:
        """Some lanes from one on, in a circle."""
        whole = f"<{lanes} x double>"
        order = ", ".join(f"i32 {(first + k) % lanes}" for k in range(count))
        return self.p.set(
            f"shufflevector {whole} {value}, {whole} poison, <{count} x i32> <{order}>"
        )

    def is_lost(self) -> str:
        """Whether an addition was rounded, or something is not finite."""
        p, lanes = self.p, self.p.lanes
        vector = p.vector("i64")
        noted = p.set(f"load {vector}, ptr {self.lost}, align 64")
        if self.of_eight:
            if lanes > _EIGHT:
                whole, noted = noted, ""
                for first in (0, _EIGHT):
                    order = ", ".join(f"i32 {first + k}" for k in range(_EIGHT))
                    self.of_eight.append(p.set(
                        f"shufflevector {vector} {whole}, {vector} poison, "
                        f"<{_EIGHT} x i32> <{order}>"
                    ))  # fmt: skip
            vector, lanes = f"<{_EIGHT} x i64>", _EIGHT
            for each in self.of_eight:
                noted = p.set(f"or {vector} {noted}, {each}") if noted else each
            self.of_eight = []
        # the sign of a zero does not count
        name = p.intrinsic(f"llvm.vector.reduce.or.v{lanes}i64", "i64", vector)
        bits = p.set(f"call i64 {name}({vector} {noted})")
        return p.set(f"icmp ne i64 {p.set(f'and i64 {bits}, {_MAGNITUDE}')}, 0")


class _Collected:
    """Terms that lie behind each other until there is no more room, and are added up by `sums`,
    whatever they are: those of a row, or of a row in each lane."""

    def __init__(self, whole: WholeRows, number: int, how: Folding) -> None:
        self.p, self.whole, self.how, self.along = whole.p, whole, how, whole.is_along
        p, self.size = self.p, BYTES[how.term]
        self.lanes = lanes = whole.lanes
        self.count = p.set("alloca i64, align 8")
        room = (_CHUNK * lanes + sums.LANES) * self.size
        self.terms = p.set(f"alloca [{room} x i8], align 64")
        self.row = p.set(f"alloca [{(_CHUNK + sums.LANES) * self.size} x i8], align 64")
        rows = 1 if self.along else lanes
        self.states = p.set(f"alloca [{rows * 8 * how.words} x i8], align 64")
        self.sums = p.set(f"alloca [{lanes} x double], align 64")
        first = whole.block.fold(number)
        self.divisor = whole.word(first, "double")
        found = (whole.word(first + 1 + k, "ptr") for k in range(len(FUNCTIONS)))
        self.init, self.take, self.stored, _, self.value = found

    def state(self, row: str) -> str:
        return self.p.shifted(self.states, row, str(8 * self.how.words))

    def start(self, rows: str = "1") -> None:
        p, self.rows = self.p, rows
        p.loop("init", "0", rows, lambda row, _: p.line(
            f"call void {self.init}(ptr {self.state(row)})"), 1)  # fmt: skip
        p.line(f"store i64 0, ptr {self.count}")

    def add(self, terms: list[str], left: str | None) -> None:
        """Put vectors of terms behind the others; the last of a row may have fewer."""
        p = self.p
        count = p.set(f"load i64, ptr {self.count}")
        step = self.size if self.along else self.size * self.lanes
        to = p.shifted(self.terms, count, str(step))
        for number, term in enumerate(terms):
            here = p.shifted(to, str(number), str(self.size * self.lanes))
            p.line(f"store {p.vector(self.how.term)} {term}, ptr {here}, align {self.size}")
        more = (left or str(self.lanes * len(terms))) if self.along else "1"
        after = p.set(f"add i64 {count}, {more}")
        p.line(f"store i64 {after}, ptr {self.count}")
        room = (_CHUNK - 4) * self.lanes if self.along else _CHUNK - 1
        over = p.set(f"call i64 {p.intrinsic('llvm.usub.sat.i64', 'i64', 'i64, i64')}"
                     f"(i64 {after}, i64 {room})")  # fmt: skip
        self.whole.if_any(over, self.flush)

    def add_stored(self, operand: int, at: list[str], count: str) -> str:
        """Absorb terms of long rows as they lie, in whole steps; how many those are. Of others what
        is left of a step would cost a call of its own."""
        is_long = self.p.set(f"icmp sge i64 {count}, {_LONG}")
        some = self.p.set(f"select i1 {is_long}, i64 {count}, i64 0")
        given = f"ptr {at[operand]}, i64 {some}, ptr {self.states}"
        return self.p.set(f"call i64 {self.stored}({given})")

    def flush(self) -> None:
        """Absorb what there is."""
        p, size, type = self.p, str(self.size), scalar(self.how.term)
        count = p.set(f"load i64, ptr {self.count}")
        zeros = f"store <{sums.LANES} x {type}> zeroinitializer"
        if self.along:
            p.line(f"{zeros}, ptr {p.shifted(self.terms, count, size)}, align {size}")
            p.line(f"call void {self.take}(ptr {self.terms}, i64 {count}, ptr {self.states})")
        else:

            def lane(row: str, _: list[str]) -> None:
                first = p.shifted(self.terms, row, size)

                def copy(_: str, at: list[str]) -> None:
                    term = p.set(f"load {type}, ptr {at[0]}, align {size}")
                    p.line(f"store {type} {term}, ptr {at[1]}, align {size}")

                steps = [str(self.size * self.lanes), size]
                ends = p.loop("copy", "0", count, copy, 1, [first, self.row], steps)
                p.line(f"{zeros}, ptr {ends[1]}, align {size}")
                p.line(f"call void {self.take}(ptr {self.row}, i64 {count}, ptr {self.state(row)})")

            p.loop("lane", "0", self.rows, lane, 1)
        p.line(f"store i64 0, ptr {self.count}")

    def store(self, out: str) -> None:
        """What states are worth."""
        p = self.p
        self.flush()

        def one(row: str, _: list[str]) -> None:
            given = f"ptr {self.state(row)}, double {self.divisor}"
            found = p.set(f"call double {self.value}({given})")
            p.line(f"store double {found}, ptr {p.shifted(out, row, '8')}, align 8")

        p.loop("value", "0", self.rows, one, 1)

    def found(self) -> str:
        """The one of a row."""
        self.store(self.sums)
        return self.p.set(f"load <1 x double>, ptr {self.sums}, align 8")


class WholeRows(LoopKernel):
    """Prints the kernel. `kept`: of the last fold's terms the last pass makes its results, and
    reads nothing else."""

    block: RowsBlock

    def __init__(
        self,
        stages: Sequence[RowPass],
        sizes: Sequence[int],
        inputs: int,
        patterns: str,
        along: bool,
        flat: bool,
        turned: bool,
        long: bool,
        kept: Body | None,
        architecture: str,
    ) -> None:
        """`sizes`: bytes of an element of every operand, of which so many are inputs; `patterns`:
        how they run along the lanes; `flat`: one dimension is folded; `turned`: rows' columns lie
        side by side, and are transposed first; `long`: a call for a row costs little beside it,
        and a sum has two numbers at once."""
        self.stages, self.sizes, self.inputs, self.patterns = stages, sizes, inputs, patterns
        self.is_along, self.flat, self.turned, self.is_long = along, flat, turned, long
        self.keeps, self.architecture = kept, architecture
        bodies = [stage.body for stage in stages]
        self.lanes = 8 if any(map(_in_float64, bodies)) else 16
        self.at_once = 2 if any(body.costly for body in bodies) else 4
        self.sides, self.out = None, inputs
        count = sum(len(body.uniforms) for body in bodies)
        folds = [stage for stage in stages if stage.how is not None]
        self.block = RowsBlock(len(sizes), count, len(folds))
        self.p = Printer(self.lanes)
        self.passes = [_Pass(stage, self) for stage in stages]
        if kept is not None:
            reads = len(sizes) - 1, len(sizes) + len(folds) - 1
            self.rest = _Pass(RowPass(kept, reads, stages[-1].writes), self)

    def text(self) -> str:
        p = self.p
        p.label("entry")
        restore = self.plain_arithmetic()
        self.begin()
        folds = [one.stage.how for one in self.passes if one.stage.how is not None]
        self.folded = [
            _Collected(self, number, how)
            if self.is_along and self.is_long and how.sums_floats
            else _Folded(p, how, 1 if self.is_along else self.at_once, self.is_along, self.is_long)
            for number, how in enumerate(folds)
        ]
        if self.keeps is not None:
            (size,) = {BYTES[one.how.term] for one in self.folded[-1:]}
            self.term_size = size * self.lanes
            room = KEPT + 2 * self.at_once * self.term_size
            self.kept = p.set(f"alloca [{room} x i8], align 64")
            self.kept_at = p.set("alloca ptr, align 8")
        self.once_cells = {
            type: p.set(f"alloca {p.vector(type)}, align 64")
            for type in ("i8", "i16", "i32", "f32", "i64", "f64")
        }
        if self.turned:
            self.room_to_turn()
        places = len(self.sizes) + self.lanes * len(self.folded) * 2
        self.given = p.set(f"alloca [{places} x i64], align 64")
        p.loop("unit", "%first", "%last", self.unit, step=1)
        if restore:
            p.line(restore)
        p.line("ret void")
        exact = [
            _ExactSum(self, number).text()
            for number, one in enumerate(self.folded)
            if one.how.sums_floats and isinstance(one, _Folded)
        ]
        declared = dict(p.declared)
        for _, more in exact:
            declared |= more
        lines, frame = "\n".join(p.lines), "alignstack(64)" * (self.architecture == "x86_64")
        return "\n".join([
            *declared.values(), *(text for text, _ in exact),
            f"define void @{NAME}(ptr %args, i64 %first, i64 %last) nounwind {frame} "
            f'"prefer-vector-width"="512" {{\n{lines}\n}}',
            for_all_units(NAME_OF_ALL, NAME, self.block), METADATA,
        ])  # fmt: skip

    def begin(self) -> None:
        """Read the block."""
        p, block, operands = self.p, self.block, range(len(self.sizes))
        self.cells = [p.set("alloca ptr, align 8") for _ in operands]
        self.left = p.set("alloca i64, align 8")
        self.pointers = [self.word(block.pointer(k), "ptr") for k in operands]
        columns, rows, planes = (
            [self.word(block.stride(axis, k)) for k in operands]
            for axis in (COLUMN, ROW, COLUMN_GROUP)
        )
        lanes = [*(columns if self.is_along else rows)]
        for k, pattern in enumerate(self.patterns):
            if pattern != "s":
                lanes[k] = "0" if pattern == "0" else str(self.sizes[k])
            if pattern == "t":  # which lies in a buffer
                columns[k] = str(TURNED * self.sizes[k])
        self.strides = [lanes, rows, columns, planes]
        for one in self.passes:
            one.begin()
        if self.keeps is not None:
            self.rest.begin()

    def unit(self, unit: str, _: list[str]) -> None:
        p, block = self.p, self.block
        size, tile, tiles = (self.word(word(ROW)) for word in (block.size, block.tile, block.tiles))
        start = p.set(f"mul i64 {p.set(f'urem i64 {unit}, {tiles}')}, {tile}")
        pointers = [
            p.shifted(pointer, start, stride)
            for pointer, stride in zip(self.pointers, self.strides[ROW], strict=True)
        ]
        pointers = self.outer_index(p.set(f"udiv i64 {unit}, {tiles}"), pointers)
        rows = self.smaller(tile, p.set(f"sub i64 {size}, {start}"))
        if self.is_along:
            down = self.strides[ROW]
            p.loop("row", "0", rows, lambda _, at: self.group([at], None), 1, pointers, down)
        elif self.turned:
            down = [p.set(f"mul i64 {stride}, {TURNED}") for stride in self.strides[ROW]]
            p.loop("turn", "0", rows, partial(self.turn, rows), TURNED, pointers, down)
        else:
            self.across(pointers, rows)

    def room_to_turn(self) -> None:
        """Buffers for operands, one for an output's rows, and where lines begin."""
        p = self.p
        self.buffers, self.line_tables = dict[int, str](), dict[int, str]()
        self.own_rows = p.set(f"alloca [{TURNED * (MOST_TURNED + 64) * 8} x i8], align 64")
        for k, (pattern, size) in enumerate(zip(self.patterns, self.sizes, strict=True)):
            if pattern != "t":
                continue
            self.buffers[k] = p.set(f"alloca [{TURNED * MOST_TURNED * size} x i8], align 64")
            of_rows = self.strides[ROW][k], TURNED
            stride, count = of_rows if k < self.inputs else (str(TURNED * size), MOST_TURNED)
            table = self.line_tables[k] = p.set(f"alloca [{count} x i64], align 8")

            def line(number: str, _: list[str], table: str = table, stride: str = stride) -> None:
                place = p.set(f"mul i64 {number}, {stride}")
                p.line(f"store i64 {place}, ptr {p.shifted(table, number, '8')}, align 8")

            p.loop("line", "0", str(count), line, 1)

    def turn(self, rows: str, first: str, at: list[str]) -> None:
        """Rows as columns in buffers, what is made of them, and the outputs as rows again."""
        p, columns = self.p, self.word(self.block.size(COLUMN))
        here = self.smaller(str(TURNED), p.set(f"sub i64 {rows}, {first}"))
        for k, buffer in self.buffers.items():
            if k < self.inputs:
                self.transposed(k, at[k], buffer, TURNED * self.sizes[k], here, columns)
        self.across([self.buffers.get(k, one) for k, one in enumerate(at)], here)
        copy = p.intrinsic("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
        for k, buffer in self.buffers.items():
            if k < self.inputs:
                continue
            pitch, own = (MOST_TURNED + 16) * self.sizes[k], self.own_rows
            self.transposed(k, buffer, own, pitch, columns, here)
            bytes = p.set(f"mul i64 {columns}, {self.sizes[k]}")

            def row(_: str, both: list[str], bytes: str = bytes) -> None:
                p.line(f"call void {copy}(ptr {both[1]}, ptr {both[0]}, i64 {bytes}, i1 false)")

            down = [str(pitch), self.strides[ROW][k]]
            p.loop("copy", "0", here, row, 1, [own, at[k]], down)

    def transposed(self, k: int, of: str, to: str, pitch: int, rows: str, columns: str) -> None:
        name = transpose.declared(self.p, self.sizes[k])
        given = f"ptr {of}, ptr {self.line_tables[k]}, ptr {to}, i64 {pitch}, i64 {rows}"
        self.p.line(f"call void {name}({given}, i64 {columns})")

    def across(self, pointers: list[str], rows: str) -> None:
        """Rows that lie side by side."""
        p = self.p
        several = self.lanes * self.at_once
        whole = p.set(f"and i64 {rows}, {-several}")
        pointers = p.loop(
            "group", "0", whole,
            lambda _, at: self.group([self.ahead(at, k) for k in range(self.at_once)], None),
            several, pointers, [self.bytes(k, several) for k in range(len(pointers))],
        )  # fmt: skip
        p.loop(
            "rest", whole, rows,
            lambda first, at: self.group([at], p.set(f"sub i64 {rows}, {first}")),
            self.lanes, pointers, [self.bytes(k, self.lanes) for k in range(len(pointers))],
        )  # fmt: skip

    def along(self, operand: int) -> str:
        return self.strides[COLUMN][operand]

    def group(self, starts: list[list[str]], left: str | None) -> None:
        """All passes over a row, or over rows side by side."""
        p, found = self.p, list[list[str]]()  # of every vector the results of folds
        found = [[] for _ in starts]
        folds = zip((one for one in self.passes if one.stage.how), self.folded, strict=True)
        for number, (one, folded) in enumerate(folds):
            known = [one.known(each) for each in found]
            folded.start()
            keeps = self.keeps is not None and number == len(self.folded) - 1
            if keeps:
                p.line(f"store ptr {self.kept}, ptr {self.kept_at}")

            def absorb(
                at: list[list[str]], left: str | None,
                one: _Pass = one, known: list[dict[Node, str]] = known,
                folded: _Folded | _Collected = folded, keeps: bool = keeps,
            ) -> None:  # fmt: skip
                terms = self.terms(one, known, at, left)
                if isinstance(folded, _Collected):
                    folded.add(terms, left)
                    return
                for part, term in enumerate(terms):
                    first = partial(self.first, left) if left else None
                    folded.add(0 if self.is_along else part, term, first)
                if keeps:
                    self.keep(terms)

            first = None
            if isinstance(folded, _Collected) and one.lies_there:
                first = partial(folded.add_stored, one.stage.reads[0])
            self.every_column(starts, left, absorb, first)
            values = self.values_of(number, folded, starts, left, found)
            if one.stage.writes:
                self.store_once(one, starts, [[value] for value in values], left)
            for each, value in zip(found, values, strict=True):
                each.append(value)
        for one in self.passes:
            if one.stage.once:
                parts = [
                    (one.known(each), one.of(at, left))
                    for each, at in zip(found, starts, strict=True)
                ]
                self.store_once(one, starts, one.computed(parts), left)
            elif one.stage.how is None:
                self.store_rows(one, starts, found, left)

    def store_once(
        self, one: _Pass, starts: list[list[str]], values: list[list[str]], left: str | None
    ) -> None:
        """Write an element of every row."""
        p, stage = self.p, one.stage
        results = stage.finish.results if stage.finish else stage.body.results
        for at, each in zip(starts, values, strict=True):
            for k, result, value in zip(stage.writes, results, each, strict=True):
                vector, type = p.vector(result.type), scalar(result.type)
                if self.is_along:
                    first = p.set(f"extractelement {vector} {value}, i64 0")
                    p.line(f"store {type} {first}, ptr {at[k]}, align 1")
                    continue
                cell = self.once_cells[result.type]
                p.line(f"store {vector} {value}, ptr {cell}, align 64")

                def row(_: str, both: list[str], type: str = type) -> None:
                    lane = p.set(f"load {type}, ptr {both[0]}, align 1")
                    p.line(f"store {type} {lane}, ptr {both[1]}, align 1")

                many = self.smaller(left, str(self.lanes)) if left else str(self.lanes)
                steps = [str(BYTES[result.type]), self.strides[ROW][k]]
                if self.patterns[k] == "1" and left is None:
                    p.line(f"store {vector} {value}, ptr {at[k]}, align 1")
                else:
                    p.loop("once", "0", many, row, 1, [cell, at[k]], steps)

    def store_rows(
        self, last: _Pass, starts: list[list[str]], found: list[list[str]], left: str | None
    ) -> None:
        """What is made of every column."""
        p = self.p
        if self.keeps is not None:
            last = self.rest
            p.line(f"store ptr {self.kept}, ptr {self.kept_at}")
        known = [last.known(each) for each in found]

        def store(at: list[list[str]], left: str | None) -> None:
            parts = [
                (dict(known[min(part, len(known) - 1)]), last.of(here, left))
                for part, here in enumerate(at)
            ]
            if self.keeps is not None:
                for (names, _), term in zip(parts, self.kept_terms(len(at)), strict=True):
                    for node in last.nodes:
                        if node.op == "load" and node.value == 0:
                            names[node] = term
            for here, values in zip(at, last.computed(parts), strict=True):
                for number, (k, value) in enumerate(zip(last.stage.writes, values, strict=True)):
                    last.access.store(last.out + number, here[k], value, left)

        self.every_column(starts, left, store)

    def terms(
        self, one: _Pass, known: list[dict[Node, str]], at: list[list[str]], left: str | None
    ) -> list[str]:
        parts = [
            (dict(known[min(part, len(known) - 1)]), one.of(here, left))
            for part, here in enumerate(at)
        ]
        return [term for (term,) in one.computed(parts)]

    def first(self, left: str, value: str, vector: str, other: str) -> str:
        """The first lanes of a vector; others have something else."""
        mask = self.passes[0].access._mask(left, self.lanes)
        return self.p.set(f"select <{self.lanes} x i1> {mask}, {vector} {value}, {vector} {other}")

    def keep(self, terms: list[str]) -> None:
        p, vector = self.p, self.p.vector(self.folded[-1].how.term)
        at = p.set(f"load ptr, ptr {self.kept_at}")
        for number, term in enumerate(terms):
            p.line(f"store {vector} {term}, ptr {p.shifted(at, str(number), str(self.term_size))}, "
                   "align 64")  # fmt: skip
        p.line(f"store ptr {p.shifted(at, str(len(terms)), str(self.term_size))}, "
               f"ptr {self.kept_at}")  # fmt: skip

    def kept_terms(self, count: int) -> list[str]:
        p, vector = self.p, self.p.vector(self.folded[-1].how.term)
        at = p.set(f"load ptr, ptr {self.kept_at}")
        places = [p.shifted(at, str(number), str(self.term_size)) for number in range(count + 1)]
        p.line(f"store ptr {places[-1]}, ptr {self.kept_at}")
        return [p.set(f"load {vector}, ptr {place}, align 64") for place in places[:-1]]

    def every_column(
        self,
        starts: list[list[str]],
        left: str | None,
        do: Callable[[list[list[str]], str | None], None],
        first: Callable[[list[str], str], str] | None = None,
    ) -> None:
        """All columns, of some vectors side by side or of one row, but for those that are done
        `first`."""
        p, block = self.p, self.block
        columns = self.word(block.size(COLUMN))
        every, others, table = (self.word(block.planes() + k) for k in range(3))
        _, _, along, planes = self.strides

        def plane(number: str, _: list[str]) -> None:
            here = self.indexed(number, starts[0], others, table)
            size = self.word(block.size(COLUMN_GROUP))
            p.loop("line", "0", size, line, 1, here, planes)

        def line(_: str, at: list[str]) -> None:
            if not self.is_along:
                p.loop("column", "0", columns, column, 1, at, along)
                return
            taken = first(at, columns) if first else "0"
            at = [p.shifted(one, taken, self.along(k)) for k, one in enumerate(at)]
            count = p.set(f"sub i64 {columns}, {taken}")
            for vectors in sorted({self.at_once, 1}, reverse=True):

                def some(_: str, here: list[str], vectors: int = vectors) -> None:
                    do([self.ahead(here, k) for k in range(vectors)], None)

                step = vectors * self.lanes
                rest = p.set(f"and i64 {count}, {step - 1}")
                whole = p.set(f"sub i64 {count}, {rest}")
                advance = [self.bytes(k, step) for k in range(len(at))]
                at = p.loop("some", "0", whole, some, step, at, advance)
                count = rest
            self.if_any(count, lambda: do([at], count))

        def column(_: str, at: list[str]) -> None:
            do([self.ahead(at, k) for k in range(len(starts))], left)

        if self.flat:
            line("", starts[0])
        else:
            p.loop("plane", "0", every, plane, 1)

    def values_of(
        self,
        number: int,
        folded: _Folded | _Collected,
        starts: list[list[str]],
        left: str | None,
        found: list[list[str]],
    ) -> list[str]:
        """What later passes read of a fold, for every vector."""
        how, lanes = folded.how, 1 if self.is_along else self.lanes
        if isinstance(folded, _Collected):
            results = [[folded.found()]]
        else:
            results = folded.found(len(starts))
        self.p.lanes = lanes
        if isinstance(folded, _Collected) or not how.sums_floats:
            values = results
        else:
            self.p.lanes = self.lanes
            lost = folded.is_lost()
            self.p.lanes = lanes
            values = self.either(
                lost,
                ["f64"],
                lambda: self.exactly(number, starts, left, found),
                lambda: [[self.of_sum(number, how, each)] for each in results],
            )
        finished, type = [self.finish(number, value) for (value,) in values], self.type_of(number)
        self.p.lanes = self.lanes
        if not self.is_along:
            return finished
        one = self.p.set(f"extractelement <1 x {scalar(type)}> {finished[0]}, i64 0")
        return [self.p.splat(type, one)]

    def of_sum(self, number: int, how: Folding, parts: list[str]) -> str:
        """The value of a sum that lost nothing, of one number or two."""
        p, names = self.p, dict[Node, str]()
        total, rest = _LOADS[0], make("const", "f64", value=0.0)
        given = [parts[0]]
        if len(parts) > 1:
            p.print(in_order(_BOTH.high, _BOTH.low), (names, lambda load: parts[int(load.value)]))
            zero = p.set(f"fadd {p.vector('f64')} {names[_BOTH.high]}, zeroinitializer")
            given, names = [zero, names[_BOTH.low]], {}
            total, rest = rounded_pair(how, *_LOADS[:2])
        if how.kind == "mean":
            given += ["zeroinitializer"] * (2 - len(given))
            given.append(p.splat("f64", self.word(self.block.fold(number), "double")))
            total = quotient(total, rest, _LOADS[2])[1]
        p.print(in_order(total), (names, lambda load: given[int(load.value)]))
        return names[total]

    def type_of(self, number: int) -> str:
        """The type in which later passes read what a fold gives."""
        slot = len(self.sizes) + number
        for one in self.stages:
            if slot in one.reads:
                return one.body.loads[one.reads.index(slot)]
        finish = [stage.finish for stage in self.stages if stage.how][number]
        assert finish is not None  # which nobody reads
        return finish.results[0].type

    def finish(self, number: int, value: str) -> str:
        """What is read of a fold's value, as bits or as a number."""
        p, names = self.p, dict[Node, str]()
        finish = [stage.finish for stage in self.stages if stage.how][number]
        assert finish is not None
        (result,) = finish.results
        p.print(in_order(result), (names, lambda _: value))
        type = self.type_of(number)
        if result.type == type:
            return names[result]
        return p.set(f"bitcast {p.vector(result.type)} {names[result]} to {p.vector(type)}")

    def exactly(
        self, number: int, starts: list[list[str]], left: str | None, found: list[list[str]]
    ) -> list[list[str]]:
        """The sums from functions that take any terms."""
        p, lanes, values = self.p, self.lanes, []
        operands, slots = len(self.sizes), len(self.sizes)
        for at, known in zip(starts, found, strict=True):
            for k in range(operands):
                p.line(f"store ptr {at[k]}, ptr {p.shifted(self.given, str(k), '8')}")
            for k, value in enumerate(known):
                place = p.shifted(self.given, str(slots + k * lanes), "8")
                type = scalar(self.type_of(k))
                p.line(f"store <{lanes} x {type}> {value}, ptr {place}, align 8")
            out = p.shifted(self.given, str(slots + len(self.folded) * lanes), "8")
            count = left or str(lanes)
            p.line(f"call void @{_EXACT}{number}(ptr %args, ptr {self.given}, i64 {count})")
            values.append([p.set(f"load {p.vector('f64')}, ptr {out}, align 8")])
        return values


def _in_float64(body: Body) -> bool:
    """Whether much is computed in float64, of which eight fill a register."""
    nodes = in_order(*body.usual.results)
    return sum(node.type == "f64" and bool(node.args) for node in nodes) >= _MANY


class _ExactSum(WholeRows):
    """Prints the function that adds up the terms of some rows whatever they are."""

    def __init__(self, of: WholeRows, number: int) -> None:
        super().__init__(
            of.stages,
            of.sizes,
            of.inputs,
            of.patterns,
            of.is_along,
            of.flat,
            of.turned,
            of.is_long,
            None,
            of.architecture,
        )
        self.number, self.folds = number, len(of.folded)
        self.own = [one for one in self.passes if one.stage.how][number]

    def text(self) -> Any:
        p, how, lanes = self.p, self.own.stage.how, self.lanes
        assert how is not None
        p.label("entry")
        self.begin()
        collected = _Collected(self, self.number, how)
        self.pair = _Folded(p, how, 1, self.is_along, pair=True)
        places = (p.shifted("%given", str(k), "8") for k in range(len(self.sizes)))
        at = [p.set(f"load ptr, ptr {place}") for place in places]
        found = []
        for k in range(self.number):
            place = p.shifted("%given", str(len(self.sizes) + k * lanes), "8")
            vector = p.vector(self.type_of(k))
            found.append(p.set(f"load {vector}, ptr {place}, align 8"))
        known = [self.own.known(found)]
        out = p.shifted("%given", str(len(self.sizes) + self.folds * lanes), "8")
        self.at_once, left = 1, None if self.is_along else "%left"
        if how.term == "f32" and not self.is_long:
            self.as_pair(known, at, left, out)
        collected.start("1" if self.is_along else self.smaller("%left", str(lanes)))

        def absorb(at: list[list[str]], left: str | None) -> None:
            collected.add(self.terms(self.own, known, at, left), left)

        self.every_column([at], left, absorb)
        vector = p.vector("f64")
        p.line(f"store {vector} zeroinitializer, ptr {out}, align 8")
        collected.store(out)
        p.line("ret void")
        text = (
            f"define internal void @{_EXACT}{self.number}(ptr %args, ptr %given, i64 %left) "
            'noinline cold nounwind "prefer-vector-width"="512" {\n' + "\n".join(p.lines) + "\n}\n"
        )
        return text, p.declared

    def as_pair(
        self, known: list[dict[Node, str]], at: list[str], left: str | None, out: str
    ) -> None:
        """Return with sums of two numbers where those are enough."""
        p, folded = self.p, self.pair
        folded.start()

        def absorb(at: list[list[str]], left: str | None) -> None:
            (term,) = self.terms(self.own, known, at, left)
            folded.add(0, term, partial(self.first, left) if left else None)

        self.every_column([at], left, absorb)
        (parts,), label = folded.found(1), p.fresh("lost")[1:]
        p.line(f"br i1 {folded.is_lost()}, label %{label}, label %{label}.not")
        p.label(f"{label}.not")
        p.lanes = 1 if self.is_along else self.lanes
        found = self.of_sum(self.number, folded.how, parts)
        p.line(f"store {p.vector('f64')} {found}, ptr {out}, align 8")
        p.lanes = self.lanes
        p.line("ret void")
        p.label(label)
