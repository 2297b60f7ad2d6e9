"""Every operator in every dtype at both levels, with random attributes, on random inputs: some
results of each call, and the worst of them, against mpmath or exact integers.

    python tests/long nightly --seed 7 --seconds 600 --ops divs,softmax --processes 2

Rounds over all operators go on until the time is up; the first one is always finished. Then first
gradients. Exit status 1 where a result is further off than the operator's page promises.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import secrets
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from mpmath import mp, mpf

from mathematics import Point, UnknownError, ulps, value
from openaclnn import ops
from openaclnn.base.dtypes import UINT64, DType, by_name
from openaclnn.base.layouts import elements
from openaclnn.base.settings import EXACT, LEVELS
from openaclnn.golden.draws import Stream
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import FLAG
from openaclnn.spec.op import InOut, Op
from openaclnn.spec.proof import Bound
from openaclnn.spec.stages import dims_of, extents_of, folds_of, stages_of
from openaclnn.spec.steps import POSITIONS
from openaclnn.truth.double_double import Pair
from openaclnn.truth.reference import meaning, numbers
from openaclnn.truth.trees import NoTruthError
from openaclnn.truth.ulp import as_float64, format_of, ulp_error
from openaclnn.verify import numbers as attributes_of
from openaclnn.verify import subjects, trials
from openaclnn.verify.bounds import bound, holds
from openaclnn.verify.form import numbers_of

_COUNT = 1 << 9  # elements of a call
_SOME = 6  # of a call's results, beside the worst
_EQUAL = Bound(0.0)


@dataclass
class Tally:
    """What was done, and what was found."""

    calls: int = 0
    checked: int = 0
    unknown: int = 0  # of results that mpmath has no number for
    violations: list[str] | None = None

    def add(self, other: Tally) -> None:
        self.calls += other.calls
        self.checked += other.checked
        self.unknown += other.unknown
        self.violations = [*(self.violations or []), *(other.violations or [])]


def pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    return [
        (name, dtype.short)
        for name, op in ops.all_ops().items()
        for dtype in describe.dtypes(op)
        if dtype.kind in ("float", "int", "bool") and (not names or name in names)
    ]


def one(pair: tuple[str, str], seed: int) -> Tally:
    """A call of an operator in a dtype, at each level."""
    op, dtype = ops.all_ops()[pair[0]], by_name(pair[1])
    stream = Stream(seed, f"nightly {op.name} {dtype}")
    row = _row(op, dtype, stream)
    drawn = partial(trials._random, count=_COUNT)
    if numbers_of(op) and int(stream.words(1, 20)[0]) % 2:
        drawn = partial(trials._beside_numbers, row)
    index = int(stream.words(1, 21)[0] >> np.uint64(2))
    found = Tally(violations=[])
    try:
        made = trials.trial(op, dtype, row, (), drawn, index)
    except (trials.NoCallError, NoTruthError):  # look-ups by indices have tests of their own
        return found
    call = _sized(op, dtype, row, made)
    for level in LEVELS:
        limit = bound(op, call.promoted or dtype, level)  # a number may make integers FLOAT
        if limit is None:
            continue
        given = {
            name: each.copy() if any(a.name == name for a in op.outputs if isinstance(a, InOut))
            else each for name, each in made.given.items()
        }  # fmt: skip
        results = subjects.called(op, level, "cpu", given, made.attributes, made.product)
        flat = [np.ascontiguousarray(result).ravel() for result in made.judged(results)]
        found.calls += 1
        for note in _judged(call, made, flat, limit, dtype, stream, found):
            said = f"{op.name} {dtype.short} {level} {dict(row)} seed {seed}: {note}"
            assert found.violations is not None
            found.violations.append(said)
    return found


def _row(op: Op, dtype: DType, stream: Stream) -> Mapping[str, Any]:
    """Random attributes that the operator takes; none where it takes none of them."""
    for turn in range(12):
        row: dict[str, Any] = {}
        given = list(attributes_of.rows(op, dtype, int(stream.words(1, 30 + turn)[0]), random=1))
        if given:
            row |= given[int(stream.words(1, 50 + turn)[0]) % len(given)]
        for place, a in enumerate(op.attributes):
            word = int(stream.words(1, 100 + 20 * turn + place)[0])
            if a.host is FLAG:
                row[a.name] = bool(word % 2)
            elif a.choices:
                row[a.name] = list(a.choices.values())[word % len(a.choices)]
        if trials.takes(op, dtype, row):
            return row
    return {}


def _sized(op: Op, dtype: DType, row: Mapping[str, Any], made: trials.Trial) -> Call:
    """The call of a trial, on tensors without memory."""
    shapes = [
        each.shape
        for given in made.given.values()
        for each in (given if isinstance(given, list) else [given])
    ]
    rows = max((math.prod(shape) for shape in shapes), default=_COUNT)
    return trials.call_in(op, dtype, _whole(op, rows), row)


def _whole(op: Op, count: int) -> tuple[int, ...]:
    from openaclnn.spec.steps import elementwise

    if op.steps is elementwise:
        return (count,)
    return (-(-count // (2 * trials._COLUMNS)) * 2, trials._COLUMNS)


def _judged(
    call: Call,
    made: trials.Trial,
    results: list[Any],
    limit: Bound,
    dtype: DType,
    stream: Stream,
    tally: Tally,
) -> Iterator[str]:
    """Sentences about results that are not as promised."""
    promised = None
    if limit.holds is not None:
        if not made.columns:
            return
        with np.errstate(all="ignore"):
            inputs = [column.astype(np.float64) for column in made.columns.values()]
        promised = holds(call.op, dtype, limit, inputs, made.attributes)
    for number, (right, result) in enumerate(zip(made.outputs, results, strict=True)):
        if not right.rounded:
            # integers, booleans and what is converted: every element, by the stored truth
            bits = f"u{right.dtype.itemsize}"
            wrong = np.flatnonzero(result.view(bits) != right.array.view(bits))
            places = [*wrong[:3].tolist(), *_some(stream, result.size)]
            if right.dtype.kind == "float" or isinstance(right.truth, Pair):  # it was converted
                tally.checked += result.size
                for place in wrong[:3].tolist():
                    yield f"not equal at {place}: {result[place]}, right {right.array[place]}"
                continue
        else:
            error = np.asarray(ulp_error(result, right.dtype, right.truth))
            error = np.where(np.isnan(error), np.inf, error)
            if promised is not None:
                error = np.where(promised, error, 0.0)
            places = [*np.argsort(error)[-2:].tolist(), *_some(stream, result.size)]
        for place in dict.fromkeys(places):
            if promised is not None and not promised[place]:
                continue
            try:
                true = _true(call, made, number, place)
            except UnknownError:
                tally.unknown += 1
                continue
            if true is None:
                continue
            tally.checked += 1
            found = float(as_float64(result[place : place + 1], right.dtype)[0]) if (
                right.dtype.kind == "float"
            ) else int(result[place])  # fmt: skip
            note = _fault(found, true, right, limit)
            if note:
                values = {n: c.ravel()[place] for n, c in made.columns.items()}
                yield f"{note} at {values or place}: {found}, true {_shown(true)}"


def _some(stream: Stream, size: int) -> list[int]:
    return (stream.words(_SOME, 70) % np.uint64(max(size, 1))).astype(int).tolist() if size else []


def _shown(true: Any) -> str:
    return mp.nstr(true, 20) if isinstance(true, mpf) else str(true)


def _fault(found: Any, true: Any, right: trials.Right, limit: Bound) -> str:
    if right.dtype.kind != "float" or not isinstance(true, mpf):
        return "" if found == int(true) else "not equal"
    f = format_of(right.dtype)
    error = ulps(found, true, f.bits, f.lowest, f.highest)
    # of results that are converted: the promoted type's rounding came before
    most = limit.ulp if right.rounded else math.inf
    return f"{error:.6g} ULP > {most:g}" if error > most else ""


def _true(call: Call, made: trials.Trial, output: int, place: int) -> Any:
    """What an element of an output truly is; None where it is an element that only moved, or where
    a dtype's conversion follows."""
    op, promoted = call.op, call.promoted
    assert promoted is not None
    names = made.judged([a.name for a in op.outputs if call[a.name] is not None])
    wanted = next(n for n, given in enumerate(call.used) if given.label == names[output])
    storages = [_storage(made, given) for given in call.used]
    if made.outputs[output].moved:
        return None
    for step in reversed(op.steps(call)):
        for written, part in enumerate(p for p in step.writes if p is not None):
            if part.tensor != wanted:
                continue
            view = call.used[wanted].tensor.view
            order = elements(np.arange(view.storage_numel), part.view)
            here = np.flatnonzero(order.ravel() == place)
            if here.size and step.routine is not None:  # by fractions, and rounded
                truth = made.outputs[output].truth
                known = isinstance(truth, Pair) and math.isfinite(truth.high[place])
                return mpf(float(truth.high[place])) if known else None
            if here.size:
                return _evaluated(call, step, storages, written, order.shape, int(here[0]))
    return None


