"""The true values of operators, to about 100 bits: what kernels are judged by.

The operator's own formula, evaluated by `trees`, which shares nothing with the arithmetic that
kernels are made from; integers and conditions are exact. That the formula is the right one is for
the tests' rows to say, which come from PyTorch and mpmath.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openaclnn.base.dtypes import FLOAT, UINT64, DType
from openaclnn.base.layouts import elements
from openaclnn.base.scalars import Scalar
from openaclnn.base.settings import EXACT
from openaclnn.base.tensors import View
from openaclnn.calls.functions import attribute
from openaclnn.engines.plain_routines import routine_results
from openaclnn.spec.call import Call
from openaclnn.spec.formula import ADDRESS, Traced
from openaclnn.spec.op import Op, number_of
from openaclnn.spec.stages import dims_of, extents_of, folds_of, stages_of
from openaclnn.spec.steps import POSITIONS, Part, Step
from openaclnn.truth import double_double as dd
from openaclnn.truth import trees
from openaclnn.truth.double_double import Pair
from openaclnn.truth.stored import Truth, worth


def reference(
    op: Op,
    inputs: Sequence[ArrayLike],
    attributes: Mapping[str, Any] | None = None,
    numel: int | None = None,
    promoted: DType = FLOAT,
) -> Pair:
    """The true results (high, low) of an operator that computes one float from an element of each
    input, in C order and broadcast together. Attributes are by name, as Python users give them;
    `numel` is the number of results, where these are some of them.

    >>> from openaclnn.ops import find
    >>> high, low = reference(find("hardsigmoid_backward"), [[1.0, 1.0], [0.0, 4.0]])
    >>> high.tolist(), (low * 2.0**60).round(3).tolist()
    ([0.16666666666666666, 0.0], [10.667, 0.0])
    """
    arrays = np.broadcast_arrays(*(np.asarray(a, np.float64) for a in inputs))
    shape, count = arrays[0].shape, arrays[0].size
    used = complete(op, attributes or {})
    traced = op.traced(meaning(op), {a.name: True for a in op.reads}, used)
    names = (a.name for a in op.reads)
    given = {name: Pair(a.ravel(), np.float64(0.0)) for name, a in zip(names, arrays, strict=True)}
    uniforms = numbers(op, traced.uniforms, used, count if numel is None else numel, promoted)
    (found,) = trees.evaluate(traced, given, uniforms, count)
    return Pair(found.high.reshape(shape), found.low.reshape(shape))


def results(
    call: Call,
    storages: Sequence[NDArray[Any] | None],
    seen: Callable[[Step, Mapping[int, Truth]], None] | None = None,
) -> tuple[Truth | None, ...]:
    """The true results of a call that passes its checks, an array or pair of arrays for every
    output, of a list for each of its tensors; None for what is absent. `storages` are the memory of
    its used tensors, None for what is not read. `seen` is told of every step, and what earlier ones
    have left in scratch memory.

    Everything is read before anything is written.
    """
    if call.op.repeats is not None:
        each = [
            results(member.call, [storages[number] for number in member.tensors])
            for member in call.members
        ]
        return tuple(truth for output in zip(*each, strict=True) for truth in output)
    found: dict[int, Truth] = {}
    for step in call.op.steps(call):
        if seen is not None:
            seen(step, {place: truth for place, truth in found.items() if place < 0})
        if step.routine is not None:
            _routine(call, step, storages, found)
            continue
        traced = call.op.traced(
            step.formula or meaning(call.op),
            {name: part is not None for name, part in step.reads.items()},
            call.attributes,
            tuple(part is not None for part in step.writes),
        )
        writes = [part for part in step.writes if part is not None]
        if not writes:  # nobody wants what it computes
            continue
        scratch = {place: truth for place, truth in found.items() if place < 0}
        shapes = [part.view.shape for part in writes]
        values = _computed(call, step, traced, storages, scratch, shapes)
        for part, value in zip(writes, values, strict=True):
            whole = part.view if part.tensor < 0 else call.used[part.tensor].tensor.view
            _write(found, part, whole, value, None if part.tensor < 0 else storages[part.tensor])
    numbers = {given.label: number for number, given in enumerate(call.used)}
    found_or_left: list[Truth | None] = []
    for label, tensor, _ in call.outputs():
        # statistics that are given are left as they were
        truth = None if tensor is None else found.get(numbers[label], storages[numbers[label]])
        if tensor is None or truth is None:
            found_or_left.append(None)
        else:
            found_or_left.append(_seen(truth, tensor.view))
    return tuple(found_or_left)


def _routine(
    call: Call,
    step: Step,
    storages: Sequence[NDArray[Any] | None],
    found: dict[int, Truth],
) -> None:
    """What a routine gives, by the plain engine; scratch memory is kept beside the results."""
    inputs: list[Any] = []
    for part in step.reads.values():
        if part is None:
            continue
        if not part.view.numel:  # of scratch memory that no step has written yet
            inputs.append(np.empty(part.view.shape, part.view.dtype.numpy))
        else:
            given = storages[part.tensor] if part.tensor >= 0 else None
            # where nothing was given, it goes on with what an earlier step has written
            storage = found[part.tensor] if given is None else given
            inputs.append(elements(_nearest_of(storage, part.view), part.view))
    writes = [part for part in step.writes if part is not None]
    outputs = [np.empty(part.view.shape, part.view.dtype.numpy) for part in writes]
    assert step.routine is not None
    values = routine_results(step.routine, inputs, outputs)
    for part, value in zip(writes, values, strict=True):
        truth = (
            Pair(value.astype(np.float64), np.zeros(value.shape))
            if (part.view.dtype.kind == "float")
            else value
        )
        whole = part.view if part.tensor < 0 else call.used[part.tensor].tensor.view
        _write(found, part, whole, truth, None if part.tensor < 0 else storages[part.tensor])


def _nearest_of(storage: Truth, view: View) -> NDArray[Any]:
    if isinstance(storage, Pair):
        return storage.high.astype(view.dtype.numpy)
    return storage


def _computed(
    call: Call,
    step: Step,
    traced: Traced,
    storages: Sequence[NDArray[Any] | None],
    scratch: Mapping[int, Truth],
    shapes: Sequence[tuple[int, ...]],
) -> list[Truth]:
    """What a step computes, each in the shape of what it writes."""
    arrays: dict[str, Any] = {}
    memories: dict[str, trees.Storage] = {}
    for name in traced.inputs:
        part = step.reads[name]
        assert part is not None
        own = part.view
        if part.tensor == POSITIONS or name.endswith(ADDRESS):
            arrays[name] = own.offset + sum(np.indices(own.shape) * _column(own.strides))
        if part.tensor == POSITIONS:
            continue
        storage = scratch[part.tensor] if part.tensor < 0 else storages[part.tensor]
        assert storage is not None
        if name.endswith(ADDRESS):
            assert own.dtype.element is not None
            row = Pair(*map(np.ravel, storage)) if isinstance(storage, Pair) else storage.ravel()
            memories[name + trees.MEMORY] = trees.Storage(row, own.dtype.element.itemsize)
        else:
            arrays[name] = elements(_nearest_of(storage, own), own)
    if folds_of(traced):
        folded = _folded(call, step, traced, arrays, memories)
        return [_at(*found, shape) for found, shape in zip(folded, shapes, strict=True)]
    found = _of_elements(call, traced, arrays, memories, shapes[0])
    return [_shaped(value, shapes[0]) for value in found]


def _at(value: Truth, folded: tuple[int, ...], shape: tuple[int, ...]) -> Truth:
    """A result where its own shape has elements: it is the same along what that has not."""
    halves, rank = _halves(value), len(shape)
    if math.prod(halves[0].shape) != math.prod(shape):
        whole = halves[0].shape
        gone = folded if len(whole) > rank else [k for k in range(rank) if shape[k] == 1]
        index = tuple(slice(0, 1 if k in gone else None) for k in range(len(whole)))
        halves = tuple(half[index] for half in halves)
    shaped = [half.reshape(shape) for half in halves]
    return Pair(*shaped) if isinstance(value, Pair) else shaped[0]


def _column(strides: Sequence[int]) -> NDArray[Any]:
    return np.array(strides, np.int64).reshape(-1, *[1] * len(strides))


def _of_elements(
    call: Call,
    traced: Traced,
    arrays: Mapping[str, Any],
    memories: Mapping[str, trees.Storage],
    shape: tuple[int, ...],
    extents: Mapping[str, int] = MappingProxyType({}),
) -> list[Any]:
    """What a formula without folds gives for arrays, or pairs of them, that broadcast."""
    op, promoted = call.op, call.promoted
    assert promoted is not None
    spread = {name: _flat(arrays[name], shape) for name in traced.inputs}
    if promoted.kind != "float":
        return _of_integers(call, traced, spread, memories)
    given = {**call.attributes, **extents}
    uniforms = numbers(op, traced.uniforms, given, call.numel, promoted)
    if any(result.op != "input" for result in traced.results):  # what is computed, and not added up
        spread = {name: _converted(v, promoted) for name, v in spread.items()}
    given = {name: v if isinstance(v, Pair) else worth(v) for name, v in spread.items()}
    looked_up = {name: _worth(memory, promoted) for name, memory in memories.items()}
    return trees.evaluate(traced, given, {**uniforms, **looked_up}, math.prod(shape))


def _worth(memory: trees.Storage, promoted: DType) -> trees.Storage:
    values = _converted(memory.elements, promoted)
    return replace(memory, elements=values if isinstance(values, Pair) else worth(values))


def _converted(value: Any, promoted: DType) -> Any:
    """Integers become FLOAT or DOUBLE first, as in PyTorch; beside 16 bits they stay exact."""
    if isinstance(value, Pair) or value.dtype.kind not in "iu" or promoted.bits < 32:
        return value
    return value.astype(promoted.numpy)


def _flat(value: Any, shape: tuple[int, ...]) -> Any:
    if isinstance(value, Pair):
        return Pair(*(np.broadcast_to(half, shape).ravel() for half in value))
    return np.broadcast_to(value, shape).ravel()


def _folded(
    call: Call,
    step: Step,
    traced: Traced,
    arrays: dict[str, Any],
    memories: Mapping[str, trees.Storage],
) -> list[tuple[Any, tuple[int, ...]]]:
    """What a formula with folds gives, and what was folded: stage after stage, sums exactly."""
    shape = np.broadcast_shapes(*map(np.shape, arrays.values()))
    results: dict[int, Any] = {}
    dims: tuple[int, ...] = ()
    extents = extents_of(traced.uniforms, call.attributes, shape, step.axes)
    for stage in stages_of(traced):
        found = _of_elements(call, stage.traced, arrays, memories, shape, extents)
        if stage.fold is None:
            results |= {k: _shaped(v, shape) for k, v in zip(stage.gives, found, strict=True)}
            continue
        dims = dims_of(stage.fold.over, call.attributes, len(shape), step.axes)
        made = together(stage.fold.name, _shaped(found[0], shape), dims)
        arrays = {**arrays, stage.name: made}
        results |= dict.fromkeys(stage.gives, made)
    return [(results[number], dims) for number in range(len(traced.results))]


def together(kind: str, terms: Truth, dims: tuple[int, ...]) -> Any:
    """What terms make along dimensions, which stay with size 1."""
    halves = _halves(terms)
    kept = [1 if dim in dims else size for dim, size in enumerate(halves[0].shape)]
    count = math.prod(halves[0].shape[dim] for dim in dims)
    rows = [
        np.moveaxis(half, dims, range(-len(dims), 0)).reshape(math.prod(kept), count)
        if dims
        else half.reshape(-1, 1)
        for half in halves
    ]
    if not isinstance(terms, Pair):
        found = rows[0].max(axis=1) if kind == "max" else rows[0].sum(axis=1, dtype=np.int64)
        return found.reshape(kept)
    fold = _largest if kind == "max" else _sum
    with np.errstate(all="ignore"):
        pairs = [fold(high, low) for high, low in zip(*rows, strict=True)]
        made = [np.array(each, np.float64) for each in zip(*pairs, strict=True)] or [
            np.zeros(0)
        ] * 2
        sums = Pair(*made)
        if kind == "mean":
            finite, near = np.isfinite(sums.high), abs(sums.high) < 2.0**900
            quotients = dd.divide(sums, dd.exact(max(count, 1)))
            sums = (
                dd.where(finite, quotients, sums) if count else Pair(sums.high + np.nan, sums.low)
            )
            # a mean may be a number where the sum is none, or has no room to be taken apart
            for row in np.flatnonzero(~near & np.isfinite(rows[0]).all(axis=1)):
                exact = sum(map(Fraction, (*rows[0][row], *rows[1][row])), Fraction(0))
                sums.high[row], sums.low[row] = _nearest(exact / count)
    return Pair(*(half.reshape(kept) for half in sums))


def _sum(high: NDArray[Any], low: NDArray[Any]) -> tuple[float, float]:
    """The exact sum to twice 53 bits."""
    if not np.isfinite(high).all():
        return float(high.sum()), 0.0
    terms = [*high.tolist(), *low.tolist()]
    try:
        nearest = math.fsum(terms)
    except OverflowError:  # on the way: the result may have room all the same
        return _nearest(sum(map(Fraction, terms), Fraction(0)))
    return nearest, math.fsum([*terms, -nearest]) if math.isfinite(nearest) else 0.0


def _nearest(exact: Fraction) -> tuple[float, float]:
    """A fraction to twice 53 bits; infinite where float64 has no room."""
    try:
        high = float(exact)
    except OverflowError:
        return math.copysign(math.inf, 1 if exact > 0 else -1), 0.0
    return high, float(exact - Fraction(high))


def _largest(high: NDArray[Any], low: NDArray[Any]) -> tuple[float, float]:
    best = high.max()
    at = np.flatnonzero(high == best) if not np.isnan(best) else [int(np.isnan(high).argmax())]
    # of two zeros the one without a sign
    return float(max(high[at], key=lambda x: math.copysign(1, x))), float(low[at].max())


def _of_integers(
    call: Call,
    traced: Traced,
    arrays: Mapping[str, Any],
    memories: Mapping[str, trees.Storage],
) -> list[Any]:
    """Computed in the kernels' type, then wrapped to the promoted one; conditions stay so."""
    op, promoted = call.op, call.promoted
    assert promoted is not None
    compute = op.computes_in(promoted, EXACT, call.attributes)
    type = np.uint64 if promoted is UINT64 else {"i32": np.int32, "i64": np.int64}[compute]
    values = op.numbers(traced.uniforms, call.attributes, call.numel, promoted)
    whole = dict(zip(traced.uniforms, map(int, values), strict=True))
    found = trees.evaluate_integers(traced, arrays, {**whole, **memories}, type, promoted.numpy)
    return [value if value.dtype == bool else value.astype(promoted.numpy) for value in found]


