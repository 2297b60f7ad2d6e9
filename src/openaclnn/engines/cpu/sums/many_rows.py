"""Functions that add up several rows at once, for specialists in floating point: one look at the
processor's inexact flag for all (`accumulator`), and no state where a row's sum is all that is
wanted of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from openaclnn.arithmetic.folding import Folding
from openaclnn.arithmetic.nodes import make
from openaclnn.arithmetic.pairs import two_sum
from openaclnn.arithmetic.sum_rounding import quotient
from openaclnn.engines.cpu.code import Value
from openaclnn.engines.cpu.sums import block_trials, sixteen_bits
from openaclnn.engines.cpu.sums.exact import EIGHT, FOUR, Exact, Sums, now
from openaclnn.engines.cpu.sums.inexact_flag import Note

ROWS = 256  # at most
_TERMS_AT_MOST = 2048
_HALVES_AT_MOST = 1024
ROOM = 2 * ROWS * 8  # bytes of rows' sums: all of one kind, then the others
AT_ONCE = 4  # rows
_TERMS = "ptr terms, i64 pitch, i64 n, i64 rows, ptr sums"
_LOADS = [make("load", "f64", value=k) for k in range(3)]
_BOTH, _MEAN = two_sum(*_LOADS[:2]), quotient(*_LOADS)
LONG = 512  # bytes: rows of more are added up one after the other, memory being read in order
_LINES = 64  # that are added up at once
_FAR = 16  # lines of 16 bits from one to what is asked for meanwhile


def longest(how: Folding) -> int:
    """How many terms rows may have, unless they lie side by side."""
    return _HALVES_AT_MOST if how.halves else _TERMS_AT_MOST


def functions(how: Folding, note: Note | None) -> tuple[str, set[str]]:
    """Functions of terms as they lie: `one_after_other` and `side_by_side` have rows whose terms
    lie side by side, `pitch` bytes from one row to the next; `down` rows that lie side by side,
    `pitch` bytes from one term to the next. All are false where a sum was rounded or is not finite.
    `worth` makes values of the sums they leave; that is false where they have no room for one. And
    the functions that try a block. What these declare comes with them."""
    wanted: dict[str, tuple[str, Callable[[Exact], None]]] = {
        "one_after_other": (_TERMS, lambda code: _by_fours(code, _one_after_other)),
        "side_by_side": (_TERMS, lambda code: _by_fours(code, _side_by_side)),
        "down": (_TERMS, _down),
        "worth": ("ptr sums, i64 rows, double count", _worth),
        "trial": (block_trials.GIVEN, block_trials.plainly),
        "few_aside": (block_trials.GIVEN, block_trials.with_few_aside),
    }
    if how.halves:
        wanted["widen"] = sixteen_bits.WIDENED, sixteen_bits.widen
        wanted["halves"] = sixteen_bits.GIVEN, sixteen_bits.trial
    loops: list[str] = []
    texts, declared = [], set[str]()
    for name, (given, body) in wanted.items():
        code = Exact(name, given, how, note, loops)
        if note is None and name != "widen":  # nothing is known to be exact
            code.give(0)
        else:
            body(code)
        texts.append(code.text())
        declared |= {*code.printer.declared.values()}
    return "\n".join([*texts, '!0 = !{!"llvm.loop.unroll.disable"}', *loops]), declared


def _store(code: Exact, kind: int, row: Value, sums: Value) -> Value:
    """Leaves sums of four rows; what is zero where all are finite."""
    code.store(sums, code.at(code.given["sums"], (row + kind * ROWS) * 8))
    return sums - sums


def _end(code: Exact, zeros: Value) -> None:
    """True if the processor noted nothing, and these are zeros, not NaN."""
    code.stored(code.given["sums"])
    rounded, finite = code.rounded(), code.sum_of_lanes(zeros) == 0.0
    code.give(code.chosen(rounded, code.number(0, "i1"), finite))


class _Rows:
    """Four rows at a time: what is the same for all of them."""

    def __init__(self, code: Exact) -> None:
        self.code, self.n = code, code.given["n"]
        self.begin = code.begin(AT_ONCE * _HALVES_AT_MOST)
        self.whole, self.sixteens = (self.n & -count for count in (EIGHT, 2 * EIGHT))
        self.tail = code.first(self.n - self.whole, EIGHT)
        self.all = (self.n + (EIGHT - 1)) & -EIGHT

    def own(self) -> list[Value]:
        """Where they are as float32."""
        return [self.code.at(self.code.own, self.all * (4 * k)) for k in range(AT_ONCE)]

    def as_floats(self, begins: list[Value], two: bool) -> Value:
        """Makes float32 of rows of 16 bits, of every two terms one if told so: how many of each
        row, with zeros behind them."""
        for begin, own in zip(begins, self.own(), strict=True):
            if two:
                self.pairs(begin, own)
            else:
                self.singles(begin, own)
        return self.all - (self.sixteens >> 1) if two else self.all

    def pairs(self, begin: Value, own: Value) -> None:
        code, at_once = self.code, 8 * EIGHT
        many = self.n & -at_once
        for start, end, width in ((0, many, at_once), (many, self.sixteens, 2 * EIGHT)):
            with code.loop(start, end, width) as index:
                for k in range(0, width, 2 * EIGHT):
                    place = index + k
                    pair = code.two_floats(code.at(begin, place * 2))
                    code.store(code.sum_of_floats(*pair), code.at(own, place * 2))
        self.left(begin, code.at(own, self.sixteens * -2), self.sixteens)

    def singles(self, begin: Value, own: Value) -> None:
        code, at_once = self.code, 4 * EIGHT
        many = self.n & -at_once
        with code.loop(0, many, at_once) as index:
            for k in range(0, at_once, EIGHT):
                code.store(
                    code.floats(code.at(begin, (index + k) * 2)), code.at(own, (index + k) * 4)
                )
        self.left(begin, own, many)

    def left(self, begin: Value, own: Value, start: Value) -> None:
        """What is left of a row, vector by vector."""
        code = self.code
        for first, end, mask in ((start, self.whole, None), (self.whole, self.n, self.tail)):
            with code.loop(first, end, EIGHT) as index:
                code.store(code.floats(code.at(begin, index * 2), mask), code.at(own, index * 4))

    def along(
        self, start: Value | int, end: Value, body: Callable[[Value, Value | None], None]
    ) -> None:
        """From a place on to a row's end, which a mask may be for."""
        code = self.code
        if code.how.halves:
            with code.loop(start, end, EIGHT) as index:
                body(index, None)
            return
        for first, last, mask in ((start, self.whole, None), (self.whole, end, self.tail)):
            with code.loop(first, last, EIGHT) as index:
                body(index, mask)


