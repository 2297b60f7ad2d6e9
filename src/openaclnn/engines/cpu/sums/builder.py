"""Builds functions that add up terms: loops over vectors of float64, TwoSum, and the inexact flag
around them. For specialists in floating point; `accumulator` says how terms become a sum.

Eight terms are loaded together and added to two sums: of float64 one has the upper halves of their
bits, one the lower; else they take turns, on which the processor works side by side. Numbers of 16
bits become float32 in the L1 cache first: what comes from there is float64 in half the time. Two of
them make one there where that is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from openaclnn.arithmetic.folding import Folding
from openaclnn.engines.cpu.sums.inexact_flag import Note, one
from openaclnn.engines.cpu.vector import Printer, splat

FLOAT16 = 11  # bits
EIGHT = 8  # terms
FOUR = "<4 x double>"
_FLOATS = f"<{EIGHT} x float>"
_AHEAD = 512  # bytes

Sums = list[str]  # vectors
# from where, to where, in steps
Bounds = tuple[str, str, int]


def prefetched(at: str, lines: int) -> str:
    """Lines of IR that ask for lines of memory some way ahead, which the processor does not always
    do by itself."""
    return "".join(
        f"""
  {at}.ahead{k} = getelementptr i8, ptr {at}, i64 {_AHEAD + 64 * k}
  call void @llvm.prefetch.p0(ptr {at}.ahead{k}, i32 0, i32 3, i32 1)"""
        for k in range(lines)
    )


class Adding:
    """Writes functions, each of which is true if all of its sums are exact and finite."""

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

    def function(self, name: str, given: str, body: Callable[[], None], noted: bool = True) -> str:
        """`noted`: only where the processor notes roundings, else nothing is exact."""
        self.p = p = Printer(self.lanes)
        p.declared = self.declared
        p.label("entry")
        if self.note is not None or not noted:
            body()
            p.label("bad")
        p.line("ret i1 false")
        lines = "\n".join(p.lines)
        return f"\ndefine i1 @openaclnn_{name}({given}) nounwind {{\n{lines}\n}}\n"

    def begin(self, room: int = 0) -> None:
        """`room`: float32 that numbers of 16 bits become at once."""
        p = self.p
        assert self.note is not None
        if room and self.how.halves:
            p.line(f"%own = alloca [{room} x float], align 64")
        for line in (self.note.room, self.note.forget, one(self.note)):
            p.line(line)
        self.ones = p.splat("f64", "%one")
        if room and self.how.halves:
            p.line(one(self.note, "float").replace("%one", "%float.one"))
            first = p.set(f"insertelement {_FLOATS} poison, float %float.one, i64 0")
            lanes = f"<{EIGHT} x i32> zeroinitializer"
            self.float_ones = p.set(f"shufflevector {_FLOATS} {first}, {_FLOATS} poison, {lanes}")
        p.line('%begin = call ptr asm sideeffect "", "=r,0"(ptr %terms)')

    def rounded(self) -> str:
        """Whether the processor noted a rounding."""
        p, name = self.p, self.p.fresh("note")
        assert self.note is not None
        p.line(self.note.read.replace("%note", name).replace("%all.notes", f"{name}.all"))
        return p.set(f"icmp ne i32 {p.set(f'and i32 {name}, {self.note.rounded}')}, 0")

    def all_zero(self, zeros: str) -> str:
        reduce = "@llvm.vector.reduce.fadd.v4f64"
        total = self.p.set(f"call double {reduce}(double 0.0, {FOUR} {zeros})")
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
        p, i64 = self.p, f"<{EIGHT} x i64>"
        first = p.set(f"insertelement {i64} poison, i64 {count}, i64 0")
        zeros = f"<{EIGHT} x i32> zeroinitializer"
        counts = p.set(f"shufflevector {i64} {first}, {i64} poison, {zeros}")
        numbers = ", ".join(f"i64 {lane}" for lane in range(EIGHT))
        return p.set(f"icmp slt {i64} <{numbers}>, {counts}")

    def loaded(self, at: str, type: str, mask: str) -> str:
        """Eight of a type; zeros beside a mask, if there is one."""
        p, eight, bits = self.p, f"<{EIGHT} x {type}>", f"<{EIGHT} x i1>"
        if not mask:
            return p.set(f"load {eight}, ptr {at}, align 1")
        short = {"double": "f64", "float": "f32"}.get(type, type)
        name = f"llvm.masked.load.v{EIGHT}{short}.p0"
        load = p.intrinsic(name, eight, f"ptr, i32, {bits}, {eight}")
        return p.set(
            f"call {eight} {load}(ptr {at}, i32 1, {bits} {mask}, {eight} zeroinitializer)"
        )

    def added(self, sums: Sums, at: str, mask: str = "") -> Sums:
        """Two sums with eight terms more, which are no numbers of 16 bits any longer."""
        p = self.p
        if self.wide:
            return self.added_in_halves(sums, self.loaded(at, "double", mask))
        if mask:
            floats = [*self.halved(self.loaded(at, "float", mask), f"<{EIGHT} x float>")]
        else:
            places = at, p.set(f"getelementptr float, ptr {at}, i64 4")
            floats = [p.set(f"load <4 x float>, ptr {place}, align 1") for place in places]
        terms_of = [p.set(f"fpext <4 x float> {each} to {self.f64}") for each in floats]
        pairs = zip(terms_of, sums, strict=True)
        return [self.fma(terms, self.ones, each) for terms, each in pairs]

    def halves_of(self, numbers: str, lower: int) -> tuple[str, str]:
        """The upper bits of float64 and the others, of which there are so many."""
        p, i64 = self.p, f"<{self.lanes} x i64>"
        bits = p.set(f"bitcast {self.f64} {numbers} to {i64}")
        cut = p.set(f"and {i64} {bits}, {splat('i64', -(1 << lower), self.lanes)}")
        upper = p.set(f"bitcast {i64} {cut} to {self.f64}")
        return upper, self.minus(numbers, upper)

    def added_in_halves(self, sums: Sums, terms: str) -> Sums:
        """A sum with the upper halves of terms' bits, another with the lower."""
        high, low = self.halves_of(terms, 53 - self.how.bits // 2)
        return [self.fma(high, self.ones, sums[0]), self.plus(sums[1], low)]

    def floats(self, at: str, mask: str = "") -> str:
        """Eight numbers of 16 bits in float32."""
        p, i16, i32 = self.p, f"<{EIGHT} x i16>", f"<{EIGHT} x i32>"
        stored = self.loaded(at, "i16", mask)
        if self.how.bits == FLOAT16:
            half = f"<{EIGHT} x half>"
            return p.set(f"fpext {half} {p.set(f'bitcast {i16} {stored} to {half}')} to {_FLOATS}")
        words = p.set(f"zext {i16} {stored} to {i32}")
        up = p.set(f"shl {i32} {words}, {splat('i32', 16, EIGHT)}")
        return p.set(f"bitcast {i32} {up} to {_FLOATS}")

    def two_floats(self, at: str) -> tuple[str, str]:
        """Sixteen numbers in any order."""
        p, i32 = self.p, f"<{EIGHT} x i32>"
        if self.how.bits == FLOAT16:
            return self.floats(at), self.floats(p.set(f"getelementptr i16, ptr {at}, i64 {EIGHT}"))
        words = self.loaded(at, "i32", "")
        first = p.set(f"and {i32} {words}, {splat('i32', -65536, EIGHT)}")
        second = p.set(f"shl {i32} {words}, {splat('i32', 16, EIGHT)}")
        floats = [p.set(f"bitcast {i32} {each} to {_FLOATS}") for each in (first, second)]
        return floats[0], floats[1]

    def sum_of_floats(self, a: str, b: str) -> str:
        name = f"@llvm.fma.v{EIGHT}f32"
        self.p.declared[name] = f"declare {_FLOATS} {name}({_FLOATS}, {_FLOATS}, {_FLOATS})"
        given = f"{_FLOATS} {a}, {_FLOATS} {self.float_ones}, {_FLOATS} {b}"
        return self.p.set(f"call {_FLOATS} {name}({given})")

    def store_floats(self, floats: str, to: str) -> None:
        self.p.line(f"store {_FLOATS} {floats}, ptr {to}, align 4")

    def if_exact(
        self, pairs: Callable[[], str], singles: Callable[[], str], failures: str = ""
    ) -> str:
        """How many float32 numbers of 16 bits became: those of pairs if no sum of two was rounded,
        else of each. False at once where a sum before was. `failures`: where it is counted how
        often in a row sums of pairs were; after two they are not tried."""
        p, label = self.p, self.p.fresh("pairs")[1:]
        assert self.note is not None
        p.line(f"br i1 {self.rounded()}, label %bad, label %{label}.before")
        p.label(f"{label}.before")
        before = p.set(f"load i64, ptr {failures}, align 8") if failures else "0"
        hopeless = p.set(f"icmp sgt i64 {before}, 1")
        p.line(f"br i1 {hopeless}, label %{label}.again, label %{label}")
        p.label(label)
        few = pairs()
        p.line('call void asm sideeffect "", "r,~{memory}"(ptr %own)')
        rounded = self.rounded()
        if failures:
            more = p.set(f"add i64 {before}, 1")
            now = p.set(f"select i1 {rounded}, i64 {more}, i64 0")
            p.line(f"store i64 {now}, ptr {failures}, align 8")
        p.line(f"br label %{label}.made")
        p.label(f"{label}.made")
        p.line(f"br i1 {rounded}, label %{label}.again, label %{label}.done")
        p.label(f"{label}.again")
        p.line(self.note.forget)
        many = singles()
        p.line(f"br label %{label}.end")
        p.label(f"{label}.end")
        p.line(f"br label %{label}.done")
        p.label(f"{label}.done")
        return p.set(f"phi i64 [ {few}, %{label}.made ], [ {many}, %{label}.end ]")

    def fewer(self, sums: Sums, count: int) -> Sums:
        """So many, by adding the latter half to the former."""
        while len(sums) > count:
            half = len(sums) // 2
            sums = [self.plus(a, b) for a, b in zip(sums[:half], sums[half:], strict=True)]
        return sums

    def place(self, begin: str, index: str) -> str:
        return self.p.shifted(begin, index, "8" if self.wide else "4")
