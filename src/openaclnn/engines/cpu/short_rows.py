"""Writes functions that add up several rows at once, for specialists in floating point: one look
at the processor's note for all (`sums` says what that is), and no state where a row's sum is all
that is wanted of it.

Eight terms are loaded together and added to two sums: of float64 one has the upper halves of their
bits, one the lower; else they take turns, on which the processor works side by side. Numbers of 16
bits become float32 in the L1 cache first: what comes from there is float64 in half the time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from openaclnn.arithmetic.folding import Folding
from openaclnn.engines.cpu.note import Note, one
from openaclnn.engines.cpu.vector import Printer, splat

FLOAT16 = 11  # bits
ROWS = 256  # at most
_TERMS_AT_MOST = 2048
_HALVES_AT_MOST = 512
ROOM = 2 * ROWS * 8  # bytes of rows' sums: all of one kind, then the others
AT_ONCE = 4  # rows
_TERMS = "ptr %terms, i64 %pitch, i64 %n, i64 %rows, ptr %sums"
_EIGHT = 8  # terms
_LONG = 512  # bytes: rows of more are added up one after the other, memory being read in order
_AHEAD = 512  # bytes
_LINES = 64  # that are added up at once
_FOUR = "<4 x double>"

Sums = list[str]  # vectors
# from where, to where, in steps
Bounds = tuple[str, str, int]


def longest(how: Folding) -> int:
    """How many terms rows may have, unless they lie side by side."""
    return _HALVES_AT_MOST if how.halves else _TERMS_AT_MOST


def prefetched(at: str, lines: int) -> str:
    """Lines of IR that ask for lines of memory some way ahead, which the processor does not always
    do by itself."""
    return "".join(
        f"""
  {at}.ahead{k} = getelementptr i8, ptr {at}, i64 {_AHEAD + 64 * k}
  call void @llvm.prefetch.p0(ptr {at}.ahead{k}, i32 0, i32 3, i32 1)"""
        for k in range(lines)
    )


class ShortRows:
    """Terms as they lie: `short` has rows whose terms lie side by side, `pitch` bytes from one row
    to the next; `down` rows that lie side by side, `pitch` bytes from one term to the next. Both
    are false where a sum was rounded or is not finite. `put_all` adds the sums they leave to
    states, `worth` makes values of them; that is false where they have no room for one."""

    def __init__(self, how: Folding, note: Note | None) -> None:
        self.how, self.note = how, note
        self.wide = how.term == "f64"
        self.kinds = 2 if self.wide else 1
        self.size = 2 if how.halves else 8 if self.wide else 4
        self.type = "double" if self.wide else "float"  # as terms are loaded
        self.lanes = 8 if self.wide else 4
        self.f64 = f"<{self.lanes} x double>"
        self.declared: dict[str, str] = {}
        self.loops: list[str] = []  # which LLVM is not to unroll: loads would change their order

    def text(self) -> str:
        functions = [
            self.short(),
            self.function("one_after_other", _TERMS, lambda: self.by_fours(self.one_after_other)),
            self.function("side_by_side", _TERMS, lambda: self.by_fours(self.side_by_side)),
            self.function("down", _TERMS, self.down),
            self.function("worth", "ptr %sums, i64 %rows, double %count", self.worth),
            self.put_all(),
        ]
        loops = ['!0 = !{!"llvm.loop.unroll.disable"}', *self.loops]
        return "\n".join([*self.declared.values(), *functions, *loops])

    def function(self, name: str, given: str, body: Callable[[], None]) -> str:
        self.p = p = Printer(self.lanes)
        p.declared = self.declared
        p.label("entry")
        if self.note is None:
            p.line("ret i1 false")
        else:
            body()
        lines = "\n".join(p.lines)
        return f"\ndefine i1 @openaclnn_{name}({given}) nounwind {{\n{lines}\n}}\n"

    def begin(self, room: int) -> None:
        """`room`: float32 that numbers of 16 bits become at once."""
        p = self.p
        assert self.note is not None
        if self.how.halves:
            p.line(f"%own = alloca [{room} x float], align 64")
        for line in (self.note.room, self.note.forget, one(self.note)):
            p.line(line)
        self.ones = p.splat("f64", "%one")
        p.line('%begin = call ptr asm sideeffect "", "=r,0"(ptr %terms)')

    def end(self, zeros: str) -> None:
        """True if the processor noted nothing, and these are zeros, not NaN."""
        p = self.p
        assert self.note is not None
        p.line('call void asm sideeffect "", "r,~{memory}"(ptr %sums)')
        p.line(self.note.read)
        noted = p.set(f"and i32 %note, {self.note.rounded}")
        exact = p.set(f"icmp eq i32 {noted}, 0")
        p.line(f"ret i1 {p.set(f'and i1 {exact}, {self.all_zero(zeros)}')}")

    def all_zero(self, zeros: str) -> str:
        reduce = "@llvm.vector.reduce.fadd.v4f64"
        total = self.p.set(f"call double {reduce}(double 0.0, {_FOUR} {zeros})")
        return self.p.set(f"fcmp oeq double {total}, 0.0")

    def loop(
        self, bounds: Bounds, sums: Sums, body: Callable[[str, Sums], Sums], type: str = ""
    ) -> Sums:
        """Sums that a body makes anew again and again."""
        p, (start, end, step) = self.p, bounds
        name, number = p.fresh("loop")[1:], len(self.loops) + 1
        p.line(f"br label %{name}.from")
        p.label(f"{name}.from")
        p.line(f"br label %{name}")
        p.label(name)
        index, place = f"%{name}.i", len(p.lines)
        here = [p.fresh("sum") for _ in sums]
        more = p.set(f"icmp slt i64 {index}, {end}")
        p.line(f"br i1 {more}, label %{name}.body, label %{name}.done")
        p.label(f"{name}.body")
        self.loops.append(f"!{number} = distinct !{{!{number}, !0}}")
        after = body(index, here)
        p.line(f"br label %{name}.latch")
        p.label(f"{name}.latch")
        following = p.set(f"add nsw i64 {index}, {step}")
        p.line(f"br label %{name}, !llvm.loop !{number}")
        p.label(f"{name}.done")
        phis = [("i64", index, start, following)]
        phis += [(type or self.f64, *each) for each in zip(here, sums, after, strict=True)]
        p.lines[place:place] = [
            f"  {now} = phi {kind} [ {first}, %{name}.from ], [ {then}, %{name}.latch ]"
            for kind, now, first, then in phis
        ]
        return here

    def plus(self, a: str, b: str, type: str = "") -> str:
        return self.p.set(f"fadd {type or self.f64} {a}, {b}")

    def minus(self, a: str, b: str, type: str = "") -> str:
        return self.p.set(f"fsub {type or self.f64} {a}, {b}")

    def fma(self, a: str, b: str, c: str, lanes: int = 0) -> str:
        name, type = f"@llvm.fma.v{lanes or self.lanes}f64", f"<{lanes or self.lanes} x double>"
        return self.p.set(f"call {type} {name}({type} {a}, {type} {b}, {type} {c})")

    def chosen(self, a: str, b: str, type: str, lanes: Sequence[int]) -> str:
        """Four lanes of two vectors."""
        numbers = ", ".join(f"i32 {lane}" for lane in lanes)
        return self.p.set(f"shufflevector {type} {a}, {type} {b}, <4 x i32> <{numbers}>")

    def halved(self, vector: str, type: str) -> tuple[str, str]:
        """Eight lanes as two vectors."""
        first, second = (self.chosen(vector, "poison", type, range(k, k + 4)) for k in (0, 4))
        return first, second

    def mask(self, count: str) -> str:
        """The first of eight lanes, so many."""
        p, i64 = self.p, f"<{_EIGHT} x i64>"
        first = p.set(f"insertelement {i64} poison, i64 {count}, i64 0")
        zeros = f"<{_EIGHT} x i32> zeroinitializer"
        counts = p.set(f"shufflevector {i64} {first}, {i64} poison, {zeros}")
        numbers = ", ".join(f"i64 {lane}" for lane in range(_EIGHT))
        return p.set(f"icmp slt {i64} <{numbers}>, {counts}")

    def loaded(self, at: str, type: str, mask: str) -> str:
        """Eight of a type; zeros beside a mask, if there is one."""
        p, eight, bits = self.p, f"<{_EIGHT} x {type}>", f"<{_EIGHT} x i1>"
        if not mask:
            return p.set(f"load {eight}, ptr {at}, align 1")
        short = {"double": "f64", "float": "f32"}.get(type, type)
        name = f"llvm.masked.load.v{_EIGHT}{short}.p0"
        load = p.intrinsic(name, eight, f"ptr, i32, {bits}, {eight}")
        return p.set(
            f"call {eight} {load}(ptr {at}, i32 1, {bits} {mask}, {eight} zeroinitializer)"
        )

    def added(self, sums: Sums, at: str, mask: str = "") -> Sums:
        """Two sums with eight terms more, which are no numbers of 16 bits any longer."""
        p = self.p
        if self.wide:
            terms, i64 = self.loaded(at, "double", mask), f"<{_EIGHT} x i64>"
            bits = p.set(f"bitcast {self.f64} {terms} to {i64}")
            upper = splat("i64", -(1 << 53 - self.how.bits // 2), _EIGHT)
            cut = p.set(f"and {i64} {bits}, {upper}")
            high = p.set(f"bitcast {i64} {cut} to {self.f64}")
            low = self.minus(terms, high)
            return [self.fma(high, self.ones, sums[0]), self.plus(sums[1], low)]
        if mask:
            floats = [*self.halved(self.loaded(at, "float", mask), f"<{_EIGHT} x float>")]
        else:
            places = at, p.set(f"getelementptr float, ptr {at}, i64 4")
            floats = [p.set(f"load <4 x float>, ptr {place}, align 1") for place in places]
        terms_of = [p.set(f"fpext <4 x float> {each} to {self.f64}") for each in floats]
        pairs = zip(terms_of, sums, strict=True)
        return [self.fma(terms, self.ones, each) for terms, each in pairs]

    def widened(self, at: str, to: str, mask: str = "") -> None:
        """Eight numbers of 16 bits in float32."""
        p, i16, i32, f32 = self.p, *(f"<{_EIGHT} x {type}>" for type in ("i16", "i32", "float"))
        stored = self.loaded(at, "i16", mask)
        if self.how.bits == FLOAT16:
            half = f"<{_EIGHT} x half>"
            floats = p.set(f"fpext {half} {p.set(f'bitcast {i16} {stored} to {half}')} to {f32}")
        else:
            words = p.set(f"zext {i16} {stored} to {i32}")
            up = p.set(f"shl {i32} {words}, {splat('i32', 16, _EIGHT)}")
            floats = p.set(f"bitcast {i32} {up} to {f32}")
        p.line(f"store {f32} {floats}, ptr {to}, align 4")

    def fewer(self, sums: Sums, count: int) -> Sums:
        """So many, by adding the latter half to the former."""
        while len(sums) > count:
            half = len(sums) // 2
            sums = [self.plus(a, b) for a, b in zip(sums[:half], sums[half:], strict=True)]
        return sums

    def store(self, kind: int, row: str, sums: str) -> str:
        """Leaves sums of four rows; what is zero where all are finite."""
        p = self.p
        place = p.set(f"add i64 {row}, {kind * ROWS}")
        to = p.set(f"getelementptr double, ptr %sums, i64 {place}")
        p.line(f"store {_FOUR} {sums}, ptr {to}, align 8")
        return self.minus(sums, sums, _FOUR)

    def short(self) -> str:
        return f"""
