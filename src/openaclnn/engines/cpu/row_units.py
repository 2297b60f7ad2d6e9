"""Whole rows on the CPU: which way vectors run, how rows are cut into units, which kernel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, count
from typing import Any

from openaclnn.arithmetic.lower import BYTES, Body
from openaclnn.arithmetic.nodes import exchanged, in_order, make
from openaclnn.arithmetic.simplify import (
    fewer_choices,
    kinds_of,
    simplified,
    unguarded_where_finite,
    unguarded_where_numbers,
)
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.trace import (
    WordTable,
    all_of,
    as_float,
    as_word,
    equal,
    least,
    less,
    most,
    pick,
)
from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.fold import is_stored
from openaclnn.engines.cpu.kernel import NAME, NAME_OF_ALL
from openaclnn.engines.cpu.sums import accumulator as sums
from openaclnn.engines.cpu.tiling import (
    Dim,
    more_than_one,
    number_of_first,
    patterns_of,
    taken,
)
from openaclnn.engines.cpu.whole_rows import (
    FUNCTIONS,
    KEPT,
    MOST_TURNED,
    RowPass,
    WholeRows,
)
from openaclnn.plan.folds import Rows

_LONGEST = 32768  # columns along which vectors run: the next pass finds them in a cache
_SHORTEST = 16  # the same: of fewer most of a vector is empty
# columns, at most, that are transposed: what is done once for a row is done for several then
_SHORT, _SHORT_COSTLY = 24, MOST_TURNED
_LONG_SUM = 128  # terms: of fewer it costs more to call what adds up any than to check them
_LOST = 256  # the same: of more it is likely that a sum of one number loses something
_FEWEST = 8  # rows side by side
_IN_CACHE = 1 << 19  # bytes of the columns of rows that lie side by side
_UNIT = 16384  # elements, about
_TOGETHER = 256  # rows side by side of a unit
_SHARED = 16  # units, about, of few rows


ALONG, ACROSS, TURNED = 1, 2, 3  # how vectors run; across rows that are transposed first


class RowUnits:
    """The rows of several passes, if one kernel may run them: else `way` is 0."""

    def __init__(self, rows: Rows) -> None:
        inputs, sizes = rows.inputs, rows.sizes
        self.sizes, kept, folded = sizes, rows.loop, rows.folded
        dims: list[Dim] = [*zip(count(), kept.sizes, *kept.strides)]
        inner = [folded.dimension(dim) for dim in reversed(range(len(folded.sizes)))]
        none = 1, [0] * len(sizes)
        self.column, self.plane, *self.others = [*inner, none, none][: max(2, len(inner))]
        columns, steps = self.column
        terms = math.prod(folded.sizes)
        near = [equal(step, 0) + equal(step, 1) for step in steps]
        whole = all_of(*near, equal(steps[0], 1))
        around = [self.plane, *self.others]
        self.flat: int = all_of(*(equal(size, 1) for size, _ in around))
        short = _SHORT_COSTLY if any(one.body.costly for one in rows.passes) else _SHORT
        several = sum(one.fold.how.sums_floats for one in rows.passes if one.fold)
        # passes one after the other add up several rows at once, which is faster than row by row
        most_terms = _LONGEST if rows.alike or not several else _LONG_SUM // (2 * several)
        self.way = 0
        turns = [0] * len(steps)
        if dims and all_of(
            self.flat, whole, less(1, columns), less(columns, short + 1), less(_FEWEST, dims[-1][1])
        ):  # fmt: skip
            self.way = TURNED
            self.row = dims.pop()[1:]
            lanes = [*self.row[1:]]
            turns = [
                equal(step, 1) * (1 - equal(down, 0))
                for step, down in zip(steps, lanes, strict=True)
            ]
            tile = _TOGETHER
        elif all_of(whole, less(_SHORTEST - 1, columns), less(terms, most_terms + 1)):
            self.way = ALONG
            lanes, self.row = steps, dims.pop()[1:] if dims else (1, *none[1])
            tile = most(1, _UNIT // most(terms, 1))
        elif dims:
            flags = [
                all_of(*(equal(s, 0) + equal(s, 1) for s in dim[2:]), equal(dim[-1], 1))
                for dim in dims
            ]
            reach = terms * 64 * sum(sizes[:inputs])
            enough = sum(
                flag * less(_FEWEST - 1, dim[1]) for flag, dim in zip(flags, dims, strict=True)
            )
            if all_of(less(0, enough), less(reach, _IN_CACHE + 1)):
                self.way = ACROSS
                row, dims = taken(dims, number_of_first(flags, len(dims) - 1))
                self.row, lanes = row[1:], [*row[2:]]
                numel = math.prod(kept.sizes)
                tile = most(64, least(_TOGETHER, numel // (_SHARED * 64) * 64))
        if not self.way:
            return
        self.tile = least(tile, most(self.row[0], 1))
        code: Any = 0
        for step, turned in zip(lanes, turns, strict=True):
            one, nothing = equal(step, 1), equal(step, 0)
            own = one + (1 - one) * (1 - nothing) * 2
            code = 4 * code + pick(turned, (own, 3))
        self.code = code
        self.outer = [(dim[1], [*dim[2:]]) for dim in reversed(dims)]
        self.terms, self.numel = terms, math.prod(kept.sizes) * terms
        self.tiles = -(-self.row[0] // self.tile)
        self.units = self.tiles * math.prod([size for size, _ in self.outer])

    def words(self, first: int, folds: Sequence[tuple[int, Sequence[int]]]) -> list[int]:
        """The block after pointers and uniforms, of which there are `first`; of every fold what its
        mean divides by, and its functions."""
        operands = len(self.sizes)
        none = 1, [0] * operands
        axes = [self.column, (self.row[0], self.row[1:]), self.plane, none]
        words = [size for size, _ in axes]
        words += [1, self.tile, 1, 1]
        words += [1, self.tiles, 1, 1]
        words += [more_than_one(self.outer), self.units]
        for _, strides in axes:
            words += [stride * size for stride, size in zip(strides, self.sizes, strict=True)]
        every = math.prod([size for size, _ in self.others])
        behind = first + len(words) + 3 + (1 + len(FUNCTIONS)) * len(folds)
        words += [every, more_than_one(self.others), behind + len(self.outer) * (1 + operands)]
        for divisor, functions in folds:
            words += [as_word(as_float(divisor)), *functions]
        for size, strides in (*self.outer, *self.others):
            words.append(size)
            words += [stride * each for stride, each in zip(strides, self.sizes, strict=True)]
        return words


class _Kernels:
    """The kernels of some passes."""

    def __init__(self, stages: tuple[RowPass, ...], sizes: tuple[int, ...], inputs: int) -> None:
        self.stages, self.sizes, self.inputs = stages, sizes, inputs
        self.made: dict[tuple[Any, ...], list[int]] = {}
        self.tables: dict[int, list[WordTable]] = {}
        self.kept: Body | None = None
        self.sums = any(stage.how is not None and stage.how.sums_floats for stage in stages)
        self.functions = []
        for stage in stages:
            if stage.how is not None and stage.how.sums_floats:
                text = sums.functions(stage.how, compile.architecture())
                self.functions.append([compile.function(text, name) for name in FUNCTIONS])
            elif stage.how is not None:
                self.functions.append([0] * len(FUNCTIONS))
        slot, last = len(sizes) + len(self.functions) - 1, stages[-1]
        term = [stage for stage in stages if stage.how is not None][-1]
        alone = sum(stage.how is None for stage in stages) == 1 and not last.once
        if alone and term.how and term.how.kind == "powers" and slot in last.reads:
            self.kept = _rest_of(term.body, last.body, last.reads.index(slot))

    def room(self) -> int:
        """Bytes of a kept term, of as many as are computed at once across rows."""
        term = next(stage for stage in reversed(self.stages) if stage.how)
        assert term.how is not None
        return BYTES[term.how.term]

    def addresses(self, units: RowUnits) -> list[int]:
        """Nothing but which way vectors run is decided, where sizes are traced."""
        along, operands = units.way == ALONG, len(self.sizes)
        keeps = long = 0
        if self.kept is not None:
            keeps = less(units.terms * self.room() * (1 if along else 32), KEPT + 1)
        if self.sums:
            long = less(_LONG_SUM if along else _LOST, units.terms)
        key = units.code + (units.flat + 2 * keeps + 4 * long) * (1 << 2 * operands)
        tables = self.tables.setdefault(units.way, [WordTable(), WordTable()])

        def found(key: int) -> list[int]:
            flags = key >> 2 * operands
            shift: Any = (bool(flags >> k & 1) for k in range(3))
            how = patterns_of(key, operands), units.way, *shift
            if how not in self.made:
                self.made[how] = self._make(*how)
            return self.made[how]

        return [
            table.find(key, lambda key, k=k: found(key)[k])  # type: ignore[misc]
            for k, table in enumerate(tables)
        ]

    @plain_arithmetic()
    def _make(self, patterns: str, way: int, flat: bool, keeps: bool, long: bool) -> list[int]:
        along, turned = way == ALONG, way == TURNED
        kept, machine = self.kept if keeps else None, compile.architecture()
        of = self.stages, self.sizes, self.inputs
        ir = WholeRows(*of, patterns, along, flat, turned, long, kept, machine).text()
        return [compile.function(ir, name) for name in (NAME, NAME_OF_ALL)]


_kernels_of = lru_cache(maxsize=1024)(plain_arithmetic()(_Kernels))


@lru_cache(maxsize=1024)
def _rest_of(term: Body, last: Body, slot: int) -> Body | None:
    """What a pass makes of a term and the sum that it reads as this operand; None where it takes
    something else, too."""
    (power,), (result, *others) = term.results, last.results
    total = make("load", last.loads[slot], value=slot)
    loads = [make("load", node.type, value=k) for k, node in enumerate((power, total))]
    # under numbers that no operand has, so that what is read besides is told from these
    given = [make("load", node.type, value=-1 - k) for k, node in enumerate((power, total))]
    rest = exchanged(result, dict(zip((power, total), given, strict=True)))
    foreign = any(n.op in ("load", "uniform") and n not in given for n in in_order(rest))
    if foreign or others:
        return None
    rest = exchanged(rest, dict(zip(given, loads, strict=True)))
    return Body((power.type, total.type), (), (rest,), (False,))


@lru_cache(maxsize=1024)
def _body_of(body: Body, kinds: tuple[float, ...], folds: bool) -> Body:
    short = simplified(body, kinds)
    if folds:
        return short
    return unguarded_where_numbers(unguarded_where_finite(fewer_choices(short)))


def stages_of(rows: Rows) -> tuple[RowPass, ...]:
    """The passes as the kernel takes them; results of folds stand behind the operands."""
    counts = [0, *accumulate(len(one.body.uniforms) for one in rows.passes)]
    return tuple(
        RowPass(
            _body_of(one.body, kinds_of(one.uniforms), one.fold is not None),
            reads,
            writes,
            once,
            one.fold.how if one.fold else None,
            one.fold.finish if one.fold else None,
            before,
        )
        for one, reads, writes, once, before in zip(
            rows.passes, rows.reads, rows.writes, rows.once, counts, strict=False
        )
    )


def fits(rows: Rows) -> bool:
    """Whether the kernel has a word for all that passes do."""
    (first, *others), how = rows.passes, rows.passes[0].fold
    if not others and how and how.how.sums_floats and is_stored(first.body, how.how):
        return False  # which has ways of its own
    for one in rows.passes:
        body = one.body
        if "position" in body.loads or any(body.complex):
            return False
        if one.fold is not None and (one.fold.how.kind == "digits" or any(one.fold.finish.complex)):
            return False
        if any(node.op in ("peek", "repeat") for node in _nodes(body)):
            return False
    return True


@lru_cache(maxsize=1024)
def _nodes(body: Body) -> tuple[Any, ...]:
    return tuple(in_order(*body.results, *(body.unguarded or ())))


def units_of(rows: Rows) -> RowUnits | None:
    """The units of passes that one kernel runs."""
    if not fits(rows):
        return None
    found = RowUnits(rows)
    return found if found.way else None


def kernels_of(rows: Rows) -> _Kernels:
    return _kernels_of(stages_of(rows), rows.sizes, rows.inputs)
