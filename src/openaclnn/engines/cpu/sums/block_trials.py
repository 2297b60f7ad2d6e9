"""Functions that try to add up a block of terms, for specialists in floating point: each tells
whether its sums are exact, and if so adds them to a state."""

from __future__ import annotations

from openaclnn.engines.cpu.code import Value, vector
from openaclnn.engines.cpu.sums.exact import EIGHT, Exact, Sums, now

GIVEN = "ptr terms, i64 n, ptr state"
LANES = 32  # terms at once; there are no others
_FEW = 2048  # terms that are set aside at most, with those beside them


def plainly(code: Exact) -> None:
    """Float32 as they are, float64 in halves."""
    begin, sums = code.begin(), code.zeros(EIGHT)
    with code.loop(0, code.given["n"], LANES) as index:
        _add(code, sums, _place(code, begin, index))
    _put(code, _kinds(code, sums))


def with_few_aside(code: Exact) -> None:
    """As `plainly`, but terms so small that sums have no room for their bits wait in a buffer, and
    are added up by themselves: of squares of normal numbers one in a thousand. That takes 1.7 times
    as long. False where there are more."""
    width = EIGHT if code.wide else 2 * EIGHT
    few, others = (code.room(count * code.term) for count in (_FEW, LANES))
    count, begin = code.variable(code.number(0)), code.begin()
    limit = _limit(code, begin)
    sums, of_few = code.zeros(EIGHT), code.zeros(EIGHT)
    with code.loop(0, code.given["n"], LANES) as index:
        at = _place(code, begin, index)
        least = _magnitudes(code, at, width)
        for k in range(width, LANES, width):
            least = code.intrinsic("umin", least, _magnitudes(code, code.place(at, k), width))
        place = code.variable(at)
        with code.when(_any(code, least.below(code.spread(limit, width)))):
            with code.when(count.get() >= _FEW):
                code.give(0)
            terms = code.load(at, vector(LANES, limit.type))
            small = _magnitudes(code, at, LANES).below(code.spread(limit, LANES))
            nothing = code.number(0, terms.type)
            aside = code.chosen(small, terms, nothing)
            code.store(aside, code.place(few, count.get()))
            code.store(code.chosen(small, nothing, terms), others)
            kept = _any(code, aside != 0)  # not of zeros only
            count.set(count.get() + code.chosen(kept, code.number(LANES), 0))
            place.set(others)
        # LLVM is not to know which, or it moves terms from one kind of register to another
        _add(code, sums, code.opaque(place.get()))
    with code.loop(0, count.get(), LANES) as index:
        _add(code, of_few, code.place(few, index))
    _put(code, _kinds(code, sums) + _kinds(code, of_few))


def _limit(code: Exact, begin: Value) -> Value:
    """The bits of a number: of smaller ones a lane's sum has no room for all bits, if others are as
    large as the largest of some. No more than a guess, for the processor tells."""
    n, (fraction, bits) = code.given["n"], (52, 27) if code.wide else (23, 24)
    quarter, some = n >> 2, []
    for k in range(4):
        some.append(_magnitudes(code, code.place(begin, quarter * k), EIGHT))
    most = some[0]
    for these in some[1:]:
        most = code.intrinsic("umax", most, these)
    field = code.reduced("umax", most) >> fraction
    field = field if code.wide else field.unsigned("i64")
    of_sum = field + (63 - code.leading_zeros(n) - (LANES.bit_length() - 1))
    limit = (of_sum - (54 - bits)).most(0) << fraction
    return limit if code.wide else limit.to("i32")


def _magnitudes(code: Exact, at: Value, lanes: int) -> Value:
    """Bits of terms without their signs."""
    bits = 8 * code.term
    return code.load(at, vector(lanes, f"i{bits}")) & (1 << bits - 1) - 1


def _any(code: Exact, conditions: Value) -> Value:
    bits = f"i{conditions.lanes}"
    return code.set(bits, f"bitcast {conditions.type} {conditions.name} to {bits}") != 0


def _place(code: Exact, begin: Value, index: Value) -> Value:
    at = code.place(begin, index)
    code.ask_ahead(at)
    return at


def _add(code: Exact, sums: Sums, at: Value) -> None:
    """So many terms more for eight sums."""
    for k in range(0, LANES, EIGHT):
        code.add(sums[k // 4 : k // 4 + 2], code.place(at, k))


def _kinds(code: Exact, sums: Sums) -> list[list[Value]]:
    """Sums of upper halves and of lower ones apart."""
    found = now(sums)
    return [found[0::2], found[1::2]] if code.wide else [found]


def _put(code: Exact, kinds: list[list[Value]]) -> None:
    """Adds sums of lanes to a state, unless they were rounded or are not finite. One number for all
    lanes may be rounded where theirs are not: then the halves of their bits make two."""
    room = code.room(2 * EIGHT * 8 * code.lanes)
    places = iter(range(0, 2 * EIGHT * 8 * code.lanes, 8 * code.lanes))
    stored = [[(code.at(room, next(places)), each) for each in sums] for sums in kinds]
    for some in stored:
        for place, each in some:
            code.store(each, place)
    code.stored(room)
    with code.when(code.rounded()):
        code.give(0)
    _put_totals(code, kinds)
    code.forget()
    code.stored(room)
    halves: list[list[Value]] = []
    for some in stored:
        both = [code.halves_of(code.load(place, code.f64), 27) for place, _ in some]
        halves += map(list, zip(*both, strict=True))
    _put_totals(code, halves)
    code.give(0)


def _put_totals(code: Exact, kinds: list[list[Value]]) -> None:
    """Adds a number of each kind to a state and ends, unless one was rounded."""
    totals = [code.pinned(code.sum_of_lanes(code.fewer(sums, 1)[0])) for sums in kinds]
    with code.when(~code.rounded()):
        zero = code.number(0, "double")
        for total in totals:
            zero = zero + (total - total)
        with code.when(zero == 0.0):
            for total in totals:
                code.call("openaclnn_put", code.given["state"], total)
            code.give(1)
        code.give(0)
