"""Writes the Kulisch accumulator of a sum, a fixed-point number of many digits, and what absorbs
terms into it, in LLVM IR: for specialists in floating point.

The state of a sum of floats (`openaclnn.arithmetic.folding` says what it is) is a flag, a number
that is pending, the sum of what is not finite, and digits. Terms come in blocks:

- They are added up in float64, those of 53 bits as two numbers of half as many. The processor notes
  whether it had to round any sum, and for a block of numbers that are not too far apart it had not:
  of random normal numbers it does one block in some thousand. The sum is pending; others are added
  to it, which makes two numbers, or where those have no room for all bits go into the digits.
- Rows that are not long, and rows that lie side by side, are added up together (`many_rows`).
- Of 16 bits, every two terms are added in float32 first, which the processor watches, too
  (`sixteen_bits`).
- Of a block whose sum was rounded the smallest terms are set aside, if they are few, and added up
  by themselves. Otherwise it is tried in parts, terms of float32 as two numbers of half as many
  bits (`block_trials`).
- Parts whose sums are rounded are added up in levels: to a number that starts as 1.5·2^(52 + s),
  which takes of every term the multiple of 2^s, what is left of it to one with a smaller s, and so
  on. The bits of such numbers, less those at the start, are integers, which go into the digits.
- Parts that take too many levels, or have something that is not finite, are cut into slices in the
  same way, one after the other, in a copy.

Where we do not know how to ask a processor for its note, every block is added up in levels.
"""

from __future__ import annotations

from openaclnn.arithmetic.folding import DIGIT, ROUNDER, SPECIAL, Folding
from openaclnn.arithmetic.nodes import pattern
from openaclnn.engines.cpu.sums import block_trials
from openaclnn.engines.cpu.sums.inexact_flag import NOTES, one
from openaclnn.engines.cpu.sums.many_rows import ShortRows
from openaclnn.engines.cpu.vector import scalar, splat, spread

