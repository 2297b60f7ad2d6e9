"""Products of one row: the other factor is read once, as it lies."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from openaclnn.base.dtypes import INT4
from openaclnn.engines.cpu.routines.products.kind import AHEAD, RECORD, ROWS_AT_ONCE, TURNS, A, B
from openaclnn.engines.cpu.routines.products.packing import Packing
from openaclnn.engines.cpu.routines.products.reading import ReadingOperands


class SmallestMagnitude:
    """The smallest magnitude but zero among 16-bit numbers, found by their bits: many at once."""

    def __init__(self, writer: ReadingOperands, count: int) -> None:
        self.writer, self.type, self.count = writer, f"<{count} x i16>", count
        self.vector, self.alone = writer.variable(self.type), writer.variable("i16")

    def clear(self) -> None:
        ones = ", ".join(["i16 -1"] * self.count)
        self.writer.store(self.type, f"<{ones}>", self.vector, 8)
        self.writer.store("i16", -1, self.alone, 2)

    def note(self, at: str) -> None:
        magnitudes = ", ".join([f"i16 {0x7FFF}"] * self.count)
        ones = ", ".join(["i16 1"] * self.count)
        self._note(self.vector, at, self.type, f"<{magnitudes}>", f"<{ones}>", f".v{self.count}i16")

    def note_one(self, at: str) -> None:
        self._note(self.alone, at, "i16", str(0x7FFF), "1", ".i16")

    def _note(self, room: str, at: str, type: str, magnitude: str, one: str, suffix: str) -> None:
        write = self.writer
        bits = write._two("and", write.load(type, at), magnitude, type)
        below = write._two("sub", bits, one, type)  # of 0 it is the largest number
        least = write.intrinsic(f"llvm.umin{suffix}", type, f"{type}, {type}")
        before = write.load(type, room, 2)
        write.store(
            type, write.set(f"call {type} {least}({type} {below}, {type} {before})"), room, 2
        )

    def keep(self, least: str) -> None:
        """Its power of two, if that is less than what is there."""
        write = self.writer
        reduce = write.intrinsic(f"llvm.vector.reduce.umin.v{self.count}i16", "i16", f"{self.type}")
        found = write.set(f"call i16 {reduce}({self.type} {write.load(self.type, self.vector, 8)})")
        smaller = write.intrinsic("llvm.umin.i16", "i16", "i16, i16")
        alone = write.load("i16", self.alone, 2)
        found = write.set(f"call i16 {smaller}(i16 {found}, i16 {alone})")

        def some() -> None:
            bits = write._two("add", found, 1, "i16")
            value = write.one_widened(write.kind.b, bits)
            word = write.set(f"bitcast double {value} to i64")
            power = write._two("and", word, 0x7FF << 52)
            number = write.set(f"bitcast i64 {power} to double")
            before = write.load("double", least, 8)
            less = write.test("olt", number, before, "double")
            kept = write.set(f"select i1 {less}, double {number}, double {before}")
            write.store("double", kept, least, 8)

        write.when(write.test("ne", found, -1, "i16"), some)


class OneRow(Packing):
    """Functions for products of one row."""

    def write_lines(self) -> None:
        """The dot products of one row with columns that lie along K, read once."""
        head = (
            "ptr %x, ptr %base, ptr %lines, i64 %count, i64 %k, i1 %first, ptr %sums, ptr %norms, "
            "ptr %least, ptr %block, i64 %start"
        )
        turns, tile = TURNS, self.tile
        with self.function("openaclnn_lines", head):
            together = [self.variable(self.acc) for _ in range(turns)]
            rest = self.variable("double")
            self._start_notes()
            apart = [self.variable(self.acc) for _ in range(turns)]
            dtype = self.kind.b
            smallest = SmallestMagnitude(self, turns * self.lanes) if self.kind.short else None
            self.least_so_far = ""

            def one(j: str) -> None:
                record = self.at("%lines", j, 8 * RECORD)
                line = self.word(record, B)
                ahead = self._lines_ahead(j)
                for total in (*together, *apart):
                    self.store(self.acc, "zeroinitializer", total, 8)
                self.store("double", "0.0", rest, 8)
                self._clear_notes()
                if smallest:
                    smallest.clear()

                def some(quantities: list[str], k: str) -> None:
                    whole_norms = self.norms
                    vectors = [self.splat("f64", one) for one in quantities]
                    if smallest:
                        smallest.note(self.at("%base", self.add(line, self.mul(k, 2))))
                    along = self.mul(k, dtype.itemsize or 1)
                    ahead(k)
                    read = self._read_vectors(dtype, "%base", self.add(line, along), turns)
                    rooms = zip(read, together, apart, strict=True)
                    for turn, (values, total, self.norms) in enumerate(rooms):
                        place = self.add(k, turn * self.lanes)
                        if vectors:
                            values = self.meant(values, vectors, self.acc)
                        x = self.load(self.acc, self.at("%x", place, 8), 8)
                        before = self.load(self.acc, total, 8)
                        found = self.call_vector("fma", "f64", values, x, before)
                        self.store(self.acc, found, total, 8)
                        self._note(values)
                    self.norms = whole_norms

                def last(quantities: list[str], k: str) -> None:
                    along = self.mul(k, dtype.itemsize or 1)
                    value = self.read_element(dtype, "%base", self.add(line, along))
                    if smallest:
                        smallest.note_one(self.at("%base", self.add(line, along)))
                    if quantities:
                        value = self.meant(value, quantities, "double")
                    product = self._two("fmul", value, self.word("%x", k, "double"), "double")
                    before = self.load("double", rest, 8)
                    self.store("double", self._two("fadd", before, product, "double"), rest, 8)
                    self._note(self._alone(value))

                def span(first: str, end: str, quantities: list[str]) -> None:
                    most = self._two("and", self.sub(end, first), -turns * self.lanes)
                    whole = self.add(first, most)
                    self.repeat(first, whole, partial(some, quantities), turns * self.lanes)
                    self.repeat(whole, end, partial(last, quantities))

                if self.kind.scale:
                    self._by_groups(record, span)
                else:
                    span("0", "%k", [])
                total = self._reduced("fadd", self.load("double", rest, 8), self._sum_of(together))
                self.store(self.acc, self._sum_of([self.norms, *apart]), self.norms, 8)
                number, column = self.divided(j, tile.columns)
                place = self.add(self.mul(number, tile.rows * tile.columns), column)
                at = self.at("%sums", place, 8)
                before = self.load("double", at, 8)
                start = self.set(f"select i1 %first, double 0.0, double {before}")
                self.store("double", self._two("fadd", start, total, "double"), at, 8)
                self._keep_notes("%norms", "%least", j)
                if smallest:
                    smallest.keep(self.at("%least", j, 8))

            self.repeat(0, "%count", one)
            self.line("ret void")

    def _lines_ahead(self, j: str) -> Callable[[str], None]:
        """What asks for the numbers that are read some time after those from a place on: of this
        line, or of those after it."""
        bits = self.kind.b.bits
        terms = self._two("udiv", 8 * AHEAD // bits, "%k")
        rest = self.sub(8 * AHEAD // bits, self.mul(terms, "%k"))
        last = self.sub("%count", 1)
        lines = []
        for more in range(2):
            number = self.least(self.add(self.add(j, terms), more), last)
            lines.append(self.word(self.at("%lines", number, 8 * RECORD), B))

        def ask(k: str) -> None:
            place = self.add(k, rest)
            here = self.test("slt", place, "%k")
            line = self.set(f"select i1 {here}, i64 {lines[0]}, i64 {lines[1]}")
            beyond = self.set(f"select i1 {here}, i64 0, i64 %k")
            along = self.mul(self.sub(place, beyond), self.kind.b.itemsize or 1)
            at = self.add(line, along)
            if self.kind.b is INT4:
                at = self._two("lshr", at, 1)
            self.ask_for(self.at("%base", at), TURNS * self.lanes * bits // 8)

        return ask

    def write_across(self) -> None:
        """The same of columns that lie side by side: some numbers of each at once, in a chunk's
        sums, which are then added to what is there."""
        head = (
            "ptr %x, ptr %base, ptr %lines, i64 %count, ptr %ks, i64 %k, i1 %first, ptr %chunk, "
            "ptr %sums, ptr %norms, ptr %least, ptr %panel, i64 %high, i64 %wide"
        )
        with self.function("openaclnn_across", head):
            if self.kind.scale:
                self._take_bases_of_quantities()
            self._start_notes()
            vectors, grouped = (
                self._two("and", total, -unit)
                for total, unit in (("%count", self.lanes), ("%k", ROWS_AT_ONCE))
            )

            def clear(j: str) -> None:
                self.store(self.acc, "zeroinitializer", self.at("%chunk", j, 8), 8)

            self.repeat(0, "%count", clear, self.lanes)
            self.repeat(0, grouped, partial(self._rows_across, vectors, ROWS_AT_ONCE), ROWS_AT_ONCE)
            self.repeat(grouped, "%k", partial(self._rows_across, vectors, 1))
            some = self.test("ne", vectors, "%count")
            self.when(some, partial(self._last_across, vectors))
            self.repeat(0, "%count", self._keep_across, self.lanes)
            self.line("ret void")

    def _rows_across(self, end: str, rows: int, k: str) -> None:
        """Some numbers of each column but the last few."""
        records = [self.at("%ks", self.add(k, row), 8 * RECORD) for row in range(rows)]
        places = [self.word(record, B) for record in records]
        factors = [
            self.splat("f64", self.word("%x", self.add(k, r), "double")) for r in range(rows)
        ]
        ahead = self.add(self._two("udiv", 8 * AHEAD // self.kind.b.bits, "%count"), rows)
        last, later = self.sub("%k", 1), []
        for row in range(rows):
            number = self.least(self.add(self.add(k, row), ahead), last)
            later.append(self.word(self.at("%ks", number, 8 * RECORD), B))

        def columns(count: int, j: str) -> None:
            lines = [
                self.at("%lines", self.add(j, turn * self.lanes), 8 * RECORD)
                for turn in range(count)
            ]
            line = self.word(lines[0], B)
            for place in later if count > 1 else ():
                at = self.add(place, line)
                if self.kind.b is INT4:
                    at = self._two("lshr", at, 1)
                size = count * self.lanes * self.kind.b.bits // 8
                self.ask_for(self.at("%base", at), size)
            read = [
                self._read_vectors(self.kind.b, "%base", self.add(place, line), count)
                for place in places
            ]
            for turn in range(count):
                here = self.add(j, turn * self.lanes)
                kept = self._kept_notes(here)
                total = self.load(self.acc, self.at("%chunk", here, 8), 8)
                for record, vectors, factor in zip(records, read, factors, strict=True):
                    values = vectors[turn]
                    if self.of_quantities:
                        found = self._quantities_of_lanes(record, lines[turn])
                        values = self.meant(values, found, self.acc)
                    total = self.call_vector("fma", "f64", values, factor, total)
                    self._note(values)
                self.store(self.acc, total, self.at("%chunk", here, 8), 8)
                kept()

        together = TURNS * self.lanes
        whole = self._two("and", end, -together)
        self.repeat(0, whole, partial(columns, TURNS), together)
        self.repeat(whole, end, partial(columns, 1), self.lanes)

    def _kept_notes(self, j: str) -> Callable[[], None]:
        """Take up what was noted of a vector of columns; what puts it back."""
        pairs = ((self.norms, "%norms"), (self.least_so_far, "%least"))
        rooms = [(room, self.at(array, j, 8)) for room, array in pairs if room]
        for room, at in rooms:
            self.store(self.acc, self.load(self.acc, at, 8), room, 8)

        def put() -> None:
            for room, at in rooms:
                self.store(self.acc, self.load(self.acc, room, 8), at, 8)

        return put

    def _last_across(self, first: str) -> None:
        """The columns that are no whole vector, packed."""
        record = self.at("%lines", first, 8 * RECORD)
        norms, least = (self.at(array, first, 8) for array in ("%norms", "%least"))
        self.call(
            "void", "@openaclnn_pack_b", "ptr %base", f"ptr {record}",
            f"i64 {self.sub('%count', first)}", "ptr %ks", "i64 %k", "ptr %panel",
            f"ptr {norms}", f"ptr {least}", "i64 %high", "i64 %wide",
        )  # fmt: skip
        at = self.at("%chunk", first, 8)

        def one(k: str) -> None:
            factor = self.splat("f64", self.word("%x", k, "double"))
            values = self.load(self.acc, self.at("%panel", k, self.panel_b), 8)
            total = self.load(self.acc, at, 8)
            self.store(self.acc, self.call_vector("fma", "f64", values, factor, total), at, 8)

        self.repeat(0, "%k", one)

    def _keep_across(self, j: str) -> None:
        """Add a chunk's sums to those of the chunks before."""
        number, column = self.divided(j, self.tile.columns)
        place = self.add(self.mul(number, self.tile.rows * self.tile.columns), column)
        at, zero = self.at("%sums", place, 8), "zeroinitializer"
        before = self.load(self.acc, at, 8)
        start = self.set(f"select i1 %first, {self.acc} {zero}, {self.acc} {before}")
        more = self.load(self.acc, self.at("%chunk", j, 8), 8)
        self.store(self.acc, self._two("fadd", start, more, self.acc), at, 8)

    def _sum_of(self, variables: list[str]) -> str:
        """Vectors added up in pairs, so that additions do not wait for each other."""
        found = [self.load(self.acc, one, 8) for one in variables]
        while len(found) > 1:
            pairs = zip(found[::2], found[1::2], strict=False)
            rest = found[len(found) // 2 * 2 :]
            found = [self._two("fadd", a, b, self.acc) for a, b in pairs] + rest
        return found[0]

    def _by_groups(self, record: str, span: Callable[[str, str, list[str]], None]) -> None:
        """The stretches of a line that have one scale."""
        group, end = self.of("%block", "group"), self.add("%start", "%k")
        bases = [self.of("%block", name, "ptr") for name in ("scale", "offset")]
        steps = [self.of("%block", f"{name}_step") for name in ("scale", "offset")]
        first, _ = self.divided("%start", group)
        last, _ = self.divided(self.add(end, self.sub(group, 1)), group)
        most = self.intrinsic("llvm.smax.i64", "i64", "i64, i64")

        def one(g: str) -> None:
            at = self.mul(g, group)
            low = self.set(f"call i64 {most}(i64 {at}, i64 %start)")
            high = self.least(self.add(at, group), end)
            here = [
                self.at(base, self.mul(g, step)) for base, step in zip(bases, steps, strict=True)
            ]
            span(self.sub(low, "%start"), self.sub(high, "%start"), self.quantities(here, record))

        self.repeat(first, last, one)

    def _widen_row(
        self, start: str, count: str, to: str, norms: str, least: str, records: str
    ) -> None:
        """The elements of one row from a place on as float64."""
        self._start_notes()
        self._clear_notes()
        base = self.at(self._base(A), self.word(records, A))
        size = self.kind.a.itemsize

        def vector(k: str) -> None:
            values = self.read_vector(self.kind.a, base, self.mul(self.add(k, start), size))
            self.store(self.acc, values, self.at(to, k, 8), 8)
            self._note(values)

        def one(k: str) -> None:
            value = self.read_one(self.kind.a, self.at(base, self.mul(self.add(k, start), size)))
            self.store("double", value, self.at(to, k, 8), 8)
            self._note(self._alone(value))

        whole = self._two("and", count, -self.lanes)
        self.repeat(0, whole, vector, self.lanes)
        self.repeat(whole, count, one)
        self._keep_notes(norms, least, "0")

    def _start_notes(self) -> None:
        self.norms = self.variable(self.acc)
        self.least_so_far = self.variable(self.acc) if self.kind.short else ""

    def _clear_notes(self) -> None:
        self.store(self.acc, "zeroinitializer", self.norms, 8)
        if self.least_so_far:
            self.store(self.acc, self.constant("f64", float("inf")), self.least_so_far, 8)

    def _keep_notes(self, norms: str, least: str, line: str) -> None:
        """Put what was noted of a line's elements to what is known of it."""
        at = self.at(norms, line, 8)
        found = self._reduced(
            "fadd", self.load("double", at, 8), self.load(self.acc, self.norms, 8)
        )
        self.store("double", found, at, 8)
        if self.least_so_far:
            at = self.at(least, line, 8)
            for lane in range(self.lanes):
                number = self.lane(self.load(self.acc, self.least_so_far, 8), "f64", lane)
                before = self.load("double", at, 8)
                smaller = self.test("olt", number, before, "double")
                kept = self.set(f"select i1 {smaller}, double {number}, double {before}")
                self.store("double", kept, at, 8)

    def _alone(self, value: str) -> str:
        """A vector of a number and zeros."""
        return self.set(f"insertelement {self.acc} zeroinitializer, double {value}, i64 0")

    def _reduced(self, word: str, start: str, vector: str) -> str:
        name = self.intrinsic(
            f"llvm.vector.reduce.{word}.v{self.lanes}f64", "double", f"double, {self.acc}"
        )
        # in any order: what is reduced is certified, or a bound
        return self.set(f"call reassoc double {name}(double {start}, {self.acc} {vector})")
