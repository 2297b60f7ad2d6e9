"""Writes the function that transposes a tile, in blocks that fit the registers.

Neighbours come in as vectors and leave as vectors; between the two, four rounds of shuffles.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.code import LoopCode, Value, vector
from openaclnn.engines.cpu.vector import Printer

BLOCK = 16  # rows and columns
_FEW = 4


def name(size: int) -> str:
    """The function for elements of so many bytes.

    It is shared: a kernel that had it inside took three times as long to compile.
    """
    return f"shared_transpose_{size}"


def declared(p: Printer, size: int) -> str:
    """That function, as a module calls it."""
    p.declared[name(size)] = f"declare void @{name(size)}(ptr, ptr, ptr, i64, i64, i64)"
    return f"@{name(size)}"


def _module(size: int) -> str:
    """dst[j * pitch + i] = src[lines[i] + j] for i < n and j < m; lines and pitch in bytes. What of
    dst is beside these, to the next multiples of 16, is anything then."""
    code = _Transpose(size)
    code.write(masked=compile.has("avx512bw") and compile.has("avx512vl"))
    text = code.text()
    return f"{code.declared}\n{text}"


for _size in (1, 2, 4, 8):
    compile.share(f"transpose_{_size}", partial(_module, _size))

_Part = Callable[[Value, Value], None]


class _Transpose(LoopCode):
    def __init__(self, size: int) -> None:
        given = "ptr src, ptr lines, ptr dst, i64 pitch, i64 n, i64 m"
        width = '"prefer-vector-width"="512"'
        super().__init__(f"openaclnn_{name(size)}", given, attributes=width)
        self.size, self.element = size, f"i{8 * size}"
        self.src, self.starts, self.dst, self.pitch, self.n, self.m = self.given.values()

    def write(self, masked: bool) -> None:
        """Blocks, then edges: as parts of blocks where vectors can be loaded in part, which takes a
        third of the time that one element after the other does."""
        whole_n, whole_m = (end & -BLOCK for end in (self.n, self.m))
        part: _Part = self.part if masked else self.one_by_one
        with self.loop(0, whole_n, BLOCK) as i:
            with self.loop(0, whole_m, BLOCK) as j:
                places = [self.source(i + k, j) for k in range(BLOCK)]
                self.turn(i, j, [self.load(at, vector(BLOCK, self.element)) for at in places])
            with self.when(whole_m < self.m):
                part(i, whole_m)
        with self.when(whole_n < self.n), self.loop(0, self.m, BLOCK) as j:
            part(whole_n, j)

    def source(self, line: Value, place: Value) -> Value:
        start = self.at(self.src, self.load(self.starts, index=line))
        return self.at(start, place * self.size)

    def target(self, line: Value, place: Value) -> Value:
        return self.at(self.at(self.dst, line * self.pitch), place * self.size)

    def part(self, i: Value, j: Value) -> None:
        """A block of which some lines and places are missing: lines stand in for others."""
        last, left, half = self.n - 1, self.m - j, BLOCK // 2
        at = [self.source((i + k).least(last), j) for k in range(BLOCK)]
        with self.when(left > half):
            self.turn(i, j, self.first_places(at, left, BLOCK))
        with self.when(left <= _FEW):
            self.turn_few(i, j, at, left)
        with self.when((left > _FEW) & (left <= half)):
            self.turn_half(i, j, at, left)

    def first_places(self, starts: list[Value], count: Value, lanes: int) -> list[Value]:
        """Lines of so many places, of which the first ones are loaded."""
        mask = self.first(count, lanes)
        return [self.load_masked(start, self.element, mask) for start in starts]

    def side_by_side(self, some: list[Value], others: list[Value]) -> list[Value]:
        pairs = zip(some, others, strict=True)
        return [self.shuffled(a, b, range(2 * a.lanes)) for a, b in pairs]

    def turn(self, i: Value, j: Value, rows: list[Value]) -> None:
        """Rounds of shuffles, four of them for sixteen rows, and stores."""
        step = 1
        while step < len(rows):
            for k in range(len(rows)):
                if not k & step:
                    a, b = rows[k], rows[k + step]
                    rows[k] = self.shuffled(a, b, _upper(step))
                    rows[k + step] = self.shuffled(a, b, _lower(step))
            step *= 2
        self.store_rows(i, j, rows)

    def turn_half(self, i: Value, j: Value, starts: list[Value], count: Value) -> None:
        """The same of half as many places: two lines side by side, a round less."""
        half = BLOCK // 2
        lines = self.first_places(starts, count, half)
        self.turn(i, j, self.side_by_side(lines[:half], lines[half:]))

    def turn_few(self, i: Value, j: Value, starts: list[Value], count: Value) -> None:
        """The same of a few places: lines side by side, then every fourth element of those."""
        lines = self.first_places(starts, count, _FEW)
        while lines[0].lanes < BLOCK:
            lines = self.side_by_side(lines[::2], lines[1::2])
        rows = []
        for k in range(_FEW):
            places = range(k, 2 * BLOCK, _FEW)
            lower, upper = (self.shuffled(lines[at], lines[at + 1], places) for at in (0, 2))
            rows.append(self.shuffled(lower, upper, range(BLOCK)))
        self.store_rows(i, j, rows)

    def store_rows(self, i: Value, j: Value, rows: list[Value]) -> None:
        for k, row in enumerate(rows):
            self.store(row, self.target(j + k, i))

    def one_by_one(self, i: Value, j: Value) -> None:
        """The same, for processors that load no parts of vectors."""
        ends = (i + BLOCK).least(self.n), (j + BLOCK).least(self.m)
        with self.loop(i, ends[0]) as line, self.loop(j, ends[1]) as place:
            self.store(self.load(self.source(line, place), self.element), self.target(place, line))


def _upper(step: int) -> list[int]:
    """Row k keeps its even places and takes the even ones of row k + step for its odd ones."""
    return [e if not e & step else BLOCK + e - step for e in range(BLOCK)]


def _lower(step: int) -> list[int]:
    """Row k + step takes the odd places of row k for its even ones and keeps its own odd ones."""
    return [e + step if not e & step else BLOCK + e for e in range(BLOCK)]
