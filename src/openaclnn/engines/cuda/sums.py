"""Writes the Triton functions of a fold's state: for specialists in floating point.

`openaclnn.arithmetic.folding` says what a sum is. A program has a tile of lanes, rows of terms, and
reads a group of such tiles before anything is reduced:

- Terms of few bits, or few terms, are added lane by lane in float64. That is exact where the
  largest and the smallest exponent that a lane has met are near enough.
- Others are added lane by lane to two float64 that start as large numbers, 1.5·2^(52 + s): the
  first takes of every term the multiple of 2^s, the second of what is left the multiple of its own
  unit. That is exact where nothing is left then and no term is too large. s is made for the largest
  term of the first tile; where it does not do, for the largest of all.
- Where it is not exact in some lane, the group's tiles are read once more, and each is cut into as
  many slices as it takes. In long folds another kernel does that, so that the first one needs fewer
  registers.

Such a number's bits, less those that it started with, are an integer: how many units were added.
The integers' sum over a row goes into the row's digits, a lane for each digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from openaclnn.arithmetic.folding import SPECIAL, Folding
from openaclnn.arithmetic.nodes import Node, make
from openaclnn.arithmetic.sum_rounding import RoundedSum, mean, rounded, rounded_pair, scaled
from openaclnn.engines.cuda.body import INTERPRETER, printed

_CAPACITY = 51  # bits of what a large number takes before its exponent changes
_LARGER = 6  # bits: how much larger than the first tile's largest term others may be
_FEW_BITS = 11  # of a term: a float64 has the bits of many of them
_FLOAT64 = 53  # bits
_FAR = 0x3FF + 900 << 52  # two to the power of 900: above it the slices' numbers overflow
_INFINITE = 0x7FF << 52
_MAGNITUDE = (1 << 63) - 1
_DIGIT = (1 << 32) - 1


def lanes_of_digits(how: Folding) -> int:
    """A power of two, with a lane for a carry beyond the digits."""
    return 1 << how.digits.bit_length()


def way_of(how: Folding, tiles: int, whole: bool) -> str:
    """The way to read groups of so many tiles. `whole`: a group has all terms of a row."""
    if whole and tiles == 1:
        return ONE_TILE
    if how.term == "f64" or (how.bits > _FEW_BITS and not whole):
        return PAIRS
    most = how.highest - how.lowest + (tiles - 1).bit_length()
    return ALWAYS_EXACT if most <= _FLOAT64 else NARROW


def numbers(how: Folding, tiles_bits: int = 0, columns_bits: int = 0) -> dict[str, Any]:
    """What the capitals in the sources of a fold of floats stand for, tiles' sizes aside. A group
    has two to the power of `tiles_bits` tiles, those so many columns."""
    taken, row_taken = _CAPACITY - tiles_bits, _CAPACITY - columns_bits
    return {
        "LANES": lanes_of_digits(how),
        "DIGITS": how.digits,
        "WORDS": how.words,
        "LOWEST": how.lowest,
        "LEFT": how.left,
        "SPECIAL": SPECIAL,
        "BITS": how.bits,
        "RANGE": how.highest - how.lowest,
        "FAR": _FAR,
        "INFINITE": _INFINITE,
        "MAGNITUDE": _MAGNITUDE,
        "DIGIT": _DIGIT,
        "TAKEN": taken,
        "LEAST": how.lowest + taken,
        "BELOW": 1022 + taken - _LARGER,
        "TILES_BITS": tiles_bits,
        "ROW_BITS": tiles_bits + columns_bits,
        "ROW_TAKEN": row_taken,
        "ROW_LEAST": how.lowest + row_taken,
        "ROW_BELOW": 1022 + row_taken,
        "ROW_UNIT": 2.0**-row_taken,
        "LEFT_OVER": 2.0 ** (columns_bits - row_taken),
        "SCALE": 1023 - 128 << 52,
    }


def functions(how: Folding) -> str:
    """What a kernel of sums of floats calls."""
    parts = [_NUMBERS, _SLICES, _far(how), *_of_digits(how)]
    parts.append(_tree("directed", ("f64", "f64"), lambda *x: rounded_pair(how, *x)))
    parts.append(_ROW_TOTAL.replace("CERTAIN", _certain(how)))
    parts.append(_TOTALS_WIDE if how.term == "f64" else _TOTALS)
    return "\n\n".join(part.strip() + "\n" for part in parts)


def _of_digits(how: Folding) -> list[str]:
    """From digits to the result."""
    given = _tree("rounded_bits", _BITS_OF, lambda *bits: rounded(how, *bits))
    return [given, _tree("scaled", ("f64", "i64"), lambda *x: [scaled(*x)]), _ROUNDED, _result(how)]


_BITS_OF = "i64", "i64", "i1", "i64", "i1"


def _result(how: Folding) -> str:
    if how.kind != "mean":
        return _SUM
    types = "f64", "f64", "i64", "f64"
    return _tree("mean", types, lambda *x: [mean(RoundedSum(*x[:3]), x[3])]) + _MEAN


def _tree(name: str, types: Sequence[str], of: Callable[..., Sequence[Node]]) -> str:
    """The function that computes trees of basic operations."""
    loads = [make("load", type, value=k) for k, type in enumerate(types)]
    lines, results = printed(tuple(of(*loads)), INTERPRETER)
    taken = ", ".join(f"x{k}" for k in range(len(loads)))
    lines = [f"@triton.jit\ndef {name}({taken}):", *lines, f"return {', '.join(results)}"]
    return "\n    ".join(lines) + "\n"


def finishing(how: Folding) -> str:
    """What a kernel that only merges calls."""
    parts = [_NUMBERS, *_of_digits(how)]
    return "\n\n".join(part.strip() + "\n" for part in parts)


def padding(how: Folding) -> int:
    """What stands for a term that is not there."""
    return -(1 << (int(how.term[1:]) - 1)) if how.kind == "max" else 0


def gathering(how: Folding, way: str, passed: str) -> str:
    """What reads a group and puts it into the digits; `passed` is what the function of terms
    takes."""
    top = "" if way != PAIRS else _TOP_WIDE if how.term == "f64" else _TOP_NARROW
    return (top + way).replace("PASSED", passed).strip() + "\n"


def gathering_integers(how: Folding, passed: str) -> str:
    both = "tl.maximum(t, x)" if how.kind == "max" else "t + x"
    text = _INTEGERS.replace("PASSED", passed).replace("BOTH", both)
    return text.replace("TYPE", f"tl.int{how.term[1:]}").strip() + "\n"


def absorbing(how: Folding, way: str, whole: bool, passed: str) -> list[str]:
    """Lines that read a program's tiles, from `first` to `last`. `whole`: as one group."""
    if not how.sums_floats:
        reduced = "tl.max(t, 1)" if how.kind == "max" else "tl.sum(t, 1)"
        text = _ALL_INTEGERS.replace("REDUCED", reduced)
    elif way in (PAIRS, NARROW_OR_MARKS):
        text = _GROUPS_AT_ONCE
    else:
        text = _ONE_GROUP if whole else _GROUPS
    return _lines(text.replace("PASSED", passed))


