"""Every operator in every dtype at both levels, with random attributes, on random inputs: every
result beside the stored truth; some, the worst and those that seem wrong against mpmath or exact
integers.

    python tests/long nightly --seed 7 --seconds 600 --ops divs,softmax --processes 2

Rounds over all operators go on until the time is up; the first one is always finished. Then first
gradients. Exit status 1 where a result is further off than the operator's page promises, and where
a page promises something of an operator of which nothing was judged.
"""

from __future__ import annotations

import argparse
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

from mathematics import UnknownError, ulps
from openaclnn import ops
from openaclnn.base.dtypes import DType, by_name
from openaclnn.base.layouts import elements
from openaclnn.base.settings import LEVELS
from openaclnn.base.status import AclnnError
from openaclnn.golden.draws import Stream
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.host import FLAG
from openaclnn.spec.op import InOut, Op
from openaclnn.spec.products import UNCANCELLED
from openaclnn.spec.proof import Bound
from openaclnn.spec.steps import elementwise
from openaclnn.truth.double_double import Pair
from openaclnn.truth.trees import NoTruthError
from openaclnn.truth.ulp import as_float64, format_of, ulp_error
from openaclnn.verify import numbers as attributes_of
from openaclnn.verify import subjects, trials
from openaclnn.verify.bounds import bound, holds
from openaclnn.verify.form import numbers_of
from openaclnn.verify.promises import promises
from step_values import Steps

_COUNT = 1 << 9  # elements of a call
_SOME = 6  # of a call's results, beside the worst


@dataclass
class Tally:
    """What was done, and what was found."""

    calls: int = 0
    compared: int = 0  # beside the stored truth
    checked: int = 0  # beside mpmath or exact integers
    unknown: int = 0  # of results that mpmath has no number for
    violations: list[str] | None = None
    judged: frozenset[tuple[str, str]] = frozenset()  # operators and dtypes

    def add(self, other: Tally) -> None:
        self.calls += other.calls
        self.compared += other.compared
        self.checked += other.checked
        self.unknown += other.unknown
        self.violations = [*(self.violations or []), *(other.violations or [])]
        self.judged |= other.judged


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
    except (trials.NoCallError, NoTruthError):
        return found
    for level in LEVELS:
        limit = bound(op, made.call.promoted or dtype, level)  # a number may make integers FLOAT
        if limit is None:
            continue
        given = {
            name: _copied(each) if any(a.name == name for a in op.outputs if isinstance(a, InOut))
            else each for name, each in made.given.items()
        }  # fmt: skip
        try:
            results = subjects.called(op, level, "cpu", given, made.attributes, made.product)
        except AclnnError:
            if not trials.demands(made.call):
                raise
            return found
        flat = [np.ascontiguousarray(result).ravel() for result in made.judged(results)]
        found.calls += 1
        for note in _judged(made, flat, limit, dtype, stream, found):
            said = f"{op.name} {dtype.short} {level} {dict(row)} seed {seed}: {note}"
            assert found.violations is not None
            found.violations.append(said)
    if found.compared:
        found.judged = frozenset([pair])
    return found


def unjudged(every: Sequence[tuple[str, str]], judged: frozenset[tuple[str, str]]) -> list[str]:
    """Sentences about promises that nothing was held to."""
    found = []
    for name in dict.fromkeys(name for name, _ in every):
        for promise in promises(ops.all_ops()[name]):
            said = any(limit is not None for limit in promise.bounds.values())
            if said and (name, promise.dtype.short) not in judged:
                found.append(f"{name} {promise.dtype.short}: promised, and nothing was judged")
    return found


def _copied(given: Any) -> Any:
    return [one.copy() for one in given] if isinstance(given, list) else given.copy()


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


