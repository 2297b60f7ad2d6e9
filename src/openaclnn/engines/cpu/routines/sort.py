"""Sorting on the CPU: each row by a radix sort of keys and places, byte by byte; short rows by
insertion."""

from __future__ import annotations

from openaclnn.arithmetic.conversion import stored_as
from openaclnn.arithmetic.sorting import key_bits, nan_key, sorting_key
from openaclnn.base.floating import plain_arithmetic
from openaclnn.engines.cpu.code import LoopCode, Value, Variable
from openaclnn.engines.cpu.routines.rows import RowCode, RowRunner
from openaclnn.engines.cpu.vector import SCALARS
from openaclnn.plan import RoutinePass
from openaclnn.spec.sorts import SLOTS, Sort, rows_of

_SHORT = 40  # elements


@plain_arithmetic()
def runner(one: RoutinePass) -> RowRunner:
    routine = one.routine
    assert isinstance(routine, Sort)
    given = one.dtypes[0]
    stored = stored_as(given)
    read = SCALARS.get(stored, stored)
    key = sorting_key(given, routine.descending)
    outputs = [k for k, wanted in enumerate((routine.values, routine.places)) if wanted]
    place_type = one.dtypes[-1] if routine.places else None

    def body(code: LoopCode, row: RowCode) -> None:
        count, wanted = row.count, row.own[0]
        size = count * 8
        keys, places = code.variable(row.room), code.variable(code.at(row.room, size))
        other_keys = code.variable(code.at(row.room, size * 2))
        other_places = code.variable(code.at(row.room, size * 3))
        with code.loop(code.number(0), count) as k:
            (found,) = code.computed([key], [code.load(row.place(0, k), read)])
            code.store(found, keys.get(), k)
            code.store(k, places.get(), k)
        with code.when(count <= _SHORT):
            _insert(code, keys.get(), places.get(), count)
        with code.when(count > _SHORT):
            histogram = code.room(256 * 8)
            for shift in range(0, key_bits(given), 8):
                _by_byte(code, shift, count, histogram, (keys, places, other_keys, other_places))
        start = code.variable(code.number(routine.start))
        if routine.nan_wins and one.dtypes[0].kind == "float":
            _first_nan(code, keys.get(), count, start, nan_key(given, routine.descending))
        with code.loop(code.number(0), wanted) as k:
            place = code.load(places.get(), "i64", start.get() + k)
            for number, output in enumerate(outputs, 1):
                if output == 0:
                    value = code.load(row.place(0, place), read)
                else:
                    assert place_type is not None
                    value = place.to(f"i{place_type.bits}")
                code.store(value, row.place(number, k))

    shape = one.views[1].shape
    wanted = shape[routine.dim] if shape else 1
    slots = min(rows_of(one.views[0], routine.dim)[0], SLOTS)
    room = 32 * rows_of(one.views[0], routine.dim)[1]
    return RowRunner(one.views, routine.dim, body, (wanted,), room, slots)


def _insert(code: LoopCode, keys: Value, places: Value, count: Value) -> None:
    with code.loop(code.number(1), count) as k:
        key, place = code.load(keys, "i64", k), code.load(places, "i64", k)
        at = code.variable(k)
        going = code.variable(code.number(1, "i1"))
        with code.repeat(lambda: going.get() & (at.get() > 0)):
            before = at.get() - 1
            other = code.load(keys, "i64", before)
            going.set(key.below(other))
            with code.when(going.get()):
                code.store(other, keys, at.get())
                code.store(code.load(places, "i64", before), places, at.get())
                at.set(before)
        code.store(key, keys, at.get())
        code.store(place, places, at.get())


def _by_byte(
    code: LoopCode, shift: int, count: Value, histogram: Value, rows: tuple[Variable, ...]
) -> None:
    """One pass of a radix sort, from the least byte on; none where all have the same byte."""
    keys, places, other_keys, other_places = rows

    def byte(key: Value) -> Value:
        return (key >> shift) & 255

    with code.loop(code.number(0), code.number(256)) as k:
        code.store(code.number(0), histogram, k)
    with code.loop(code.number(0), count) as k:
        digit = byte(code.load(keys.get(), "i64", k))
        code.store(code.load(histogram, "i64", digit) + 1, histogram, digit)
    first = byte(code.load(keys.get(), "i64", 0))
    with code.when(code.load(histogram, "i64", first) != count):
        total = code.variable(code.number(0))
        with code.loop(code.number(0), code.number(256)) as k:
            here = code.load(histogram, "i64", k)
            code.store(total.get(), histogram, k)
            total.set(total.get() + here)
        with code.loop(code.number(0), count) as k:
            key = code.load(keys.get(), "i64", k)
            digit = byte(key)
            to = code.load(histogram, "i64", digit)
            code.store(to + 1, histogram, digit)
            code.store(key, other_keys.get(), to)
            code.store(code.load(places.get(), "i64", k), other_places.get(), to)
        for one, other in ((keys, other_keys), (places, other_places)):
            mine, its = one.get(), other.get()
            one.set(its)
            other.set(mine)


def _first_nan(code: LoopCode, keys: Value, count: Value, start: Variable, nan: int) -> None:
    """The rank of the first NaN, where there is one."""
    signed = nan - (1 << 64) if nan >> 63 else nan
    rank = code.variable(count)
    more = code.variable(code.number(1, "i1"))
    with code.repeat(lambda: more.get() & (rank.get() > 0)):
        more.set(code.load(keys, "i64", rank.get() - 1) == signed)
        with code.when(more.get()):
            rank.set(rank.get() - 1)
    start.set(code.chosen(rank.get() < count, rank.get(), start.get()))