def leaving(how: Folding) -> list[str]:
    """Lines that store a state at `slot`."""
    return _lines(_LEAVING if how.sums_floats else "tl.store(slot, state.to(tl.int64), mask=m0)")


def leaving_digits() -> list[str]:
    """Lines that store a sum as integers that others may be added to, at `out` where `m0` is."""
    return _lines(_LEAVING_DIGITS)


def only_marked() -> list[str]:
    """Lines after which a program goes on only where an earlier kernel marked its part."""
    return _lines(_ONLY_MARKED)


def merging(how: Folding) -> list[str]:
    """Lines that add up the states of `parts` from `slot` on."""
    if how.sums_floats:
        return _lines(_MERGING) + ([] if how.kind == "digits" else _lines(_ROUNDING))
    both = "tl.maximum(t, x)" if how.kind == "max" else "t + x"
    reduced = "tl.max(t, 0)" if how.kind == "max" else "tl.sum(t, 0)"
    text = _MERGING_INTEGERS.replace("BOTH", both).replace("REDUCED", reduced)
    return _lines(text.replace("TYPE", f"tl.int{how.term[1:]}"))


def _lines(text: str) -> list[str]:
    return [f"    {line}" for line in text.strip().splitlines()]


def largest_number(how: Folding) -> str:
    """The function of the largest float32 of every row, as an integer in the numbers' order, and of
    the smallest of others."""
    bits = int(how.value[1:])
    names = {"LARGER": f"larger_{how.value}", "LARGEST": f"largest_{how.value}"}
    names |= {"REAL": f"tl.float{bits}", "INTEGER": f"tl.int{bits}"}
    names["HIGHEST"] = str((1 << bits - 1) - 1)
    return replaced(_LARGEST_NUMBER, names).strip() + "\n"


