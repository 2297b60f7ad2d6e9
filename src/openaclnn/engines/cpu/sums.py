"""Writes the functions of a fold's state in LLVM IR: for specialists in floating point.

The state of a sum of floats (`openaclnn.arithmetic.folding` says what it is) is a flag, a number
that is pending, the sum of what is not finite, and digits. Terms come in blocks of up to `BLOCK`:

- Terms of 24 bits and less are added up in float64. That is exact where the largest and the
  smallest exponent of a block are near enough, and they nearly always are: random normal numbers
  fail one block in some 200. The sum is pending; if another one comes, both go into the digits.
- Terms of 53 bits are added to a float64 that starts as a large number, 1.5·2^(52 + s): that takes
  of every term the multiple of 2^s, and how much it has grown is an integer. What is left of the
  terms is added up in another, exactly where the block's exponents are near enough.
- Other blocks are cut into slices. Adding 1.5·2^(52 + s) to a term leaves its multiple of 2^s in
  the lowest bits, as an integer; subtracting that again leaves the rest, for the next slice. The
  integers are added up, and go into the digits.

The largest of integers is a loop that LLVM makes vectors of.
"""

from __future__ import annotations

from openaclnn.arithmetic.folding import DIGIT, SPECIAL, Folding

BLOCK = 1024  # terms; two to the power of
_BLOCK_BITS = 10
LANES = 32  # terms are padded with zeros to a multiple of this
_FAR = 0x3FF + 900 << 52  # two to the power of 900: above it the slices' numbers overflow
_TAKEN = 46  # bits of a term that a large number takes: a lane's sum of a block's 32 has 51

_FLAG, _PENDING, _SPECIAL, _DIGITS = 0, 8, 16, 24  # bytes from the state's begin
_EMPTY, _ONE, _MANY = 0, 1, 2  # what the flag says


NAMES = tuple(f"openaclnn_{name}" for name in ("init", "absorb", "merge", "value"))