def _shaped(value: Any, shape: tuple[int, ...]) -> Truth:
    if isinstance(value, Pair):
        return Pair(*(half.reshape(shape) for half in value))
    return np.broadcast_to(value, math.prod(shape)).reshape(shape)


def _write(
    found: dict[int, Truth],
    part: Part,
    whole: View,
    value: Truth,
    before: NDArray[Any] | None = None,
) -> None:
    """Put what a step computed where it belongs in its output's storage; what it leaves is as it
    was before."""
    if part.tensor not in found:
        made = [np.zeros(whole.storage_numel, half.dtype) for half in _halves(value)]
        if before is not None:
            was = worth(before) if isinstance(value, Pair) else before
            for half, old in zip(made, _halves(was), strict=True):
                half[...] = np.ravel(old)
        found[part.tensor] = Pair(*made) if isinstance(value, Pair) else made[0]
    if isinstance(found[part.tensor], Pair) and not isinstance(value, Pair):
        value = worth(value)
    for storage, half in zip(_halves(found[part.tensor]), _halves(value), strict=True):
        elements(storage, part.view)[...] = half


def _seen(storage: Truth, view: View) -> Truth:
    halves = [elements(half, view) for half in _halves(storage)]
    return Pair(*halves) if isinstance(storage, Pair) else halves[0]