def _judged(
    made: trials.Trial,
    results: list[Any],
    limit: Bound,
    dtype: DType,
    stream: Stream,
    tally: Tally,
) -> Iterator[str]:
    """Sentences about results that are not as promised: every element beside the stored truth;
    some, the worst and those that seem wrong beside mpmath, which decides."""
    outputs = _outputs(made)
    promises = [_promised(steps.call, steps.storages, limit, dtype) for steps, _ in outputs]
    for steps in dict.fromkeys(steps for steps, _ in outputs):
        yield from _scratch(steps, stream, tally)
    for (right, result), (steps, tensor), promised in zip(
        zip(made.rights(results), results, strict=True), outputs, promises, strict=True
    ):
        off = _off(right, result)
        if limit.where == UNCANCELLED and isinstance(right.truth, Pair):
            off = np.where(np.isfinite(right.truth.high), off, 0.0)
        if promised is not None:
            off = np.where(promised, off, 0.0)
        suspects = np.flatnonzero(off > (limit.ulp if _is_rounded(right) else 0))
        worst = np.argsort(off)[-2:].tolist() if _is_rounded(right) else []
        tally.compared += result.size
        for place in dict.fromkeys([*suspects[:3].tolist(), *worst, *_some(stream, result.size)]):
            if promised is not None and not promised[place]:
                continue
            try:
                true = steps.written(tensor, place) if _is_computed(right) else None
            except UnknownError:
                tally.unknown += 1
                true = None
            found = float(as_float64(result[place : place + 1], right.dtype)[0]) if (
                right.dtype.kind == "float"
            ) else int(result[place])  # fmt: skip
            note = ""
            if true is not None:
                tally.checked += 1
                note = _fault(found, true, right, limit)
            elif place in suspects:
                true, note = right.array[place], f"{off[place]:.6g} ULP by the stored truth"
            if note:
                yield f"{note} at {_read(steps, place) or place}: {found}, true {_shown(true)}"


def _outputs(made: trials.Trial) -> list[tuple[Steps, int]]:
    """Of every result that is judged the steps that make it, and its number among their tensors."""
    storages = [_storage(made, given) for given in made.call.used]
    members = []
    for member in made.call.members:
        own = [storages[number] for number in member.tensors]
        numbers = {given.label: k for k, given in enumerate(member.call.used)}
        named = [numbers[label] for label, one, _ in member.call.outputs() if one is not None]
        members.append([(Steps(member.call, own), number) for number in named])
    several = made.call.op.repeats is not None
    found = [one for each in zip(*members, strict=True) for one in each] if several else members[0]
    return made.judged(found)


def _off(right: trials.Right, result: Any) -> Any:
    """How far results are from the stored truth: in ULP where they are rounded; of what is
    converted, moved or no float 0 where they are equal, else infinite."""
    if _is_rounded(right):
        error = np.asarray(ulp_error(result, right.dtype, right.truth))
        return np.where(np.isnan(error), np.inf, error)
    bits = f"u{right.dtype.itemsize}"
    same = result.view(bits) == right.array.view(bits)
    if right.dtype.kind == "float":  # of a NaN that moves the truth has not kept the bits
        same |= (result != result) & (right.array != right.array)
    return np.where(same, 0.0, np.inf)


def _is_rounded(right: trials.Right) -> bool:
    return right.rounded and not right.moved


def _is_computed(right: trials.Right) -> bool:
    """Whether mpmath can judge it: what moves is an element as it came, and before anything was
    converted it was rounded."""
    converted = isinstance(right.truth, Pair) or right.dtype.kind == "float"
    return not right.moved and (right.rounded or not converted)


def _promised(call: Call, storages: Sequence[Any], limit: Bound, dtype: DType) -> Any:
    """For which elements something is promised; None: for all."""
    if limit.holds is None:
        return None
    assert call.op.steps is elementwise
    read = {one.label for one in call.reads}
    with np.errstate(all="ignore"):
        given = {
            one.label: elements(storage, one.tensor.view).astype(np.float64)
            for one, storage in zip(call.used, storages, strict=True)
            if one.label in read
        }
        shape = np.broadcast_shapes(*(one.shape for one in given.values()))
        columns = {name: np.broadcast_to(one, shape).ravel() for name, one in given.items()}
        found = holds(call.op, dtype, limit, columns, call.attributes)
        numel = call.numel  # of what is made of all elements something is promised, or nothing
        return found if found.size == numel else np.full(numel, found.all())