define i1 @openaclnn_short({_TERMS}) nounwind {{
entry:
  %long = icmp sge i64 %n, {_LONG // self.size}
  %function = select i1 %long, ptr @openaclnn_one_after_other, ptr @openaclnn_side_by_side
  %good = tail call i1 %function({_TERMS})
  ret i1 %good
}}
"""

    def by_fours(self, sums_of: Callable[[list[str]], list[Sums]]) -> None:
        """Four rows at a time; the last again in place of those that are not there."""
        p = self.p
        self.begin(AT_ONCE * _HALVES_AT_MOST)
        p.line("%last = sub i64 %rows, 1")
        p.line(f"%whole = and i64 %n, {-_EIGHT}")
        self.tail = self.mask(p.set("sub i64 %n, %whole"))
        p.line(f"%all = and i64 {p.set(f'add i64 %n, {_EIGHT - 1}')}, {-_EIGHT}")

        def four(row: str, zeros: Sums) -> Sums:
            rows = [p.set(f"add i64 {row}, {k}") for k in range(AT_ONCE)]
            rows = [p.set(f"call i64 @llvm.smin.i64(i64 {each}, i64 %last)") for each in rows]
            sums = sums_of([p.shifted("%begin", each, "%pitch") for each in rows])
            (after,) = zeros
            for kind in range(self.kinds):
                totals = self.totals([self.fewer(each, self.kinds)[kind] for each in sums])
                after = self.plus(after, self.store(kind, row, totals), _FOUR)
            return [after]

        self.end(*self.loop(("0", "%rows", AT_ONCE), ["zeroinitializer"], four, _FOUR))

    def totals(self, rows: Sums) -> str:
        """The sums of four vectors' lanes."""
        if self.lanes == _EIGHT:
            rows = [self.plus(*self.halved(each, self.f64), _FOUR) for each in rows]
        low, high = (
            self.plus(
                self.chosen(a, b, _FOUR, (0, 4, 2, 6)),
                self.chosen(a, b, _FOUR, (1, 5, 3, 7)),
                _FOUR,
            )
            for a, b in (rows[:2], rows[2:])
        )
        first = self.chosen(low, high, _FOUR, (0, 1, 4, 5))
        return self.plus(first, self.chosen(low, high, _FOUR, (2, 3, 6, 7)), _FOUR)

    def row(self, begin: str, number: int = 0) -> str:
        """Where the terms of a row lie, which are float32 then if they were of 16 bits."""
        if not self.how.halves:
            return begin
        p = self.p
        own = p.set(f"getelementptr float, ptr %own, i64 {number * _LONG // self.size}")

        def some(index: str, count: int, mask: str = "") -> Sums:
            for k in range(0, count, _EIGHT):
                place = p.set(f"add i64 {index}, {k}")
                self.widened(p.shifted(begin, place, "2"), p.shifted(own, place, "4"), mask)
            return []

        many = p.set(f"and i64 %n, {-4 * _EIGHT}")
        self.loop(("0", many, 4 * _EIGHT), [], lambda index, _: some(index, 4 * _EIGHT))
        self.loop((many, "%whole", _EIGHT), [], lambda index, _: some(index, _EIGHT))
        self.loop(("%whole", "%n", _EIGHT), [], lambda index, _: some(index, _EIGHT, self.tail))
        return own

    def along(self, first: str, sums: Sums, body: Callable[[str, Sums, str], Sums]) -> Sums:
        """From a place on to a row's end, which a mask may be for."""
        if self.how.halves:  # which have zeros behind them
            return self.loop((first, "%all", _EIGHT), sums, lambda i, now: body(i, now, ""))
        sums = self.loop((first, "%whole", _EIGHT), sums, lambda i, now: body(i, now, ""))
        return self.loop(("%whole", "%n", _EIGHT), sums, lambda i, now: body(i, now, self.tail))

    def place(self, begin: str, index: str) -> str:
        return self.p.shifted(begin, index, "8" if self.wide else "4")

    def one_after_other(self, begins: list[str]) -> list[Sums]:
        """Eight sums of each row."""
        p, found, at_once = self.p, [], 4 * _EIGHT
        many = p.set(f"and i64 %n, {-at_once}")
        for begin in begins:
            row = self.row(begin)

            def some(index: str, sums: Sums, row: str = row) -> Sums:
                at, after = self.place(row, index), []
                if self.size == 4:
                    p.line(prefetched(at, 2))
                for k in range(4):
                    here = self.place(at, str(k * _EIGHT))
                    after += self.added(sums[2 * k : 2 * k + 2], here)
                return after

            def few(index: str, sums: Sums, mask: str, row: str = row) -> Sums:
                return self.added(sums, self.place(row, index), mask)

            sums = self.loop(("0", many, at_once), ["zeroinitializer"] * 8, some)
            found.append(self.along(many, self.fewer(sums, 2), few))
        return found

    def side_by_side(self, begins: list[str]) -> list[Sums]:
        """Two sums of each row, to which terms are added in turns."""
        rows = [self.row(begin, k) for k, begin in enumerate(begins)]

        def few(index: str, sums: Sums, mask: str) -> Sums:
            after = []
            for k, row in enumerate(rows):
                after += self.added(sums[2 * k : 2 * k + 2], self.place(row, index), mask)
            return after

        sums = self.along("0", ["zeroinitializer"] * 2 * AT_ONCE, few)
        return [sums[2 * k : 2 * k + 2] for k in range(AT_ONCE)]

    def down(self) -> None:
        """Thirty-two rows at once, then eight, of those four lines of terms at once; as many lines
        as the L1 cache has room for."""
        p, many = self.p, 4 * _EIGHT
        self.begin(_LINES * many)
        p.line(f"%whole = and i64 %rows, {-many}")

        def nothing(row: str, _: Sums) -> Sums:
            for k in range(2):
                p.line(f"store {self.f64} zeroinitializer, ptr {self.sum_at(row, k)}, align 8")
            return []

        def part(first: str, _: Sums) -> Sums:
            left = p.set(f"sub i64 %n, {first}")
            count = p.set(f"call i64 @llvm.smin.i64(i64 {left}, i64 {_LINES})")
            begin = p.shifted("%begin", first, "%pitch")
            self.loop(("0", "%whole", many), [], partial(self.group, begin, count, many))
            self.loop(("%whole", "%rows", _EIGHT), [], partial(self.group, begin, count, _EIGHT))
            return []

        def finite(row: str, zeros: Sums) -> Sums:
            (after,) = zeros
            for kind in range(self.kinds):
                place = p.set(f"add i64 {row}, {kind * ROWS}")
                found = p.set(f"load {_FOUR}, ptr {p.shifted('%sums', place, '8')}, align 8")
                after = self.plus(after, self.minus(found, found, _FOUR), _FOUR)
            return [after]

        self.loop(("0", "%rows", _EIGHT), [], nothing)
        self.loop(("0", "%n", _LINES), [], part)
        self.end(*self.loop(("0", "%rows", 4), ["zeroinitializer"], finite, _FOUR))

    def sum_at(self, row: str, number: int) -> str:
        """Where a sum of rows from one on lies, of every eight two."""
        offset = number % 2 * ROWS + number // 2 * _EIGHT if self.wide else 4 * number
        place = self.p.set(f"add i64 {row}, {offset}")
        return self.p.set(f"getelementptr double, ptr %sums, i64 {place}")

    def group(self, begin: str, count: str, width: int, row: str, _: Sums) -> Sums:
        """Some lines of so many rows added to their sums."""
        p = self.p
        at, pitch = p.shifted(begin, row, str(self.size)), "%pitch"
        mask = self.mask(p.set(f"sub i64 %rows, {row}")) if width == _EIGHT else ""
        if self.how.halves:
            given, pitch = at, str(4 * width)

            def widen(index: str, _: Sums) -> Sums:
                line, to = p.shifted(given, index, "%pitch"), p.shifted("%own", index, pitch)
                for k in range(0, width, _EIGHT):
                    here = p.set(f"getelementptr i16, ptr {line}, i64 {k}")
                    self.widened(here, self.place(to, str(k)), mask)
                return []

            self.loop(("0", count, 1), [], widen)
            at, mask = "%own", ""
        places = [self.sum_at(row, k) for k in range(width // 4)]
        sums = [p.set(f"load {self.f64}, ptr {place}, align 8") for place in places]
        sums += ["zeroinitializer"] * (8 - len(sums))

        def lines(index: str, sums: Sums, lines: int) -> Sums:
            after = list(sums)
            for k in range(0, lines * width // 4, 2):
                line, column = divmod(4 * k, width)
                number = p.set(f"add i64 {index}, {line}")
                here = self.place(p.shifted(at, number, pitch), str(column))
                after[k : k + 2] = self.added(sums[k : k + 2], here, mask)
            return after

        at_once = 4 * _EIGHT // width
        whole = p.set(f"and i64 {count}, {-at_once}")
        sums = self.loop(("0", whole, at_once), sums, lambda i, now: lines(i, now, at_once))
        if at_once > 1:
            sums = self.loop((whole, count, 1), sums, lambda i, now: lines(i, now, 1))
        for place, each in zip(places, self.fewer(sums, len(places)), strict=True):
            p.line(f"store {self.f64} {each}, ptr {place}, align 8")
        return []

    def worth(self) -> None:
        """As `openaclnn_value` of a state with these sums, which lose nothing."""
        p, mean = self.p, self.how.kind == "mean"
        if not (mean or self.wide) or (self.wide and not self.how.nearest):
            p.line(f"ret i1 {'false' if self.wide else 'true'}")
            return
        p.line(f"%counts.one = insertelement {_FOUR} poison, double %count, i64 0")
        count = self.chosen("%counts.one", "poison", _FOUR, (0, 0, 0, 0))

        def four(row: str, zeros: Sums) -> Sums:
            at = p.shifted("%sums", row, "8")
            value = p.set(f"load {_FOUR}, ptr {at}, align 8")
            (after,), rest = zeros, "zeroinitializer"
            if self.wide:
                lower = p.set(f"getelementptr double, ptr {at}, i64 {ROWS}")
                value, rest = self.both(value, p.set(f"load {_FOUR}, ptr {lower}, align 8"))
                after = self.plus(after, self.minus(value, value, _FOUR), _FOUR)
            if mean:
                quotient = p.set(f"fdiv {_FOUR} {value}, {count}")
                left = self.fma(p.set(f"fneg {_FOUR} {quotient}"), count, value, 4)
                more = p.set(f"fdiv {_FOUR} {self.plus(left, rest, _FOUR)}, {count}")
                value = self.plus(quotient, more, _FOUR)
            p.line(f"store {_FOUR} {value}, ptr {at}, align 8")
            return [after]

        zeros = self.loop(("0", "%rows", 4), ["zeroinitializer"], four, _FOUR)
        p.line(f"ret i1 {self.all_zero(*zeros)}")

    def both(self, a: str, b: str) -> tuple[str, str]:
        """The sum of two numbers and what rounding it lost."""
        total = self.plus(a, b, _FOUR)
        b_there = self.minus(total, a, _FOUR)
        a_there = self.minus(total, b_there, _FOUR)
        of_a, of_b = self.minus(a, a_there, _FOUR), self.minus(b, b_there, _FOUR)
        return total, self.plus(of_b, of_a, _FOUR)

    def put_all(self) -> str:
        puts = "".join(
            f"""
  %at{kind} = getelementptr double, ptr %at, i64 {kind * ROWS}
  %sum{kind} = load double, ptr %at{kind}, align 8
  call void @openaclnn_put(ptr %state, double %sum{kind})"""
            for kind in range(self.kinds)
        )
        return f"""
define void @openaclnn_put_all(ptr %sums, i64 %rows, ptr %states) nounwind {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %offset = mul i64 %i, {8 * self.how.words}
  %state = getelementptr i8, ptr %states, i64 %offset
  %at = getelementptr double, ptr %sums, i64 %i{puts}
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %rows
  br i1 %more, label %body, label %done
done:
  ret void
}}
"""