def folding_a_tile() -> str:
    """The function of what a tile of whole rows makes."""
    return _FOLDED.strip() + "\n"


def renamed(text: str, number: int) -> str:
    """Functions with a number behind their names, so that those of several folds go together."""
    names = "|".join(re.findall(r"^def (\w+)", text, re.MULTILINE))
    called_or_passed = rf"\b({names})(?=\(|\)\n)"
    return re.sub(called_or_passed, rf"\1_{number}", text)


def replaced(text: str, names: Mapping[str, Any]) -> str:
    """A text with numbers for those of its words that are capitals."""
    return _replaced(text, tuple((name, str(number)) for name, number in names.items()))


@lru_cache(maxsize=1024)  # 0.3 ms, for a new shape as well
def _replaced(text: str, names: tuple[tuple[str, str], ...]) -> str:
    known = dict(names)
    return re.sub(r"\b[A-Z_]+\b", lambda word: known.get(word[0], word[0]), text)


_NUMBERS = '''
@triton.jit
def number(bits):
    return bits.to(tl.float64, bitcast=True)


@triton.jit
def magnitude(x):
    return x.to(tl.int64, bitcast=True) & MAGNITUDE


@triton.jit
def deposit(digits, v, position):
    """v times two to the power of a position into the digits."""
    lane = tl.arange(0, LANES).to(tl.int64)
    r = position[:, None] - 32 * lane[None, :]
    m = tl.abs(v)[:, None]
    up = m << tl.minimum(tl.maximum(r, 0), 31)
    down = m >> tl.minimum(tl.maximum(0 - r, 0), 63)
    d = tl.where(r >= 0, up, down) & DIGIT
    d = tl.where((r >= 32) | (r <= -64), 0, d)
    return digits + tl.where(v[:, None] < 0, 0 - d, d)
'''

_SLICES = '''
@triton.jit
def slices(digits, t, up):
    """Cut a tile until nothing is left; `up` is added to positions."""
    most = tl.max(magnitude(t), 1)
    left = tl.max(most, 0)
    while left > 0:
        # below 2^50 the bits of a float64 are its multiple of 2^-1074
        s = tl.where(most < 1125899906842624, LOWEST, tl.maximum((most >> 52) - 1072, LOWEST))
        bits = ((s + 1075) << 52) | 2251799813685248
        anchor = number(bits)[:, None]
        y = t + anchor
        v = tl.sum(y.to(tl.int64, bitcast=True) - bits[:, None], 1)
        digits = deposit(digits, v, s - (LOWEST) + up)
        t = t - (y - anchor)
        most = tl.max(magnitude(t), 1)
        left = tl.max(most, 0)
    return digits


@triton.jit
def cut(digits, special, t):
    """A tile into the digits, and what is not finite beside them."""
    # compared as numbers: bits would not tell a NaN whose sign LLVM takes for known and abs leaves
    near = tl.abs(t) < number(tl.full((), FAR, tl.int64))
    if tl.min(tl.min(tl.where(near, 1, 0), 1), 0) == 0:
        digits, special, t = cut_far(digits, special, t, near)
    return slices(digits, t, 0), special
'''


def _far(how: Folding) -> str:
    return _FAR_WIDE if how.term == "f64" else _FAR_NARROW


# numbers that are not finite, and in float64 those that are too large to be cut
_FAR_NARROW = """
@triton.jit
def cut_far(digits, special, t, near):
    zero = tl.zeros([ROWS, COLUMNS], tl.float64)
    special += tl.sum(tl.where(near, zero, t), 1)
    return digits, special, tl.where(near, t, zero)
"""