def _by_fours(code: Exact, sums_of: Callable[[_Rows, list[Value]], list[list[Value]]]) -> None:
    """Four rows at a time; the last again in place of those that are not there."""
    count, pitch = code.given["rows"], code.given["pitch"]
    rows, last = _Rows(code), count - 1
    (zeros,) = code.zeros(1, FOUR)
    with code.loop(0, count, AT_ONCE) as row:
        begins = [code.at(rows.begin, (row + k).least(last) * pitch) for k in range(AT_ONCE)]
        sums = [code.fewer(each, code.kinds) for each in sums_of(rows, begins)]
        for kind, each in enumerate(zip(*sums, strict=True)):
            zeros.set(zeros.get() + _store(code, kind, row, _totals(code, [*each])))
    _end(code, zeros.get())


def _totals(code: Exact, rows: list[Value]) -> Value:
    """The sums of four vectors' lanes."""
    if code.lanes == EIGHT:
        rows = [low + high for low, high in map(code.halved, rows)]
    low, high = (
        code.shuffled(a, b, (0, 4, 2, 6)) + code.shuffled(a, b, (1, 5, 3, 7))
        for a, b in (rows[:2], rows[2:])
    )
    return code.shuffled(low, high, (0, 1, 4, 5)) + code.shuffled(low, high, (2, 3, 6, 7))


def _one_after_other(rows: _Rows, begins: list[Value]) -> list[list[Value]]:
    """Eight sums of each row, or four of longer vectors."""
    code, end, found = rows.code, rows.n, []
    groups = 2 if code.wide else 4
    if code.how.halves:
        pairs, singles = (partial(rows.as_floats, begins, two) for two in (True, False))
        end, begins = code.if_exact(pairs, singles), rows.own()
    many = end & -(groups * EIGHT)
    for row in begins:
        sums = code.zeros(2 * groups)
        with code.loop(0, many, groups * EIGHT) as index:
            at = code.place(row, index)
            code.ask_ahead(at)
            for k in range(groups):
                code.add(sums[2 * k : 2 * k + 2], code.place(at, k * EIGHT))
        two = [code.variable(each) for each in code.fewer(now(sums), 2)]

        def few(index: Value, mask: Value | None, two: Sums = two, row: Value = row) -> None:
            code.add(two, code.place(row, index), mask)

        rows.along(many, end, few)
        found.append(now(two))
    return found


def _side_by_side(rows: _Rows, begins: list[Value]) -> list[list[Value]]:
    """Two sums of each row, to which terms are added in turns."""
    code, end = rows.code, rows.n
    if code.how.halves:
        end, begins = rows.as_floats(begins, two=False), rows.own()
    sums = [code.zeros(2) for _ in begins]

    def few(index: Value, mask: Value | None) -> None:
        for two, row in zip(sums, begins, strict=True):
            code.add(two, code.place(row, index), mask)

    rows.along(0, end, few)
    return [now(two) for two in sums]


