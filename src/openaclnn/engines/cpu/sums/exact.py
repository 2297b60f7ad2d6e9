"""Functions that add up terms in float64, and tell by the inexact flag whether that was exact. For
specialists in floating point; `accumulator` says how terms become a sum.

Eight terms are loaded together and added to two sums: of float64 one has the upper halves of their
bits, one the lower; else they take turns, on which the processor works side by side. Numbers of 16
bits become float32 in the L1 cache first: what comes from there is float64 in half the time. Two of
them make one there where that is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from openaclnn.arithmetic.folding import Folding
from openaclnn.engines.cpu.code import LoopCode, Value, Variable, vector
from openaclnn.engines.cpu.sums.inexact_flag import Note, one

FLOAT16 = 11  # bits
EIGHT = 8  # terms
FOUR = vector(4, "double")
_AHEAD = 512  # bytes

Sums = list[Variable]  # vectors of float64


class Exact(LoopCode):
    """A function that is true if all of its sums are exact and finite."""

    own: Value  # where numbers of 16 bits become float32

    def __init__(
        self, name: str, given: str, how: Folding, note: Note | None, loops: list[str]
    ) -> None:
        """`loops`: of the module, which LLVM is not to unroll: loads would change their order."""
        super().__init__(f"openaclnn_{name}", given, "i1")
        self.how, self.note, self.loops = how, note, loops
        self.wide = how.term == "f64"
        self.kinds = 2 if self.wide else 1
        self.type = "double" if self.wide else "float"  # as terms are loaded
        self.term = 8 if self.wide else 4  # bytes
        self.size = 2 if how.halves else self.term  # of a term as it lies
        self.lanes = 8 if self.wide else 4
        self.f64 = vector(self.lanes, "double")

    def latch(self) -> str:
        number = len(self.loops) + 1
        self.loops.append(f"!{number} = distinct !{{!{number}, !0}}")
        return f", !llvm.loop !{number}"

    def begin(self, room: int = 0) -> Value:
        """Have the processor forget what was rounded; where the terms begin. `room`: for so many
        float32 that numbers of 16 bits become at once."""
        assert self.note is not None
        for line in (self.note.room, self.note.forget, one(self.note)):
            self.line(line)
        self.ones = self.spread(Value(self, "double", "%one"), self.lanes)
        if room and self.how.halves:
            self.own = self.room(4 * room)
            self.line(one(self.note, "float").replace("%one", "%float.one"))
            self.float_ones = self.spread(Value(self, "float", "%float.one"), EIGHT)
        return self.opaque(self.given["terms"])

    def forget(self) -> None:
        assert self.note is not None
        self.line(self.note.forget)

    def rounded(self) -> Value:
        """Whether the processor noted a rounding."""
        name = self.printer.fresh("note")
        assert self.note is not None
        self.line(self.note.read.replace("%note", name).replace("%all.notes", f"{name}.all"))
        return (Value(self, "i32", name) & self.note.rounded) != 0

    def pinned(self, value: Value) -> Value:
        """A sum that is computed here, whatever LLVM thinks of it."""
        assert self.note is not None
        constraint = f'"={self.note.register},0"'
        return self.set(
            "double", f'call double asm sideeffect "", {constraint}(double {value.name})'
        )

    def opaque(self, pointer: Value) -> Value:
        """A pointer of which LLVM does not know that it is the same."""
        return self.set("ptr", f'call ptr asm sideeffect "", "=r,0"(ptr {pointer.name})')

    def stored(self, pointer: Value) -> None:
        """What lies there is stored now."""
        self.line(f'call void asm sideeffect "", "r,~{{memory}}"(ptr {pointer.name})')

    def ask_for(self, at: Value, bytes: int, near: int = 3) -> None:
        """Ask for memory so many bytes further: a processor does not always do so by itself."""
        name = self.printer.intrinsic("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
        self.line(f"call void {name}(ptr {self.at(at, bytes).name}, i32 0, i32 {near}, i32 1)")

    def ask_ahead(self, at: Value) -> None:
        """The same of the next two lines of float32."""
        if self.size == 4:
            for line in range(2):
                self.ask_for(at, _AHEAD + 64 * line)

    def zeros(self, count: int, type: str = "") -> Sums:
        return [self.variable(self.number(0, type or self.f64)) for _ in range(count)]

    def halved(self, eight: Value) -> list[Value]:
        """Eight lanes as two vectors."""
        return [self.shuffled(eight, None, range(k, k + 4)) for k in (0, 4)]

    def eight(self, at: Value, type: str, mask: Value | None = None) -> Value:
        """Eight of a type; zeros beside a mask, if there is one."""
        if mask is not None:
            return self.load_masked(at, type, mask)
        return self.load(at, vector(EIGHT, type))

    def place(self, begin: Value, index: Value | int) -> Value:
        """Where a term is, which is no number of 16 bits any longer."""
        return self.at(begin, index * self.term)

    def add(self, sums: Sums, at: Value, mask: Value | None = None) -> None:
        """Eight terms more for two sums."""
        if self.wide:
            self.add_in_halves(sums, self.eight(at, "double", mask))
            return
        if mask is not None:
            floats = self.halved(self.eight(at, "float", mask))
        else:
            floats = [self.load(self.at(at, k), vector(4, "float")) for k in (0, 16)]
        for each, terms in zip(sums, floats, strict=True):
            each.set(self.intrinsic("fma", terms.to("double"), self.ones, each.get()))

    def halves_of(self, numbers: Value, lower: int) -> tuple[Value, Value]:
        """The upper bits of float64 and the others, of which there are so many."""
        upper = (numbers.bits("i64") & -(1 << lower)).bits("double")
        return upper, numbers - upper

    def add_in_halves(self, sums: Sums, terms: Value) -> None:
        """The upper halves of terms' bits for one sum, the lower ones for another."""
        high, low = self.halves_of(terms, 53 - self.how.bits // 2)
        upper, lower = sums
        upper.set(self.intrinsic("fma", high, self.ones, upper.get()))
        lower.set(lower.get() + low)

    def floats(self, at: Value, mask: Value | None = None) -> Value:
        """Eight numbers of 16 bits in float32."""
        words = self.eight(at, "i16", mask)
        if self.how.bits == FLOAT16:
            return words.bits("half").to("float")
        return (words.unsigned("i32") << 16).bits("float")

    def two_floats(self, at: Value) -> list[Value]:
        """Sixteen numbers in any order."""
        if self.how.bits == FLOAT16:
            return [self.floats(self.at(at, k)) for k in (0, 2 * EIGHT)]
        words = self.eight(at, "i32")
        return [half.bits("float") for half in (words & -(1 << 16), words << 16)]

    def sum_of_floats(self, a: Value, b: Value) -> Value:
        return self.intrinsic("fma", a, self.float_ones, b)

    def if_exact(
        self,
        pairs: Callable[[], Value],
        singles: Callable[[], Value],
        failures: Variable | None = None,
    ) -> Value:
        """How many float32 numbers of 16 bits became: those of pairs if no sum of two was rounded,
        else of each. False at once where a sum before was. `failures`: it is counted how often in a
        row sums of pairs were; after two they are not tried."""
        with self.when(self.rounded()):
            self.give(0)
        count, again = self.variable(self.number(0)), self.variable(self.number(1, "i1"))
        before = self.number(0) if failures is None else failures.get()
        with self.when(before <= 1):
            count.set(pairs())
            self.stored(self.own)
            again.set(self.rounded())
            if failures is not None:
                failures.set(self.chosen(again.get(), before + 1, 0))
        with self.when(again.get()):
            self.forget()
            count.set(singles())
        return count.get()

    def fewer(self, sums: Sequence[Value], count: int) -> list[Value]:
        """So many, by adding the latter half to the former."""
        left = [*sums]
        while len(left) > count:
            half = len(left) // 2
            left = [a + b for a, b in zip(left[:half], left[half:], strict=True)]
        return left


def now(sums: Sums) -> list[Value]:
    return [each.get() for each in sums]