_FAR_WIDE = """
@triton.jit
def cut_far(digits, special, t, near):
    zero = tl.zeros([ROWS, COLUMNS], tl.float64)
    finite = tl.abs(t) < number(tl.full((), INFINITE, tl.int64))
    special += tl.sum(tl.where(finite, zero, t), 1)
    far = tl.where(near, zero, tl.where(finite, t, zero))
    digits = slices(digits, far * number(tl.full((), SCALE, tl.int64)), 128)
    return digits, special, tl.where(near, t, zero)
"""

_ROUNDED = '''
@triton.jit
def digit(digits, k):
    lane = tl.arange(0, LANES)
    return tl.sum(tl.where(lane[None, :] == k, digits, 0), 1)


@triton.jit
def digit_at(digits, at):
    """Of every row its own; 0 where there is none."""
    lane = tl.arange(0, LANES)
    return tl.sum(tl.where(lane[None, :] == at[:, None], digits, 0), 1)


@triton.jit
def rounded(digits):
    """The sum that digits are, rounded, and what that leaves over; both less by a power of two
    where they are to be divided and float64 may have no room for them before."""
    lane = tl.arange(0, LANES)
    used = tl.max(tl.where(digits != 0, 1, 0), 0)
    first = tl.min(tl.where(used != 0, lane, LANES), 0)
    end = tl.max(tl.where(used != 0, lane, -1), 0) + 2
    zero = tl.zeros([ROWS], tl.int64)
    carry = zero
    for k in range(first, end):
        carry = (digit(digits, k) + carry) >> 32
    negative = carry < 0
    digits = tl.where(negative[:, None], 0 - digits, digits)
    # digits as they are written, the highest that is not 0, and those below it
    written = tl.zeros([ROWS, LANES], tl.int64)
    carry = zero
    for k in range(first, end):
        carry = digit(digits, k) + carry
        written = tl.where((lane == k)[None, :], (carry & DIGIT)[:, None], written)
        carry = carry >> 32
    at = tl.max(tl.where(written != 0, lane[None, :], -1), 1)
    lead, lead1 = digit_at(written, at), digit_at(written, at - 1)
    lead2, lead3 = digit_at(written, at - 2), digit_at(written, at - 3)
    below = tl.max(tl.where(lane[None, :] < at[:, None] - 3, written, 0), 1)
    leading = (lead.to(tl.float64).to(tl.int64, bitcast=True) >> 52) - 1023
    zeros = (31 - tl.maximum(leading, 0)).to(tl.uint64)
    h = ((lead << 32) | lead1).to(tl.uint64, bitcast=True)
    l = ((lead2 << 32) | lead3).to(tl.uint64, bitcast=True)
    upper = ((h << zeros) | ((l >> 1) >> (63 - zeros))).to(tl.int64, bitcast=True)
    lower = (l << zeros).to(tl.int64, bitcast=True)
    e = 32 * at.to(tl.int64) + leading - 52 + (LOWEST)
    value, remainder, shift = rounded_bits(upper, lower, below != 0, e, negative)
    none = lead == 0
    nothing = number(zero)
    return tl.where(none, nothing, value), tl.where(none, nothing, remainder), shift + zero
'''


def _certain(how: Folding) -> str:
    """Whether a sum's rounding is certain though something of its terms is left over: what that is
    at most leads to no other side, or to no other nearest number."""
    if not how.nearest:
        return "(left == 0) | (tl.abs(remainder) > LEFT_OVER)"
    if how.kind == "mean":
        return "left == 0"
    return "(left == 0) | ((total != 0) & (half_spacing(total) - tl.abs(remainder) > LEFT_OVER))"