def functions(how: Folding) -> str:
    """The module of a fold's state, which has `NAMES`. Kernels get their addresses, so that it is
    compiled once for all."""
    text = _Sum(how).text() if how.sums_floats else _integers(how)
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
  %so.far = phi {vector} [ {_splat(type, least)}, %entry ], [ %with, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr {type}, ptr %terms, i64 %i
  %these = load {vector}, ptr %at, align 1
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
"""


def _splat(type: str, value: int) -> str:
    return "<" + ", ".join([f"{type} {value}"] * LANES) + ">"


def _spread(name: str, type: str, value: str) -> str:
    """Lines that give a value to all lanes."""
    vector = f"<{LANES} x {type}>"
    return f"""%{name}.one = insertelement {vector} poison, {type} {value}, i64 0
  %{name} = shufflevector {vector} %{name}.one, {vector} poison, <{LANES} x i32> zeroinitializer"""


def padding(how: Folding) -> int:
    """What stands behind the terms of a block that is not full."""
    if how.kind == "max":
        return -(1 << (int(how.term[1:]) - 1))
    return 0


class _Sum:
    def __init__(self, how: Folding) -> None:
        self.how = how
        self.digits = how.digits

    def text(self) -> str:
        end = self.leave() if self.how.kind == "digits" else self.value()
        parts = [_DECLARED, self.state(), self.deposits(), self.slices(), end]
        parts.append(self.absorb_narrow() if self.how.term == "f32" else self.absorb_wide())
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
  call void @llvm.memset.p0.i64(ptr align 8 %digits, i8 0, i64 {bytes}, i1 false)
  store i64 {_MANY}, ptr %state, align 8
  %was.one = icmp eq i64 %flag, {_ONE}
  br i1 %was.one, label %move, label %done
move:
  %pending.at = getelementptr i8, ptr %state, i64 {_PENDING}
  %pending = load double, ptr %pending.at, align 8
  call void @openaclnn_deposit(ptr %state, double %pending)
  br label %done
done:
  ret void
}}

define internal void @openaclnn_put(ptr %state, double %x) nounwind {{
entry:
  %flag = load i64, ptr %state, align 8
  %first = icmp eq i64 %flag, {_EMPTY}
  br i1 %first, label %keep, label %add
keep:
  store i64 {_ONE}, ptr %state, align 8
  %pending = getelementptr i8, ptr %state, i64 {_PENDING}
  store double %x, ptr %pending, align 8
  br label %done
add:
  call void @openaclnn_ready(ptr %state)
  call void @openaclnn_deposit(ptr %state, double %x)
  br label %done
done:
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

    def absorb_narrow(self) -> str:
        """Terms in float32: plain sums where they are exact."""
        f32, f64 = (f"<{LANES} x {type}>" for type in ("float", "double"))
        always = self.how.highest - self.how.lowest + _BLOCK_BITS <= 53
        return f"""
define void @openaclnn_absorb(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  %wide = alloca [{BLOCK + LANES} x double], align 64
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]{"" if always else _RANGE_SO_FAR}
  %sums = phi {f64} [ zeroinitializer, %entry ], [ %with, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %added
body:
  %at = getelementptr float, ptr %terms, i64 %i
  %these = load {f32}, ptr %at, align 1{"" if always else _RANGE}
  %widened = fpext {f32} %these to {f64}
  %with = fadd {f64} %sums, %widened
  %next = add nsw i64 %i, {LANES}
  br label %head
added:
  %sum = call reassoc double @llvm.vector.reduce.fadd.v{LANES}f64(double -0.0, {f64} %sums)
  {_IS_FINITE if always else self.fits()}
  br i1 %exact, label %plain, label %widen
plain:
  call void @openaclnn_put(ptr %state, double %sum)
  ret void
widen:
  %j = phi i64 [ 0, %added ], [ %j.next, %widen ]
  %from = getelementptr float, ptr %terms, i64 %j
  %narrow.ones = load {f32}, ptr %from, align 1
  %wide.ones = fpext {f32} %narrow.ones to {f64}
  %to = getelementptr double, ptr %wide, i64 %j
  store {f64} %wide.ones, ptr %to, align 64
  %j.next = add nsw i64 %j, {LANES}
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %widen, label %cut
cut:
  call void @openaclnn_cut(ptr %wide, i64 %n, ptr %state)
  ret void
}}
"""

    def absorb_wide(self) -> str:
        """Terms in float64: a large number for what they have above 2^s, a plain sum for the rest,
        which is exact where no term is so small that it has bits far below."""
        f64, i64 = f"<{LANES} x double>", f"<{LANES} x i64>"
        return f"""
