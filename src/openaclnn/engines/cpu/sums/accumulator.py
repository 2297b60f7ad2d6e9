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
  by themselves (`block_trials`).
- Otherwise its parts are added up in levels: to a number that starts as 1.5·2^(52 + s),
  which takes of every term the multiple of 2^s, what is left of it to one with a smaller s, and so
  on. The bits of such numbers, less those at the start, are integers, which go into the digits.
- Parts that take too many levels, or have something that is not finite, are cut into slices in the
  same way, one after the other, in a copy.

Where we do not know how to ask a processor for its note, every block is added up in levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from openaclnn.arithmetic.folding import DIGIT, SPECIAL, Folding, in_units
from openaclnn.arithmetic.nodes import make
from openaclnn.arithmetic.pairs import two_sum
from openaclnn.arithmetic.sum_rounding import RoundedSum, mean, rounded, rounded_pair
from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.code import BYTES, LoopCode, Value, vector
from openaclnn.engines.cpu.sums import block_trials, many_rows, sixteen_bits
from openaclnn.engines.cpu.sums.inexact_flag import NOTES, one
from openaclnn.engines.cpu.vector import scalar

LANES = block_trials.LANES  # terms are padded with zeros to a multiple of this
_PIECE = 1024  # terms that are cut at once
_BLOCK = 16384  # terms of a block at most
_PART = 2048  # terms of a block's parts, which are in the L1 cache when they are read again
_VECTORS = 4  # that are added up in levels at once
# bits of a term that a large number takes, so that a part's do not change its exponent
_TAKEN = 51 - (_PART // (4 * _VECTORS) - 1).bit_length()
_LEVELS = {"f32": (2, 3, 4, 7), "f64": (2, 3, 5, 7)}  # seven have all bits of float32
_WAIT = 16  # blocks that are not tried as a whole after two of which the sums were rounded
_FAR = 0x3FF + 900 << 52  # two to the power of 900: above it the slices' numbers overflow

_EMPTY, _ONE, _MANY = 0, 1, 2  # what the flag says
_TERMS = "ptr terms, i64 n, ptr state"
_F64, _I64 = vector(LANES, "double"), vector(LANES, "i64")
_MAGNITUDE = (1 << 63) - 1
_BOTH = two_sum(make("load", "f64", value=0), make("load", "f64", value=1))

NAMES = tuple(f"openaclnn_{name}" for name in ("init", "absorb", "stored", "merge", "value"))
# of sums of floats
TOGETHER = tuple(f"openaclnn_{name}" for name in ("short", "down", "put_all", "worth", "pairs"))
PAIRS = TOGETHER[-1]


def block_of(how: Folding, as_they_lie: bool = False) -> int:
    """How many terms there may be in a block: as many as the L1 cache has room for, and some more
    of those that need no copy."""
    block = _BLOCK if as_they_lie else _BLOCK // 4
    return block // 2 if how.term in ("f64", "i64") else block


def functions(how: Folding, architecture: str) -> str:
    """The module of a fold's state, which has `NAMES` and of sums `TOGETHER`. Kernels get their
    addresses, so that it is compiled once for all."""
    found = _Sum(how, architecture) if how.sums_floats else _Integers(how)
    # LLVM's passes over modules take three times as long, and make sums of float64 5 % faster
    kind = "" if how.term == "f64" else compile.VECTORS
    return kind + found.text().replace(") nounwind {", ') nounwind "prefer-vector-width"="512" {')


def padding(how: Folding) -> int:
    """What stands behind the terms of a block that is not full."""
    return _least(how) if how.kind == "max" else 0


def _least(how: Folding) -> int:
    return -(1 << (int(how.term[1:]) - 1))


class _Module:
    """Functions that are written one after the other."""

    def __init__(self, how: Folding) -> None:
        self.how, self.codes = how, list[LoopCode]()
        self.type = scalar(how.term)

    def function(self, name: str, given: str, returns: str = "void") -> LoopCode:
        """One that kernels call."""
        self.codes.append(LoopCode(f"openaclnn_{name}", given, returns))
        return self.codes[-1]

    def own(self, name: str, given: str, returns: str = "void", noinline: bool = False) -> LoopCode:
        """One that only these functions call."""
        how = "noinline" if noinline else ""
        self.codes.append(LoopCode(f"openaclnn_{name}", given, returns, "internal", how))
        return self.codes[-1]

    def terms(self, code: LoopCode, index: Value) -> Value:
        """Where a term lies."""
        return code.at(code.given["terms"], index * BYTES[self.type])

    @contextmanager
    def blocks(self, code: LoopCode, size: int) -> Iterator[tuple[Value, Value, Value]]:
        """Blocks of terms: where each begins, its terms, and the state."""
        n = code.given["n"]
        with code.loop(0, n, size) as i:
            yield self.terms(code, i), (n - i).least(size), code.given["state"]

    def stored(self) -> None:
        """Terms as they lie: those of whole vectors, and how many that are."""
        code = self.function("stored", _TERMS, "i64")
        whole = code.given["n"] & -LANES
        with code.when(whole > 0):
            code.call("openaclnn_absorb", code.given["terms"], whole, code.given["state"])
        code.give(whole)

    def texts(self) -> str:
        return "\n".join(code.text() for code in self.codes)

    def declared(self) -> set[str]:
        return {line for code in self.codes for line in code.printer.declared.values()}


class _Integers(_Module):
    """The state is the value."""

    def text(self) -> str:
        self.init()
        self.merge()
        self.absorb()
        code = self.function("value", "ptr state, double count", self.how.value)
        code.give(code.load(code.given["state"], self.how.value))
        self.stored()
        return "\n".join([*sorted(self.declared()), self.texts()])

    def both(self, a: Value, b: Value) -> Value:
        return a.most(b) if self.how.kind == "max" else a + b

    def init(self) -> None:
        code = self.function("init", "ptr state")
        start = _least(self.how) if self.how.kind == "max" else 0
        code.store(code.number(start, self.how.value), code.given["state"])

    def merge(self) -> None:
        code = self.function("merge", "ptr state, ptr other")
        state, other = code.given.values()
        found = [code.load(at, self.how.value) for at in (state, other)]
        code.store(self.both(*found), state)

    def absorb(self) -> None:
        code = self.function("absorb", _TERMS)
        state, read = code.given["state"], vector(LANES, self.type)
        start = _least(self.how) if self.how.kind == "max" else 0
        so_far = code.variable(code.number(start, vector(LANES, self.how.value)))
        with code.loop(0, code.given["n"], LANES) as i:
            these = code.load(self.terms(code, i), read)
            if self.how.kind == "powers":
                (these,) = code.computed([in_units(make("load", self.how.term, value=0))], [these])
            so_far.set(self.both(so_far.get(), these))
        total = code.reduced("smax" if self.how.kind == "max" else "add", so_far.get())
        code.store(self.both(code.load(state, self.how.value), total), state)


class _State:
    """The state of a sum: a flag, what is pending, what is not finite, digits; in the digits' place
    what is pending beside a number that has not all its bits."""

    flag, pending, special, rest, digits = 0, 8, 16, 24, 24

    def __init__(self, at: Value) -> None:
        self.where, self.code = at, at.code

    def get(self, field: int, type: str = "double") -> Value:
        return self.code.load(self.code.at(self.where, field), type)

    def set(self, field: int, value: Value) -> None:
        self.code.store(value, self.code.at(self.where, field))

    def is_(self, flag: int) -> Value:
        return self.get(self.flag, "i64") == flag

    def set_flag(self, flag: int) -> None:
        self.set(self.flag, self.code.number(flag))

    def digit(self, k: Value | int) -> Value:
        """Where it lies."""
        return self.code.at(self.code.at(self.where, self.digits), k * 8)


def _two_sum(a: Value, b: Value) -> list[Value]:
    return a.code.computed([_BOTH.high, _BOTH.low], [a, b])


class _Sum(_Module):
    def __init__(self, how: Folding, architecture: str) -> None:
        super().__init__(how)
        self.note = NOTES.get(architecture)
        self.lanes = 8 if how.term == "f64" else 4  # float32 is faster made float64 so
        self.bits = 64 if how.term == "f64" else 16 if how.halves else 32  # of a term as it lies

    def text(self) -> str:
        self.state()
        self.put()
        self.merge()
        self.deposits()
        self.absorb()
        self.far()
        for count in _LEVELS[self.how.term]:
            self.levels(count)
        self.spread()
        self.aside()
        self.cut()
        if self.how.kind == "digits":
            self.leave()
        else:
            self.value()
        if self.how.halves:
            self.stored_halves()
        else:
            self.stored()
        self.rows()
        self.pairs()
        text, declared = many_rows.functions(self.how, self.note)
        declared |= self.declared()
        note = self.note.declared if self.note else ""
        return "\n".join([*sorted(declared), note, self.texts(), text])

    def state(self) -> None:
        code = self.function("init", "ptr state")
        state = _State(code.given["state"])
        state.set_flag(_EMPTY)
        state.set(state.special, code.number(0, "double"))

        # from now on there are digits
        code = self.own("ready", "ptr state")
        state = _State(code.given["state"])
        flag = state.get(state.flag, "i64")
        with code.when(flag == _MANY):
            code.give()
        pending, rest = state.get(state.pending), state.get(state.rest)
        for k in range(self.how.digits):
            code.store(code.number(0), state.digit(k))
        state.set_flag(_MANY)
        state.set(state.pending, code.number(0))
        with code.when(flag == _ONE):
            code.call("openaclnn_deposit", state.where, pending)
            code.call("openaclnn_deposit", state.where, rest)

        code = self.own("not_finite", "ptr state, double x")
        state = _State(code.given["state"])
        state.set(state.special, state.get(state.special) + code.given["x"])

    def put(self) -> None:
        """A number more: pending, as two numbers, or into the digits."""
        code = self.own("put", "ptr state, double x")
        state, x = _State(code.given["state"]), code.given["x"]
        flag = state.get(state.flag, "i64")
        with code.when(flag == _EMPTY):
            state.set_flag(_ONE)
            state.set(state.pending, x)
            state.set(state.rest, code.number(0, "double"))
            code.give()
        with code.when(flag == _ONE):
            total, lost = _two_sum(state.get(state.pending), x)
            low, left = _two_sum(state.get(state.rest), lost)
            with code.when(left == 0.0):
                high, low = _two_sum(total, low)
                state.set(state.pending, high)
                state.set(state.rest, low)
                code.give()
        code.call("openaclnn_ready", state.where)
        code.call("openaclnn_deposit", state.where, x)

    def merge(self) -> None:
        code = self.function("merge", "ptr state, ptr other")
        state, other = map(_State, code.given.values())
        code.call("openaclnn_not_finite", state.where, other.get(other.special))
        flag = other.get(other.flag, "i64")
        with code.when(flag == _ONE):
            for field in (other.pending, other.rest):
                code.call("openaclnn_put", state.where, other.get(field))
        with code.when(flag == _MANY):
            code.call("openaclnn_ready", state.where)
            code.call("openaclnn_carry", other.where)
            with code.loop(0, self.how.digits) as k:
                here = state.digit(k)
                code.store(code.load(here) + code.load(other.digit(k)), here)

        # digits from 0 to 2^32 - 1, but for the last, which has the sign
        code = self.own("carry", "ptr state")
        state, carry = _State(code.given["state"]), code.variable(code.number(0))
        with code.loop(0, self.how.digits - 1) as k:
            at = state.digit(k)
            total = code.load(at) + carry.get()
            code.store(total & (1 << DIGIT) - 1, at)
            carry.set(total.down(DIGIT))
        last = state.digit(self.how.digits - 1)
        code.store(code.load(last) + carry.get(), last)

    def deposits(self) -> None:
        lowest = self.how.lowest
        # v * 2^s into the digits
        code = self.own("deposit_integer", "ptr state, i64 v, i64 s")
        state, position = _State(code.given["state"]), code.given["s"] - lowest
        moved = code.given["v"].to("i128") << (position & 31).unsigned("i128")
        low, high = moved.to("i64"), moved.down(64).to("i64")
        first = state.digit(position >> 5)
        places = [code.at(first, 8 * k) for k in range(3)]
        there = [code.load(place) for place in places]
        for place, digit, more in zip(
            places, there, (low & (1 << DIGIT) - 1, low >> DIGIT, high), strict=True
        ):
            code.store(digit + more, place)

        code = self.own("deposit", "ptr state, double x")
        bits = code.given["x"].bits("i64")
        field = bits >> 52 & 2047
        lead = code.chosen(field != 0, code.number(1 << 52), 0)
        s = code.intrinsic("umax", field, 1) - 1075
        # below the lowest bit there are zeros only
        drop = (lowest - s).most(0).least(63)
        kept = ((bits & (1 << 52) - 1) | lead) >> drop
        v = code.chosen(bits < 0, 0 - kept, kept)
        code.call("openaclnn_deposit_integer", code.given["state"], v, s.most(lowest))

    def absorb(self) -> None:
        code = self.function("absorb", _TERMS)
        # 0: the last sum was exact, 1: it was rounded, more: so many blocks are not tried as a
        # whole
        wait = code.variable(code.number(0))
        with self.blocks(code, block_of(self.how, as_they_lie=True)) as block:
            exact, waited = code.variable(code.number(0, "i1")), wait.get()
            with code.when(waited < 2):
                found = code.call("openaclnn_trial", *block, returns="i1")
                after = code.chosen(waited == 1, code.number(_WAIT + 1), 2)
                exact.set(found)
                wait.set(code.chosen(found, code.number(0), after))
            with code.when(~exact.get()):
                wait.set(wait.get() - 1)
                code.call("openaclnn_again", *block)

        # a block whose sum was rounded: without a few small terms it may be exact
        code = self.own("again", _TERMS, noinline=True)
        with code.when(code.call("openaclnn_few_aside", *code.given.values(), returns="i1")):
            code.give()
        code.call("openaclnn_far", *code.given.values())

    def far(self) -> None:
        # parts are in the L1 cache when they are read again
        code = self.own("far", _TERMS, noinline=True)
        with self.blocks(code, _PART) as part:
            leveled = code.call("openaclnn_spread", *part, returns="i1")
            with code.when(~leveled):
                code.call("openaclnn_pieces", *part)

        # cuts a copy
        code = self.own("pieces", _TERMS, noinline=True)
        own = code.room(8 * (_PIECE + LANES))
        with self.blocks(code, _PIECE) as (at, count, state):
            with code.loop(0, count, LANES) as j:
                terms = code.load(code.at(at, j * BYTES[self.type]), vector(LANES, self.type))
                code.store(terms.to("double"), code.at(own, j * 8))
            code.call("openaclnn_cut", own, count, state)

    def spread(self) -> None:
        """Terms in as many levels as it takes, from the exponents of the largest and the smallest;
        false where those are too many, or where a term is too large or not finite."""
        wide = self.how.term == "f64"
        word, fraction, bias = ("i64", 52, 1023) if wide else ("i32", 23, 127)
        words = vector(LANES, word)
        code = self.own("spread", _TERMS, "i1", noinline=True)
        most = code.variable(code.number(0, words))
        least = code.variable(code.number(-1, words))
        with code.loop(0, code.given["n"], LANES) as i:
            magnitudes = code.load(self.terms(code, i), words) & (1 << (63 if wide else 31)) - 1
            most.set(code.intrinsic("umax", most.get(), magnitudes))
            # a zero is beyond all
            least.set(code.intrinsic("umin", least.get(), magnitudes + -1))
        largest = code.reduced("umax", most.get())
        smallest = code.reduced("umin", least.get()) + 1
        with code.when(~largest.below(_FAR if wide else 0xFF << 23)):
            code.give(0)
        fields = [each >> fraction for each in (largest, smallest)]
        high, low = fields if wide else [each.unsigned("i64") for each in fields]
        reach = high - code.intrinsic("umax", low, 1) + (fraction + 1)
        s = high - (bias - 1 + _TAKEN)
        for count in _LEVELS[self.how.term]:
            with code.when(reach <= count * _TAKEN):
                terms, n, state = code.given.values()
                code.call(f"openaclnn_levels{count}", terms, n, s, state)
                code.give(1)
        code.give(0)

    def levels(self, count: int) -> None:
        """What adds terms to so many large numbers in turn, each of which takes a multiple of a
        unit of its own and leaves the rest; their bits, less those at the start, are integers."""
        lanes, size = self.lanes, BYTES[self.type]
        code = self.own(f"levels{count}", "ptr terms, i64 n, i64 s, ptr state")
        state = code.given["state"]
        code.call("openaclnn_ready", state)
        code.line(one(self.note))
        ones = code.spread(Value(code, "double", "%one"), lanes)
        units = [(code.given["s"] - k * _TAKEN).most(self.how.lowest) for k in range(count)]
        starts = [code.spread(unit + (52 + 1023) << 52 | 1 << 51, lanes) for unit in units]
        large = [[code.variable(start.bits("double")) for _ in range(_VECTORS)] for start in starts]
        with code.loop(0, code.given["n"], _VECTORS * lanes) as i:
            here = self.terms(code, i)
            places = [code.at(here, v * lanes * size) for v in range(_VECTORS)]
            left = [code.load(at, vector(lanes, self.type)).to("double") for at in places]
            for k, numbers in enumerate(large):
                for v, number in enumerate(numbers):
                    x, before = left[v], number.get()
                    # every second one in another place of the processor
                    after = x + before if k % 2 else code.intrinsic("fma", x, ones, before)
                    number.set(after)
                    if k < count - 1:
                        left[v] = code.intrinsic("fma", -(after - before), ones, x)
        for unit, start, numbers in zip(units, starts, large, strict=True):
            total = numbers[0].get().bits("i64") - start
            for number in numbers[1:]:
                total = total + (number.get().bits("i64") - start)
            code.call("openaclnn_deposit_integer", state, code.reduced("add", total), unit)

    def aside(self) -> None:
        # the largest magnitude, as its bits
        code = self.own("largest", "ptr terms, i64 n", "i64")
        terms, n = code.given.values()
        so_far = code.variable(code.number(0, _I64))
        with code.loop(0, n, LANES) as i:
            magnitudes = code.load(code.at(terms, i * 8), _I64) & _MAGNITUDE
            so_far.set(code.intrinsic("umax", so_far.get(), magnitudes))
        code.give(code.reduced("umax", so_far.get()))

        # adds up what is not finite, and leaves zeros in its place
        code = self.own("set_aside", _TERMS)
        terms, n, state = code.given.values()
        sums = code.variable(code.number(0, _F64))
        with code.loop(0, n, LANES) as i:
            at = code.at(terms, i * 8)
            these, nothing = code.load(at, _F64), code.number(0, _F64)
            finite = these - these == 0.0
            sums.set(sums.get() + code.chosen(finite, nothing, these))
            code.store(code.chosen(finite, these, nothing), at)
        total = code.sum_of_lanes(sums.get())
        code.call("openaclnn_not_finite", state, total)

        code = self.own("one_by_one", _TERMS)
        terms, n, state = code.given.values()
        with code.loop(0, n) as i:
            code.call("openaclnn_deposit", state, code.load(terms, "double", i))

    def cut(self) -> None:
        """Cuts terms into slices, which are lost in that."""
        code = self.own("cut", _TERMS)
        terms, n, state = code.given.values()
        code.call("openaclnn_ready", state)
        most = code.variable(code.call("openaclnn_largest", terms, n, returns="i64"))
        with code.when(~most.get().below(0x7FF << 52)):
            code.call("openaclnn_set_aside", terms, n, state)
            most.set(code.call("openaclnn_largest", terms, n, returns="i64"))
        with code.repeat(lambda: most.get() != 0):
            now = most.get()
            with code.when(~now.below(_FAR)):
                code.call("openaclnn_one_by_one", terms, n, state)
                code.give()
            usual = ((now >> 52) - (1023 + 49)).most(self.how.lowest)
            # below 2^50 the bits of a double are its multiple of 2^-1074
            s = code.chosen(now.below(1 << 50), code.number(self.how.lowest), usual)
            bits = code.spread(s + (52 + 1023) << 52 | 1 << 51, LANES)
            numbers = bits.bits("double")
            sums, largest = (code.variable(code.number(0, _I64)) for _ in range(2))
            with code.loop(0, n, LANES) as i:
                at = code.at(terms, i * 8)
                these = code.load(at, _F64)
                moved = these + numbers
                sums.set(sums.get() + (moved.bits("i64") - bits))
                rest = these - (moved - numbers)
                code.store(rest, at)
                magnitudes = rest.bits("i64") & _MAGNITUDE
                largest.set(code.intrinsic("umax", largest.get(), magnitudes))
            total = code.reduced("add", sums.get())
            code.call("openaclnn_deposit_integer", state, total, s)
            most.set(code.reduced("umax", largest.get()))

    def stored_halves(self) -> None:
        """Numbers of 16 bits as they lie, those of whole steps, and how many that are."""
        code = self.function("stored", _TERMS, "i64")
        terms, n, state = code.given.values()
        own, whole = code.room(4 * sixteen_bits.CHUNK), n & -sixteen_bits.STEP
        with code.loop(0, whole, sixteen_bits.BLOCK) as i:
            at, count = code.at(terms, i * 2), (whole - i).least(sixteen_bits.BLOCK)
            done = code.call("openaclnn_halves", at, count, state, returns="i1")
            with code.when(~done), code.loop(0, count, sixteen_bits.CHUNK) as j:
                some = (count - j).least(sixteen_bits.CHUNK)
                code.call("openaclnn_widen", code.at(at, j * 2), some, own, returns="i1")
                code.call("openaclnn_absorb", own, some, state)
        code.give(whole)

    def rows(self) -> None:
        """Several rows at once: what is left to do around `many_rows`."""
        given = "ptr terms, i64 pitch, i64 n, i64 rows, ptr sums"
        code = self.function("short", given, "i1")
        taken = [*code.given.values()]
        with code.when(code.given["n"] >= many_rows.LONG * 8 // self.bits):
            code.give(code.call("openaclnn_one_after_other", *taken, returns="i1"))
        code.give(code.call("openaclnn_side_by_side", *taken, returns="i1"))

        code = self.function("put_all", "ptr sums, i64 rows, ptr states")
        sums, rows, states = code.given.values()
        with code.loop(0, rows) as i:
            state, at = code.at(states, i * (8 * self.how.words)), code.at(sums, i * 8)
            for kind in range(2 if self.how.term == "f64" else 1):
                there = code.load(at, "double", kind * many_rows.ROWS)
                code.call("openaclnn_put", state, there)

    def pairs(self) -> None:
        """Values of sums that are two numbers each, in the place of the first."""
        how, code = self.how, self.function("pairs", "ptr sums, ptr rests, i64 rows, double count")
        sums, rests, rows, count = code.given.values()
        loads = [make("load", "f64", value=k) for k in range(2)]
        with code.loop(0, rows, LANES) as i:
            there = [code.load(code.at(one, i * 8), _F64) for one in (sums, rests)]
            total, rest = code.computed([_BOTH.high, _BOTH.low], there)
            found = code.computed(rounded_pair(how, *loads), [total + 0.0, rest])
            if how.kind == "mean":
                parts = RoundedSum(loads[0], loads[1], make("const", "i64", value=0))
                found = code.computed(
                    [mean(parts, make("load", "f64", value=2))], [*found, code.spread(count, LANES)]
                )
            code.store(found[0], code.at(sums, i * 8))

    def leave(self) -> None:
        """The sum as integers that others may be added to, in place of its value."""
        code = self.function("value", "ptr state, ptr out")
        state, out, last = _State(code.given["state"]), code.given["out"], self.how.left - 1
        code.call("openaclnn_ready", state.where)
        code.call("openaclnn_carry", state.where)
        special = state.get(state.special)
        infinite = float("inf")
        for k, found in enumerate((special != special, special == infinite, special == -infinite)):
            code.store(found.to("i64"), out, k)
        for k in range(last):
            code.store(code.load(state.digit(k)), out, SPECIAL + k)
        above = code.load(state.digit(last + 1)) << DIGIT
        code.store(code.load(state.digit(last)) + above, out, SPECIAL + last)

    def value(self) -> None:
        """The sum, rounded to odd or to nearest, and divided by a count."""
        how, code = self.how, self.function("value", "ptr state, double count", "double")
        state, zero = _State(code.given["state"]), code.number(0, "double")
        special = state.get(state.special)
        found = [code.variable(one) for one in (special, zero, code.number(0))]

        def keep(values: list[Value]) -> None:
            for place, value in zip(found, values, strict=False):
                place.set(value)

        with code.when(special == 0.0):
            found[0].set(zero)
            flag = state.get(state.flag, "i64")
            with code.when(flag == _ONE):
                parts = [make("load", "f64", value=k) for k in range(2)]
                pair = [state.get(state.pending) + 0.0, state.get(state.rest)]
                keep(code.computed(rounded_pair(how, *parts), pair))
            with code.when(flag == _MANY):
                code.call("openaclnn_carry", state.where)
                magnitude, below, lowest, negative = self.leading(code, state)
                with code.when(magnitude != 0):
                    zeros = code.leading_zeros(magnitude)
                    normal = magnitude << zeros
                    upper, lower = (normal >> 64).to("i64"), normal.to("i64")
                    exponent = lowest * DIGIT + (127 - 52 + how.lowest) - zeros.to("i64")
                    types = ("i64", "i64", "i1", "i64", "i1")
                    loads = [make("load", type, value=k) for k, type in enumerate(types)]
                    given = [upper, lower, below, exponent, negative]
                    keep(code.computed(rounded(how, *loads), given))
        if how.kind != "mean":
            code.give(found[0].get())
            return
        loads = [make("load", type, value=k) for k, type in enumerate(("f64", "f64", "i64", "f64"))]
        given = [*(place.get() for place in found), code.given["count"]]
        code.give(*code.computed([mean(RoundedSum(*loads[:3]), loads[3])], given))

    def leading(self, code: LoopCode, state: _State) -> tuple[Value, Value, Value, Value]:
        """The leading digits as one integer, whether there is something below them, the number of
        the lowest of them, and whether the sum is negative."""
        joined = code.variable(code.number(0, "i128"))
        lowest, below = (code.variable(code.number(0)) for _ in range(2))
        with code.loop(0, self.how.digits) as j:
            k = (self.how.digits - 1) - j
            digit, so_far, others = code.load(state.digit(k)), joined.get(), below.get()
            high = so_far.down(94)
            room = (high == 0) | (high == -1)
            joined.set(code.chosen(room, (so_far << DIGIT) + digit.to("i128"), so_far))
            lowest.set(code.chosen(room, k, lowest.get()))
            below.set(code.chosen(room, others, others | digit))
        some, all_of = below.get() != 0, joined.get()
        negative = all_of < 0
        borrowed = code.chosen(some, code.number(-1, "i128"), 0)
        magnitude = code.chosen(negative, borrowed - all_of, all_of)
        return magnitude, some, lowest.get(), negative