_ROW_TOTAL = '''
@triton.jit
def half_spacing(x):
    """Half of how far the next number is, towards 0."""
    return number((((magnitude(x) - 1) >> 52) - 53) << 52)


@triton.jit
def larger_or_nan(a, b):
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def added(a, b, c, d, e, f):
    return a + d, b + e, c | f


@triton.jit
def two_slices(t):
    """Of every row the unit of the upper slices, the sums of both as integers, whether something is
    left of a term, and whether all terms are small enough and finite."""
    # upper halves are ordered as float32, too, which know that a NaN is one whatever its sign
    half = (t.to(tl.int64, bitcast=True) >> 32).to(tl.int32).to(tl.float32, bitcast=True)
    most = tl.reduce(tl.abs(half), 1, larger_or_nan)
    field = (most.to(tl.int32, bitcast=True) >> 20).to(tl.int64)
    s = tl.minimum(tl.maximum(field - ROW_BELOW, ROW_LEAST), 900)
    bits = ((s + 1075) << 52) | 2251799813685248
    under = bits - (ROW_TAKEN << 52)
    high, low = number(bits)[:, None], number(under)[:, None]
    y = t + high
    rest = t - (y - high)
    z = rest + low
    left = (rest - (z - low)).to(tl.int64, bitcast=True)
    left = (left | (left >> 32)).to(tl.int32)
    upper, lower = y.to(tl.int64, bitcast=True), z.to(tl.int64, bitcast=True)
    v, w, left = tl.reduce((upper, lower, left), 1, added)
    near = (most < float("inf")) & (field - 1023 < s + ROW_TAKEN)
    return s, v - bits * COLUMNS, w - under * COLUMNS, left, near


@triton.jit
def row_total(t):
    """The sum of every row, rounded, what that leaves over, and whether both are certain.

    Of each term two slices are taken, which makes two integers a row. What is left of the terms
    counts only where the sum of the slices is a float64 as it is, or nearly.
    """
    s, v, w, left, near = two_slices(t)
    carry = w >> ROW_TAKEN
    a = (v + carry).to(tl.float64)
    b = (w - (carry << ROW_TAKEN)).to(tl.float64) * ROW_UNIT
    total = a + b
    back = total - a
    remainder = (a - (total - back)) + (b - back)
    certain = near & (CERTAIN)
    total, remainder = directed(total, remainder)
    return scaled(total, s), scaled(remainder, s), tl.where(certain, 1, 0)
'''

# Whether float64 has all bits of the rows' sums is asked first
_TOTALS = '''
@triton.jit
def fits(top, low, count_bits):
    """Whether float64 has all bits of sums of so many terms."""
    high = (top.to(tl.int32, bitcast=True) >> 23) - 126 + count_bits
    field = tl.maximum(((low + 1) >> 24).to(tl.int32), 1)
    return high - tl.maximum(field - (126 + BITS), LOWEST) <= 53


@triton.jit
def extremes(a, b, c, d):
    return tl.maximum(a, c), tl.minimum(b, d)


@triton.jit
def rows_fit(top, low, count_bits):
    top, low = tl.reduce((top, low), 1, extremes)
    holds = fits(top, low, count_bits)
    return tl.min(tl.where(holds, 1, 0), 0)


@triton.jit
def tile_fits(x):
    bits = x.to(tl.uint32, bitcast=True)
    return rows_fit(tl.abs(x), bits + bits - 1, ROW_BITS)


@triton.jit
def totals(t, fit):
    certain = tl.full([ROWS], 1, tl.int32)
    remainder = tl.zeros([ROWS], tl.float64)
    if fit != 0:
        total = tl.sum(t, 1) + 0.0  # of -0 alone it is 0 as well
    else:
        total, remainder, certain = row_total(t)
    return total, remainder, tl.min(certain, 0)
'''

_TOTALS_WIDE = """
@triton.jit
def tile_fits(x):
    return 0


@triton.jit
def totals(t, fit):
    total, remainder, certain = row_total(t)
    return total, remainder, tl.min(certain, 0)
"""

_SUM = """
@triton.jit
def result(total, remainder, shift, special, count):
    return tl.where(special == 0, total, special)
"""

_MEAN = """

@triton.jit
def result(total, remainder, shift, special, count):
    by = tl.zeros([ROWS], tl.float64) + count.to(tl.float64)
    return mean(tl.where(special == 0, total, special), remainder, shift, by)
"""


# All terms of the rows in one tile.
ONE_TILE = """
@triton.jit
def read(begin, upto, full, PASSED):
    if (begin < upto) & (upto <= full):
        t = terms(begin, PASSED, False)
    else:
        t = terms(begin, PASSED, True)
    return t.to(tl.float64), tl.full((), 1, tl.int32), tile_fits(t)


@triton.jit
def absorb(digits, special, t, exact, begin, upto, PASSED):
    return cut(digits, special, t)
"""

