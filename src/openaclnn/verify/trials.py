"""Any operator on inputs of all kinds: every binade or integer, edges, special values, random ones;
with and without optional tensors, for every choice of an attribute.

A trial is one call and all that is true of its results.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import partial
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import DOUBLE, DType
from openaclnn.base.products import DEFAULT, Product
from openaclnn.base.records import dataclass
from openaclnn.base.settings import EXACT
from openaclnn.base.status import OpenaclnnError
from openaclnn.base.tensors import Tensor
from openaclnn.check import verdict
from openaclnn.golden.draws import Stream, distribution, draw, every_exponent, standard, within
from openaclnn.plan import Pass, make_plan
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.op import InOut, Op
from openaclnn.spec.sample import sample_call
from openaclnn.spec.steps import elementwise
from openaclnn.truth.double_double import Pair
from openaclnn.truth.reference import complete, results
from openaclnn.truth.stored import Truth, stored
from openaclnn.verify import numbers
from openaclnn.verify.batches import Batches
from openaclnn.verify.form import edges, form_of, tried
from openaclnn.verify.points import all_kinds, beside, special

_COUNT = 1 << 14  # elements of a batch of random numbers
_FEW = 1 << 11  # elements of a call with other numbers
_ROUNDS = 4
_COLUMNS = 64  # of the matrices that operators get which look at shapes
_MOST = 1 << 16  # combinations of special values
STRETCH = 1 << 20  # elements of a batch of a sweep

Columns = list[NDArray[Any]]  # values of the tensors that are read, all of one length
Drawn = Callable[[Op, Sequence[DType], int], Columns]  # for their dtypes, and a batch's number


One = TypeVar("One")


class NoCallError(OpenaclnnError):
    """No call of an operator could be made up that its rules would pass."""


@dataclass(frozen=True)
class Right:
    """What is right of an output: its true values, flat, and what a kernel without an error writes.
    `rounded`: results may be off by a rounding; `moved`: they are elements as they came; `stays`:
    some of them are."""

    dtype: DType
    truth: Truth
    array: NDArray[Any]
    _: KW_ONLY
    rounded: bool
    moved: bool
    stays: bool

    def first(self, count: int) -> Right:
        """That of the first elements, where data decide how many there are."""
        if count >= self.array.size:
            return self
        truth = self.truth
        cut = Pair(*(half[:count] for half in truth)) if isinstance(truth, Pair) else truth[:count]
        return replace(self, truth=cut, array=self.array[:count])


@dataclass(frozen=True)
class Trial:
    """A call: arrays by argument, all attributes, and what is right of every output. `said` are the
    attributes that were tried; `columns` are the values that a result is made of, by name, where
    each is made of one of each tensor."""

    call: Call  # on tensors without memory
    given: Mapping[str, Any]
    attributes: Mapping[str, Any]
    said: Mapping[str, Any]
    product: Product
    outputs: tuple[Right, ...]
    columns: Mapping[str, NDArray[Any]]
    told: tuple[bool, ...] = ()  # of every result whether `outputs` has it; none: all

    def rights(self, results: Sequence[NDArray[Any]]) -> tuple[Right, ...]:
        """What is right of results that are judged."""
        if self.call.op.sized is None:
            return self.outputs
        pairs = zip(self.outputs, results, strict=True)
        return tuple(right.first(result.size) for right, result in pairs)

    @property
    def size(self) -> int:
        return sum(right.array.size for right in self.outputs)

    def judged(self, results: Sequence[One]) -> list[One]:
        """Those of a call's results about which there is something to say: of statistics that are
        given, nothing is written where they would be made."""
        if not all(self.told):
            return [one for one, told in zip(results, self.told, strict=True) if told]
        return list(results)

    def bits(self, dtype: DType) -> NDArray[Any]:
        """Those of all elements of a dtype."""
        lists = (one if isinstance(one, list) else [one] for one in self.given.values())
        arrays = [each.ravel() for each in chain(*lists) if each.dtype == dtype.numpy]
        return np.concatenate(arrays).view(f"u{dtype.itemsize}")


def parts(op: Op, dtype: DType, more: int = 1) -> list[Batches]:
    """What is tried of an operator in a dtype; `more` times as many random batches."""
    cost = 2 + form_of(op).cost
    found = []
    for number, (row, absent) in enumerate(_variants(op, dtype)):
        make = partial(trial, op, dtype, row, absent)
        name = "".join(f", {key} {value}" for key, value in row.items())
        name += "".join(f", without {one}" for one in absent)
        found.append(Batches(f"special values{name}", 1, partial(make, _special), _COUNT, cost))
        for place, argument in enumerate(op.reads if number == 0 else ()):
            for what, values in (("binade", all_kinds), ("edge", partial(beside, edges(op)))):
                along = partial(make, partial(_along, place, values))
                found.append(Batches(f"{what}s of {argument.name}", 1, along, _COUNT, cost))
        rounds = _ROUNDS * more if number == 0 else more
        found.append(Batches(f"random{name}", rounds, partial(make, _random), _COUNT, cost))
    return found


def numbered(op: Op, dtype: DType, more: int = 1) -> list[Batches]:
    """Calls with numbers of all kinds for attributes, those that the operator takes."""
    if op.proof.attributes:
        return []
    taken = [row for row in numbers.rows(op, dtype, random=16 * more) if takes(op, dtype, row)]
    if not taken:
        return []

    def make(index: int) -> Trial:
        return trial(op, dtype, taken[index], (), partial(_beside_numbers, taken[index]), index)

    cost = 2 + form_of(op).cost
    return [Batches("numbers", len(taken), make, _FEW, cost)]


def takes(op: Op, dtype: DType, row: Mapping[str, Any], absent: Sequence[str] = ()) -> bool:
    """Whether some product takes a call with these attributes, and without these tensors."""
    try:
        call = call_in(op, dtype, (2, 2), row, absent)
    except (OpenaclnnError, ValueError, ArithmeticError):
        return False
    return all(math.prod(one.tensor.shape) <= STRETCH for one in call.writes)


def sweeps(op: Op, dtype: DType) -> list[Batches]:
    """All values of one tensor of at most 32 bits, all pairs of two of at most 16."""
    bits = dtype.bits * len(op.reads)
    plain = op.steps is elementwise and not any(a.many for a in op.reads)
    if not plain or bits > 32 or dtype.kind == "bool" or not op.reads:
        return []
    name = " and ".join(a.name for a in op.reads)
    size = min(STRETCH, 1 << bits)
    make = partial(trial, op, dtype, op.proof.swept, (), partial(_every, size))
    return [Batches(f"every {name}", (1 << bits) // size, make, size, 1 + form_of(op).cost, True)]


def _variants(op: Op, dtype: DType) -> Iterator[tuple[Mapping[str, Any], tuple[str, ...]]]:
    """Attributes to try; and optional tensors that are absent, one or all."""
    for row in tried(op):
        yield row, ()
    optional = tuple(a.name for a in op.inputs if a.optional and a.read)
    several = [optional] if len(optional) > 1 else []
    for absent in (*((name,) for name in optional), *several):
        if takes(op, dtype, {}, absent):  # some are needed beside others
            yield {}, absent


def trial(
    op: Op,
    dtype: DType,
    row: Mapping[str, Any],
    absent: Sequence[str],
    drawn: Drawn,
    index: int,
) -> Trial:
    """A call in a dtype on what is drawn."""
    unsized = call_in(op, dtype, (2, 2), row, absent)
    columns = drawn(op, [one.tensor.dtype for one in unsized.reads], index)
    count = columns[0].size if columns else _COUNT
    rows = -(-count // (2 * _COLUMNS)) * 2  # an even number: there may be halves of them
    shape = (count,) if op.steps is elementwise else (rows, _COLUMNS)
    call = call_in(op, dtype, shape, row, absent)
    labels = [one.label for one in call.reads]
    for name, values in op.proof.values.items():
        if name in labels:
            place = labels.index(name)
            words = _stream(op, index, place).words(count, 11) % np.uint64(len(values))
            columns[place] = np.array(values, columns[place].dtype)[words]
    limits = {limit.part.tensor: limit for step in op.steps(call) for limit in step.limits}
    storages: list[NDArray[Any] | None] = []
    given: dict[str, Any] = {}
    for number, one in enumerate(call.used):
        view = one.tensor.view
        array = None
        if one.label in labels:
            array = np.resize(columns[labels.index(one.label)], view.numel)
            if number in limits:
                array = within(limits[number], array)
        elif isinstance(one.argument, InOut):  # only overwritten
            array = np.zeros(view.numel, view.dtype.numpy)
        storages.append(array)
        if array is not None and one.label == one.argument.name:
            given[one.label] = array.reshape(view.shape)
        elif array is not None:
            given.setdefault(one.argument.name, []).append(array.reshape(view.shape))
    for a in op.inputs:  # tensors of which only the shape counts
        if not a.read and isinstance(call[a.name], Tensor):
            given[a.name] = np.zeros(call[a.name].shape, call[a.name].dtype.numpy)
    truths = results(call, storages)
    there = [
        truth is not None
        for tensor, truth in zip(call.outs, truths, strict=True)
        if tensor is not None
    ]
    return Trial(
        call, given, call.attributes, row, call.product, tuple(_rights(call, truths)),
        _columns(call, given), tuple(there),
    )  # fmt: skip


def demands(call: Call) -> bool:
    """Whether elements must fit together, as random ones may not."""
    return any(one.part.tensor < 0 for step in call.op.steps(call) for one in step.limits)


def call_in(
    op: Op,
    dtype: DType,
    shape: tuple[int, ...],
    row: Mapping[str, Any],
    absent: Sequence[str] = (),
) -> Call:
    """A call without memory that some product takes; NoCallError where none does."""
    dtypes = describe.alike(op, dtype)
    wanted = [dtypes[a.name] for a in op.reads] or [dtype]
    attributes = {name: value for name, value in complete(op, row).items() if name in row}
    refusals = []
    for product in dict.fromkeys((DEFAULT, *op.products)):
        call = sample_call(
            op, wanted, shape, attributes=attributes, product=product, without=absent
        )
        fault = verdict(call)
        if fault is None:
            return call
        refusals.append(fault.message)
    raise NoCallError(refusals[0])


def _rights(call: Call, truths: Sequence[Truth | None]) -> Iterator[Right]:
    promoted = call.promoted
    assert promoted is not None
    written = _written(call)
    outputs = zip(call.outputs(), call.results, truths, strict=True)
    for (label, tensor, _), meta, truth in outputs:
        if truth is None or tensor is None:
            continue
        dtype = tensor.dtype
        # statistics have more digits than what they are of
        both = meta.dtype.kind == promoted.kind == "float"
        wide = meta.dtype if both and meta.dtype.bits > promoted.bits else promoted
        if isinstance(truth, Pair):
            truth = Pair(truth.high.ravel(), truth.low.ravel())
        else:
            truth = truth.ravel()
        rounded = isinstance(truth, Pair) and dtype is wide
        array = stored(truth, wide, dtype)
        stays = written[label] < tensor.view.numel
        yield Right(dtype, truth, array, rounded=rounded, moved=moves(call, dtype), stays=stays)


def _written(call: Call) -> Counter[str]:
    """How many elements of each tensor the steps write."""
    found: Counter[str] = Counter()
    for member in call.members:
        for step in member.call.op.steps(member.call):
            for part in step.writes:
                if part is not None and part.tensor >= 0:
                    label = call.used[member.tensors[part.tensor]].label
                    found[label] += part.view.numel
    return found


def moves(call: Call, dtype: DType) -> bool:
    """Whether elements of a call's results of a dtype only move, or are numbers that are given.
    (Indices that a pass moves beside them are no results; a routine writes places behind them.)"""
    return any(
        one.body.moves and one.dtypes[-1].kind == dtype.kind
        if isinstance(one, Pass)
        else one.routine.moves and dtype.kind in {each.kind for each in one.dtypes}
        for one in make_plan(call, EXACT).passes
    )


def _columns(call: Call, given: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    shapes = {one.tensor.shape for one in (*call.reads, *call.writes)}
    lists = any(isinstance(value, list) for value in given.values())
    if call.op.steps is not elementwise or len(shapes) > 1 or lists:
        return {}
    return {one.label: given[one.label].ravel() for one in call.reads}


def _stream(op: Op, index: int, place: int) -> Stream:
    return Stream(index, f"{op.name} input {place}")


def _special(op: Op, dtypes: Sequence[DType], index: int) -> Columns:
    """Every combination, or some of them."""
    tables = [special(dtype) for dtype in dtypes]
    if np.prod([table.size for table in tables], dtype=float) <= _MOST:
        return [column.ravel() for column in np.meshgrid(*tables, indexing="ij")]
    words = [_stream(op, index, place).words(_COUNT, 7) for place in range(len(tables))]
    return [table[word % np.uint64(table.size)] for table, word in zip(tables, words, strict=True)]


def _random(
    op: Op, dtypes: Sequence[DType], index: int, count: int = _COUNT, near: bool = False
) -> Columns:
    """A quarter each from all binades, where something happens, near 0, and near the first; `near`:
    none from all binades."""
    low, high = op.proof.range
    found: Columns = []
    for place, dtype in enumerate(dtypes):
        stream = _stream(op, index, place)
        inside = distribution(f"uniform:{low},{high}")
        ways = (standard if near else every_exponent, inside, standard)
        kinds = [draw(stream, count, dtype, way, False) for way in ways]
        kinds.append(_close(found[0], stream, dtype) if found else kinds[2])
        turn = stream.words(count, 8) % np.uint64(4)
        bits = np.choose(turn.astype(np.int64), [kind.view(f"u{dtype.itemsize}") for kind in kinds])
        found.append(bits.view(dtype.numpy))
    return found


def _beside_numbers(row: Mapping[str, Any], op: Op, dtypes: Sequence[DType], index: int) -> Columns:
    """Random inputs, and of each tensor some in turn beside what the numbers may be compared
    with."""
    wide = any(dtype is DOUBLE for dtype in dtypes)
    # what cancels among DOUBLEs of all sizes, the true values have no digits for
    found = _random(op, dtypes, index, _FEW, near=wide)
    centres = numbers.edges(op, row)
    for place, dtype in enumerate(dtypes):
        near = beside(centres, dtype) if centres else found[place][:0]
        some = found[place][place :: 2 * len(dtypes)]
        if near.size:
            some[:] = near[np.arange(some.size) * near.size // some.size]
    return found


def _close(other: NDArray[Any], stream: Stream, dtype: DType) -> NDArray[Any]:
    """Numbers that are those of another tensor, or a little off."""
    if dtype.kind != "float" or other.dtype != dtype.numpy:
        with np.errstate(all="ignore"):
            return np.asarray(other, dtype.numpy)
    closeness = (stream.words(other.size, 9) % np.uint64(40)).astype(np.int64)
    with np.errstate(all="ignore"):
        moved = other.astype(np.float64) * (1 + np.ldexp(stream.normal(other.size, 10), -closeness))
        return np.asarray(moved, dtype.numpy)


def _along(
    place: int,
    values: Callable[[DType], NDArray[Any]],
    op: Op,
    dtypes: Sequence[DType],
    index: int,
) -> Columns:
    """Values along one tensor, random ones of the others; of a list along its first."""
    along = values(dtypes[min(place, len(dtypes) - 1)])
    found = _random(op, dtypes, 1 << 20, along.size)
    found[min(place, len(dtypes) - 1)] = along
    return found


def _every(size: int, op: Op, dtypes: Sequence[DType], index: int) -> Columns:
    """A stretch of all combinations, counted in the bits of one tensor after the other."""
    place = np.arange(index * size, (index + 1) * size, dtype=np.uint64)
    found = []
    for dtype in dtypes:
        word = place & np.uint64((1 << dtype.bits) - 1)
        found.append(word.astype(f"u{dtype.itemsize}").view(dtype.numpy))
        place = place >> np.uint64(dtype.bits)
    return found