def _storage(made: trials.Trial, given: Any) -> Any:
    array = made.given.get(given.argument.name)
    if isinstance(array, list):
        array = array[int(given.label.rpartition("[")[2].rstrip("]"))]
    return None if array is None else np.asarray(array).ravel()


def _evaluated(
    call: Call, step: Any, storages: list[Any], written: int, shape: tuple[int, ...], flat: int
) -> Any:
    op, promoted = call.op, call.promoted
    assert promoted is not None
    present = {name: part is not None for name, part in step.reads.items()}
    wanted = tuple(part is not None for part in step.writes)
    traced = op.traced(step.formula or meaning(op), present, call.attributes, wanted)
    tree = traced.results[written]
    arrays: dict[str, Any] = {}
    for name in traced.inputs:
        part = step.reads[name]
        if part.tensor == POSITIONS:
            view = part.view
            strides = np.array(view.strides, np.int64).reshape(-1, *[1] * len(view.strides))
            arrays[name] = view.offset + sum(np.indices(view.shape) * strides)
        else:
            arrays[name] = elements(storages[part.tensor], part.view)
    whole = np.broadcast_shapes(*(array.shape for array in arrays.values()), *_plain(tree, shape))
    dims: tuple[int, ...] = ()
    if folds_of(traced):
        overs = {stage.fold.over for stage in stages_of(traced) if stage.fold is not None}
        if len(overs) > 1:
            raise UnknownError
        dims = dims_of(overs.pop(), call.attributes, len(whole), step.axes)
    arrays = {name: np.broadcast_to(array, whole) for name, array in arrays.items()}
    if math.prod(whole) != math.prod(shape):
        shape = tuple(1 if dim in dims else size for dim, size in enumerate(whole))
    index = tuple(int(k) for k in np.unravel_index(flat, shape))
    if promoted.kind == "float":
        extents = extents_of(traced.uniforms, call.attributes, whole, step.axes)
        attributes = {**call.attributes, **extents}
        given = numbers(op, traced.uniforms, attributes, call.numel, promoted)
        uniforms = {name: mpf(float(p.high)) + mpf(float(p.low)) for name, p in given.items()}
        arrays = {name: _become(array, tree, promoted) for name, array in arrays.items()}
        point = Point(arrays or {"": np.zeros(whole)}, uniforms, dims)
        found = value(tree, point, index)
        return found if isinstance(found, (bool, mpf)) else mpf(found)
    if promoted is UINT64:
        return None
    bits = 64 if op.computes_in(promoted, EXACT, call.attributes) == "i64" else 32
    whole_numbers = op.numbers(traced.uniforms, call.attributes, call.numel, promoted)
    known = dict(zip(traced.uniforms, map(int, whole_numbers), strict=True))
    held = (promoted.bits, promoted.name.startswith("U"))
    point = Point(arrays or {"": np.zeros(whole, int)}, known, dims, wraps=bits, held=held)
    found = value(tree, point, index)
    if isinstance(found, bool) or promoted.kind == "bool":
        return bool(found)
    return point.as_held(found)


