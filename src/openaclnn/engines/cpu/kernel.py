"""Writes the kernel of a body: one shape of loops for every layout.

The work is cut into units: tiles of rows by columns over two dimensions, for every index of the
outer ones. A kernel runs a range of units, so that threads can share them. Where an operand is
transposed and a dimension too short for a tile, another one goes on where it ends: columns come in
groups that the output has side by side, rows in groups that a transposed operand has.
Columns run in vectors, some of them in turns, the rest under a mask. Along the columns each operand
has a *pattern*: "0" (one element for all), "1" (contiguous), "s" (any other stride) or, for inputs,
"t" (contiguous along the rows: the tile is first transposed into a buffer in the L1 cache).
Kernels of operands that no cache holds (`far`) ask memory for the next tile before they transpose
one; where they transpose nothing, their rows come in groups, too.

A kernel takes one block of 64-bit words, described by `Block`, and the range of units; its variant
runs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from openaclnn.arithmetic import integers
from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import Node, but_for_nans, in_order
from openaclnn.base.records import dataclass
from openaclnn.engines.cpu import compile, row_copies, transpose
from openaclnn.engines.cpu.access import LINE, LONGEST, Access
from openaclnn.engines.cpu.split_by_position import Sides, changes_once, sides_of
from openaclnn.engines.cpu.vector import TESTS, Printer, Vector, can_be_apart, scalar

NAME = "openaclnn_kernel"
NAME_OF_ALL = "openaclnn_kernel_for_all_units"

_MANY = 30  # operations: an exponential takes so many and more, other bodies of f32 and f16 fewer

_WORTH_ALIGNING = (
    8  # vectors: of fewer the ends take longer, 2^16 float16 in place 3.5 µs beside 3.0
)

METADATA = '!0 = !{!"branch_weights", i32 1, i32 1000}\n!1 = !{i32 1}\n'

# Columns, at most, of rows for whose number there is a kernel of its own, and that may have one
IN_ROW, IN_VECTORS = 16, 64

AXES = 4  # of a tile
COLUMN, ROW, COLUMN_GROUP, ROW_GROUP = range(AXES)


@dataclass(frozen=True)
class Block:
    """Where each word of a kernel's argument block stands; strides are in bytes."""

    operands: int  # what is read, then what is written
    uniforms: int

    def pointer(self, operand: int) -> int:
        return operand

    def uniform(self, number: int) -> int:
        return self.operands + number

    def size(self, axis: int) -> int:
        return self.operands + self.uniforms + axis

    def tile(self, axis: int) -> int:
        return self.size(AXES) + axis

    def tiles(self, axis: int) -> int:
        """How many tiles an axis has."""
        return self.tile(AXES) + axis

    def outer_dimensions(self) -> int:
        return self.tiles(AXES)

    def units(self) -> int:
        return self.tiles(AXES) + 1

    def stride(self, axis: int, operand: int) -> int:
        return self.tiles(AXES) + 2 + axis * self.operands + operand

    def outer(self) -> int:
        """For every outer dimension: its size, then the operands' strides."""
        return self.stride(AXES, 0)


@dataclass(frozen=True)
class Step:
    """What a kernel takes at once: so many vectors of so many lanes, in registers of so many bits,
    where there are such. `row`: how many columns all of its rows have, where that is known."""

    lanes: int
    vectors: int = 1
    bits: int = 512
    row: int = 0

    @property
    def columns(self) -> int:
        return self.lanes * self.vectors


ELEMENT = Step(1, bits=256)  # one after the other


def step(body: Body, columns: int, avx512: bool, alone: bool = False) -> Step:
    """Some registers full, to hide latencies; short rows have no use for more. `alone`: one vector
    after the other.

    Where caches decide, 512-bit registers cost some 15 % (AMD's store path) or nothing: time goes
    into instructions where there is an exponential, or where bfloat16 is taken apart and put
    together. Four short vectors in turns, stored one after the other, take 0.7 to 1.0 of the time
    of a long one; where many conditions are to be made, or some of few operands or of 16 bits,
    those of 512 bits take 0.6 to 0.9 of it. Numbers of 16 bits that only move fill their registers:
    2^16 of them are set to one number in 1.4 µs, in halves of registers in 2.4, and
    change their signs in place in 2.3 µs, where they took 2.5.

    Rows of up to 16 columns take 0.8 of the time in two vectors, beside four; up to 4 of an
    exponential in 16 bits 0.85 of it in 4 lanes, beside 8.

    Light bodies in float64, twice as wide, do better with fewer. An exponential in float64 is
    computed in vectors that fill one register: those of twice as many float32, which would have to
    be taken apart and put together, cost some 7 %. What float64 is needed for seldom only, or only
    to read a row's largest number and sum, has them full of float32.
    """
    if avx512 and body.wide and body.costly:
        usual = in_order(*body.usual.results)
        wide = any(node.type == "f64" and node.op not in ("load", "uniform") for node in usual)
        return Step(8 if wide else 16, 4)
    operations = [node.op for node in in_order(*body.results) if node.args]
    many = len(operations) >= _MANY
    packed = "zext" in operations
    tests = _tests(body)
    choosing = not many and tests > (len(body.sizes) if max(body.sizes) > 2 else 2)
    lanes, vectors, bits = 16, 1, 512 if many or packed else 256
    sided = sides_of(body) is not None and not alone
    if avx512 and sided:
        lanes, bits = 64 // body.sizes[-1], 512  # registers full of results
    elif avx512 and (many or packed or not body.wide):
        lanes = 32
    if avx512 and not (alone or body.wide or sided):
        if max(body.sizes) == 1:
            vectors, bits = 4, 512
        elif packed and not choosing:
            vectors = 2
        elif many or choosing:
            lanes, vectors, bits = 16, 4, 512
        else:
            wide = max(body.sizes) > 2
            if columns <= 16:
                return Step(4 if columns <= 4 else 8, 2 if wide and columns > 8 else 1, 256)
            return Step(8, 4, 256) if wide else Step(32, 4)
    fitting = min(lanes, max(8 if alone else 4, 1 << (columns - 1).bit_length()))
    return Step(fitting, vectors if fitting == lanes else 1, bits)