define void @openaclnn_absorb(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  %own = alloca [{BLOCK + LANES} x double], align 64
  br label %look
look:
  %k = phi i64 [ 0, %entry ], [ %k.next, %look ]
  %largest = phi {i64} [ zeroinitializer, %entry ], [ %larger, %look ]
  %smallest = phi {i64} [ {_splat("i64", -1)}, %entry ], [ %smaller, %look ]
  %seen.at = getelementptr double, ptr %terms, i64 %k
  %patterns = load {i64}, ptr %seen.at, align 1
  %magnitudes = and {i64} %patterns, {_splat("i64", (1 << 63) - 1)}
  %larger = call {i64} @llvm.umax.v{LANES}i64({i64} %largest, {i64} %magnitudes)
  %unless.zero = sub {i64} %magnitudes, {_splat("i64", 1)}
  %smaller = call {i64} @llvm.umin.v{LANES}i64({i64} %smallest, {i64} %unless.zero)
  %k.next = add nsw i64 %k, {LANES}
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %look, label %choose
choose:
  %most = call i64 @llvm.vector.reduce.umax.v{LANES}i64({i64} %larger)
  %least = call i64 @llvm.vector.reduce.umin.v{LANES}i64({i64} %smaller)
  %field = lshr i64 %most, 52
  %down = sub i64 %field, {1022 + _TAKEN}
  %s = call i64 @llvm.smax.i64(i64 %down, i64 {self.how.lowest})
  %least.itself = add i64 %least, 1
  %least.field = lshr i64 %least.itself, 52
  %least.normal = call i64 @llvm.umax.i64(i64 %least.field, i64 1)
  %lowest.bit = sub i64 %least.normal, 1075
  %above = sub i64 %s, {53 - _BLOCK_BITS}
  %fits = icmp sge i64 %lowest.bit, %above
  %near = icmp ult i64 %most, {_FAR}
  %exact = and i1 %fits, %near
  br i1 %exact, label %begin, label %copy
begin:
  %power = add i64 %s, {52 + 1023}
  %power.bits = shl i64 %power, 52
  %large.bits = or i64 %power.bits, {1 << 51}
  %large = bitcast i64 %large.bits to double
  {_spread("larges", "double", "%large")}
  {_spread("larges.bits", "i64", "%large.bits")}
  br label %body
body:
  %i = phi i64 [ 0, %begin ], [ %next, %body ]
  %t = phi {f64} [ %larges, %begin ], [ %y, %body ]
  %rests = phi {f64} [ zeroinitializer, %begin ], [ %rests.now, %body ]
  %at = getelementptr double, ptr %terms, i64 %i
  %these = load {f64}, ptr %at, align 1
  %y = fadd {f64} %t, %these
  %taken = fsub {f64} %y, %t
  %rest = fsub {f64} %these, %taken
  %rests.now = fadd {f64} %rests, %rest
  %next = add nsw i64 %i, {LANES}
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %added
added:
  call void @openaclnn_ready(ptr %state)
  %y.bits = bitcast {f64} %y to {i64}
  %v = sub {i64} %y.bits, %larges.bits
  %v.sum = call i64 @llvm.vector.reduce.add.v{LANES}i64({i64} %v)
  call void @openaclnn_deposit_integer(ptr %state, i64 %v.sum, i64 %s)
  %sum = call reassoc double @llvm.vector.reduce.fadd.v{LANES}f64(double -0.0, {f64} %rests.now)
  call void @openaclnn_deposit(ptr %state, double %sum)
  ret void
copy:
  %j = phi i64 [ 0, %choose ], [ %j.next, %copy ]
  %from = getelementptr double, ptr %terms, i64 %j
  %ones = load {f64}, ptr %from, align 1
  %to = getelementptr double, ptr %own, i64 %j
  store {f64} %ones, ptr %to, align 64
  %j.next = add nsw i64 %j, {LANES}
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %copy, label %cut
cut:
  call void @openaclnn_cut(ptr %own, i64 %n, ptr %state)
  ret void
}}
"""

    def fits(self) -> str:
        """Whether a float64 has the bits from the sum's highest to the lowest of any term."""
        i32 = f"<{LANES} x i32>"
        return f"""%top = call i32 @llvm.vector.reduce.umax.v{LANES}i32({i32} %largest)
  %bottom = call i32 @llvm.vector.reduce.umin.v{LANES}i32({i32} %smallest)
  %high = lshr i32 %top, 23
  %bottom.itself = add i32 %bottom, 1
  %low.field = lshr i32 %bottom.itself, 23
  %low.normal = call i32 @llvm.umax.i32(i32 %low.field, i32 1)
  %low.bit = sub i32 %low.normal, {127 + self.how.bits - 1}
  %lowest = call i32 @llvm.smax.i32(i32 %low.bit, i32 {self.how.lowest})
  %above = sub i32 %high, {127 - 1 - _BLOCK_BITS}
  %bits = sub i32 %above, %lowest
  %fits = icmp sle i32 %bits, 53
  %finite = icmp ne i32 %high, 255
  %exact = and i1 %fits, %finite"""

    def slices(self) -> str:
        f64, i64 = f"<{LANES} x double>", f"<{LANES} x i64>"
        magnitude = _splat("i64", (1 << 63) - 1)
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