def _halves(value: Truth) -> tuple[NDArray[Any], ...]:
    return value if isinstance(value, Pair) else (value,)


def meaning(op: Op) -> Callable[..., Any]:
    """The formula whose values are true."""
    return op.proof.meaning or op.formula


def complete(op: Op, given: Mapping[str, Any]) -> dict[str, Any]:
    """All attributes as their kinds have them; what is not given is as where nothing is said."""
    return {
        a.name: attribute(op, a, given[a.name]) if a.name in given else a.plain
        for a in op.attributes
    }


def numbers(
    op: Op, names: Sequence[str], attributes: Mapping[str, Any], numel: int, promoted: DType
) -> dict[str, Pair]:
    """The uniforms of a formula. They are derived in fractions, where the operator's function
    allows that: a float64 would round them before anything else does."""
    known = {"numel": numel, **attributes}
    if op.uniforms:
        known |= _derived(op, attributes, numel, promoted)
    return {name: dd.exact(_value(known[name], promoted)) for name in names}


def _derived(
    op: Op, attributes: Mapping[str, Any], numel: int, promoted: DType
) -> Mapping[str, Any]:
    assert op.uniforms is not None
    exact = {name: _fraction(value) for name, value in attributes.items()}
    try:
        return op.uniforms(exact, Fraction(numel), promoted)  # type: ignore[arg-type]
    except (TypeError, ValueError, AttributeError):  # it wants floats
        return op.uniforms(attributes, numel, promoted)


def _value(value: Any, promoted: DType) -> Any:
    return number_of(value, promoted) if isinstance(value, Scalar) else value


def _fraction(value: Any) -> Any:
    return Fraction(value) if type(value) in (int, float) and np.isfinite(value) else value