# Terms of 24 bits and less: for every lane of a group the sum in float64, the largest magnitude,
# and the smallest, as bits without the sign and less one, so that a zero is beyond all.
_GATHER_NARROW = """
@triton.jit
def gather(begin, upto, PASSED, masked: tl.constexpr):
    t = tl.zeros([ROWS, COLUMNS], tl.float64)
    top = tl.zeros([ROWS, COLUMNS], tl.float32)
    low = tl.full([ROWS, COLUMNS], -1, tl.int32).to(tl.uint32, bitcast=True)
    for tile in range(begin, upto, UNROLLED):
        for r in tl.static_range(UNROLLED):
            x = terms(tile + r, PASSED, masked)
            t += x.to(tl.float64)
            top = tl.maximum(top, tl.abs(x))
            bits = x.to(tl.uint32, bitcast=True)
            low = tl.minimum(low, bits + bits - 1)
    return t, top, low


@triton.jit
def all_lanes(holds):
    return tl.min(tl.min(tl.where(holds, 1, 0), 1), 0)


@triton.jit
def read(begin, upto, full, PASSED):
    if upto <= full:
        t, top, low = gather(begin, upto, PASSED, False)
    else:
        t, top, low = gather(begin, upto, PASSED, True)
    exact = all_lanes(fits(top, low, TILES_BITS) & (tl.abs(t) < float("inf")))
    return t, exact, exact * rows_fit(top, low, ROW_BITS)

"""

NARROW = f"""{_GATHER_NARROW}
@triton.jit
def absorb(digits, special, t, exact, begin, upto, PASSED):
    if exact != 0:
        digits = slices(digits, t, 0)
    else:
        for tile in range(begin, upto):
            x = terms(tile, PASSED, True).to(tl.float64)
            digits, special = cut(digits, special, x)
    return digits, special
"""

# The same in two slices. What that is not enough for is only marked, for another kernel
NARROW_OR_MARKS = f"""{_GATHER_NARROW}
@triton.jit
def absorb(digits, special, begin, upto, full, PASSED):
    t, exact, _ = read(begin, upto, full, PASSED)
    s, v, w, left, near = two_slices(t)
    if exact * tl.min(tl.where(near & (left == 0), 1, 0), 0) != 0:
        digits = deposit(digits, v, s - (LOWEST))
        digits = deposit(digits, w, s - (ROW_LEAST))
    else:
        special += 1
    return digits, special
"""

# Terms of so few bits that a float64 has them all: only what is not finite has to be looked for.
ALWAYS_EXACT = """
@triton.jit
def gather(begin, upto, PASSED, masked: tl.constexpr):
    t = tl.zeros([ROWS, COLUMNS], tl.float64)
    for tile in range(begin, upto, UNROLLED):
        for r in tl.static_range(UNROLLED):
            t += terms(tile + r, PASSED, masked).to(tl.float64)
    return t


@triton.jit
def read(begin, upto, full, PASSED):
    if upto <= full:
        t = gather(begin, upto, PASSED, False)
    else:
        t = gather(begin, upto, PASSED, True)
    finite = tl.where(tl.max(tl.max(magnitude(t), 1), 0) < INFINITE, 1, 0)
    return t, tl.full((), 1, tl.int32), finite * (RANGE + ROW_BITS <= 53)


@triton.jit
def absorb(digits, special, t, exact, begin, upto, PASSED):
    return cut(digits, special, t)
"""

# The largest magnitude that a lane has met, and a row's as the bits of a float64
_TOP_NARROW = """
@triton.jit
def nothing_met():
    return tl.zeros([ROWS, COLUMNS], tl.float32)


@triton.jit
def larger(top, x):
    return tl.maximum(top, tl.abs(x))


@triton.jit
def largest(top):
    return magnitude(tl.max(top, 1).to(tl.float64))

"""

_TOP_WIDE = """
@triton.jit
def nothing_met():
    return tl.zeros([ROWS, COLUMNS], tl.int32)


@triton.jit
def larger(top, x):
    return tl.maximum(top, (magnitude(x) >> 32).to(tl.int32))


@triton.jit
def largest(top):
    return tl.max(top, 1).to(tl.int64) << 32

"""

