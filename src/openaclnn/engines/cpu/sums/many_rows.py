"""Writes functions that add up several rows at once, for specialists in floating point: one look
at the processor's inexact flag for all (`accumulator`), and no state where a row's sum is all
that is wanted of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from openaclnn.arithmetic.folding import Folding
from openaclnn.arithmetic.nodes import Node, in_order, make
from openaclnn.arithmetic.pairs import two_sum
from openaclnn.arithmetic.sum_rounding import quotient
from openaclnn.engines.cpu.sums import block_trials, sixteen_bits
from openaclnn.engines.cpu.sums.builder import EIGHT, FOUR, Adding, Sums, prefetched

ROWS = 256  # at most
_TERMS_AT_MOST = 2048
_HALVES_AT_MOST = 1024
ROOM = 2 * ROWS * 8  # bytes of rows' sums: all of one kind, then the others
AT_ONCE = 4  # rows
_TERMS = "ptr %terms, i64 %pitch, i64 %n, i64 %rows, ptr %sums"
_LOADS = [make("load", "f64", value=k) for k in range(3)]
_BOTH, _MEAN = two_sum(*_LOADS[:2]), quotient(*_LOADS)
LONG = 512  # bytes: rows of more are added up one after the other, memory being read in order
_LINES = 64  # that are added up at once
_FAR = 16  # lines of 16 bits from one to what is asked for meanwhile


def longest(how: Folding) -> int:
    """How many terms rows may have, unless they lie side by side."""
    return _HALVES_AT_MOST if how.halves else _TERMS_AT_MOST


class ShortRows(Adding):
    """Terms as they lie: `short` has rows whose terms lie side by side, `pitch` bytes from one row
    to the next; `down` rows that lie side by side, `pitch` bytes from one term to the next. Both
    are false where a sum was rounded or is not finite. `put_all` adds the sums they leave to
    states, `worth` makes values of them; that is false where they have no room for one."""

    def text(self) -> str:
        functions = [
            self.function("one_after_other", _TERMS, lambda: self.by_fours(self.one_after_other)),
            self.function("side_by_side", _TERMS, lambda: self.by_fours(self.side_by_side)),
            self.function("down", _TERMS, self.down),
            self.function("worth", "ptr %sums, i64 %rows, double %count", self.worth),
        ]
        ways = {"trial": block_trials.plainly, "few_aside": block_trials.with_few_aside}
        if not self.wide:
            ways["in_halves"] = block_trials.in_halves
        functions += [
            self.function(name, block_trials.GIVEN, partial(way, self))
            for name, way in ways.items()
        ]
        if self.how.halves:
            widen = self.function(
                "widen", sixteen_bits.WIDENED, lambda: sixteen_bits.widen(self), noted=False
            )
            trial = self.function("halves", sixteen_bits.GIVEN, lambda: sixteen_bits.trial(self))
            functions += [widen, trial]
        loops = ['!0 = !{!"llvm.loop.unroll.disable"}', *self.loops]
        return "\n".join([*functions, *loops])

    def store(self, kind: int, row: str, sums: str) -> str:
        """Leaves sums of four rows; what is zero where all are finite."""
        p = self.p
        place = p.set(f"add i64 {row}, {kind * ROWS}")
        to = p.set(f"getelementptr double, ptr %sums, i64 {place}")
        p.line(f"store {FOUR} {sums}, ptr {to}, align 8")
        return self.minus(sums, sums, FOUR)

    def end(self, zeros: str) -> None:
        """True if the processor noted nothing, and these are zeros, not NaN."""
        p = self.p
        p.line('call void asm sideeffect "", "r,~{memory}"(ptr %sums)')
        rounded, finite = self.rounded(), self.all_zero(zeros)
        p.line(f"ret i1 {p.set(f'select i1 {rounded}, i1 false, i1 {finite}')}")

    def by_fours(self, sums_of: Callable[[list[str]], list[Sums]]) -> None:
        """Four rows at a time; the last again in place of those that are not there."""
        p = self.p
        self.begin(AT_ONCE * _HALVES_AT_MOST)
        p.line("%last = sub i64 %rows, 1")
        p.line(f"%whole = and i64 %n, {-EIGHT}")
        p.line(f"%sixteens = and i64 %n, {-2 * EIGHT}")
        self.tail = self.mask(p.set("sub i64 %n, %whole"))
        p.line(f"%all = and i64 {p.set(f'add i64 %n, {EIGHT - 1}')}, {-EIGHT}")

        def four(row: str, zeros: Sums) -> Sums:
            rows = [p.set(f"add i64 {row}, {k}") for k in range(AT_ONCE)]
            rows = [p.set(f"call i64 @llvm.smin.i64(i64 {each}, i64 %last)") for each in rows]
            sums = sums_of([p.shifted("%begin", each, "%pitch") for each in rows])
            (after,) = zeros
            for kind in range(self.kinds):
                totals = self.totals([self.fewer(each, self.kinds)[kind] for each in sums])
                after = self.plus(after, self.store(kind, row, totals), FOUR)
            return [after]

        self.end(*self.loop(("0", "%rows", AT_ONCE), ["zeroinitializer"], four, FOUR))

    def totals(self, rows: Sums) -> str:
        """The sums of four vectors' lanes."""
        if self.lanes == EIGHT:
            rows = [self.plus(*self.halved(each, self.f64), FOUR) for each in rows]
        low, high = (
            self.plus(
                self.chosen(a, b, FOUR, (0, 4, 2, 6)),
                self.chosen(a, b, FOUR, (1, 5, 3, 7)),
                FOUR,
            )
            for a, b in (rows[:2], rows[2:])
        )
        first = self.chosen(low, high, FOUR, (0, 1, 4, 5))
        return self.plus(first, self.chosen(low, high, FOUR, (2, 3, 6, 7)), FOUR)

    def rows_as_floats(self, begins: list[str], two: bool) -> str:
        """Makes float32 of rows of 16 bits, of every two terms one if told so: how many of each
        row, with zeros behind them."""
        for begin, own in zip(begins, self.own_rows(), strict=True):
            if two:
                self.pairs_of_row(begin, own)
            else:
                self.singles_of_row(begin, own, "0")
        if not two:
            return "%all"
        return self.p.set(f"sub i64 %all, {self.p.set('lshr i64 %sixteens, 1')}")

    def pairs_of_row(self, begin: str, own: str) -> None:
        p, at_once = self.p, 8 * EIGHT

        def some(width: int, index: str, _: Sums) -> Sums:
            for k in range(0, width, 2 * EIGHT):
                place = p.set(f"add i64 {index}, {k}")
                floats = self.sum_of_floats(*self.two_floats(p.shifted(begin, place, "2")))
                self.store_floats(floats, p.shifted(own, place, "2"))
            return []

        many = p.set(f"and i64 %n, {-at_once}")
        self.loop(("0", many, at_once), [], partial(some, at_once))
        self.loop((many, "%sixteens", 2 * EIGHT), [], partial(some, 2 * EIGHT))
        self.singles_of_row(begin, p.shifted(own, "%sixteens", "-2"), "%sixteens")

    def singles_of_row(self, begin: str, own: str, first: str) -> None:
        p, at_once = self.p, 4 * EIGHT

        def some(width: int, mask: str, index: str, _: Sums) -> Sums:
            for k in range(0, width, EIGHT):
                place = p.set(f"add i64 {index}, {k}")
                floats = self.floats(p.shifted(begin, place, "2"), mask)
                self.store_floats(floats, p.shifted(own, place, "4"))
            return []

        if first == "0":
            many = p.set(f"and i64 %n, {-at_once}")
            self.loop((first, many, at_once), [], partial(some, at_once, ""))
            first = many
        self.loop((first, "%whole", EIGHT), [], partial(some, EIGHT, ""))
        self.loop(("%whole", "%n", EIGHT), [], partial(some, EIGHT, self.tail))

    def own_rows(self) -> list[str]:
        rows = [self.p.set(f"mul i64 %all, {k}") for k in range(AT_ONCE)]
        return [self.p.shifted("%own", row, "4") for row in rows]

    def along(
        self, first: str, end: str, sums: Sums, body: Callable[[str, Sums, str], Sums]
    ) -> Sums:
        """From a place on to a row's end, which a mask may be for."""
        if self.how.halves:
            return self.loop((first, end, EIGHT), sums, lambda i, now: body(i, now, ""))
        sums = self.loop((first, "%whole", EIGHT), sums, lambda i, now: body(i, now, ""))
        return self.loop(("%whole", end, EIGHT), sums, lambda i, now: body(i, now, self.tail))

    def one_after_other(self, begins: list[str]) -> list[Sums]:
        """Eight sums of each row, or four of longer vectors."""
        p, found, end = self.p, [], "%n"
        groups = 2 if self.wide else 4
        at_once = groups * EIGHT
        if self.how.halves:
            pairs, singles = (partial(self.rows_as_floats, begins, two) for two in (True, False))
            end, begins = self.if_exact(pairs, singles), self.own_rows()
        many = p.set(f"and i64 {end}, {-at_once}")
        for row in begins:

            def some(index: str, sums: Sums, row: str = row) -> Sums:
                at, after = self.place(row, index), []
                if self.size == 4:
                    p.line(prefetched(at, 2))
                for k in range(groups):
                    here = self.place(at, str(k * EIGHT))
                    after += self.added(sums[2 * k : 2 * k + 2], here)
                return after

            def few(index: str, sums: Sums, mask: str, row: str = row) -> Sums:
                return self.added(sums, self.place(row, index), mask)

            sums = self.loop(("0", many, at_once), ["zeroinitializer"] * 2 * groups, some)
            found.append(self.along(many, end, self.fewer(sums, 2), few))
        return found

    def side_by_side(self, begins: list[str]) -> list[Sums]:
        """Two sums of each row, to which terms are added in turns."""
        rows, end = begins, "%n"
        if self.how.halves:
            end, rows = self.rows_as_floats(begins, two=False), self.own_rows()

        def few(index: str, sums: Sums, mask: str) -> Sums:
            after = []
            for k, row in enumerate(rows):
                after += self.added(sums[2 * k : 2 * k + 2], self.place(row, index), mask)
            return after

        sums = self.along("0", end, ["zeroinitializer"] * 2 * AT_ONCE, few)
        return [sums[2 * k : 2 * k + 2] for k in range(AT_ONCE)]

    def down(self) -> None:
        """Sixty-four rows at once, then thirty-two, then eight, of those four lines of terms at
        once; as many lines as the L1 cache has room for."""
        p, widths = self.p, (8 * EIGHT, 4 * EIGHT, EIGHT)
        self.begin(_LINES * widths[0])
        ends = [p.set(f"and i64 %rows, {-width}") for width in widths[:-1]]
        bounds = list(zip(["0", *ends], [*ends, "%rows"], widths, strict=True))

        def nothing(row: str, _: Sums) -> Sums:
            for k in range(2):
                p.line(f"store {self.f64} zeroinitializer, ptr {self.sum_at(row, k)}, align 8")
            return []

        def part(first: str, _: Sums) -> Sums:
            left = p.set(f"sub i64 %n, {first}")
            count = p.set(f"call i64 @llvm.smin.i64(i64 {left}, i64 {_LINES})")
            begin = p.shifted("%begin", first, "%pitch")
            for start, end, width in bounds:
                self.loop((start, end, width), [], partial(self.group, begin, count, width))
            return []

        def finite(row: str, zeros: Sums) -> Sums:
            (after,) = zeros
            for kind in range(self.kinds):
                place = p.set(f"add i64 {row}, {kind * ROWS}")
                found = p.set(f"load {FOUR}, ptr {p.shifted('%sums', place, '8')}, align 8")
                after = self.plus(after, self.minus(found, found, FOUR), FOUR)
            return [after]

        self.loop(("0", "%rows", EIGHT), [], nothing)
        self.loop(("0", "%n", _LINES), [], part)
        self.end(*self.loop(("0", "%rows", 4), ["zeroinitializer"], finite, FOUR))

    def sum_at(self, row: str, number: int) -> str:
        """Where a sum of rows from one on lies, of every eight two."""
        offset = number % 2 * ROWS + number // 2 * EIGHT if self.wide else 4 * number
        place = self.p.set(f"add i64 {row}, {offset}")
        return self.p.set(f"getelementptr double, ptr %sums, i64 {place}")

    def group(self, begin: str, count: str, width: int, row: str, _: Sums) -> Sums:
        """Some lines of so many rows added to their sums."""
        p = self.p
        at, pitch = p.shifted(begin, row, str(self.size)), "%pitch"
        mask = self.mask(p.set(f"sub i64 %rows, {row}")) if width == EIGHT else ""
        if self.how.halves:
            count = self.widened_lines(at, count, width, mask)
            at, pitch, mask = "%own", str(4 * width), ""
        places = [self.sum_at(row, k) for k in range(width // 4)]
        sums = [p.set(f"load {self.f64}, ptr {place}, align 8") for place in places]
        sums += ["zeroinitializer"] * (8 - len(sums))

        def lines(index: str, sums: Sums, lines: int) -> Sums:
            after = list(sums)
            for k in range(0, lines * width // 4, 2):
                line, column = divmod(4 * k, width)
                number = p.set(f"add i64 {index}, {line}")
                if self.size == 4 and column * self.size % 64 == 0:
                    self.ask_for(at, p.set(f"add i64 {number}, 2"), column)
                here = self.place(p.shifted(at, number, pitch), str(column))
                after[k : k + 2] = self.added(sums[k : k + 2], here, mask)
            return after

        at_once = max(1, 4 * EIGHT // width)
        whole = p.set(f"and i64 {count}, {-at_once}")
        sums = self.loop(("0", whole, at_once), sums, lambda i, now: lines(i, now, at_once))
        if at_once > 1:
            sums = self.loop((whole, count, 1), sums, lambda i, now: lines(i, now, 1))
        for place, each in zip(places, self.fewer(sums, len(places)), strict=True):
            p.line(f"store {self.f64} {each}, ptr {place}, align 8")
        return []

    def ask_for(self, begin: str, line: str, column: int) -> None:
        """Memory that will be read: of 16 bits, which are read faster, as near as the L2 cache.
        With it columns take 0.85 to 0.95 of the time, but those of float64, which do without."""
        p, near = self.p, 2 if self.how.halves else 3
        at = p.shifted(begin, line, "%pitch")
        place = p.set(f"getelementptr i8, ptr {at}, i64 {column * self.size}")
        p.line(f"call void @llvm.prefetch.p0(ptr {place}, i32 0, i32 {near}, i32 1)")

    def widened_lines(self, begin: str, count: str, width: int, mask: str) -> str:
        """Lines of numbers of 16 bits in float32, two of them as one where that is exact; how many
        that makes."""
        p = self.p

        def line(index: str, to: str, two: bool) -> Sums:
            at, own = p.shifted(begin, index, "%pitch"), p.shifted("%own", to, str(4 * width))
            below = p.set(f"getelementptr i8, ptr {at}, i64 %pitch")
            for k in range(0, width, 32):
                for number in range(1 + two):
                    self.ask_for(begin, p.set(f"add i64 {index}, {_FAR + number}"), k)
            for k in range(0, width, EIGHT):
                here, under = (p.set(f"getelementptr i16, ptr {x}, i64 {k}") for x in (at, below))
                floats = self.floats(here, mask)
                if two:
                    floats = self.sum_of_floats(floats, self.floats(under, mask))
                self.store_floats(floats, self.place(own, str(k)))
            return []

        def singles() -> str:
            self.loop(("0", count, 1), [], lambda i, _: line(i, i, two=False))
            return count

        if mask:
            return singles()
        pairs, half = p.set(f"and i64 {count}, -2"), p.set(f"lshr i64 {count}, 1")

        def both() -> str:
            self.loop(
                ("0", pairs, 2), [], lambda i, _: line(i, p.set(f"lshr i64 {i}, 1"), two=True)
            )
            self.loop((pairs, count, 1), [], lambda i, _: line(i, half, two=False))
            return p.set(f"sub i64 {count}, {half}")

        return self.if_exact(both, singles)

    def worth(self) -> None:
        """As `openaclnn_value` of a state with these sums, which lose nothing."""
        p, mean = self.p, self.how.kind == "mean"
        if not (mean or self.wide) or (self.wide and not self.how.nearest):
            p.line(f"ret i1 {'false' if self.wide else 'true'}")
            return
        p.line(f"%counts.one = insertelement {FOUR} poison, double %count, i64 0")
        count = self.chosen("%counts.one", "poison", FOUR, (0, 0, 0, 0))

        def four(row: str, zeros: Sums) -> Sums:
            at = p.shifted("%sums", row, "8")
            value = p.set(f"load {FOUR}, ptr {at}, align 8")
            (after,), rest = zeros, "zeroinitializer"
            if self.wide:
                lower = p.set(f"getelementptr double, ptr {at}, i64 {ROWS}")
                low = p.set(f"load {FOUR}, ptr {lower}, align 8")
                value, rest = self.of_fours([_BOTH.high, _BOTH.low], [value, low])
                after = self.plus(after, self.minus(value, value, FOUR), FOUR)
            if mean:
                _, value = self.of_fours(_MEAN, [value, rest, count])
            p.line(f"store {FOUR} {value}, ptr {at}, align 8")
            return [after]

        zeros = self.loop(("0", "%rows", 4), ["zeroinitializer"], four, FOUR)
        p.line(f"ret i1 {self.all_zero(*zeros)}")

    def of_fours(self, roots: Sequence[Node], loads: Sequence[str]) -> list[str]:
        """What trees of basic operations give for vectors of four."""
        names: dict[Node, str] = {}
        self.p.lanes, lanes = 4, self.p.lanes
        self.p.print(in_order(*roots), (names, lambda load: loads[int(load.value)]))
        self.p.lanes = lanes
        return [names[root] for root in roots]