def _scratch(steps: Steps, stream: Stream, tally: Tally) -> Iterator[str]:
    """What is handed from step to step, as the stored truth has it, beside mpmath."""
    for found, number, kept in steps.scratch():
        for place in dict.fromkeys(_some(stream, kept.size)):
            try:
                true = steps.value(found, number, place)
            except UnknownError:
                tally.unknown += 1
                continue
            part = found.step.writes[number]
            assert part is not None
            if isinstance(true, mpf) and part.view.dtype.kind != "float":
                continue  # it was rounded before it was converted
            tally.checked += 1
            near = mpf(float(kept[place]))
            f = format_of(part.view.dtype) if part.view.dtype.kind == "float" else None
            wrong = int(kept[place]) != int(true) if f is None else (
                ulps(float(near), true, f.bits, f.lowest, f.highest) > 0.51
            )  # fmt: skip
            if wrong:
                yield f"scratch memory at {place}: {kept[place]}, true {_shown(true)}"


def _read(steps: Steps, place: int) -> dict[str, Any]:
    """The inputs of an element, where each is made of one of each tensor."""
    sizes = {given.tensor.view.numel for given in steps.call.used}
    if steps.call.op.steps is not elementwise or len(sizes) > 1:
        return {}
    return {
        given.label: storage[place]
        for given, storage in zip(steps.call.used, steps.storages, strict=True)
        if given in steps.call.reads and storage is not None
    }


def _some(stream: Stream, size: int) -> list[int]:
    return (stream.words(_SOME, 70) % np.uint64(max(size, 1))).astype(int).tolist() if size else []


def _shown(true: Any) -> str:
    return mp.nstr(true, 20) if isinstance(true, mpf) else str(true)


def _fault(found: Any, true: Any, right: trials.Right, limit: Bound) -> str:
    if right.dtype.kind != "float" or not isinstance(true, mpf):
        return "" if found == int(true) else "not equal"
    f = format_of(right.dtype)
    error = ulps(found, true, f.bits, f.lowest, f.highest)
    return f"{error:.6g} ULP > {limit.ulp:g}" if error > limit.ulp else ""


def _storage(made: trials.Trial, given: Any) -> Any:
    array = made.given.get(given.argument.name)
    if isinstance(array, list):
        array = array[int(given.label.rpartition("[")[2].rstrip("]"))]
    return None if array is None else np.asarray(array).ravel()


def worker(some: list[tuple[str, str]], seed: int, until: float) -> Tally:
    """Rounds over operators until the time is up."""
    total, turn = Tally(violations=[]), 0
    while turn == 0 or time.time() < until:
        for number, pair in enumerate(some):
            if turn and time.time() > until:
                break
            try:
                found = one(pair, seed + turn)
            except Exception as error:
                said = f"{pair} seed {seed + turn}: {type(error).__name__}: {error}"
                found = Tally(violations=[said])
            total.add(found)
            for said in found.violations or ():  # a run that is cut off has said it
                _say(said)
            if number % 100 == 0:
                _say(f"round {turn + 1}, {number} of {len(some)}, {total.compared:,} results")
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
            total.add(Tally(calls=1, checked=24))
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
    violations = [*(total.violations or []), *unjudged(every, total.judged)]
    for said in violations:
        sys.stdout.write(f"{said}\n")
    sys.stdout.write(
        f"{total.calls:,} calls of {len(total.judged):,} operators and dtypes, "
        f"{total.compared:,} results beside the stored truth, {total.checked:,} against mpmath or "
        f"exact integers ({total.unknown:,} unknown), {len(violations)} violations, "
        f"{time.time() - started:.0f} s; the same again: --seed {seed}\n"
    )
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