# For every lane of a group two large numbers and what they could not take.
PAIRS = """
@triton.jit
def gather(begin, upto, bits, PASSED, masked: tl.constexpr):
    zero = tl.zeros([ROWS, COLUMNS], tl.int64)
    t = number(zero + bits[:, None])
    u = number(zero + (bits - (TAKEN << 52))[:, None])
    left = zero
    top = nothing_met()
    for tile in range(begin, upto, UNROLLED):
        for r in tl.static_range(UNROLLED):
            term = terms(tile + r, PASSED, masked)
            top = larger(top, term)
            x = term.to(tl.float64)
            y = t + x
            rest = x - (y - t)
            t = y
            z = u + rest
            left |= (rest - (z - u)).to(tl.int64, bitcast=True)
            u = z
    return t, u, largest(top), tl.max(tl.max(tl.where(left == 0, 0, 1), 1), 0)


@triton.jit
def absorb(digits, special, begin, upto, full, PASSED):
    most = tl.max(magnitude(terms(begin, PASSED, True).to(tl.float64)), 1)
    s = tl.zeros([ROWS], tl.int64)
    v, w = s, s
    exact = False
    tries = 0
    while tries < 2:
        s = tl.minimum(tl.maximum((most >> 52) - BELOW, LEAST), 900)
        bits = ((s + 1075) << 52) | 2251799813685248
        if upto <= full:
            t, u, most, left = gather(begin, upto, bits, PASSED, False)
        else:
            t, u, most, left = gather(begin, upto, bits, PASSED, True)
        v = tl.sum(t.to(tl.int64, bitcast=True) - bits[:, None], 1)
        w = tl.sum(u.to(tl.int64, bitcast=True) - (bits - (TAKEN << 52))[:, None], 1)
        fits = tl.min(tl.where((most >> 52) - 1023 < s + TAKEN, 1, 0), 0) != 0
        exact = fits & (left == 0)
        tries = tl.where(fits, 2, tries + 1)
    if exact:
        digits = deposit(digits, v, s - (LOWEST))
        digits = deposit(digits, w, s - (LEAST))
    else:
        for tile in range(begin, upto):
            x = terms(tile, PASSED, True).to(tl.float64)
            digits, special = cut(digits, special, x)
    return digits, special
"""

# of a kernel for what is marked
_ONLY_MARKED = """
marks = tl.load(slot, mask=m0, other=0)
if tl.max(tl.where(marks != 0, 1, 0), 0) == 0:
    return
"""

_UPTO = "upto = begin + tl.minimum(last - begin, TILES)"

_GROUPS = f"""
digits = tl.zeros([ROWS, LANES], tl.int64)
special = tl.zeros([ROWS], tl.float64)
for begin in range(first, last, TILES):
    {_UPTO}
    t, exact, _ = read(begin, upto, full, PASSED)
    digits, special = absorb(digits, special, t, exact, begin, upto, PASSED)
"""

_GROUPS_AT_ONCE = f"""
digits = tl.zeros([ROWS, LANES], tl.int64)
special = tl.zeros([ROWS], tl.float64)
for begin in range(first, last, TILES):
    {_UPTO}
    digits, special = absorb(digits, special, begin, upto, full, PASSED)
"""

# all terms of a row in one group
_ONE_GROUP = """
special = tl.zeros([ROWS], tl.float64)
shift = tl.zeros([ROWS], tl.int64)
t, exact, fit = read(first, last, full, PASSED)
total, remainder, certain = totals(t, fit)
if exact * certain == 0:
    digits = tl.zeros([ROWS, LANES], tl.int64)
    digits, special = absorb(digits, special, t, exact, first, last, PASSED)
    total, remainder, shift = rounded(digits)
"""

_FOLDED = """
@triton.jit
def folded(x, count):
    t = x.to(tl.float64)
    special = tl.zeros([ROWS], tl.float64)
    shift = tl.zeros([ROWS], tl.int64)
    total, remainder, certain = row_total(t)
    if tl.min(certain, 0) == 0:
        digits = tl.zeros([ROWS, LANES], tl.int64)
        digits, special = cut(digits, special, t)
        total, remainder, shift = rounded(digits)
    return result(total, remainder, shift, special, count)
"""