; terms one by one: those that are not finite apart
define internal void @openaclnn_one_by_one(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr double, ptr %terms, i64 %i
  %x = load double, ptr %at, align 8
  %bits = bitcast double %x to i64
  %magnitude = and i64 %bits, {(1 << 63) - 1}
  %finite = icmp ult i64 %magnitude, {0x7FF << 52}
  br i1 %finite, label %number, label %other
number:
  call void @openaclnn_deposit(ptr %state, double %x)
  br label %latch
other:
  call void @openaclnn_not_finite(ptr %state, double %x)
  br label %latch
latch:
  %next = add nsw i64 %i, 1
  br label %head
done:
  ret void
}}

; cuts terms into slices, which are lost in that
define internal void @openaclnn_cut(ptr %terms, i64 %n, ptr %state) nounwind {{
entry:
  call void @openaclnn_ready(ptr %state)
  %begin = call i64 @openaclnn_largest(ptr %terms, i64 %n)
  br label %again
again:
  %most = phi i64 [ %begin, %entry ], [ %left, %cut ]
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
  {_spread("numbers", "double", "%number")}
  {_spread("bits.all", "i64", "%number.bits")}
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
        return f"""
define internal double @openaclnn_sum(ptr %state, ptr %remainder) nounwind {{
entry:
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
  %unsigned.zero = fadd double %pending, 0.0
  ret double %unsigned.zero
many:
  call void @openaclnn_carry(ptr %state)
  %last.at = getelementptr i64, ptr %state, i64 {first + self.digits - 1}
  %last = load i64, ptr %last.at, align 8
  %negative = icmp slt i64 %last, 0
  br i1 %negative, label %negate, label %find
negate:
  %k = phi i64 [ 0, %many ], [ %k.next, %negate ]
  %carry = phi i64 [ 1, %many ], [ %carry.next, %negate ]
  %offset = add i64 %k, {first}
  %at = getelementptr i64, ptr %state, i64 %offset
  %digit = load i64, ptr %at, align 8
  %not = xor i64 %digit, -1
  %not.digit = and i64 %not, 4294967295
  %minus = add i64 %not.digit, %carry
  %minus.digit = and i64 %minus, 4294967295
  %carry.next = lshr i64 %minus, 32
  store i64 %minus.digit, ptr %at, align 8
  %k.next = add i64 %k, 1
  %k.more = icmp slt i64 %k.next, {self.digits}
  br i1 %k.more, label %negate, label %find
find:
  %t = phi i64 [ {self.digits - 1}, %many ], [ {self.digits - 1}, %negate ], [ %t.next, %lower.one ]
  %t.offset = add i64 %t, {first}
  %t.at = getelementptr i64, ptr %state, i64 %t.offset
  %leading = load i64, ptr %t.at, align 8
  %found = icmp ne i64 %leading, 0
  br i1 %found, label %assemble, label %next.one
next.one:
  %at.end = icmp eq i64 %t, 0
  br i1 %at.end, label %nothing, label %lower.one
lower.one:
  %t.next = sub i64 %t, 1
  br label %find
assemble:
  %d1 = call i64 @openaclnn_digit(ptr %state, i64 %t, i64 1)
  %d2 = call i64 @openaclnn_digit(ptr %state, i64 %t, i64 2)
  %d3 = call i64 @openaclnn_digit(ptr %state, i64 %t, i64 3)
  %h0 = shl i64 %leading, 32
  %h = or i64 %h0, %d1
  %l0 = shl i64 %d2, 32
  %l = or i64 %l0, %d3
  %h.wide = zext i64 %h to i128
  %l.wide = zext i64 %l to i128
  %h.up = shl i128 %h.wide, 64
  %joined = or i128 %h.up, %l.wide
  %zeros = call i64 @llvm.ctlz.i64(i64 %h, i1 false)
  %zeros.wide = zext i64 %zeros to i128
  %normal = shl i128 %joined, %zeros.wide
  %upper.wide = lshr i128 %normal, 64
  %upper = trunc i128 %upper.wide to i64
  %lower = trunc i128 %normal to i64
  %below = call i64 @openaclnn_below(ptr %state, i64 %t)
  %cut = lshr i64 %upper, 11{rounding}
  %t.bits = mul i64 %t, 32
  %highest = add i64 %t.bits, {31 + self.how.lowest}
  %e.high = sub i64 %highest, %zeros
  %e = sub i64 %e.high, 52
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

define internal i64 @openaclnn_digit(ptr %state, i64 %t, i64 %down) nounwind {{
entry:
  %k = sub i64 %t, %down
  %there = icmp sge i64 %k, 0
  br i1 %there, label %read, label %none
read:
  %offset = add i64 %k, {first}
  %at = getelementptr i64, ptr %state, i64 %offset
  %digit = load i64, ptr %at, align 8
  ret i64 %digit
none:
  ret i64 0
}}

; what lies more than three digits below, as something that is 0 or not
define internal i64 @openaclnn_below(ptr %state, i64 %t) nounwind {{
entry:
  %end = sub i64 %t, 3
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %so.far = phi i64 [ 0, %entry ], [ %with, %body ]
  %more = icmp slt i64 %k, %end
  br i1 %more, label %body, label %done
body:
  %offset = add i64 %k, {first}
  %at = getelementptr i64, ptr %state, i64 %offset
  %digit = load i64, ptr %at, align 8
  %with = or i64 %so.far, %digit
  %next = add i64 %k, 1
  br label %head
done:
  ret i64 %so.far
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
  %sum = call double @openaclnn_sum(ptr %state, ptr %remainder)
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
  ret double %better"""

# the largest and the smallest magnitude of terms but 0, as their bits
_I32 = f"<{LANES} x i32>"
_RANGE_SO_FAR = f"""
  %largest = phi {_I32} [ zeroinitializer, %entry ], [ %larger, %body ]
  %smallest = phi {_I32} [ {_splat("i32", -1)}, %entry ], [ %smaller, %body ]"""
_RANGE = f"""
  %patterns = bitcast <{LANES} x float> %these to {_I32}
  %magnitudes = and {_I32} %patterns, {_splat("i32", 0x7FFFFFFF)}
  %larger = call {_I32} @llvm.umax.v{LANES}i32({_I32} %largest, {_I32} %magnitudes)
  %unless.zero = sub {_I32} %magnitudes, {_splat("i32", 1)}
  %smaller = call {_I32} @llvm.umin.v{LANES}i32({_I32} %smallest, {_I32} %unless.zero)"""
_IS_FINITE = """%zero = fsub double %sum, %sum
  %exact = fcmp oeq double %zero, 0.0"""

_DECLARED = f"""
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.fabs.f64(double)
declare double @llvm.fma.f64(double, double, double)
declare <{LANES} x i32> @llvm.umax.v{LANES}i32(<{LANES} x i32>, <{LANES} x i32>)
declare <{LANES} x i32> @llvm.umin.v{LANES}i32(<{LANES} x i32>, <{LANES} x i32>)
declare <{LANES} x i64> @llvm.umax.v{LANES}i64(<{LANES} x i64>, <{LANES} x i64>)
declare i32 @llvm.vector.reduce.umax.v{LANES}i32(<{LANES} x i32>)
declare i32 @llvm.vector.reduce.umin.v{LANES}i32(<{LANES} x i32>)
declare i64 @llvm.vector.reduce.umax.v{LANES}i64(<{LANES} x i64>)
declare <{LANES} x i64> @llvm.umin.v{LANES}i64(<{LANES} x i64>, <{LANES} x i64>)
declare i64 @llvm.vector.reduce.umin.v{LANES}i64(<{LANES} x i64>)
declare i64 @llvm.vector.reduce.add.v{LANES}i64(<{LANES} x i64>)
declare double @llvm.vector.reduce.fadd.v{LANES}f64(double, <{LANES} x double>)
"""