def step_of_row(usual: Step, columns: int, light: bool) -> Step:
    """The same where all rows have so few columns. Bodies that do little take more vectors, which
    need no mask; others fill one. In 300 random layouts rows of 2 to 16 float32 take 0.90 of the
    time so, with a mask 0.96; of bfloat16 with one 0.90, without 1.12."""
    lanes = min(IN_ROW // 2, 1 << columns.bit_length() - 1) if light else usual.lanes
    return Step(lanes, 1, usual.bits, columns)


def step_in_vectors(usual: Step, columns: int, itemsize: int) -> Step:
    """The same for longer rows: short vectors, which need no mask (see `LoopKernel.whole_row`)."""
    return Step(32 // itemsize, 1, usual.bits, columns)


def _tests(body: Body) -> int:
    """How many conditions a kernel makes; those of a rounding are one instruction."""
    seen, found, left = set[Node](), 0, list(body.results)
    while left:
        node = left.pop()
        if node not in seen:
            seen.add(node)
            found += node.op in TESTS
            rounded = integers.instruction(node)
            left += node.args if rounded is None else [rounded[1]]
    return found


def kernel_ir(
    body: Body,
    patterns: str,
    step: Step,
    streaming: bool = False,
    far: bool = False,
    architecture: str = "x86_64",
) -> str:
    """The module with the kernel of a body for operands of these patterns, as LLVM IR.

    `streaming`: whole vectors of a contiguous output bypass the caches, where the architecture, as
    a target triple begins, is x86_64. `far`: no cache holds the operands.
    """
    streaming = streaming and architecture == "x86_64" and patterns[-1] == "1"
    return LoopKernel(body, patterns, step, streaming, architecture, far).text()


def for_all_units(name: str, kernel: str, block: Block) -> str:
    """The function that runs a kernel on all units."""
    return f"""
define void @{name}(ptr %args) nounwind {{
  %at = getelementptr i64, ptr %args, i64 {block.units()}
  %units = load i64, ptr %at, align 8
  call void @{kernel}(ptr %args, i64 0, i64 %units)
  ret void
}}
"""


def peeks_in_rows(nodes: Sequence[Node], patterns: str) -> frozenset[Node]:
    """Those of which the address grows along a row by one number for every column: it is a sum of
    one place that does, and of what is the same for the whole row."""
    peeks = [node for node in nodes if node.op == "peek"]
    varies = {
        node: any(n.op == "load" and patterns[int(n.value)] != "0" for n in in_order(node))
        for peek in peeks
        for node in in_order(peek)
    }

    def grows(node: Node) -> bool:
        if node.op == "load":
            return True
        own = [arg for arg in node.args if varies[arg]]
        return node.op == "add" and len(own) == 1 and grows(own[0])

    return frozenset(peek for peek in peeks if varies[peek.args[0]] and grows(peek.args[0]))


@dataclass(frozen=True)
class _StoredLater:
    """Where vectors of a type wait to be stored, and the cell of the address they go to."""

    type: str
    vectors: list[str]
    at: str


class LoopKernel:
    """Prints the kernel of a body."""

    def __init__(
        self,
        body: Body,
        patterns: str,
        step: Step,
        streaming: bool,
        architecture: str,
        far: bool = False,
    ) -> None:
        self.body, self.patterns, self.lanes = body, patterns, step.lanes
        self.at_once, self.bits, self.row = step.vectors, step.bits, step.row
        self.streaming, self.architecture, self.far = streaming, architecture, far
        self.block = Block(len(body.sizes), len(body.uniforms))
        roots = *body.results, *(body.unguarded or ())
        self.p = Printer(self.lanes, self.lanes > 1 and can_be_apart(roots))
        self.out = len(body.loads)
        self.access = Access(self.p, body, patterns, streaming)
        # in the order in which tiles follow each other
        self.turns = "t" in patterns
        self.axes: tuple[int, ...] = (COLUMN, ROW, ROW_GROUP) if far else (COLUMN, ROW)
        if self.turns:
            self.axes = COLUMN, COLUMN_GROUP, ROW, ROW_GROUP
        self.names: dict[Node, str] = {}
        self.of_one: dict[Node, str] = {}  # what the sides' condition takes, in one lane
        sides = sides_of(body)
        self.sides = sides if sides and changes_once(sides, patterns) else None
        of_sides = (self.sides.holds, self.sides.fails) if self.sides else ()
        self.nodes = list(in_order(*body.results, *(body.unguarded or ()), *of_sides))
        self.loads = [node for node in self.nodes if node.op == "load"]
        self.p.in_rows = peeks_in_rows(self.nodes, patterns)
        self.copied = row_copies.copied(body, patterns, self.p.in_rows)
        self.stored_later: _StoredLater | None = None

    def text(self) -> str:
        p = self.p
        p.label("entry")
        restore = self.plain_arithmetic()
        if self.stores_later():
            self.stored_later = self.room_for_vectors()
        self.entry()
        p.loop("unit", "%first", "%last", self.unit, step=1)
        if restore:
            p.line(restore)
        if self.streaming:  # such stores may pass later ones: they end here
            p.line(f"call void {p.intrinsic('llvm.x86.sse.sfence', 'void', '')}()")
        p.line("ret void")
        declared = "\n".join(p.declared.values())
        lines = "\n".join(p.lines)
        # three streams of float16 and one past the caches come to 0.96 of a copy with 512-bit
        # registers, else to 0.89
        width = '"prefer-vector-width"="512"'
        if self.bits == 256 and not (self.streaming and "i16" in self.body.loads):
            width = '"prefer-vector-width"="256" "min-legal-vector-width"="0"'
        # what is left of a row, with a stride, is a loop of scalars: LLVM makes something of that
        looping = "s" in self.patterns and not self.row
        kind = "" if looping else compile.VECTORS
        # a register kept on the stack lies in one line of the cache: log_add_exp2 takes 0.87 of the
        # time that it takes where each of them lies in two
        frame = "alignstack(64)" if self.architecture == "x86_64" else ""
        return (
            f"{kind}{declared}\n\ndefine void @{NAME}(ptr %args, i64 %first, i64 %last) "
            f"nounwind {frame} {width} {{\n{lines}\n}}\n\n"
            f"{for_all_units(NAME_OF_ALL, NAME, self.block)}\n{METADATA}"
        )

    def stores_later(self) -> bool:
        """Whether vectors are stored when the next ones have been loaded.

        A processor takes a load for one of what was stored just before, and waits for that, where
        the addresses agree in their last 12 bits. An output that lies, but for whole pages, up to
        two steps ahead of an input has that at every step; tensors that were allocated one after
        the other often lie so. What is stored later is computed by then: gradients of smooth L1 in
        2^18 float32 take 47 µs, else 55 to 58, products of bfloat16 24, else 31. Where nothing is
        alike, neither costs time, but for light bodies of float32, which wait for nothing and would
        take up to 1.05 of the time.
        """
        in_order = self.patterns[-1] == "1" and set(self.patterns) <= {"0", "1"}
        single = len(self.body.results) == 1 and not self.body.complex[0] and self.sides is None
        size = self.access.size(self.out)
        waiting = self.at_once > 1 and (size == 2 or (size == 4 and self.bits == 512))
        return in_order and single and waiting and not self.streaming

    def room_for_vectors(self) -> _StoredLater:
        """Of which LLVM makes registers."""
        p, type = self.p, self.p.vector(self.body.results[0].type)
        cells = [p.set(f"alloca {type}, align 64") for _ in range(self.at_once)]
        for cell in cells:
            p.line(f"store {type} zeroinitializer, ptr {cell}, align 64")
        return _StoredLater(type, cells, p.set("alloca ptr, align 8"))

    def plain_arithmetic(self) -> str | None:
        """Round to nearest and keep subnormals, whatever the host has set for its own sake.

        Returns the line that restores the host's setting, or None where we know of none.
        """
        p = self.p
        if self.architecture == "aarch64":
            before = p.set(f"call i64 {p.intrinsic('llvm.aarch64.get.fpcr', 'i64', '')}()")
            restore = f"call void {p.intrinsic('llvm.aarch64.set.fpcr', 'void', 'i64')}(i64 "
            p.line(f"{restore}0)")
            return f"{restore}{before})"
        if self.architecture != "x86_64":
            return None
        before, ours = p.set("alloca i32, align 4"), p.set("alloca i32, align 4")
        p.line(f"call void {p.intrinsic('llvm.x86.sse.stmxcsr', 'void', 'ptr')}(ptr {before})")
        p.line(f"store i32 {0x1F80}, ptr {ours}, align 4")
        restore = f"call void {p.intrinsic('llvm.x86.sse.ldmxcsr', 'void', 'ptr')}(ptr "
        p.line(f"{restore}{ours})")
        return f"{restore}{before})"

    def word(self, index: int, type: str = "i64") -> str:
        pointer = self.p.set(f"getelementptr i64, ptr %args, i64 {index}")
        return self.p.set(f"load {type}, ptr {pointer}, align 8", "w")

    def entry(self) -> None:
        """Read the block, make room for what columns leave over, compute what never changes."""
        p, block, operands = self.p, self.block, range(self.block.operands)
        self.access.make_room()
        self.cells = [p.set("alloca ptr, align 8") for _ in operands]
        self.left = p.set("alloca i64, align 8")
        if self.sides:
            # columns of the last row on its first side, and how many more than in the one before
            self.near, self.growing = (p.set("alloca i64, align 8") for _ in range(2))
            for cell in (self.near, self.growing):
                p.line(f"store i64 0, ptr {cell}")
        self.pointers = [self.word(block.pointer(k), "ptr") for k in operands]
        known = [{"0": "0", "1": str(self.access.size(k))}.get(self.patterns[k]) for k in operands]
        self.strides = [
            [known[k] or self.word(block.stride(COLUMN, k)) for k in operands],
            *(
                [self.word(block.stride(a, k)) for k in operands]
                for a in range(1, 1 + max(self.axes))
            ),
        ]
        self.access.strides = self.strides[COLUMN]
        turned = [k for k in operands if self.patterns[k] == "t"]
        self.lines = {k: p.set(f"alloca [{LONGEST} x i64], align 8") for k in turned}
        if turned:  # a row of a transposed tile, to the next whole block
            columns, groups = (self.word(block.tile(axis)) for axis in (COLUMN, COLUMN_GROUP))
            last = p.set(f"add i64 {p.set(f'mul i64 {columns}, {groups}')}, {transpose.BLOCK - 1}")
            self.pitch = p.set(f"and i64 {last}, {-transpose.BLOCK}")
        for operand, table in self.lines.items():
            self.fill(table, operand)
        self.unvarying()

    def unvarying(self) -> None:
        """What is the same for all elements."""
        p, fixed = self.p, set[Node]()
        for node in self.nodes:
            if node.op == "uniform":
                value = self.word(self.block.uniform(int(node.value)), scalar(node.type))
                self.names[node] = p.splat(node.type, value)
            if node.op in ("uniform", "const") or (node.args and fixed.issuperset(node.args)):
                fixed.add(node)
        p.print((node for node in self.nodes if node in fixed), (self.names, self.no_load))
        if self.sides:
            needed = [node for node in in_order(self.sides.condition) if node in fixed]
            with self.one_lane():
                for node in needed:
                    if node.op == "uniform":
                        value = self.word(self.block.uniform(int(node.value)), scalar(node.type))
                        self.of_one[node] = p.splat(node.type, value)
                p.print(needed, (self.of_one, self.no_load))

    def no_load(self, node: Node) -> str:
        raise AssertionError(f"{node} does not vary")

    def fill(self, table: str, operand: int) -> None:
        """Note where the columns of a tile of a transposed operand begin, group after group."""
        p = self.p
        columns = self.word(self.block.tile(COLUMN))
        groups = self.word(self.block.tile(COLUMN_GROUP))
        across, by_group = (self.strides[axis][operand] for axis in (COLUMN, COLUMN_GROUP))

        def group(number: str, _: list[str]) -> None:
            first, start = (p.set(f"mul i64 {number}, {each}") for each in (columns, by_group))

            def line(column: str, _: list[str]) -> None:
                offset = p.set(f"add i64 {start}, {p.set(f'mul i64 {column}, {across}')}")
                at = p.shifted(table, p.set(f"add i64 {first}, {column}"), "8")
                p.line(f"store i64 {offset}, ptr {at}, align 8")

            p.loop("line", "0", columns, line, step=1)

        p.loop("group", "0", groups, group, step=1)

    def unit(self, unit: str, _: list[str]) -> None:
        """Find the tile of a unit, then walk its rows."""
        p = self.p
        pointers, here = self.located(unit)
        columns, rows = here[COLUMN], here[ROW]
        if not (self.turns or self.far):
            self.rows(pointers, columns, rows, self.strides[ROW])
            return
        if self.turns:
            columns = p.set(f"mul i64 {columns}, {here[COLUMN_GROUP]}")
            if self.far:
                self.ask_for_tile(*self.located(p.set(f"add i64 {unit}, 1")))
        groups = here[ROW_GROUP]
        down, by_group = list(self.strides[ROW]), list(self.strides[ROW_GROUP])
        for operand, table in self.lines.items():
            buffer = self.access.buffers[operand]
            pitch = p.set(f"mul i64 {self.pitch}, {self.access.size(operand)}")
            p.line(
                f"call void {transpose.declared(p, self.access.size(operand))}("
                f"ptr {pointers[operand]}, ptr {table}, ptr {buffer}, i64 {pitch}, "
                f"i64 {columns}, i64 {p.set(f'mul i64 {rows}, {groups}')})"
            )
            pointers[operand], down[operand] = buffer, str(pitch)
            by_group[operand] = p.set(f"mul i64 {rows}, {pitch}")
        p.loop(
            "group",
            "0",
            groups,
            lambda _, at: self.rows(at, columns, rows, down),
            step=1,
            carried=pointers,
            advance=by_group,
        )

    def located(self, unit: str) -> tuple[list[str], dict[int, str]]:
        """Where the operands of a unit's tile begin, and how long the tile is along its axes."""
        p, rest, pointers = self.p, unit, self.pointers
        here: dict[int, str] = {}
        for axis in self.axes:
            size, tile, tiles = (
                self.word(word(axis))
                for word in (self.block.size, self.block.tile, self.block.tiles)
            )
            start = p.set(f"mul i64 {p.set(f'urem i64 {rest}, {tiles}')}, {tile}")
            rest = p.set(f"udiv i64 {rest}, {tiles}")
            pointers = [
                p.shifted(pointer, start, stride)
                for pointer, stride in zip(pointers, self.strides[axis], strict=True)
            ]
            here[axis] = self.smaller(tile, p.set(f"sub i64 {size}, {start}"))
        return self.outer_index(rest, pointers), here

    def ask_for_tile(self, pointers: list[str], here: dict[int, str]) -> None:
        """Ask for the lines of the tile that comes next, in the L2 cache: a processor that reads
        some lines at each of many places does not guess the ones after them. 469 x 117,435 float32
        transposed take 0.75 of the time, 8,175 times 36 x 176 0.7 of it; in the L1 cache, which has
        a tile in it, 1.0."""
        p = self.p
        columns, rows = (p.set(f"mul i64 {here[axis]}, {here[axis + 2]}") for axis in (COLUMN, ROW))
        for operand, pattern in enumerate(self.patterns[: self.out]):
            start = pointers[operand]
            if pattern == "t":
                self.ask_for_turned(operand, start, columns, rows)
            elif pattern == "1" and self.body.loads[operand] != "position":
                self.ask_for_rows(operand, start, columns, here)

    def ask_for_turned(self, operand: int, start: str, columns: str, rows: str) -> None:
        p, table = self.p, self.lines[operand]
        reach = p.set(f"mul i64 {rows}, {self.access.size(operand)}")

        def line(number: str, _: list[str]) -> None:
            offset = p.set(f"load i64, ptr {p.shifted(table, number, '8')}, align 8")
            self.ask_for_run(p.set(f"getelementptr i8, ptr {start}, i64 {offset}"), reach)

        p.loop("line", "0", columns, line, step=1)

    def ask_for_rows(self, operand: int, start: str, columns: str, here: dict[int, str]) -> None:
        p, (down, by_group) = self.p, (self.strides[axis][operand] for axis in (ROW, ROW_GROUP))
        reach = p.set(f"mul i64 {columns}, {self.access.size(operand)}")

        def row(_: str, at: list[str]) -> None:
            self.ask_for_run(at[0], reach)

        def group(_: str, at: list[str]) -> None:
            p.loop("row", "0", here[ROW], row, 1, at, [down])

        p.loop("group", "0", here[ROW_GROUP], group, 1, [start], [by_group])

    def ask_for_run(self, start: str, reach: str) -> None:
        """The lines of so many bytes."""
        p = self.p
        name = p.intrinsic("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
        before = p.set(f"and i64 {p.set(f'ptrtoint ptr {start} to i64')}, {LINE - 1}")
        first = p.set(f"getelementptr i8, ptr {start}, i64 {p.set(f'sub i64 0, {before}')}")
        end = p.set(f"add i64 {reach}, {before}")

        def line(_: str, at: list[str]) -> None:
            p.line(f"call void {name}(ptr {at[0]}, i32 0, i32 2, i32 1)")

        p.loop("ask", "0", end, line, LINE, [first], [str(LINE)])

    def rows(self, pointers: list[str], columns: str, rows: str, strides: list[str]) -> None:
        self.p.loop(
            "row",
            "0",
            rows,
            lambda _, at: self.columns(at, columns),
            step=1,
            carried=pointers,
            advance=strides,
        )

    def smaller(self, a: str, b: str) -> str:
        less = self.p.set(f"icmp slt i64 {a}, {b}")
        return self.p.set(f"select i1 {less}, i64 {a}, i64 {b}")

    def outer_index(self, rest: str, pointers: list[str]) -> list[str]:
        """Move the pointers to the index of the outer dimensions that `rest` numbers."""
        count = self.word(self.block.outer_dimensions())
        return self.indexed(rest, pointers, count, str(self.block.outer()))

    def indexed(self, rest: str, pointers: list[str], count: str, table: str) -> list[str]:
        """Move the pointers to the index that `rest` numbers of so many dimensions, each of which
        has its size and the operands' strides in a table of the block."""
        p, operands = self.p, self.block.operands
        cells, left = self.cells, self.left
        p.line(f"store i64 {rest}, ptr {left}")
        for cell, pointer in zip(cells, pointers, strict=True):
            p.line(f"store ptr {pointer}, ptr {cell}")

        def dimension(index: str, _: list[str]) -> None:
            words = p.set(f"mul i64 {index}, {operands + 1}")
            base = p.set(f"add i64 {words}, {table}")
            here = p.set(f"getelementptr i64, ptr %args, i64 {base}")
            size = p.set(f"load i64, ptr {here}, align 8")
            number = p.set(f"load i64, ptr {left}")
            p.line(f"store i64 {p.set(f'udiv i64 {number}, {size}')}, ptr {left}")
            position = p.set(f"urem i64 {number}, {size}")
            for operand, cell in enumerate(cells):
                at = p.set(f"getelementptr i64, ptr {here}, i64 {operand + 1}")
                stride = p.set(f"load i64, ptr {at}, align 8")
                moved = p.shifted(p.set(f"load ptr, ptr {cell}"), position, stride)
                p.line(f"store ptr {moved}, ptr {cell}")

        self.p.loop("outer", "0", count, dimension, step=1)
        return [p.set(f"load ptr, ptr {cell}") for cell in cells]

    def columns(self, pointers: list[str], count: str) -> None:
        """Whole vectors of one row, then what is left of it."""
        row_names = dict(self.names)
        for operand, pattern in enumerate(self.patterns[: self.out]):
            if pattern == "0":
                value = self.access.load_for_all(operand, pointers[operand])
                for node in self.nodes:
                    if node.op == "load" and node.value == operand:
                        row_names[node] = value
        if self.sides:
            self.columns_by_side(self.sides, pointers, row_names, count)
            return
        if self.row:
            self.whole_row(pointers, row_names)
            return
        if self.copied:
            walk = partial(self.walk, pointers, row_names, count)
            row_copies.copy_or(self, self.copied, pointers, count, walk)
            return
        if self.streaming:
            pointers, count = self.aligned(pointers, row_names, count)
        self.walk(pointers, row_names, count)

    def whole_row(self, pointers: list[str], names: dict[Node, str]) -> None:
        """A row whose columns are known in number: lanes of one vector, or vectors of which the
        last may begin inside the one before. All are read before one is written.

        A vector under a mask is one of all its lanes to a processor that looks for what was stored
        just before, so that rows of fewer wait for each other where addresses agree in their last
        12 bits (see `stores_later`): 114 x 10,896 x 6 float32 take 0.75 of the time without a mask.
        """
        last = self.row - self.lanes
        if last < 0:
            self.vectors([pointers], names, str(self.row))
            return
        starts = [*range(0, last, self.lanes), last]
        self.vectors([self.at_column(pointers, start) for start in starts], names)

    def walk(
        self, pointers: list[str], names: dict[Node, str], count: str, result: Node | None = None
    ) -> None:
        """So many columns, all of one result where that is given: whole steps, whole vectors, what
        is left."""
        for vectors in self.in_turns():
            pointers, count = self.whole_steps(pointers, names, count, vectors, result)
        self.first_lanes(pointers, names, count, result)

    def in_turns(self) -> list[int]:
        """How many vectors steps have, one kind after the other. Light bodies halve them: what is
        left of a row is then read by each instruction once, so that a processor foresees where the
        next row has it. 438 x 859 x 20 float32 of which an operand is 859 x 438 x 20 take 0.65 of
        the time."""
        light = self.bits == 256
        halves = [self.at_once >> k for k in range(self.at_once.bit_length())]
        return halves if light else sorted({self.at_once, 1}, reverse=True)

    def whole_steps(
        self,
        pointers: list[str],
        names: dict[Node, str],
        count: str,
        vectors: int,
        result: Node | None,
    ) -> tuple[list[str], str]:
        """As many columns as fill so many vectors, again and again; where the others begin, and
        how many there are."""
        p, columns = self.p, self.lanes * vectors
        left = p.set(f"and i64 {count}, {columns - 1}")
        whole = p.set(f"sub i64 {count}, {left}")
        later = self.stored_later if vectors == self.at_once else None
        if later:
            p.line(f"store ptr {pointers[self.out]}, ptr {later.at}")

        def one(_: str, at: list[str]) -> None:
            here = [self.ahead(at, k) for k in range(vectors)]
            if later:
                self.vectors_stored_later(later, here, names)
            else:
                self.vectors(here, names, None, result)

        after = p.loop(
            "column",
            "0",
            whole,
            one,
            step=columns,
            carried=pointers,
            advance=[self.bytes(operand, columns) for operand in range(len(pointers))],
        )
        if later:
            self.if_any(whole, lambda: self.store_kept(later))
        return after, left

    def vectors_stored_later(
        self, later: _StoredLater, pointers: list[list[str]], names: dict[Node, str]
    ) -> None:
        """Vectors that wait for the next ones to be loaded; the first of a row find others before
        them, in whose place they are stored in the end."""
        parts = [(dict(names), self.loader(at, None)) for at in pointers]
        self.p.print(self.loads, *parts)
        self.store_kept(later)
        for cell, (value,) in zip(later.vectors, self.computed(parts), strict=True):
            self.p.line(f"store {later.type} {value}, ptr {cell}, align 64")
        self.p.line(f"store ptr {pointers[0][self.out]}, ptr {later.at}")

    def store_kept(self, later: _StoredLater) -> None:
        p, size = self.p, self.lanes * self.access.size(self.out)
        at = p.set(f"load ptr, ptr {later.at}")
        for number, cell in enumerate(later.vectors):
            value = p.set(f"load {later.type}, ptr {cell}, align 64")
            self.access.store(self.out, p.shifted(at, str(number), str(size)), value, None)

    def along(self, operand: int) -> str:
        """Bytes from one column to the next; a transposed tile has them side by side by now."""
        turned = self.patterns[operand] == "t"
        return str(self.access.size(operand)) if turned else self.strides[COLUMN][operand]

    def bytes(self, operand: int, columns: int) -> str:
        """How far an operand's columns reach."""
        stride = self.along(operand)
        if stride.isdigit():
            return str(int(stride) * columns)
        return self.p.set(f"mul i64 {stride}, {columns}")

    def ahead(self, pointers: list[str], vectors: int) -> list[str]:
        """The operands so many vectors later."""
        return self.at_column(pointers, vectors * self.lanes)

    def at_column(self, pointers: list[str], columns: int) -> list[str]:
        """The operands so many columns later."""
        if not columns:
            return pointers
        return [
            self.p.set(f"getelementptr i8, ptr {pointer}, i64 {self.bytes(operand, columns)}")
            for operand, pointer in enumerate(pointers)
        ]

    def first_lanes(
        self, pointers: list[str], names: dict[Node, str], count: str, result: Node | None
    ) -> None:
        """A vector of which only the first lanes count, if any."""
        self.if_any(count, lambda: self.vectors([pointers], names, count, result))

    def if_any(self, count: str, do: Callable[[], None]) -> None:
        p = self.p
        some = p.set(f"icmp sgt i64 {count}, 0")
        label = p.fresh("some")[1:]
        p.line(f"br i1 {some}, label %{label}, label %{label}.done")
        p.label(label)
        do()
        p.line(f"br label %{label}.done")
        p.label(f"{label}.done")

    def aligned(
        self,
        pointers: list[str],
        names: dict[Node, str],
        count: str,
        result: Node | None = None,
        least: int = 0,
    ) -> tuple[list[str], str]:
        """Do the columns before the output's first aligned address, if there are so many at least;
        where the others begin."""
        p, size = self.p, self.access.size(self.out)
        address = p.set(f"ptrtoint ptr {pointers[self.out]} to i64")
        ahead = p.set(f"and i64 {p.set(f'sub i64 0, {address}')}, {self.access.alignment() - 1}")
        lead = self.smaller(p.set(f"udiv i64 {ahead}, {size}"), count)
        if least:
            few = p.set(f"icmp slt i64 {count}, {least}")
            lead = p.set(f"select i1 {few}, i64 0, i64 {lead}")
        self.first_lanes(pointers, names, lead, result)
        moved = [p.shifted(pointer, lead, self.along(k)) for k, pointer in enumerate(pointers)]
        return moved, p.set(f"sub i64 {count}, {lead}")

    @contextmanager
    def one_lane(self) -> Iterator[None]:
        """Inside, vectors have one lane."""
        self.p.lanes = 1
        yield
        self.p.lanes = self.lanes

    def columns_by_side(
        self, sides: Sides, pointers: list[str], names: dict[Node, str], count: str
    ) -> None:
        """The columns of a row on the side of its first element, then those on the other."""
        p = self.p
        first = self.holds_at(sides, pointers, "0")
        near = self.on_first_side(sides, pointers, first, count)
        far = p.set(f"sub i64 {count}, {near}")
        beyond = [p.shifted(pointer, near, self.along(k)) for k, pointer in enumerate(pointers)]

        def holds(at: list[str], count: str) -> None:
            if sides.kept is not None and self.along(sides.kept) == self.along(self.out):
                here = p.set(f"icmp eq ptr {at[sides.kept]}, {at[self.out]}")
                count = p.set(f"select i1 {here}, i64 0, i64 {count}")
            side(sides.holds, at, count)

        def fails(at: list[str], count: str) -> None:
            side(sides.fails, at, count)

        def side(result: Node, at: list[str], count: str) -> None:
            if self.patterns[self.out] == "1":  # 2^20 float32 in place take 0.8 of the time so
                least = 0 if self.streaming else _WORTH_ALIGNING * self.lanes
                at, count = self.aligned(at, names, count, result, least)
            self.walk(at, names, count, result)

        def both(one: Callable[..., None], other: Callable[..., None]) -> list[list[str]]:
            one(pointers, near)
            other(beyond, far)
            return []

        self.either(first, [], lambda: both(holds, fails), lambda: both(fails, holds), seldom=False)

    def on_first_side(self, sides: Sides, pointers: list[str], first: str, count: str) -> str:
        """How many columns are on the side of the first: as many more as in the row before, or
        found by halving. 256 rows of 256 float16 in place take 2.7 µs, where every vector asks
        which side it is on 3.7."""
        p = self.p

        def beyond(columns: str) -> str:
            last = p.set(f"sub i64 {columns}, 1")
            return p.set(f"xor i1 {first}, {self.holds_at(sides, pointers, last)}")

        before, more = (p.set(f"load i64, ptr {known}") for known in (self.near, self.growing))
        guess = p.set(f"add i64 {before}, {more}")
        guess = self.smaller(guess, count)
        guess = p.set(
            f"call i64 {p.intrinsic('llvm.smax.i64', 'i64', 'i64, i64')}(i64 {guess}, i64 0)"
        )
        whole = p.set(f"icmp eq i64 {guess}, {count}")
        none = p.set(f"icmp eq i64 {guess}, 0")
        fewest = p.set(f"or i1 {whole}, {beyond(p.set(f'add i64 {guess}, 1'))}")
        enough = p.set(f"or i1 {none}, {p.set(f'xor i1 {beyond(guess)}, true')}")
        right = p.set(f"and i1 {fewest}, {enough}")
        low = p.set(f"select i1 {right}, i64 {guess}, i64 0")
        high = p.set(f"select i1 {right}, i64 {guess}, i64 {count}")
        name = p.fresh("side")[1:]
        p.line(f"br label %{name}.from")
        p.label(f"{name}.from")
        p.line(f"br label %{name}.head")
        p.label(f"{name}.head")
        least, most = f"%{name}.least", f"%{name}.most"
        for known, start in ((least, low), (most, high)):
            p.line(f"{known} = phi i64 [ {start}, %{name}.from ], [ {known}.next, %{name}.body ]")
        unknown = p.set(f"icmp slt i64 {least}, {most}")
        p.line(f"br i1 {unknown}, label %{name}.body, label %{name}.done")
        p.label(f"{name}.body")
        above = p.set(f"add i64 {p.set(f'add i64 {least}, {most}')}, 1")
        middle = p.set(f"lshr i64 {above}, 1")
        other, below = beyond(middle), p.set(f"sub i64 {middle}, 1")
        p.line(f"{least}.next = select i1 {other}, i64 {least}, i64 {middle}")
        p.line(f"{most}.next = select i1 {other}, i64 {below}, i64 {most}")
        p.line(f"br label %{name}.head")
        p.label(f"{name}.done")
        p.line(f"store i64 {least}, ptr {self.near}")
        p.line(f"store i64 {p.set(f'sub i64 {least}, {before}')}, ptr {self.growing}")
        return least

    def holds_at(self, sides: Sides, pointers: list[str], column: str) -> str:
        """Whether the condition of the sides holds for the element in this column."""
        names = dict(self.of_one)

        def load(node: Node) -> str:
            operand = int(node.value)
            at = self.p.shifted(pointers[operand], column, self.along(operand))
            return self.access.load_for_all(operand, at)

        with self.one_lane():
            self.p.print(in_order(sides.condition), (names, load))
            return self.p.set(f"extractelement <1 x i1> {names[sides.condition]}, i64 0")

    def vectors(
        self,
        pointers: list[list[str]],
        names: dict[Node, str],
        left: str | None = None,
        result: Node | None = None,
    ) -> None:
        """Vectors of columns in turns, from these operands on: all lanes, or the first `left`."""
        if left is None:
            self.ask_ahead(pointers)
        parts = [(dict(names), self.loader(at, left)) for at in pointers]
        values = self.values((result,), parts) if result else self.computed(parts)
        self.write(pointers, values, left)

    def ask_ahead(self, pointers: list[list[str]]) -> None:
        """Ask for memory that is needed soon; most kernels leave that to the processor."""

    def computed(self, parts: list[Vector]) -> list[list[str]]:
        """The results of every vector."""
        results, unguarded, rare = self.body.results, self.body.unguarded, self.body.rare
        if unguarded is None or rare is None:
            return self.values(results, parts)
        self.p.print(self.loads, *parts)
        self.p.print(in_order(rare), *parts)
        # one store after both ways: LLVM makes one of two and forgets that it bypasses the caches
        return self.either(
            self.any_lane([known[rare] for known, _ in parts]),
            [result.type for result in results],
            lambda: self.values(results, parts),
            lambda: self.values_seldom_nan(unguarded, parts),
        )

    def write(
        self, pointers: list[list[str]], values: list[list[str]], left: str | None = None
    ) -> list[list[str]]:
        """Write vectors of every output; a way that does so has no values left."""
        for at, found in zip(pointers, values, strict=True):
            for operand, value in enumerate(found, self.out):
                self.access.store(operand, at[operand], value, left)
        return []

    def loader(self, pointers: list[str], left: str | None) -> Callable[[Node], str]:
        return lambda node: self.access.load(int(node.value), pointers[int(node.value)], left)

    def values(self, roots: tuple[Node, ...], parts: list[Vector]) -> list[list[str]]:
        """Nodes of every vector; what they take is known within one way only."""
        known = [(dict(names), load) for names, load in parts]
        self.p.print(in_order(*roots), *known)
        return [[names[root] for root in roots] for names, _ in known]

    def values_seldom_nan(self, roots: tuple[Node, ...], parts: list[Vector]) -> list[list[str]]:
        """The same, where two vectors are looked at for a NaN at once (fcmp uno), and it is chosen
        where there is one: float32's exponentials take 0.9 of the time."""
        root, *others = roots
        number = but_for_nans(root)
        if number is None or others or len(parts) % 2:
            return self.values(roots, parts)
        p, known = self.p, [(dict(names), load) for names, load in parts]
        p.print(in_order(number), *known)
        found, type = [names[number] for names, _ in known], p.vector(number.type)
        pairs = zip(found[::2], found[1::2], strict=True)
        return self.either(
            self.any_lane([p.set(f"fcmp uno {type} {one}, {other}") for one, other in pairs]),
            [root.type],
            lambda: self.values(roots, known),
            lambda: self.values(root.args[2:], known),
        )

    def any_lane(self, conditions: list[str]) -> str:
        """Whether a condition holds anywhere in these vectors."""
        mask = f"<{self.lanes} x i1>"
        name = self.p.intrinsic(f"llvm.vector.reduce.or.v{self.lanes}i1", "i1", mask)
        anywhere, *others = conditions
        for other in others:
            anywhere = self.p.set(f"or {mask} {anywhere}, {other}")
        return self.p.set(f"call i1 {name}({mask} {anywhere})")

    def either(
        self,
        condition: str,
        types: list[str],
        yes: Callable[[], list[list[str]]],
        no: Callable[[], list[list[str]]],
        seldom: bool = True,
    ) -> list[list[str]]:
        """Vectors by one of two ways; the first is seldom gone, if nothing else is said."""
        p = self.p
        label = p.fresh("if")[1:]
        weights = ", !prof !0" if seldom else ""
        p.line(f"br i1 {condition}, label %{label}.yes, label %{label}.no{weights}")
        ways = []
        for name, way in (("yes", yes), ("no", no)):
            p.label(f"{label}.{name}")
            found, end = way(), f"{label}.{name}.end"  # of a way that may have loops
            p.line(f"br label %{end}")
            p.label(end)
            ways.append([[f"[ {value}, %{end} ]" for value in each] for each in found])
            p.line(f"br label %{label}.done")
        p.label(f"{label}.done")
        return [
            [
                p.set(f"phi {p.vector(type)} {a}, {b}")
                for type, a, b in zip(types, *each, strict=True)
            ]
            for each in zip(*ways, strict=True)
        ]
