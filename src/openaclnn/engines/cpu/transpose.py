"""Writes the function that transposes a tile, in blocks that fit the registers.

Neighbours come in as vectors and leave as vectors; between the two, four rounds of shuffles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.vector import Printer

BLOCK = 16  # rows and columns
_FEW = 4


_PARAMETERS = "ptr %src, ptr %lines, ptr %dst, i64 %pitch, i64 %n, i64 %m"


def name(size: int) -> str:
    """The function for elements of so many bytes.

    It is shared: a kernel that had it inside took three times as long to compile.
    """
    return f"shared_transpose_{size}"


def declared(p: Printer, size: int) -> str:
    """That function, as a module calls it."""
    p.declared[name(size)] = f"declare void @{name(size)}({_PARAMETERS})"
    return f"@{name(size)}"


def _module(size: int) -> str:
    """dst[j * pitch + i] = src[lines[i] + j] for i < n and j < m; lines and pitch in bytes. What of
    dst is beside these, to the next multiples of 16, is anything then."""
    p = _Transpose(size)
    p.label("entry")
    p.print_all(masked=compile.has("avx512bw") and compile.has("avx512vl"))
    p.line("ret void")
    return "\n".join(
        [
            *p.declared.values(),
            f"define void @openaclnn_{name(size)}({_PARAMETERS}) nounwind "
            '"prefer-vector-width"="512" {',
            *p.lines,
            "}\n",
        ]
    )


for _size in (1, 2, 4, 8):
    compile.share(f"transpose_{_size}", partial(_module, _size))


class _Transpose(Printer):
    def __init__(self, size: int) -> None:
        super().__init__(BLOCK)
        self.size, self.element = size, f"i{8 * size}"

    def print_all(self, masked: bool) -> None:
        """Blocks, then edges: as parts of blocks where vectors can be loaded in part, which takes a
        third of the time that one element after the other does."""
        whole_n, whole_m = (self.set(f"and i64 %{end}, {-BLOCK}") for end in "nm")
        part = self.part if masked else self.one_by_one
        self.loop("i", "0", whole_n, lambda i, _: self.blocks(i, whole_m, part), step=BLOCK)
        self.if_less(whole_n, "%n", lambda: self.parts(whole_n, part))

    def blocks(self, i: str, whole_m: str, part: Callable[[str, str], None]) -> None:
        self.loop("j", "0", whole_m, lambda j, _: self.block(i, j), step=BLOCK)
        self.if_less(whole_m, "%m", lambda: part(i, whole_m))

    def parts(self, i: str, part: Callable[[str, str], None]) -> None:
        self.loop("j", "0", "%m", lambda j, _: part(i, j), step=BLOCK)

    def if_less(self, a: str, b: str, then: Callable[[], None]) -> None:
        label = self.fresh("if")[1:]
        less = self.set(f"icmp slt i64 {a}, {b}")
        self.line(f"br i1 {less}, label %{label}, label %{label}.done")
        self.label(label)
        then()
        self.line(f"br label %{label}.done")
        self.label(f"{label}.done")

    def source(self, line: str, place: str) -> str:
        entry = self.set(f"getelementptr i64, ptr %lines, i64 {line}")
        start = self.set(f"load i64, ptr {entry}, align 8")
        at = self.set(f"getelementptr i8, ptr %src, i64 {start}")
        return self.shifted(at, place, str(self.size))

    def target(self, line: str, place: str) -> str:
        row = self.shifted("%dst", line, "%pitch")
        return self.shifted(row, place, str(self.size))

    def block(self, i: str, j: str) -> None:
        vector = self.vector(self.element)
        lines = [self.set(f"add i64 {i}, {k}") for k in range(BLOCK)]
        self.turn(
            i, j, [self.set(f"load {vector}, ptr {self.source(k, j)}, align 1") for k in lines]
        )

    def part(self, i: str, j: str) -> None:
        """A block of which some lines and places are missing: lines stand in for others."""
        last = self.set("sub i64 %n, 1")
        left = self.set(f"sub i64 %m, {j}")
        lines = []
        for k in range(BLOCK):
            line = self.set(f"add i64 {i}, {k}")
            beyond = self.set(f"icmp sgt i64 {line}, {last}")
            lines.append(self.set(f"select i1 {beyond}, i64 {last}, i64 {line}"))
        at = [self.source(line, j) for line in lines]
        half = BLOCK // 2
        self.if_less(f"{half}", left, lambda: self.turn(i, j, self.first_places(at, left, BLOCK)))
        self.if_less(left, f"{_FEW + 1}", lambda: self.turn_few(i, j, at, left))
        some = self.set(f"icmp sgt i64 {left}, {_FEW}")
        end = self.set(f"select i1 {some}, i64 {left}, i64 {BLOCK}")
        self.if_less(end, f"{half + 1}", lambda: self.turn_half(i, j, at, left))

    def first_places(self, starts: list[str], count: str, lanes: int) -> list[str]:
        """Lines of so many places, of which the first ones are loaded."""
        vector = f"<{lanes} x {self.element}>"
        numbers = ", ".join(f"i64 {lane}" for lane in range(lanes))
        counts = f"<{lanes} x i64>"
        first = self.set(f"insertelement {counts} poison, i64 {count}, i64 0")
        limit = self.shuffled(counts, first, "poison", [0] * lanes)
        mask = self.set(f"icmp slt {counts} <{numbers}>, {limit}")
        name = self.intrinsic(
            f"llvm.masked.load.v{lanes}{self.element}.p0",
            vector,
            f"ptr, i32, <{lanes} x i1>, {vector}",
        )
        return [
            self.set(
                f"call {vector} {name}(ptr {start}, i32 1, <{lanes} x i1> {mask}, "
                f"{vector} zeroinitializer)"
            )
            for start in starts
        ]

    def shuffled(self, vector: str, a: str, b: str, places: Iterable[int]) -> str:
        return self.set(f"shufflevector {vector} {a}, {vector} {b}, {_mask(places)}")

    def turn(self, i: str, j: str, rows: list[str]) -> None:
        """Rounds of shuffles, four of them for sixteen rows, and stores."""
        vector = self.vector(self.element)
        step = 1
        while step < len(rows):
            for k in range(len(rows)):
                if not k & step:
                    a, b = rows[k], rows[k + step]
                    rows[k] = self.shuffled(vector, a, b, _upper(step))
                    rows[k + step] = self.shuffled(vector, a, b, _lower(step))
            step *= 2
        self.store(i, j, rows)

    def turn_half(self, i: str, j: str, starts: list[str], count: str) -> None:
        """The same of half as many places: two lines side by side, a round less."""
        half = BLOCK // 2
        lines, vector = self.first_places(starts, count, half), f"<{half} x {self.element}>"
        self.turn(
            i,
            j,
            [
                self.shuffled(vector, a, b, range(BLOCK))
                for a, b in zip(lines[:half], lines[half:], strict=True)
            ],
        )

    def turn_few(self, i: str, j: str, starts: list[str], count: str) -> None:
        """The same of a few places: lines side by side, then every fourth element of those."""
        lines, width = self.first_places(starts, count, _FEW), _FEW
        while width < BLOCK:
            vector, both = f"<{width} x {self.element}>", range(2 * width)
            lines = [
                self.shuffled(vector, a, b, both)
                for a, b in zip(lines[::2], lines[1::2], strict=True)
            ]
            width *= 2
        vector, half = self.vector(self.element), f"<{BLOCK // 2} x {self.element}>"
        rows = []
        for k in range(_FEW):
            places = range(k, 2 * BLOCK, _FEW)
            lower, upper = (
                self.shuffled(vector, lines[at], lines[at + 1], places) for at in (0, 2)
            )
            rows.append(self.shuffled(half, lower, upper, range(BLOCK)))
        self.store(i, j, rows)

    def store(self, i: str, j: str, rows: list[str]) -> None:
        for k, row in enumerate(rows):
            line = self.set(f"add i64 {j}, {k}")
            at = self.target(line, i)
            self.line(f"store {self.vector(self.element)} {row}, ptr {at}, align 1")

    def one_by_one(self, i: str, j: str) -> None:
        """The same, for processors that load no parts of vectors."""

        def one(line: str, place: str) -> None:
            value = self.set(f"load {self.element}, ptr {self.source(line, place)}, align 1")
            self.line(f"store {self.element} {value}, ptr {self.target(place, line)}, align 1")

        ends = []
        for start, end in ((i, "%n"), (j, "%m")):
            after = self.set(f"add i64 {start}, {BLOCK}")
            less = self.set(f"icmp slt i64 {after}, {end}")
            ends.append(self.set(f"select i1 {less}, i64 {after}, i64 {end}"))
        self.loop(
            "line",
            i,
            ends[0],
            lambda line, _: self.places(line, j, ends[1], one),
            step=1,
        )

    def places(self, line: str, first: str, end: str, one: Callable[[str, str], None]) -> None:
        self.loop("place", first, end, lambda place, _: one(line, place), step=1)


def _upper(step: int) -> list[int]:
    """Row k keeps its even places and takes the even ones of row k + step for its odd ones."""
    return [e if not e & step else BLOCK + e - step for e in range(BLOCK)]


def _lower(step: int) -> list[int]:
    """Row k + step takes the odd places of row k for its even ones and keeps its own odd ones."""
    return [e + step if not e & step else BLOCK + e for e in range(BLOCK)]


def _mask(places: Iterable[int]) -> str:
    numbers = [f"i32 {place}" for place in places]
    return f"<{len(numbers)} x i32> <{', '.join(numbers)}>"