def _plain(tree: Expr, shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The results' shape, where a formula without a fold may read less than that."""
    return [] if tree.op == "fold" else [shape]


def _become(array: Any, tree: Expr, promoted: DType) -> Any:
    """Integers become FLOAT or DOUBLE first, unless they are added up as they are."""
    bare = tree.op == "input" or (tree.op == "fold" and tree.args[0].op == "input")
    if array.dtype.kind not in "iu" or promoted.bits < 32 or bare:
        return array
    return array.astype(promoted.numpy)


def worker(some: list[tuple[str, str]], seed: int, until: float) -> Tally:
    """Rounds over operators until the time is up."""
    total, turn = Tally(violations=[]), 0
    while turn == 0 or time.time() < until:
        for number, pair in enumerate(some):
            if turn and time.time() > until:
                break
            try:
                total.add(one(pair, seed + turn))
            except Exception as error:
                said = f"{pair} seed {seed + turn}: {type(error).__name__}: {error}"
                total.add(Tally(violations=[said]))
            if number % 100 == 0:
                _say(f"round {turn + 1}, {number} of {len(some)}, {total.checked:,} results")
        turn += 1
    return total


def gradients(names: Sequence[str], seed: int, until: float) -> Tally:
    """First gradients beside mpmath's derivative."""
    from first_gradients import DTYPES, largest_error, subjects

    total = Tally(violations=[])
    chosen = [one for one in subjects() if not names or one.op.name in names]
    for number in np.random.default_rng(seed).permutation(len(chosen)).tolist():
        subject = chosen[number]
        if time.time() > until:
            break
        for dtype in DTYPES:
            if dtype not in describe.dtypes(subject.op):
                continue
            error, at = largest_error(subject, dtype, np.random.default_rng([seed, number]), 24)
            total.add(Tally(1, 24))
            if error > 0.51:
                said = f"gradient of {subject} {dtype.short} seed {seed}: {error:.6g} ULP at {at}"
                total.add(Tally(violations=[said]))
    return total


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=2400)
    parser.add_argument("--ops", default="")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    seed = secrets.randbelow(1 << 31) if given.seed is None else given.seed
    names = [name for name in given.ops.split(",") if name]
    unknown = [name for name in names if name not in ops.all_ops()]
    if unknown:
        parser.error(f"there is no operator {unknown[0]}")
    sys.stdout.write(f"seed {seed}\n")
    started = time.time()
    every, until = pairs(names), started + given.seconds * 0.8
    shares = [every[k :: given.processes] for k in range(given.processes)]
    total = Tally(violations=[])
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        waiting = [pool.apply_async(worker, (some, seed, until)) for some in shares if some]
        for result in waiting:
            total.add(result.get())
    total.add(gradients(names, seed, max(started + given.seconds, time.time() + 5)))
    for said in total.violations or []:
        sys.stdout.write(f"{said}\n")
    sys.stdout.write(
        f"{total.calls:,} calls, {total.checked:,} results against mpmath or exact integers "
        f"({total.unknown:,} unknown), {len(total.violations or [])} violations, "
        f"{time.time() - started:.0f} s; the same again: --seed {seed}\n"
    )
    return 1 if total.violations else 0


if __name__ == "__main__":
    sys.exit(main())
