"""One unit of work: a batch or a trial, run and measured on every implementation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from openaclnn.base.dtypes import FLOAT, DType, by_name
from openaclnn.base.settings import EXACT, FAST
from openaclnn.base.status import AclnnError
from openaclnn.ops import all_ops
from openaclnn.spec.op import Op
from openaclnn.truth.double_double import Floats, Pair
from openaclnn.verify import strata, subjects, sweeps, trials
from openaclnn.verify.batches import BLOCK, Batch, Batches
from openaclnn.verify.bounds import bound, holds
from openaclnn.verify.form import form_of
from openaclnn.verify.judging import judged
from openaclnn.verify.measure import errors, relative_errors, values
from openaclnn.verify.tally import (
    PLACES,
    Tally,
    Worst,
    hash_of,
    place_of,
)
from openaclnn.verify.tasks import (
    TORCH,
    Task,
    count_errors,
    count_signs_and_nans,
    shown,
)
from openaclnn.verify.trials import NoCallError, Trial, demands

# below this a slope times the largest float32 is less than half the smallest one, so a zero
_VANISHING = 2.0**-282


@cache
def parts_of(op_name: str, dtype_name: str, exhaustive: bool) -> list[Batches]:
    op, dtype = all_ops()[op_name], by_name(dtype_name)
    more = 16 if exhaustive else 1
    if dtype.kind == "float" and form_of(op).linear:
        found = strata.parts(op, dtype, more) + (sweeps.parts(op, dtype) if exhaustive else [])
    else:
        found = trials.parts(op, dtype, more) + (trials.sweeps(op, dtype) if exhaustive else [])
    return found + trials.numbered(op, dtype)


_AT_ONCE = 16  # stretches, 2²⁴ numbers: they take longer than waiting for a device


def together(tasks: Sequence[Task]) -> Iterator[list[int]]:
    """The numbers of tasks, those together that a device does at once: neighbours in a sweep."""
    group: list[int] = []
    for number, task in enumerate(tasks):
        if group:
            before = tasks[group[-1]]
            follows = replace(before, index=before.index + 1) == task and _by_device(task)
            if len(group) == _AT_ONCE or not follows:
                yield group
                group = []
        group.append(number)
    if group:
        yield group


@cache
def _is_by_device(op: str, dtype: str, part: int, exhaustive: bool) -> bool:
    sweep = parts_of(op, dtype, exhaustive)[part].sweep
    if not sweep:
        return False
    from openaclnn.verify import device  # it needs packages that a CPU does not

    return device.takes(all_ops()[op], by_name(dtype))


def _by_device(task: Task) -> bool:
    """Whether a device judges what it computes."""
    return task.device == "cuda" and _is_by_device(task.op, task.dtype, task.part, task.exhaustive)


def work(task: Task, count: int = 1) -> tuple[Task, dict[str, Tally]]:
    """The tallies of everybody on one batch, or on so many that a device does together."""
    op, dtype = all_ops()[task.op], by_name(task.dtype)
    part = parts_of(task.op, task.dtype, task.exhaustive)[task.part]
    batch: Batch | Trial | None = None
    try:
        with np.errstate(all="ignore"):
            if _by_device(task):
                from openaclnn.verify import device

                return task, dict(device.judged(op, task, part.size * count))
            batch = part.make(task.index)
            if isinstance(batch, Trial):
                return task, dict(judged(op, dtype, task, batch))
            return task, _measured(op, dtype, task, batch)
    except (NoCallError, AclnnError) as refusal:
        why = getattr(refusal, "message", str(refusal))
        if isinstance(batch, Trial) and demands(batch.call):
            why = ""
        return task, {name: Tally(refused=why) for name in task.subjects if name != TORCH}


def _measured(op: Op, dtype: DType, task: Task, batch: Batch) -> dict[str, Tally]:
    measured = [_Measured(op, dtype, task, name, batch) for name in task.subjects]
    for start in range(0, batch.size, BLOCK):
        stretch = slice(start, min(start + BLOCK, batch.size))
        truth = batch.truth(stretch)
        first = errors(measured[0].bits[stretch], dtype, truth)
        for one in measured:
            one.add(stretch, truth, _errors(one, measured[0], stretch, truth, first))
    return {one.name: one.finished() for one in measured}


def _errors(one: _Measured, first: _Measured, stretch: slice, truth: Pair, known: Floats) -> Floats:
    """Errors of one subject where those of the first are known: most results are the same."""
    error: Floats = known.copy()
    bits = one.bits[stretch]
    other = np.flatnonzero(bits != first.bits[stretch])
    if other.size:
        error[other] = errors(bits[other], one.dtype, Pair(truth.high[other], truth.low[other]))
    return error


class _Measured:
    """One subject's results of a batch and what is found out about them."""

    def __init__(self, op: Op, dtype: DType, task: Task, name: str, batch: Batch) -> None:
        self.op, self.dtype, self.name, self.batch, self.task = op, dtype, name, batch, task
        self.order = (task.part, task.index)
        if name == TORCH:
            self.bits = subjects.torchs(op, dtype, task.device, batch.inputs, batch.attributes)
            self.bound = bound(op, dtype, EXACT)
        else:
            self.bits = subjects.ours(op, dtype, name, task.device, batch.inputs, batch.attributes)
            self.bound = bound(op, dtype, name)
        self.tally = Tally(batch.size, rounded=True)
        if name != TORCH:
            self.tally.digest = hash_of(self.bits, self.order)
        self.peaks = np.zeros(PLACES)
        self.by_self = np.zeros(batch.period)
        self.unrounded = None
        if batch.slope and name == EXACT:
            self.unrounded = subjects.unrounded(op, task.device, batch.inputs[1])

    def add(self, stretch: slice, truth: Pair, error: Floats) -> None:
        bits, tally = self.bits[stretch], self.tally
        if self.bound is not None and self.bound.holds is not None:
            inputs = (values(b[stretch], self.dtype) for b in self.batch.inputs)
            given = {a.name: one for a, one in zip(self.op.reads, inputs, strict=True)}
            promised = holds(self.op, self.dtype, self.bound, given, self.batch.attributes)
            error = np.where(promised, error, 0.0)
        place = int(error.argmax())
        if np.isinf(error[place]):
            self.set_apart(stretch, error, truth)
            place = int(error.argmax())
        largest = float(error[place])
        count_errors(tally, error, largest)
        if largest > tally.worst.error or not tally.worst.order:
            tally.worst = self.at(largest, stretch, place, truth)
        self.note_peaks(stretch, error, largest)
        if self.name != TORCH:
            count_signs_and_nans(tally, bits, self.dtype, truth)
            if self.batch.slope:
                self.note_slope(stretch, truth)

    def set_apart(self, stretch: slice, error: Floats, truth: Pair) -> None:
        """Bounds are for finite inputs: of the others, count where NaN or infinity is wrong."""
        wrong = np.flatnonzero(np.isinf(error))
        inputs = [values(b[stretch][wrong], self.dtype) for b in self.batch.inputs]
        special = wrong[~np.logical_and.reduce([np.isfinite(i) for i in inputs])]
        self.tally.wrong_specials += special.size
        if special.size and not self.tally.special:
            first = int(special[0])
            self.tally.special = self.at(np.inf, stretch, first, truth)
        error[special] = 0.0

    def at(self, error: float, stretch: slice, place: int, truth: Pair) -> Worst:
        index = stretch.start + place
        *inputs, actual = (
            float(values(b[index : index + 1], self.dtype)[0])
            for b in (*self.batch.inputs, self.bits)
        )
        true, order = float(truth.high[place]), (*self.order, index)
        return Worst(error, order, tuple(inputs), shown(self.batch.attributes), actual, true)

    def note_peaks(self, stretch: slice, error: Floats, largest: float) -> None:
        """The largest error for every stretch of self."""
        if self.batch.period:
            start = stretch.start % self.batch.period
            here = self.by_self[start : start + error.size]
            np.maximum(here, error, out=here)
            return
        x = self.batch.inputs[1][stretch]
        first, last = place_of(values(x[[0, -1]], self.dtype))
        if first == last and (np.diff(x) <= 1).all():  # a run of patterns, or one for all
            self.peaks[first] = max(self.peaks[first], largest)
        else:
            np.maximum.at(self.peaks, place_of(values(x, self.dtype)), error)

    def note_slope(self, stretch: slice, truth: Pair) -> None:
        """How far the slope is off before the gradient and the last rounding come to it."""
        if self.unrounded is not None:
            slope = self.unrounded[stretch]
        else:
            slope, truth = self.lifted(stretch, truth)
        error = relative_errors(slope, truth)
        vanishing = np.abs(truth.high) < _VANISHING
        if vanishing.any():  # only whether it is as small and has the sign
            good = (np.abs(slope) < 8 * _VANISHING) & (np.signbit(slope) == np.signbit(truth.high))
            error = np.where(vanishing, np.where(good, 0.0, np.inf), error)
        place = int(error.argmax())
        x = values(self.batch.inputs[1][stretch][place : place + 1], self.dtype)
        found = Worst(float(error[place]), (*self.order, stretch.start + place), (float(x[0]),))
        self.tally.relative = max(self.tally.relative, found)

    def lifted(self, stretch: slice, truth: Pair) -> tuple[Floats, Pair]:
        """Slopes at level fast: results, but those near or below the smallest normal number for a
        gradient of 2¹²⁷, which brings them back without an error of its own."""
        small = np.abs(truth.high) < 2.0**-100
        slope = values(self.bits[stretch], self.dtype)
        if small.any():
            x = self.batch.inputs[1][stretch][small]
            g = np.full(x.shape, np.float32(2.0**127)).view(np.uint32)
            lifted = subjects.ours(self.op, FLOAT, FAST, self.task.device, [g, x], {})
            slope[small] = values(lifted, FLOAT) * 2.0**-127
            # what even 2¹²⁷ leaves among the subnormals is judged by its ULP alone
            hidden = small & (np.abs(truth.high) < 2.0**-253)
            slope = np.where(hidden, truth.high, slope)
        return slope, truth

    def finished(self) -> Tally:
        if self.batch.period:
            x = values(self.batch.inputs[1][: self.batch.period], self.dtype)
            np.maximum.at(self.peaks, place_of(x), self.by_self)
        places = np.flatnonzero(self.peaks)
        self.tally.places, self.tally.peaks = places.astype(np.uint16), self.peaks[places]
        return self.tally
