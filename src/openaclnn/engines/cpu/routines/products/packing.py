"""Packing: elements of a few lines as panels of float64, and what the certificate asks of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

from openaclnn.base.dtypes import DType
from openaclnn.engines.cpu.routines.products.kind import (
    ALONG_K,
    ALONG_LINES,
    HIGH,
    OFFSET,
    RECORD,
    SCALE,
    WIDE,
    WINDOW,
    B,
    ProductKind,
)
from openaclnn.engines.cpu.routines.products.reading import ReadingOperands


class Packing(ReadingOperands):
    """Functions that pack panels."""

    def __init__(self, kind: ProductKind) -> None:
        super().__init__(kind)
        # of the lines that are read: their sums of squares, and their smallest powers of two
        self.norms = self.least_so_far = ""
        self.of_quantities: list[str] = []

    def write_packing(self, name: str, dtype: DType, pattern: str, of: int, pitch: int) -> None:
        """Of as many lines as a vector has lanes: elements along K, one vector for each."""
        head = (
            "ptr %base, ptr %lines, i64 %valid, ptr %ks, i64 %count, ptr %out, ptr %norms, "
            "ptr %least, i64 %high, i64 %wide"
        )
        with self.function(f"openaclnn_pack_{name}", head):
            self.norms = self.least_so_far = ""
            self.of_quantities = []
            if of == B and self.kind.scale:
                self._take_bases_of_quantities()
            if self.kind.certified:
                self.norms = self.variable(self.acc, self.load(self.acc, "%norms", 8))
            if self.kind.short:
                self.least_so_far = self.variable(self.acc, self.load(self.acc, "%least", 8))
            element = partial(self._pack_slowly, dtype, pattern, of, pitch)
            full = self.test("eq", "%valid", self.lanes)
            if pattern == ALONG_LINES and (self.kind.scales_along or not self.of_quantities):
                self.when(full, partial(self._pack_rows, dtype, of, pitch), partial(element, "0"))
            elif pattern == ALONG_K:

                def across() -> None:
                    whole = self._two("and", "%count", -self.lanes)
                    self._pack_transposed(dtype, of, pitch, whole)
                    element(whole)

                self.when(full, across, partial(element, "0"))
            elif pattern == WINDOW:
                self.when(
                    full, partial(self._pack_windows, dtype, of, pitch), partial(element, "0")
                )
            else:
                element("0")
            if self.norms:
                self.store(self.acc, self.load(self.acc, self.norms, 8), "%norms", 8)
            if self.least_so_far:
                self.store(self.acc, self.load(self.acc, self.least_so_far, 8), "%least", 8)
            self.line("ret void")

    def _take_bases_of_quantities(self) -> None:
        """Scale and offset come in the place of a window's edges."""
        self.of_quantities = [self.set(f"inttoptr i64 %{name} to ptr") for name in ("high", "wide")]

    def _note(self, values: str) -> None:
        """Add to the sums of squares, and find the smallest power of two that is no number's."""
        if self.norms:
            total = self.load(self.acc, self.norms, 8)
            found = self.call_vector("fma", "f64", values, values, total)
            self.store(self.acc, found, self.norms, 8)
        if self.least_so_far:
            bits = self.set(f"bitcast {self.acc} {values} to {self.vector('i64')}")
            exponents = self.constant("i64", 0x7FF << 52)
            power = self._two("and", bits, exponents, self.vector("i64"))
            none = self.test("eq", power, "zeroinitializer", self.vector("i64"))
            found = self.set(
                f"select {self.vector('i1')} {none}, {self.vector('i64')} {exponents}, "
                f"{self.vector('i64')} {power}"
            )
            number = self.set(f"bitcast {self.vector('i64')} {found} to {self.acc}")
            before = self.load(self.acc, self.least_so_far, 8)
            smaller = self.test("olt", number, before, self.acc)
            least = self.set(
                f"select {self.vector('i1')} {smaller}, {self.acc} {number}, {self.acc} {before}"
            )
            self.store(self.acc, least, self.least_so_far, 8)

    def _pack_rows(self, dtype: DType, of: int, pitch: int) -> None:
        first = self.word("%lines", of)

        def body(k: str) -> None:
            record = self.at("%ks", k, 8 * RECORD)
            values = self.read_vector(dtype, "%base", self.add(first, self.word(record, of)))
            if self.of_quantities:
                values = self.meant(values, self._quantities_of_lanes(record, "%lines"), self.acc)
            self.store(self.acc, values, self.at("%out", k, pitch), 8)
            self._note(values)

        self.repeat(0, "%count", body)

    def _quantities_of_lanes(self, record: str, line: str) -> list[str]:
        """Scale and offset of columns that follow each other, as vectors."""
        found = []
        pairs = (self.kind.scale, SCALE), (self.kind.offset, OFFSET)
        for base, (dtype, number) in zip(self.of_quantities, pairs, strict=True):
            if dtype is not None:
                place = self.add(self.word(line, number), self.word(record, number))
                found.append(self.read_vector(dtype, base, place))
        return found

    def _pack_transposed(self, dtype: DType, of: int, pitch: int, whole: str) -> None:
        first = self.word("%ks", of)
        records = [self.at("%lines", lane * RECORD, 8) for lane in range(self.lanes)]
        lines = [self.add(first, self.word(record, of)) for record in records]

        def body(k: str) -> None:
            along = self.mul(k, dtype.itemsize or 1)
            rows = [self.read_vector(dtype, "%base", self.add(line, along)) for line in lines]
            if self.of_quantities:  # groups are multiples of a vector
                here = self.at("%ks", k, 8 * RECORD)
                for number, record in enumerate(records):
                    found = self.quantities(self.of_quantities, record, here)
                    vectors = [self.splat("f64", one) for one in found]
                    rows[number] = self.meant(rows[number], vectors, self.acc)
            for number, values in enumerate(self._transposed(rows)):
                at = self.at("%out", self.add(k, number), pitch)
                self.store(self.acc, values, at, 8)
                self._note(values)

        self.repeat(0, whole, body, self.lanes)

    def _transposed(self, rows: list[str]) -> list[str]:
        """A square of elements across its diagonal, by halves of halves."""
        span = 1
        while span < self.lanes:
            found = list(rows)
            for i in range(self.lanes):
                if i & span:
                    continue
                a, b = rows[i], rows[i | span]
                low = [(self.lanes + k - span) if k & span else k for k in range(self.lanes)]
                high = [(self.lanes + k) if k & span else k + span for k in range(self.lanes)]
                found[i] = self.shuffled(self.acc, a, b, low)
                found[i | span] = self.shuffled(self.acc, a, b, high)
            rows, span = found, 2 * span
        return rows

    def _pack_windows(self, dtype: DType, of: int, pitch: int) -> None:
        """Of lines at equal distances: where the first and the last are inside, so are all."""
        records = [self.at("%lines", lane * RECORD, 8) for lane in range(self.lanes)]
        equal, steps = "true", []
        each = [[self.word(record, word) for record in records] for word in (of, HIGH, WIDE)]
        for places in each:
            steps.append(self.sub(places[1], places[0]))
            for before, after in pairwise(places[1:]):
                found = self.test("eq", self.sub(after, before), steps[-1])
                equal = self._two("and", equal, found, "i1")
        first, step = each[0][0], steps[0]

        def side_by_side(record: str, at: str) -> None:
            place = self.add(self.word(record, of), first)
            self.store(self.acc, self.read_vector(dtype, "%base", place), at, 8)

        def apart(record: str, at: str) -> None:
            place = self.add(self.word(record, of), first)
            for lane in range(self.lanes):
                value = self.read_element(dtype, "%base", self.add(place, self.mul(step, lane)))
                self.store(self.type, value, self.at(at, lane, self.size), 8)

        def pack(inner: Callable[[str, str], None]) -> None:
            def body(k: str) -> None:
                record, at = self.at("%ks", k, 8 * RECORD), self.at("%out", k, pitch)
                inside = "true"
                for word, places, size in zip(
                    (HIGH, WIDE), each[1:], ("%high", "%wide"), strict=True
                ):
                    position = self.word(record, word)
                    for place in (places[0], places[-1]):
                        found = self.test("ult", self.add(position, place), size)
                        inside = self._two("and", inside, found, "i1")
                self.when(
                    inside,
                    partial(inner, record, at),
                    partial(self._pack_one_by_one, dtype, WINDOW, of, record, at),
                )
                if self.kind.certified:
                    self._note(self.load(self.acc, at, 8))

            self.repeat(0, "%count", body)

        neighbours = self.test("eq", step, dtype.itemsize)
        self.when(
            equal,
            lambda: self.when(neighbours, partial(pack, side_by_side), partial(pack, apart)),
            partial(self._pack_slowly, dtype, WINDOW, of, pitch, "0"),
        )

    def _pack_slowly(self, dtype: DType, pattern: str, of: int, pitch: int, start: str) -> None:
        """One element after the other; zeros where there are no more lines."""

        def body(k: str) -> None:
            record, at = self.at("%ks", k, 8 * RECORD), self.at("%out", k, pitch)
            self._pack_one_by_one(dtype, pattern, of, record, at)
            if self.kind.certified:
                self._note(self.load(self.acc, at, 8))

        self.repeat(start, "%count", body)

    def _pack_one_by_one(self, dtype: DType, pattern: str, of: int, record: str, at: str) -> None:
        """The elements of all lines at one place of K."""
        self.store(self.acc, "zeroinitializer", at, 8)

        def one(lane: str) -> None:
            line = self.at("%lines", lane, 8 * RECORD)

            def there() -> None:
                place = self.add(self.word(record, of), self.word(line, of))
                value = self.read_element(dtype, "%base", place)
                if self.of_quantities:
                    found = self.quantities(self.of_quantities, record, line)
                    value = self.meant(value, found, "double")
                self.store(self.type, value, self.at(at, lane, self.size), 8)

            if pattern == WINDOW:
                self.when(self.inside(record, line), there)
            else:
                there()

        self.repeat(0, "%valid", one)