_LEAVING = """
tl.store(slot, special.to(tl.int64, bitcast=True), mask=m0)
lane = tl.arange(0, LANES)
tl.store(slot[:, None] + 1 + lane[None, :], digits, mask=m0[:, None] & (lane < DIGITS)[None, :])
"""

# the last digit that goes on has the ones above it
_LEAVING_DIGITS = """
lane = tl.arange(0, LANES)
above = tl.where((lane == LEFT)[None, :], digits << 32, 0)
last = tl.sum(tl.where((lane == LEFT - 1)[None, :], digits, above), 1)
left = tl.where((lane == LEFT - 1)[None, :], last[:, None], digits)
tl.store(out[:, None] + SPECIAL + lane[None, :], left, mask=m0[:, None] & (lane < LEFT)[None, :])
kind = special.to(tl.int64, bitcast=True)
tl.store(out, tl.where((kind & MAGNITUDE) > INFINITE, 1, 0).to(tl.int64), mask=m0)
tl.store(out + 1, tl.where(kind == INFINITE, 1, 0).to(tl.int64), mask=m0)
infinite = (kind < 0) & ((kind & MAGNITUDE) == INFINITE)
tl.store(out + 2, tl.where(infinite, 1, 0).to(tl.int64), mask=m0)
"""

# upper halves of digits count for the next ones, so that no sum of parts overflows
_MERGING = """
lane = tl.arange(0, LANES)
digits = tl.zeros([BLOCK, LANES], tl.int64)
specials = tl.zeros([BLOCK], tl.float64)
for part in range(0, parts, BLOCK):
    number_of = part + tl.arange(0, BLOCK)
    here = number_of < parts
    at_part = slot + number_of * WORDS
    words = at_part[:, None] + lane[None, :]
    own = tl.load(words + 1, mask=here[:, None] & (lane < DIGITS)[None, :], other=0)
    inside = (lane >= 1) & (lane <= DIGITS)
    lower = tl.load(words, mask=here[:, None] & inside[None, :], other=0)
    digits += (own & DIGIT) + (lower >> 32)
    specials += tl.load(at_part, mask=here, other=0).to(tl.float64, bitcast=True)
special = tl.zeros([1], tl.float64) + tl.sum(specials, 0)
digits = tl.sum(digits, 0)[None, :]
"""

_ROUNDING = "total, remainder, shift = rounded(digits)"

# a NaN is above all, and 0 above -0
_LARGEST_NUMBER = """
@triton.jit
def LARGER(a, b, c, d):
    return tl.maximum(a, c, propagate_nan=tl.PropagateNan.ALL), tl.minimum(b, d)


@triton.jit
def LARGEST(t, u):
    x, smallest = tl.reduce((t, u), 1, LARGER)
    x = x.to(REAL)
    pattern = x.to(INTEGER, bitcast=True)
    turned = tl.where(pattern < 0, pattern ^ HIGHEST, pattern)
    return tl.where(x != x, tl.full(x.shape, HIGHEST, INTEGER), turned), smallest
"""

_INTEGERS = """
@triton.jit
def gather(t, begin, upto, PASSED, masked: tl.constexpr):
    for tile in range(begin, upto, UNROLLED):
        for r in tl.static_range(UNROLLED):
            x = terms(tile + r, PASSED, masked)
            t = BOTH
    return t


@triton.jit
def nothing():
    return tl.full([ROWS, COLUMNS], PAD, TYPE)
"""

_ALL_INTEGERS = """
middle = first + tl.maximum(tl.minimum(last, full) - first, 0) // UNROLLED * UNROLLED
t = gather(nothing(), first, middle, PASSED, False)
t = gather(t, middle, last, PASSED, True)
state = REDUCED
"""

_MERGING_INTEGERS = """
t = tl.full([BLOCK], PAD, TYPE)
for part in range(0, parts, BLOCK):
    number_of = part + tl.arange(0, BLOCK)
    x = tl.load(slot + number_of, mask=number_of < parts, other=PAD).to(TYPE)
    t = BOTH
state = REDUCED
"""