LANES = block_trials.LANES  # terms are padded with zeros to a multiple of this
_PIECE = 1024  # terms that are cut at once
_BLOCK = 16384  # terms of a block at most
_PART = 2048  # terms of a block's parts, which are tried where that was not exact
_VECTORS = 4  # that are added up in levels at once
# bits of a term that a large number takes, so that a part's do not change its exponent
_TAKEN = 51 - (_PART // (4 * _VECTORS) - 1).bit_length()
_LEVELS = {"f32": (2, 3, 4, 7), "f64": (2, 3, 5, 7)}  # seven have all bits of float32
_SKIPPED = 15  # blocks that are added up in levels at once after one of which most parts had to be
_WAIT = 16  # blocks that are not tried as a whole after two of which the sums were rounded
_FAR = 0x3FF + 900 << 52  # two to the power of 900: above it the slices' numbers overflow

_FLAG, _PENDING, _SPECIAL, _DIGITS = 0, 8, 16, 24  # bytes from the state's begin
_REST = _DIGITS  # where there are none: what is pending beside a number that has not all its bits
_EMPTY, _ONE, _MANY = 0, 1, 2  # what the flag says


NAMES = tuple(f"openaclnn_{name}" for name in ("init", "absorb", "stored", "merge", "value"))
# of sums of floats
TOGETHER = tuple(f"openaclnn_{name}" for name in ("short", "down", "put_all", "worth"))


def block_of(how: Folding, as_they_lie: bool = False) -> int:
    """How many terms there may be in a block: as many as the L1 cache has room for, and some more
    of those that need no copy."""
    block = _BLOCK if as_they_lie else _BLOCK // 4
    return block // 2 if how.term in ("f64", "i64") else block


def functions(how: Folding, architecture: str) -> str:
    """The module of a fold's state, which has `NAMES` and of sums `TOGETHER`. Kernels get their
    addresses, so that it is compiled once for all."""
    text = _Sum(how, architecture).text() if how.sums_floats else _integers(how)
    return text.replace(") nounwind {", ') nounwind "prefer-vector-width"="512" {')


def _integers(how: Folding) -> str:
    """The state is the value."""
    type = how.value
    bits = int(type[1:])
    least = -(1 << (bits - 1)) if how.kind == "max" else 0
    reduce = "smax" if how.kind == "max" else "add"
    both = (
        f"%one = call {type} @llvm.smax.{type}({type} %a, {type} %b)"
        if how.kind == "max"
        else f"%one = add {type} %a, %b"
    )
    vector = f"<{LANES} x {type}>"
    load = f"%these = load {vector}, ptr %at, align 1"
    if how.kind == "powers":
        load = _in_units(scalar(how.term))
    return f"""
declare {type} @llvm.smax.{type}({type}, {type})
declare {vector} @llvm.smax.v{LANES}{type}({vector}, {vector})
declare {type} @llvm.vector.reduce.{reduce}.v{LANES}{type}({vector})

define void @openaclnn_init(ptr %state) nounwind {{
  store {type} {least}, ptr %state, align 8
  ret void
}}

define void @openaclnn_merge(ptr %state, ptr %other) nounwind {{
  %a = load {type}, ptr %state, align 8
  %b = load {type}, ptr %other, align 8
  {both}
  store {type} %one, ptr %state, align 8
  ret void
}}

define void @openaclnn_absorb(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %so.far = phi {vector} [ {splat(type, least, LANES)}, %entry ], [ %with, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr {scalar(how.term)}, ptr %terms, i64 %i
  {load}
  {
        f"%with = call {vector} @llvm.smax.v{LANES}{type}({vector} %so.far, {vector} %these)"
        if how.kind == "max"
        else f"%with = add {vector} %so.far, %these"
    }
  %next = add nsw i64 %i, {LANES}
  br label %head
done:
  %b = call {type} @llvm.vector.reduce.{reduce}.v{LANES}{type}({vector} %so.far)
  %a = load {type}, ptr %state, align 8
  {both}
  store {type} %one, ptr %state, align 8
  ret void
}}

define {type} @openaclnn_value(ptr %state, double %count) nounwind {{
  %value = load {type}, ptr %state, align 8
  ret {type} %value
}}
{_STORED}
"""


def _in_units(type: str) -> str:
    """Lines that load powers as integers, as `folding.in_units` has it."""
    lines = [f"%powers = load <{LANES} x {type}>, ptr %at, align 1"]
    wide = f"<{LANES} x double>"
    if type == "float":
        lines.append(f"%wide = fpext <{LANES} x float> %powers to {wide}")
    powers = "%wide" if type == "float" else "%powers"
    rounder = ", ".join([f"double {ROUNDER}"] * LANES)
    lines.append(f"%rounded = fadd {wide} {powers}, <{rounder}>")
    lines.append(f"%whole = bitcast {wide} %rounded to <{LANES} x i64>")
    lines.append(
        f"%these = sub <{LANES} x i64> %whole, {splat('i64', pattern('f64', ROUNDER), LANES)}"
    )
    return "\n  ".join(lines)


def padding(how: Folding) -> int:
    """What stands behind the terms of a block that is not full."""
    if how.kind == "max":
        return -(1 << (int(how.term[1:]) - 1))
    return 0


class _Sum:
    def __init__(self, how: Folding, architecture: str) -> None:
        self.how = how
        self.digits = how.digits
        self.note = NOTES.get(architecture)
        self.lanes = 8 if how.term == "f64" else 4  # float32 is faster made float64 so

    def text(self) -> str:
        end = self.leave() if self.how.kind == "digits" else self.value()
        parts = [
            _DECLARED,
            self.note.declared if self.note else "",
            self.state(),
            self.deposits(),
            self.absorb(),
        ]
        parts += [self.spread(), self.slices(), end]
        parts += [
            "" if self.how.halves else _STORED,
            ShortRows(self.how, self.note).text(),
        ]
        return "\n".join(parts)

    def state(self) -> str:
        bytes = 8 * self.digits
        return f"""
define void @openaclnn_init(ptr %state) nounwind {{
  store i64 {_EMPTY}, ptr %state, align 8
  %special = getelementptr i8, ptr %state, i64 {_SPECIAL}
  store double 0.0, ptr %special, align 8
  ret void
}}

; from now on there are digits
define internal void @openaclnn_ready(ptr %state) nounwind {{
entry:
  %flag = load i64, ptr %state, align 8
  %have = icmp eq i64 %flag, {_MANY}
  br i1 %have, label %done, label %make
make:
  %digits = getelementptr i8, ptr %state, i64 {_DIGITS}
  %rest = load double, ptr %digits, align 8
  call void @llvm.memset.p0.i64(ptr align 8 %digits, i8 0, i64 {bytes}, i1 false)
  store i64 {_MANY}, ptr %state, align 8
  %was.one = icmp eq i64 %flag, {_ONE}
  %pending.at = getelementptr i8, ptr %state, i64 {_PENDING}
  %pending = load double, ptr %pending.at, align 8
  store i64 0, ptr %pending.at, align 8
  br i1 %was.one, label %move, label %done
move:
  call void @openaclnn_deposit(ptr %state, double %pending)
  call void @openaclnn_deposit(ptr %state, double %rest)
  br label %done
done:
  ret void
}}

; whether terms were so far apart lately that others need not be tried
define internal i1 @openaclnn_far_apart(ptr %state) nounwind {{
entry:
  %flag = load i64, ptr %state, align 8
  %have = icmp eq i64 %flag, {_MANY}
  br i1 %have, label %count, label %no
count:
  %at = getelementptr i8, ptr %state, i64 {_PENDING}
  %left = load i64, ptr %at, align 8
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %one.less, label %no
one.less:
  %less = sub i64 %left, 1
  store i64 %less, ptr %at, align 8
  ret i1 true
no:
  ret i1 false
}}

; the sum of two numbers and what rounding it lost
define internal {{ double, double }} @openaclnn_both(double %a, double %b) nounwind alwaysinline {{
  %sum = fadd double %a, %b
  %b.there = fsub double %sum, %a
  %a.there = fsub double %sum, %b.there
  %of.b = fsub double %b, %b.there
  %of.a = fsub double %a, %a.there
  %lost = fadd double %of.b, %of.a
  %first = insertvalue {{ double, double }} poison, double %sum, 0
  %pair = insertvalue {{ double, double }} %first, double %lost, 1
  ret {{ double, double }} %pair
}}

define internal void @openaclnn_put(ptr %state, double %x) nounwind {{
entry:
  %flag = load i64, ptr %state, align 8
  %pending.at = getelementptr i8, ptr %state, i64 {_PENDING}
  %rest.at = getelementptr i8, ptr %state, i64 {_REST}
  switch i64 %flag, label %deposit [ i64 {_EMPTY}, label %keep i64 {_ONE}, label %both ]
keep:
  store i64 {_ONE}, ptr %state, align 8
  store double %x, ptr %pending.at, align 8
  store double 0.0, ptr %rest.at, align 8
  ret void
both:
  %pending = load double, ptr %pending.at, align 8
  %rest = load double, ptr %rest.at, align 8
  %with = call {{ double, double }} @openaclnn_both(double %pending, double %x)
  %sum = extractvalue {{ double, double }} %with, 0
  %lost = extractvalue {{ double, double }} %with, 1
  %more = call {{ double, double }} @openaclnn_both(double %rest, double %lost)
  %low = extractvalue {{ double, double }} %more, 0
  %left = extractvalue {{ double, double }} %more, 1
  %exact = fcmp oeq double %left, 0.0
  br i1 %exact, label %add, label %deposit
add:
  %pair = call {{ double, double }} @openaclnn_both(double %sum, double %low)
  %high.now = extractvalue {{ double, double }} %pair, 0
  %low.now = extractvalue {{ double, double }} %pair, 1
  store double %high.now, ptr %pending.at, align 8
  store double %low.now, ptr %rest.at, align 8
  ret void
deposit:
  call void @openaclnn_ready(ptr %state)
  call void @openaclnn_deposit(ptr %state, double %x)
  ret void
}}

define internal void @openaclnn_not_finite(ptr %state, double %x) nounwind {{
  %at = getelementptr i8, ptr %state, i64 {_SPECIAL}
  %before = load double, ptr %at, align 8
  %after = fadd double %before, %x
  store double %after, ptr %at, align 8
  ret void
}}

define void @openaclnn_merge(ptr %state, ptr %other) nounwind {{
entry:
  %special.at = getelementptr i8, ptr %other, i64 {_SPECIAL}
  %special = load double, ptr %special.at, align 8
  call void @openaclnn_not_finite(ptr %state, double %special)
  %flag = load i64, ptr %other, align 8
  switch i64 %flag, label %done [ i64 {_ONE}, label %one i64 {_MANY}, label %many ]
one:
  %pending.at = getelementptr i8, ptr %other, i64 {_PENDING}
  %pending = load double, ptr %pending.at, align 8
  call void @openaclnn_put(ptr %state, double %pending)
  %rest.at = getelementptr i8, ptr %other, i64 {_REST}
  %rest = load double, ptr %rest.at, align 8
  call void @openaclnn_put(ptr %state, double %rest)
  br label %done
many:
  call void @openaclnn_ready(ptr %state)
  call void @openaclnn_carry(ptr %other)
  br label %head
head:
  %k = phi i64 [ 0, %many ], [ %next, %head ]
  %offset = add i64 %k, {_DIGITS // 8}
  %here.at = getelementptr i64, ptr %state, i64 %offset
  %there.at = getelementptr i64, ptr %other, i64 %offset
  %here = load i64, ptr %here.at, align 8
  %there = load i64, ptr %there.at, align 8
  %both = add i64 %here, %there
  store i64 %both, ptr %here.at, align 8
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, {self.digits}
  br i1 %more, label %head, label %done
done:
  ret void
}}

; digits from 0 to 2^32 - 1, but for the last, which has the sign
define internal void @openaclnn_carry(ptr %state) nounwind {{
entry:
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %head ]
  %carry = phi i64 [ 0, %entry ], [ %up, %head ]
  %offset = add i64 %k, {_DIGITS // 8}
  %at = getelementptr i64, ptr %state, i64 %offset
  %digit = load i64, ptr %at, align 8
  %sum = add i64 %digit, %carry
  %low = and i64 %sum, 4294967295
  %up = ashr i64 %sum, {DIGIT}
  store i64 %low, ptr %at, align 8
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, {self.digits - 1}
  br i1 %more, label %head, label %last
last:
  %last.at = getelementptr i64, ptr %state, i64 {_DIGITS // 8 + self.digits - 1}
  %top = load i64, ptr %last.at, align 8
  %signed = add i64 %top, %up
  store i64 %signed, ptr %last.at, align 8
  ret void
}}
"""

    def deposits(self) -> str:
        lowest = self.how.lowest
        return f"""
; v * 2^s into the digits
define internal void @openaclnn_deposit_integer(ptr %state, i64 %v, i64 %s) nounwind {{
  %position = sub i64 %s, {lowest}
  %k = lshr i64 %position, 5
  %shift = and i64 %position, 31
  %shift.wide = zext i64 %shift to i128
  %wide = sext i64 %v to i128
  %moved = shl i128 %wide, %shift.wide
  %low = trunc i128 %moved to i64
  %high.wide = ashr i128 %moved, 64
  %high = trunc i128 %high.wide to i64
  %d0 = and i64 %low, 4294967295
  %d1 = lshr i64 %low, 32
  %offset = add i64 %k, {_DIGITS // 8}
  %at0 = getelementptr i64, ptr %state, i64 %offset
  %at1 = getelementptr i64, ptr %at0, i64 1
  %at2 = getelementptr i64, ptr %at0, i64 2
  %w0 = load i64, ptr %at0, align 8
  %w1 = load i64, ptr %at1, align 8
  %w2 = load i64, ptr %at2, align 8
  %n0 = add i64 %w0, %d0
  %n1 = add i64 %w1, %d1
  %n2 = add i64 %w2, %high
  store i64 %n0, ptr %at0, align 8
  store i64 %n1, ptr %at1, align 8
  store i64 %n2, ptr %at2, align 8
  ret void
}}

define internal void @openaclnn_deposit(ptr %state, double %x) nounwind {{
  %bits = bitcast double %x to i64
  %up = lshr i64 %bits, 52
  %field = and i64 %up, 2047
  %fraction = and i64 %bits, {(1 << 52) - 1}
  %normal = icmp ne i64 %field, 0
  %lead = select i1 %normal, i64 {1 << 52}, i64 0
  %magnitude = or i64 %fraction, %lead
  %exponent = call i64 @llvm.umax.i64(i64 %field, i64 1)
  %s = sub i64 %exponent, 1075
  ; below the lowest bit there are zeros only
  %below = sub i64 {lowest}, %s
  %drop.some = call i64 @llvm.smax.i64(i64 %below, i64 0)
  %drop = call i64 @llvm.smin.i64(i64 %drop.some, i64 63)
  %kept = lshr i64 %magnitude, %drop
  %lowest = call i64 @llvm.smax.i64(i64 %s, i64 {lowest})
  %negative = icmp slt i64 %bits, 0
  %minus = sub i64 0, %kept
  %v = select i1 %negative, i64 %minus, i64 %kept
  call void @openaclnn_deposit_integer(ptr %state, i64 %v, i64 %lowest)
  ret void
}}
"""

    def loaded(self, k: int, lanes: int) -> str:
        """Lines that make float64 of some terms, %wide."""
        f64, type = f"<{lanes} x double>", scalar(self.how.term)
        widen = "bitcast" if type == "double" else "fpext"
        return f"""
  %at{k} = getelementptr {type}, ptr %here, i64 {k * lanes}
  %these{k} = load <{lanes} x {type}>, ptr %at{k}, align 1
  %wide{k} = {widen} <{lanes} x {type}> %these{k} to {f64}"""

    def absorb(self) -> str:
        type = "double" if self.how.term == "f64" else "float"
        given, f64 = f"<{LANES} x {type}>", f"<{LANES} x double>"
        widened = "%ones" if type == "double" else "%wide"
        widen = "" if type == "double" else f"\n  %wide = fpext {given} %ones to {f64}"
        block = block_of(self.how, as_they_lie=True)
        closer = "few_aside" if self.how.term == "f64" else "in_halves"
        return f"""
define void @openaclnn_absorb(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  br label %block
block:
  %i = phi i64 [ 0, %entry ], [ %next, %taken ]
  ; 0: the last sum was exact, 1: it was rounded, more: so many blocks are not tried as a whole
  %wait = phi i64 [ 0, %entry ], [ %wait.next, %taken ]
  %at = getelementptr {type}, ptr %terms, i64 %i
  %left = sub i64 %n, %i
  %count = call i64 @llvm.smin.i64(i64 %left, i64 {block})
  %skip = call i1 @openaclnn_far_apart(ptr %state)
  br i1 %skip, label %far, label %near
near:
  %waits = icmp sgt i64 %wait, 1
  br i1 %waits, label %again, label %try
try:
  %exact = call i1 @openaclnn_trial(ptr %at, i64 %count, ptr %state)
  %was.rounded = icmp eq i64 %wait, 1
  %wait.some = select i1 %was.rounded, i64 {_WAIT + 1}, i64 2
  br i1 %exact, label %taken, label %again
again:
  %wait.now = phi i64 [ %wait, %near ], [ %wait.some, %try ]
  %wait.less = sub i64 %wait.now, 1
  call void @openaclnn_again(ptr %at, i64 %count, ptr %state)
  br label %taken
far:
  call void @openaclnn_far(ptr %at, i64 %count, ptr %state)
  br label %taken
taken:
  %wait.next = phi i64 [ 0, %try ], [ %wait.less, %again ], [ 0, %far ]
  %next = add nsw i64 %i, {block}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %block, label %done
done:
  ret void
}}

; a block whose sum was rounded: without a few small terms it may be exact, or in parts
define internal void @openaclnn_again(ptr %terms, i64 %n, ptr %state) nounwind noinline {{
entry:
  %exact = call i1 @openaclnn_few_aside(ptr %terms, i64 %n, ptr %state)
  br i1 %exact, label %done, label %part
part:
  %i = phi i64 [ 0, %entry ], [ %next, %taken ]
  %balance = phi i64 [ 0, %entry ], [ %balance.now, %taken ]
  %at = getelementptr {type}, ptr %terms, i64 %i
  %left = sub i64 %n, %i
  %count = call i64 @llvm.smin.i64(i64 %left, i64 {_PART})
  %exact.closer = call i1 @openaclnn_{closer}(ptr %at, i64 %count, ptr %state)
  br i1 %exact.closer, label %taken, label %far
far:
  call void @openaclnn_far(ptr %at, i64 %count, ptr %state)
  br label %taken
taken:
  %change = phi i64 [ -1, %part ], [ 1, %far ]
  %balance.now = add nsw i64 %balance, %change
  %next = add nsw i64 %i, {_PART}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %part, label %end
end:
  %most = icmp sgt i64 %balance.now, 0
  br i1 %most, label %skip.some, label %done
skip.some:  ; there are digits, and nothing is pending
  %skipped.at = getelementptr i8, ptr %state, i64 {_PENDING}
  store i64 {_SKIPPED}, ptr %skipped.at, align 8
  br label %done
done:
  ret void
}}

; parts are in the L1 cache when they are read again
define internal void @openaclnn_far(ptr %terms, i64 %n, ptr %state) nounwind noinline {{
entry:
  br label %part
part:
  %i = phi i64 [ 0, %entry ], [ %next, %taken ]
  %at = getelementptr {type}, ptr %terms, i64 %i
  %left = sub i64 %n, %i
  %count = call i64 @llvm.smin.i64(i64 %left, i64 {_PART})
  %leveled = call i1 @openaclnn_spread(ptr %at, i64 %count, ptr %state)
  br i1 %leveled, label %taken, label %pieces
pieces:
  call void @openaclnn_pieces(ptr %at, i64 %count, ptr %state)
  br label %taken
taken:
  %next = add nsw i64 %i, {_PART}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %part, label %done
done:
  ret void
}}

; cuts a copy
define internal void @openaclnn_pieces(ptr %terms, i64 %n, ptr %state) nounwind noinline {{
entry:
  %own = alloca [{_PIECE + LANES} x double], align 64
  br label %piece
piece:
  %i = phi i64 [ 0, %entry ], [ %next, %cut ]
  %at = getelementptr {type}, ptr %terms, i64 %i
  %left = sub i64 %n, %i
  %count = call i64 @llvm.smin.i64(i64 %left, i64 {_PIECE})
  br label %copy
copy:
  %j = phi i64 [ 0, %piece ], [ %j.next, %copy ]
  %from = getelementptr {type}, ptr %at, i64 %j
  %ones = load {given}, ptr %from, align 1{widen}
  %to = getelementptr double, ptr %own, i64 %j
  store {f64} {widened}, ptr %to, align 64
  %j.next = add nsw i64 %j, {LANES}
  %j.more = icmp slt i64 %j.next, %count
  br i1 %j.more, label %copy, label %cut
cut:
  call void @openaclnn_cut(ptr %own, i64 %count, ptr %state)
  %next = add nsw i64 %i, {_PIECE}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %piece, label %done
done:
  ret void
}}
"""

    def spread(self) -> str:
        """Terms in as many levels as it takes, from the exponents of the largest and the smallest;
        false where those are too many, or where a term is too large or not finite."""
        wide = self.how.term == "f64"
        word, fraction, bias = ("i64", 52, 1023) if wide else ("i32", 23, 127)
        words = f"<{LANES} x {word}>"
        magnitude = splat(word, (1 << (63 if wide else 31)) - 1, LANES)
        far = _FAR if wide else 0xFF << 23
        ways = _LEVELS[self.how.term]
        tries = "".join(
            f"""
try{levels}:
  %fits{levels} = icmp sle i64 %range, {levels * _TAKEN}
  br i1 %fits{levels}, label %take{levels}, label %try{after}
take{levels}:
  call void @openaclnn_levels{levels}(ptr %terms, i64 %n, i64 %s, ptr %state)
  ret i1 true"""
            for levels, after in zip(ways, (*ways[1:], ".none"), strict=True)
        )
        return (
            "".join(map(self.levels, ways))
            + f"""
define internal i1 @openaclnn_spread(ptr %terms, i64 %n, ptr %state) nounwind noinline {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %most.so.far = phi {words} [ zeroinitializer, %entry ], [ %larger, %body ]
  %least.so.far = phi {words} [ {splat(word, -1, LANES)}, %entry ], [ %smaller, %body ]
  %at = getelementptr {word}, ptr %terms, i64 %i
  %these = load {words}, ptr %at, align 1
  %magnitudes = and {words} %these, {magnitude}
  %larger = call {words} @llvm.umax.v{LANES}{word}({words} %most.so.far, {words} %magnitudes)
  ; a zero is beyond all
  %less.one = add {words} %magnitudes, {splat(word, -1, LANES)}
  %smaller = call {words} @llvm.umin.v{LANES}{word}({words} %least.so.far, {words} %less.one)
  %next = add nsw i64 %i, {LANES}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %found
found:
  %most.word = call {word} @llvm.vector.reduce.umax.v{LANES}{word}({words} %larger)
  %least.word = call {word} @llvm.vector.reduce.umin.v{LANES}{word}({words} %smaller)
  %near = icmp ult {word} %most.word, {far}
  br i1 %near, label %ordinary, label %try.none
ordinary:
  %most.field = lshr {word} %most.word, {fraction}
  %least.one = add {word} %least.word, 1
  %least.field = lshr {word} %least.one, {fraction}
  %most = {"add i64 %most.field, 0" if wide else "zext i32 %most.field to i64"}
  %least.any = {"add i64 %least.field, 0" if wide else "zext i32 %least.field to i64"}
  %least = call i64 @llvm.umax.i64(i64 %least.any, i64 1)
  %range.most = sub i64 %most, %least
  %range = add i64 %range.most, {fraction + 1}
  %s = sub i64 %most, {bias - 1 + _TAKEN}
  br label %try{ways[0]}{tries}
try.none:
  ret i1 false
}}
"""
        )

    def levels(self, count: int) -> str:
        """What adds terms to so many large numbers in turn, each of which takes a multiple of a
        unit of its own and leaves the rest; their bits, less those at the start, are integers."""
        lanes, type = self.lanes, scalar(self.how.term)
        f64, i64 = f"<{lanes} x double>", f"<{lanes} x i64>"
        every = [(v, k) for k in range(count) for v in range(_VECTORS)]
        starts = "".join(
            f"""
  %s.low{k} = sub i64 %s, {k * _TAKEN}
  %s{k} = call i64 @llvm.smax.i64(i64 %s.low{k}, i64 {self.how.lowest})
  %field{k} = add i64 %s{k}, {52 + 1023}
  %up{k} = shl i64 %field{k}, 52
  %bits{k} = or i64 %up{k}, {1 << 51}
  {spread(f"all{k}", "i64", f"%bits{k}", lanes)}
  %begin{k} = bitcast {i64} %all{k} to {f64}"""
            for k in range(count)
        )
        phis = "".join(
            f"\n  %t{v}.{k} = phi {f64} [ %begin{k}, %entry ], [ %y{v}.{k}, %body ]"
            for v, k in every
        )
        body = "".join(self.loaded(v, lanes) for v in range(_VECTORS))
        body += "".join(self.level(v, k, f64, last=k == count - 1) for v, k in every)
        ends = ""
        for k in range(count):
            total = "zeroinitializer"
            for v in range(_VECTORS):
                ends += f"""
  %bits{v}.{k} = bitcast {f64} %y{v}.{k} to {i64}
  %units{v}.{k} = sub {i64} %bits{v}.{k}, %all{k}
  %sum{v}.{k} = add {i64} {total}, %units{v}.{k}"""
                total = f"%sum{v}.{k}"
            ends += f"""
  %sum{k} = call i64 @llvm.vector.reduce.add.v{lanes}i64({i64} {total})
  call void @openaclnn_deposit_integer(ptr %state, i64 %sum{k}, i64 %s{k})"""
        return f"""
define internal void @openaclnn_levels{count}(ptr %begin, i64 %n, i64 %s, ptr %state) nounwind {{
entry:
  call void @openaclnn_ready(ptr %state)
  {one(self.note)}
  %ones.one = insertelement {f64} poison, double %one, i64 0
  %ones = shufflevector {f64} %ones.one, {f64} poison, <{lanes} x i32> zeroinitializer{starts}
  %end = getelementptr {type}, ptr %begin, i64 %n
  br label %body
body:
  %here = phi ptr [ %begin, %entry ], [ %next, %body ]{phis}{body}
  %next = getelementptr {type}, ptr %here, i64 {_VECTORS * lanes}
  %more = icmp ult ptr %next, %end
  br i1 %more, label %body, label %added
added:{ends}
  ret void
}}
"""

    def level(self, v: int, k: int, f64: str, last: bool) -> str:
        """Lines that add what is left of some terms to large number k, and what that leaves."""
        x = f"%rest{v}.{k - 1}" if k else f"%wide{v}"
        fma = f"call {f64} @llvm.fma.v{self.lanes}f64({f64}"
        plus = f"{fma} {x}, {f64} %ones, {f64} %t{v}.{k})"
        if k % 2:  # in another place of the processor
            plus = f"fadd {f64} {x}, %t{v}.{k}"
        if last:
            return f"\n  %y{v}.{k} = {plus}"
        return f"""
  %y{v}.{k} = {plus}
  %taken{v}.{k} = fsub {f64} %y{v}.{k}, %t{v}.{k}
  %minus{v}.{k} = fneg {f64} %taken{v}.{k}
  %rest{v}.{k} = {fma} %minus{v}.{k}, {f64} %ones, {f64} {x})"""

    def slices(self) -> str:
        f64, i64 = f"<{LANES} x double>", f"<{LANES} x i64>"
        magnitude = splat("i64", (1 << 63) - 1, LANES)
        return f"""
; the largest magnitude, as its bits
define internal i64 @openaclnn_largest(ptr %terms, i64 %n) nounwind {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %so.far = phi {i64} [ zeroinitializer, %entry ], [ %with, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr double, ptr %terms, i64 %i
  %these = load {i64}, ptr %at, align 1
  %magnitudes = and {i64} %these, {magnitude}
  %with = call {i64} @llvm.umax.v{LANES}i64({i64} %so.far, {i64} %magnitudes)
  %next = add nsw i64 %i, {LANES}
  br label %head
done:
  %found = call i64 @llvm.vector.reduce.umax.v{LANES}i64({i64} %so.far)
  ret i64 %found
}}

; adds up what is not finite, and leaves zeros in its place
define internal void @openaclnn_set_aside(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sums = phi {f64} [ zeroinitializer, %entry ], [ %with, %body ]
  %at = getelementptr double, ptr %terms, i64 %i
  %these = load {f64}, ptr %at, align 8
  %zeros = fsub {f64} %these, %these
  %finite = fcmp oeq {f64} %zeros, zeroinitializer
  %others = select <{LANES} x i1> %finite, {f64} zeroinitializer, {f64} %these
  %numbers = select <{LANES} x i1> %finite, {f64} %these, {f64} zeroinitializer
  %with = fadd {f64} %sums, %others
  store {f64} %numbers, ptr %at, align 8
  %next = add nsw i64 %i, {LANES}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %done
done:
  %sum = call reassoc double @llvm.vector.reduce.fadd.v{LANES}f64(double -0.0, {f64} %with)
  call void @openaclnn_not_finite(ptr %state, double %sum)
  ret void
}}

define internal void @openaclnn_one_by_one(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr double, ptr %terms, i64 %i
  %x = load double, ptr %at, align 8
  call void @openaclnn_deposit(ptr %state, double %x)
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}}

; cuts terms into slices, which are lost in that
define internal void @openaclnn_cut(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  call void @openaclnn_ready(ptr %state)
  %begin = call i64 @openaclnn_largest(ptr %terms, i64 %n)
  %finite = icmp ult i64 %begin, {0x7FF << 52}
  br i1 %finite, label %again, label %aside
aside:
  call void @openaclnn_set_aside(ptr %terms, i64 %n, ptr %state)
  %others = call i64 @openaclnn_largest(ptr %terms, i64 %n)
  br label %again
again:
  %most = phi i64 [ %begin, %entry ], [ %others, %aside ], [ %left, %cut ]
  %nothing = icmp eq i64 %most, 0
  br i1 %nothing, label %done, label %some
some:
  %near = icmp ult i64 %most, {_FAR}
  br i1 %near, label %slice, label %far
far:
  call void @openaclnn_one_by_one(ptr %terms, i64 %n, ptr %state)
  ret void
slice:
  %field = lshr i64 %most, 52
  %down = sub i64 %field, {1023 + 49}
  %usual = call i64 @llvm.smax.i64(i64 %down, i64 {self.how.lowest})
  ; below 2^50 the bits of a double are its multiple of 2^-1074
  %tiny = icmp ult i64 %most, {1 << 50}
  %s = select i1 %tiny, i64 {self.how.lowest}, i64 %usual
  %power = add i64 %s, {52 + 1023}
  %power.bits = shl i64 %power, 52
  %number.bits = or i64 %power.bits, {1 << 51}
  %number = bitcast i64 %number.bits to double
  {spread("numbers", "double", "%number", LANES)}
  {spread("bits.all", "i64", "%number.bits", LANES)}
  br label %head
head:
  %i = phi i64 [ 0, %slice ], [ %next, %body ]
  %sums = phi {i64} [ zeroinitializer, %slice ], [ %with, %body ]
  %largest = phi {i64} [ zeroinitializer, %slice ], [ %larger, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %cut
body:
  %at = getelementptr double, ptr %terms, i64 %i
  %these = load {f64}, ptr %at, align 8
  %moved = fadd {f64} %these, %numbers
  %moved.bits = bitcast {f64} %moved to {i64}
  %integers = sub {i64} %moved.bits, %bits.all
  %with = add {i64} %sums, %integers
  %parts = fsub {f64} %moved, %numbers
  %rest = fsub {f64} %these, %parts
  store {f64} %rest, ptr %at, align 8
  %rest.bits = bitcast {f64} %rest to {i64}
  %magnitudes = and {i64} %rest.bits, {magnitude}
  %larger = call {i64} @llvm.umax.v{LANES}i64({i64} %largest, {i64} %magnitudes)
  %next = add nsw i64 %i, {LANES}
  br label %head
cut:
  %sum = call i64 @llvm.vector.reduce.add.v{LANES}i64({i64} %sums)
  call void @openaclnn_deposit_integer(ptr %state, i64 %sum, i64 %s)
  %left = call i64 @llvm.vector.reduce.umax.v{LANES}i64({i64} %largest)
  br label %again
done:
  ret void
}}
"""

    def leave(self) -> str:
        """The sum as integers that others may be added to, in place of its value."""
        first, last = _DIGITS // 8, self.how.left - 1
        return f"""
define void @openaclnn_value(ptr %state, ptr %out) nounwind {{
entry:
  call void @openaclnn_ready(ptr %state)
  call void @openaclnn_carry(ptr %state)
  %special.at = getelementptr i8, ptr %state, i64 {_SPECIAL}
  %special = load double, ptr %special.at, align 8
  %is.nan = fcmp uno double %special, 0.0
  %is.high = fcmp oeq double %special, 0x7FF0000000000000
  %is.low = fcmp oeq double %special, 0xFFF0000000000000
  %nan = zext i1 %is.nan to i64
  %high = zext i1 %is.high to i64
  %low = zext i1 %is.low to i64
  %high.at = getelementptr i64, ptr %out, i64 1
  %low.at = getelementptr i64, ptr %out, i64 2
  store i64 %nan, ptr %out, align 8
  store i64 %high, ptr %high.at, align 8
  store i64 %low, ptr %low.at, align 8
  %from = getelementptr i64, ptr %state, i64 {first}
  %to = getelementptr i64, ptr %out, i64 {SPECIAL}
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 {8 * last}, i1 false)
  %last.at = getelementptr i64, ptr %from, i64 {last}
  %above.at = getelementptr i64, ptr %from, i64 {last + 1}
  %last = load i64, ptr %last.at, align 8
  %above = load i64, ptr %above.at, align 8
  %above.up = shl i64 %above, {DIGIT}
  %all = add i64 %last, %above.up
  %end = getelementptr i64, ptr %to, i64 {last}
  store i64 %all, ptr %end, align 8
  ret void
}}
"""

    def value(self) -> str:
        """The sum, rounded to odd or to nearest, and divided by a count."""
        mean = self.how.kind == "mean"
        first = _DIGITS // 8
        nearest = """store double %pending.rest, ptr %remainder, align 8
  ret double %unsigned.zero"""
        if not self.how.nearest:  # of the numbers on both sides the odd one
            nearest = """%pattern = bitcast double %unsigned.zero to i64
  %odd = and i64 %pattern, 1
  %even = icmp eq i64 %odd, 0
  %more = fcmp one double %pending.rest, 0.0
  %other = and i1 %even, %more
  %is.up = fcmp ogt double %pending.rest, 0.0
  %is.positive = fcmp ogt double %unsigned.zero, 0.0
  %away = icmp eq i1 %is.up, %is.positive
  %step = select i1 %away, i64 1, i64 -1
  %moved = add i64 %pattern, %step
  %chosen.bits = select i1 %other, i64 %moved, i64 %pattern
  %chosen = bitcast i64 %chosen.bits to double
  %by = fsub double %chosen, %unsigned.zero
  %over = fsub double %pending.rest, %by
  store double %over, ptr %remainder, align 8
  ret double %chosen"""
        if self.how.nearest:
            rounding = """
  %half = lshr i64 %upper, 10
  %half.bit = and i64 %half, 1
  %under.half = and i64 %upper, 1023
  %sticky.low = or i64 %under.half, %lower
  %sticky = or i64 %sticky.low, %below
  %odd = and i64 %cut, 1
  %tie.up = or i64 %sticky, %odd
  %goes.up = icmp ne i64 %tie.up, 0
  %up.bit = zext i1 %goes.up to i64
  %one.more = and i64 %half.bit, %up.bit
  %mantissa = add i64 %cut, %one.more"""
        else:
            rounding = """
  %under = and i64 %upper, 2047
  %under.low = or i64 %under, %lower
  %lost = or i64 %under.low, %below
  %inexact = icmp ne i64 %lost, 0
  %inexact.bit = zext i1 %inexact to i64
  %mantissa = or i64 %cut, %inexact.bit"""
        # of DOUBLE a mean may be a number where the sum is none: that is divided less by 2^64
        limit = 960 if mean and self.how.nearest else 1 << 20
        far = f"""  %is.far = icmp sgt i64 %e.exact, {limit}
  %places = select i1 %is.far, i64 64, i64 0
  store i64 %places, ptr %shift, align 8
  %e = sub i64 %e.exact, %places"""
        return f"""
define internal double @openaclnn_sum(ptr %state, ptr %remainder, ptr %shift) nounwind {{
entry:
  store i64 0, ptr %shift, align 8
  store double 0.0, ptr %remainder, align 8
  %special.at = getelementptr i8, ptr %state, i64 {_SPECIAL}
  %special = load double, ptr %special.at, align 8
  %ordinary = fcmp oeq double %special, 0.0
  br i1 %ordinary, label %finite, label %not.finite
not.finite:
  ret double %special
finite:
  %flag = load i64, ptr %state, align 8
  switch i64 %flag, label %nothing [ i64 {_ONE}, label %one i64 {_MANY}, label %many ]
nothing:
  ret double 0.0
one:
  %pending.at = getelementptr i8, ptr %state, i64 {_PENDING}
  %pending = load double, ptr %pending.at, align 8
  %rest.at = getelementptr i8, ptr %state, i64 {_REST}
  %pending.rest = load double, ptr %rest.at, align 8
  %unsigned.zero = fadd double %pending, 0.0
  {nearest}
many:
  call void @openaclnn_carry(ptr %state)
  br label %collect
; the leading digits as one integer, of what is below them whether it is there
collect:
  %k = phi i64 [ {self.digits - 1}, %many ], [ %k.next, %collect ]
  %so.far = phi i128 [ 0, %many ], [ %joined, %collect ]
  %lowest = phi i64 [ 0, %many ], [ %lowest.now, %collect ]
  %below.so.far = phi i64 [ 0, %many ], [ %below, %collect ]
  %offset = add i64 %k, {first}
  %at = getelementptr i64, ptr %state, i64 %offset
  %digit = load i64, ptr %at, align 8
  %digit.wide = sext i64 %digit to i128
  %up = shl i128 %so.far, {DIGIT}
  %with = add i128 %up, %digit.wide
  %high.bits = ashr i128 %so.far, 94
  %is.small = icmp eq i128 %high.bits, 0
  %is.small.negative = icmp eq i128 %high.bits, -1
  %room = or i1 %is.small, %is.small.negative
  %joined = select i1 %room, i128 %with, i128 %so.far
  %lowest.now = select i1 %room, i64 %k, i64 %lowest
  %one.more.below = or i64 %below.so.far, %digit
  %below = select i1 %room, i64 %below.so.far, i64 %one.more.below
  %k.next = sub i64 %k, 1
  %k.more = icmp sge i64 %k.next, 0
  br i1 %k.more, label %collect, label %assemble
assemble:
  %negative = icmp slt i128 %joined, 0
  %some.below = icmp ne i64 %below, 0
  %rest.below = sext i1 %some.below to i128
  %minus = sub i128 %rest.below, %joined
  %magnitude = select i1 %negative, i128 %minus, i128 %joined
  %none = icmp eq i128 %magnitude, 0
  br i1 %none, label %nothing, label %round
round:
  %zeros.wide = call i128 @llvm.ctlz.i128(i128 %magnitude, i1 true)
  %zeros = trunc i128 %zeros.wide to i64
  %normal = shl i128 %magnitude, %zeros.wide
  %upper.wide = lshr i128 %normal, 64
  %upper = trunc i128 %upper.wide to i64
  %lower = trunc i128 %normal to i64
  %cut = lshr i64 %upper, 11{rounding}
  %lowest.bits = mul i64 %lowest.now, {DIGIT}
  %e.most = add i64 %lowest.bits, {127 - 52 + self.how.lowest}
  %e.exact = sub i64 %e.most, %zeros
{far}
  %number = uitofp i64 %mantissa to double
  %minus.number = fneg double %number
  %signed = select i1 %negative, double %minus.number, double %number
  %result = call double @openaclnn_scaled(double %signed, i64 %e)
  %mantissa.wide = zext i64 %mantissa to i128
  %mantissa.up = shl i128 %mantissa.wide, 75
  %rest = sub i128 %normal, %mantissa.up
  %rest.high = ashr i128 %rest, 13
  %rest.word = trunc i128 %rest.high to i64
  %rest.number = sitofp i64 %rest.word to double
  %minus.rest = fneg double %rest.number
  %signed.rest = select i1 %negative, double %minus.rest, double %rest.number
  %e.rest = sub i64 %e, 62
  %rest.scaled = call double @openaclnn_scaled(double %signed.rest, i64 %e.rest)
  store double %rest.scaled, ptr %remainder, align 8
  ret double %result
}}

; x * 2^e, in steps that floats have the powers for
define internal double @openaclnn_scaled(double %x, i64 %e) nounwind {{
  %low = call i64 @llvm.smax.i64(i64 %e, i64 -2000)
  %near = call i64 @llvm.smin.i64(i64 %low, i64 2000)
  %first = ashr i64 %near, 1
  %second = sub i64 %near, %first
  %first.field = add i64 %first, 1023
  %second.field = add i64 %second, 1023
  %first.bits = shl i64 %first.field, 52
  %second.bits = shl i64 %second.field, 52
  %a = bitcast i64 %first.bits to double
  %b = bitcast i64 %second.bits to double
  %xa = fmul double %x, %a
  %xab = fmul double %xa, %b
  ret double %xab
}}

define double @openaclnn_value(ptr %state, double %count) nounwind {{
entry:
  %remainder = alloca double, align 8
  %shift = alloca i64, align 8
  %sum = call double @openaclnn_sum(ptr %state, ptr %remainder, ptr %shift)
  {_MEAN if mean else "ret double %sum"}
}}
"""


# the quotient of sum and count, corrected by what both leave over
_MEAN = """%quotient = fdiv double %sum, %count
  %magnitude = call double @llvm.fabs.f64(double %quotient)
  %finite = fcmp olt double %magnitude, 0x7FF0000000000000
  br i1 %finite, label %correct, label %as.is
as.is:
  ret double %quotient
correct:
  %minus = fneg double %quotient
  %left = call double @llvm.fma.f64(double %minus, double %count, double %sum)
  %rest = load double, ptr %remainder, align 8
  %both = fadd double %left, %rest
  %more = fdiv double %both, %count
  %better = fadd double %quotient, %more
  %places = load i64, ptr %shift, align 8
  %result = call double @openaclnn_scaled(double %better, i64 %places)
  ret double %result"""

# terms as they lie: those of whole vectors, and how many that are
_STORED = f"""
define i64 @openaclnn_stored(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  %whole = and i64 %n, {-LANES}
  %some = icmp sgt i64 %whole, 0
  br i1 %some, label %take, label %done
take:
  call void @openaclnn_absorb(ptr %terms, i64 %whole, ptr %state)
  br label %done
done:
  ret i64 %whole
}}
"""

_DECLARED = f"""
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i128 @llvm.ctlz.i128(i128, i1)
declare double @llvm.fabs.f64(double)
declare double @llvm.fma.f64(double, double, double)
declare <4 x double> @llvm.fma.v4f64(<4 x double>, <4 x double>, <4 x double>)
declare <8 x double> @llvm.fma.v8f64(<8 x double>, <8 x double>, <8 x double>)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
declare double @llvm.vector.reduce.fadd.v8f64(double, <8 x double>)
declare <{LANES} x i64> @llvm.umax.v{LANES}i64(<{LANES} x i64>, <{LANES} x i64>)
declare <{LANES} x i64> @llvm.umin.v{LANES}i64(<{LANES} x i64>, <{LANES} x i64>)
declare <{LANES} x i32> @llvm.umax.v{LANES}i32(<{LANES} x i32>, <{LANES} x i32>)
declare <{LANES} x i32> @llvm.umin.v{LANES}i32(<{LANES} x i32>, <{LANES} x i32>)
declare i64 @llvm.vector.reduce.umin.v{LANES}i64(<{LANES} x i64>)
declare i32 @llvm.vector.reduce.umax.v{LANES}i32(<{LANES} x i32>)
declare i32 @llvm.vector.reduce.umin.v{LANES}i32(<{LANES} x i32>)
declare i64 @llvm.vector.reduce.add.v4i64(<4 x i64>)
declare i64 @llvm.vector.reduce.add.v8i64(<8 x i64>)
declare i64 @llvm.vector.reduce.umax.v{LANES}i64(<{LANES} x i64>)
declare i64 @llvm.vector.reduce.add.v{LANES}i64(<{LANES} x i64>)
declare double @llvm.vector.reduce.fadd.v{LANES}f64(double, <{LANES} x double>)
"""
