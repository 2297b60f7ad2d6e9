"""Writes functions that try to add up a block of terms, for specialists in floating point: each
tells whether its sums are exact (`builder`), and if so adds them to a state."""

from __future__ import annotations

from openaclnn.engines.cpu.sums.builder import EIGHT, Adding, Sums, prefetched
from openaclnn.engines.cpu.vector import splat

GIVEN = "ptr %terms, i64 %n, ptr %state"
LANES = 32  # terms at once; there are no others
_FEW = 2048  # terms that are set aside at most, with those beside them
_NOTHING = ["zeroinitializer"] * EIGHT


def plainly(self: Adding) -> None:
    """Float32 as they are, float64 in halves."""
    _begin(self)

    def some(index: str, sums: Sums) -> Sums:
        return _added(self, sums, _place(self, index))

    _put(self, _kinds(self, self.loop(("0", "%n", LANES), _NOTHING, some)))


def in_halves(self: Adding) -> None:
    """Float32 as two numbers of half as many bits, which have room for more orders."""
    _begin(self)

    def some(index: str, sums: Sums) -> Sums:
        at, after = _place(self, index), []
        for k in range(0, LANES, 4):
            terms = self.p.set(f"load <4 x float>, ptr {self.place(at, str(k))}, align 1")
            wide = self.p.set(f"fpext <4 x float> {terms} to {self.f64}")
            after += self.added_in_halves(sums[k // 2 : k // 2 + 2], wide)
        return after

    sums = self.loop(("0", "%n", LANES), 2 * _NOTHING, some)
    _put(self, [sums[0::2], sums[1::2]])


def with_few_aside(self: Adding) -> None:
    """As `plainly`, but terms so small that sums have no room for their bits wait in a buffer, and
    are added up by themselves: of squares of normal numbers one in a thousand. That takes 1.7 times
    as long, halves 2.4 times. False where there are more."""
    p, word, width = self.p, "i64" if self.wide else "i32", EIGHT if self.wide else 2 * EIGHT
    p.line(f"%few = alloca [{_FEW} x {self.type}], align 64")
    p.line(f"%others = alloca [{LANES} x {self.type}], align 64")
    p.line("%count = alloca i64, align 8")
    p.line("store i64 0, ptr %count, align 8")
    _begin(self)
    limit = _limit(self)
    limits, words = _spread(self, limit, width), f"<{width} x {word}>"
    smaller = p.intrinsic(f"llvm.umin.v{width}{word}", words, f"{words}, {words}")

    def some(index: str, sums: Sums) -> Sums:
        at, name = _place(self, index), p.fresh("aside")[1:]
        least = _magnitudes(self, at, width)
        for k in range(width, LANES, width):
            these = _magnitudes(self, self.place(at, str(k)), width)
            least = p.set(f"call {words} {smaller}({words} {least}, {words} {these})")
        some_are_small = _any(self, p.set(f"icmp ult {words} {least}, {limits}"), width)
        p.line(f"br label %{name}.look")
        p.label(f"{name}.look")
        p.line(f"br i1 {some_are_small}, label %{name}, label %{name}.add")
        p.label(name)
        count = p.set("load i64, ptr %count, align 8")
        room = p.set(f"icmp slt i64 {count}, {_FEW}")
        p.line(f"br i1 {room}, label %{name}.move, label %bad")
        p.label(f"{name}.move")
        _set_aside(self, at, limit, count)
        p.line(f"br label %{name}.add")
        p.label(f"{name}.add")
        place = p.set(f"phi ptr [ {at}, %{name}.look ], [ %others, %{name}.move ]")
        # LLVM is not to know which, or it moves terms from one kind of register to another
        return _added(self, sums, p.set(f'call ptr asm sideeffect "", "=r,0"(ptr {place})'))

    def of_few(index: str, sums: Sums) -> Sums:
        return _added(self, sums, self.place("%few", index))

    sums = self.loop(("0", "%n", LANES), _NOTHING, some)
    few = self.loop(("0", p.set("load i64, ptr %count, align 8"), LANES), _NOTHING, of_few)
    _put(self, _kinds(self, sums) + _kinds(self, few))


def _set_aside(self: Adding, at: str, limit: str, count: str) -> None:
    """Terms below a limit go to %few, the others to %others; both leave zeros."""
    p, words = self.p, f"<{LANES} x {'i64' if self.wide else 'i32'}>"
    terms = p.set(f"load {words}, ptr {at}, align 1")
    limits = _spread(self, limit, LANES)
    small = p.set(f"icmp ult {words} {_magnitudes(self, at, LANES)}, {limits}")
    choice = f"select <{LANES} x i1> {small}, {words}"
    few = p.set(f"{choice} {terms}, {words} zeroinitializer")
    others = p.set(f"{choice} zeroinitializer, {words} {terms}")
    p.line(f"store {words} {few}, ptr {self.place('%few', count)}, align 64")
    p.line(f"store {words} {others}, ptr %others, align 64")
    kept = _any(self, p.set(f"icmp ne {words} {few}, zeroinitializer"), LANES)  # not of zeros only
    after = p.set(f"add i64 {count}, {p.set(f'select i1 {kept}, i64 {LANES}, i64 0')}")
    p.line(f"store i64 {after}, ptr %count, align 8")


def _limit(self: Adding) -> str:
    """The bits of a number: of smaller ones a lane's sum has no room for all bits, if others are as
    large as the largest of some. No more than a guess, for the processor tells."""
    p = self.p
    word, fraction, bits = ("i64", 52, 27) if self.wide else ("i32", 23, 24)
    words = f"<{EIGHT} x {word}>"
    larger = p.intrinsic(f"llvm.umax.v{EIGHT}{word}", words, f"{words}, {words}")
    largest = p.intrinsic(f"llvm.vector.reduce.umax.v{EIGHT}{word}", word, words)
    most, quarter = "zeroinitializer", p.set("lshr i64 %n, 2")
    for k in range(4):
        place = self.place("%begin", p.set(f"mul i64 {quarter}, {k}"))
        these = _magnitudes(self, place, EIGHT)
        most = p.set(f"call {words} {larger}({words} {most}, {words} {these})")
    found = p.set(f"call {word} {largest}({words} {most})")
    field = p.set(f"lshr {word} {found}, {fraction}")
    if not self.wide:
        field = p.set(f"zext i32 {field} to i64")
    zeros = p.intrinsic("llvm.ctlz.i64", "i64", "i64, i1 immarg")
    count = p.set(f"sub i64 63, {p.set(f'call i64 {zeros}(i64 %n, i1 true)')}")
    of_sum = p.set(f"add i64 {field}, {p.set(f'sub i64 {count}, {LANES.bit_length() - 1}')}")
    lowest = p.set(f"call i64 @llvm.smax.i64(i64 {p.set(f'sub i64 {of_sum}, {54 - bits}')}, i64 0)")
    limit = p.set(f"shl i64 {lowest}, {fraction}")
    return limit if self.wide else p.set(f"trunc i64 {limit} to i32")


def _magnitudes(self: Adding, at: str, lanes: int) -> str:
    """Bits of terms without their signs."""
    size = 64 if self.wide else 32
    words = f"<{lanes} x i{size}>"
    terms = self.p.set(f"load {words}, ptr {at}, align 1")
    return self.p.set(f"and {words} {terms}, {splat(f'i{size}', (1 << size - 1) - 1, lanes)}")


def _spread(self: Adding, limit: str, lanes: int) -> str:
    """The limit in all lanes."""
    p, word, zeros = self.p, "i64" if self.wide else "i32", f"<{lanes} x i32> zeroinitializer"
    words = f"<{lanes} x {word}>"
    first = p.set(f"insertelement {words} poison, {word} {limit}, i64 0")
    return p.set(f"shufflevector {words} {first}, {words} poison, {zeros}")


def _any(self: Adding, conditions: str, lanes: int) -> str:
    mask = self.p.set(f"bitcast <{lanes} x i1> {conditions} to i{lanes}")
    return self.p.set(f"icmp ne i{lanes} {mask}, 0")


def _begin(self: Adding) -> None:
    self.p.line(f"%lanes = alloca [{2 * EIGHT} x {self.f64}], align 64")
    self.begin()


def _place(self: Adding, index: str) -> str:
    at = self.place("%begin", index)
    if self.size == 4:
        self.p.line(prefetched(at, 2))
    return at


def _added(self: Adding, sums: Sums, at: str) -> Sums:
    """Eight sums with so many terms more."""
    pairs = [(sums[k // 4 : k // 4 + 2], str(k)) for k in range(0, LANES, EIGHT)]
    return [each for two, k in pairs for each in self.added(two, self.place(at, k))]


def _kinds(self: Adding, sums: Sums) -> list[Sums]:
    """Sums of upper halves and of lower ones apart."""
    return [sums[0::2], sums[1::2]] if self.wide else [sums]


def _put(self: Adding, kinds: list[Sums]) -> None:
    """Adds sums of lanes to a state, unless they were rounded or are not finite. One number for all
    lanes may be rounded where theirs are not: then the halves of their bits make two."""
    p, count = self.p, len(kinds[0])
    assert self.note is not None
    places = [
        [
            p.set(f"getelementptr {self.f64}, ptr %lanes, i64 {count * kind + k}")
            for k in range(count)
        ]
        for kind in range(len(kinds))
    ]
    for sums, there in zip(kinds, places, strict=True):
        for each, place in zip(sums, there, strict=True):
            p.line(f"store {self.f64} {each}, ptr {place}, align 64")
    p.line('call void asm sideeffect "", "r,~{memory}"(ptr %lanes)')
    p.line(f"br i1 {self.rounded()}, label %bad, label %exact")
    p.label("exact")
    _put_totals(self, kinds, "closer")
    p.label("closer")
    p.line(self.note.forget)
    p.line('call void asm sideeffect "", "r,~{memory}"(ptr %lanes)')
    halves: list[Sums] = []
    for there in places:
        sums = [p.set(f"load {self.f64}, ptr {place}, align 64") for place in there]
        halves += map(list, zip(*(self.halves_of(each, 27) for each in sums), strict=True))
    _put_totals(self, halves, "bad")


def _put_totals(self: Adding, kinds: list[Sums], otherwise: str) -> None:
    """Adds a number of each kind to a state, unless one was rounded."""
    p, name, totals, zero = self.p, self.p.fresh("total")[1:], [], "0.0"
    reduce = f"call reassoc double @llvm.vector.reduce.fadd.v{self.lanes}f64"
    assert self.note is not None
    for k, sums in enumerate(kinds):
        total = p.set(f"{reduce}(double -0.0, {self.f64} {self.fewer(sums, 1)[0]})")
        p.line(self.note.pinned(f"{name}.{k}", total))
        totals.append(f"%{name}.{k}")
    p.line(f"br i1 {self.rounded()}, label %{otherwise}, label %{name}.exact")
    p.label(f"{name}.exact")
    for total in totals:
        zero = p.set(f"fadd double {zero}, {p.set(f'fsub double {total}, {total}')}")
    p.line(f"br i1 {p.set(f'fcmp oeq double {zero}, 0.0')}, label %{name}.put, label %bad")
    p.label(f"{name}.put")
    for total in totals:
        p.line(f"call void @openaclnn_put(ptr %state, double {total})")
    p.line("ret i1 true")