def _down(code: Exact) -> None:
    """Sixty-four rows at once, then thirty-two, then eight, of those four lines of terms at once;
    as many lines as the L1 cache has room for."""
    _, pitch, n, rows, out = code.given.values()
    widths = 8 * EIGHT, 4 * EIGHT, EIGHT
    begin = code.begin(_LINES * widths[0])
    ends = [rows & -width for width in widths[:-1]]
    starts: list[Value | int] = [0, *ends]
    with code.loop(0, rows, EIGHT) as row:
        for k in range(2):
            code.store(code.number(0, code.f64), _sum_at(code, row, k))
    with code.loop(0, n, _LINES) as first:
        count, here = (n - first).least(_LINES), code.at(begin, first * pitch)
        for start, end, width in zip(starts, [*ends, rows], widths, strict=True):
            with code.loop(start, end, width) as row:
                _group(code, here, count, width, row)
    (zeros,) = code.zeros(1, FOUR)
    with code.loop(0, rows, 4) as row:
        for kind in range(code.kinds):
            found = code.load(code.at(out, (row + kind * ROWS) * 8), FOUR)
            zeros.set(zeros.get() + (found - found))
    _end(code, zeros.get())


def _sum_at(code: Exact, row: Value, number: int) -> Value:
    """Where a sum of rows from one on lies, of every eight two."""
    offset = number % 2 * ROWS + number // 2 * EIGHT if code.wide else 4 * number
    return code.at(code.given["sums"], (row + offset) * 8)


def _group(code: Exact, begin: Value, count: Value, width: int, row: Value) -> None:
    """Some lines of so many rows added to their sums."""
    at, pitch = code.at(begin, row * code.size), code.given["pitch"]
    mask = code.first(code.given["rows"] - row, EIGHT) if width == EIGHT else None
    if code.how.halves:
        count = _widened_lines(code, at, count, width, mask)
        at, pitch, mask = code.own, code.number(4 * width), None
    places = [_sum_at(code, row, k) for k in range(width // 4)]
    sums = [code.variable(code.load(place, code.f64)) for place in places]
    sums += code.zeros(8 - len(sums))

    def lines(index: Value, lines: int) -> None:
        for k in range(0, lines * width // 4, 2):
            line, column = divmod(4 * k, width)
            number = index + line
            if code.size == 4 and column * code.size % 64 == 0:
                _ask_for(code, at, number + 2, column)
            here = code.place(code.at(at, number * pitch), column)
            code.add(sums[k : k + 2], here, mask)

    at_once = max(1, 4 * EIGHT // width)
    whole = count & -at_once
    with code.loop(0, whole, at_once) as index:
        lines(index, at_once)
    if at_once > 1:
        with code.loop(whole, count) as index:
            lines(index, 1)
    for place, each in zip(places, code.fewer(now(sums), len(places)), strict=True):
        code.store(each, place)


def _ask_for(code: Exact, begin: Value, line: Value, column: int) -> None:
    """Memory that will be read: of 16 bits, which are read faster, as near as the L2 cache. With it
    columns take 0.85 to 0.95 of the time, but those of float64, which do without."""
    at = code.at(begin, line * code.given["pitch"])
    code.ask_for(at, column * code.size, near=2 if code.how.halves else 3)


def _widened_lines(
    code: Exact, begin: Value, count: Value, width: int, mask: Value | None
) -> Value:
    """Lines of numbers of 16 bits in float32, two of them as one where that is exact; how many that
    makes."""
    pitch = code.given["pitch"]

    def line(index: Value, to: Value, two: bool) -> None:
        at, own = code.at(begin, index * pitch), code.at(code.own, to * (4 * width))
        below = code.at(at, pitch)
        for k in range(0, width, 32):
            for number in range(1 + two):
                _ask_for(code, begin, index + (_FAR + number), k)
        for k in range(0, width, EIGHT):
            floats = code.floats(code.at(at, 2 * k), mask)
            if two:
                floats = code.sum_of_floats(floats, code.floats(code.at(below, 2 * k), mask))
            code.store(floats, code.place(own, k))

    def singles() -> Value:
        with code.loop(0, count) as index:
            line(index, index, two=False)
        return count

    if mask is not None:
        return singles()

    def both() -> Value:
        pairs, half = count & -2, count >> 1
        with code.loop(0, pairs, 2) as index:
            line(index, index >> 1, two=True)
        with code.loop(pairs, count) as index:
            line(index, half, two=False)
        return count - half

    return code.if_exact(both, singles)


def _worth(code: Exact) -> None:
    """As `openaclnn_value` of a state with these sums, which lose nothing."""
    mean, (sums, rows, divisor) = code.how.kind == "mean", code.given.values()
    if not (mean or code.wide) or (code.wide and not code.how.nearest):
        code.give(0 if code.wide else 1)
        return
    count = code.spread(divisor, 4)
    (zeros,) = code.zeros(1, FOUR)
    with code.loop(0, rows, 4) as row:
        at, rest = code.at(sums, row * 8), code.number(0, FOUR)
        value = code.load(at, FOUR)
        if code.wide:
            low = code.load(code.at(at, 8 * ROWS), FOUR)
            value, rest = code.computed([_BOTH.high, _BOTH.low], [value, low])
            zeros.set(zeros.get() + (value - value))
        if mean:
            _, value = code.computed(_MEAN, [value, rest, count])
        code.store(value, at)
    code.give(code.sum_of_lanes(zeros.get()) == 0.0)
