"""Writes functions that add up a block of numbers of 16 bits as they lie, for specialists in
floating point: every two of them in float32, the sums in float64 (`builder`)."""

from __future__ import annotations

from openaclnn.engines.cpu.sums.builder import EIGHT, FOUR, Adding, Sums

GIVEN = "ptr %terms, i64 %n, ptr %state"
WIDENED = "ptr %terms, i64 %n, ptr %own"
STEP = 64  # terms at once; there are no others
BLOCK = 16384  # terms whose sum is tried
CHUNK = 2048  # terms that are tried in pairs


def trial(self: Adding) -> None:
    """Adds the sum of a block to a state, unless it was rounded."""
    p = self.p
    p.line("%failures = alloca i64, align 8")
    p.line("store i64 0, ptr %failures, align 8")
    self.begin(CHUNK)

    def chunk(first: str, sums: Sums) -> Sums:
        left = p.set(f"sub i64 %n, {first}")
        count = p.set(f"call i64 @llvm.smin.i64(i64 {left}, i64 {CHUNK})")
        at = p.shifted("%begin", first, "2")

        def pairs(index: str, _: Sums) -> Sums:
            here, to = p.shifted(at, index, "2"), p.shifted("%own", index, "2")
            for k in range(0, STEP, 2 * EIGHT):
                two = self.two_floats(p.set(f"getelementptr i16, ptr {here}, i64 {k}"))
                place = p.set(f"getelementptr float, ptr {to}, i64 {k // 2}")
                self.store_floats(self.sum_of_floats(*two), place)
            return []

        def all_pairs() -> str:
            self.loop(("0", count, STEP), [], pairs)
            return p.set(f"lshr i64 {count}, 1")

        def all_singles() -> str:
            p.line(f"call i1 @openaclnn_widen(ptr {at}, i64 {count}, ptr %own)")
            return count

        def some(index: str, now: Sums) -> Sums:
            here, after = p.shifted("%own", index, "4"), []
            for k in range(0, 4 * EIGHT, EIGHT):
                place = p.set(f"getelementptr float, ptr {here}, i64 {k}")
                after += self.added(now[k // 4 : k // 4 + 2], place)
            return after

        end = self.if_exact(all_pairs, all_singles, "%failures")
        return self.loop(("0", end, 4 * EIGHT), sums, some)

    sums = self.loop(("0", "%n", CHUNK), ["zeroinitializer"] * EIGHT, chunk)
    reduce = "call reassoc double @llvm.vector.reduce.fadd.v4f64"
    p.line(f"%sum = {reduce}(double -0.0, {FOUR} {self.fewer(sums, 1)[0]})")
    assert self.note is not None
    p.line(self.note.pinned("kept", "%sum"))
    p.line(f"br i1 {self.rounded()}, label %bad, label %exact")
    p.label("exact")
    finite = p.set(f"fcmp oeq double {p.set('fsub double %kept, %kept')}, 0.0")
    p.line(f"br i1 {finite}, label %good, label %bad")
    p.label("good")
    p.line("call void @openaclnn_put(ptr %state, double %kept)")
    p.line("ret i1 true")


def widen(self: Adding) -> None:
    """Numbers of 16 bits as float32."""
    p = self.p

    def some(index: str, _: Sums) -> Sums:
        here, to = p.shifted("%terms", index, "2"), p.shifted("%own", index, "4")
        for k in range(0, STEP, EIGHT):
            floats = self.floats(p.set(f"getelementptr i16, ptr {here}, i64 {k}"))
            self.store_floats(floats, p.set(f"getelementptr float, ptr {to}, i64 {k}"))
        return []

    self.loop(("0", "%n", STEP), [], some)
    p.line("ret i1 true")
