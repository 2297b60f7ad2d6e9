"""Runs one trial on every implementation that is measured, and judges the results."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import DType
from openaclnn.base.settings import EXACT
from openaclnn.spec.op import InOut, Op
from openaclnn.truth.double_double import Floats, Pair
from openaclnn.verify import subjects
from openaclnn.verify.bounds import bound, holds
from openaclnn.verify.measure import errors
from openaclnn.verify.tally import PLACES, Tally, Worst, first_of, place_of, sum_of
from openaclnn.verify.tasks import (
    TORCH,
    Task,
    count_errors,
    count_signs_and_nans,
    shown,
)
from openaclnn.verify.trials import Right, Trial


def judged(op: Op, dtype: DType, task: Task, trial: Trial) -> Iterator[tuple[str, Tally]]:
    """The tally of everybody; PyTorch's where it takes the call."""
    for name in task.subjects:
        results = _results(op, dtype, task, trial, name)
        if results is not None:
            judge = _Judge(op, dtype, task, trial, name)
            start = 0
            for right, result in zip(trial.rights(results), results, strict=True):
                judge.add(start, right, result)
                start += result.size
            yield name, judge.finished()


def _results(
    op: Op, dtype: DType, task: Task, trial: Trial, name: str
) -> list[NDArray[Any]] | None:
    changed = [a.name for a in op.outputs if isinstance(a, InOut)]
    given = {n: deepcopy(v) if n in changed else v for n, v in trial.given.items()}
    if name != TORCH:
        found = subjects.called(op, name, task.device, given, trial.attributes, trial.product)
        return [np.ascontiguousarray(one).ravel() for one in trial.judged(found)]
    outs = [right.dtype for right in trial.outputs]
    try:
        theirs = subjects.torch_called(op, task.device, given, trial.attributes, outs)
    except Exception:  # whatever PyTorch does not like about the call
        return None
    sizes = [right.array.size for right in trial.outputs]
    return [one.ravel() for one in theirs] if [one.size for one in theirs] == sizes else None


class _Judge:
    """One subject's results of a trial and what is found out about them."""

    def __init__(self, op: Op, dtype: DType, task: Task, trial: Trial, name: str) -> None:
        self.op, self.dtype, self.trial, self.name = op, dtype, trial, name
        self.order = (task.part, task.index)
        self.bound = bound(op, dtype, EXACT if name == TORCH else name)
        rounded = any(right.rounded for right in trial.outputs)
        self.tally = Tally(trial.size, rounded=rounded)
        self.peaks = np.zeros(PLACES)

    def add(self, start: int, right: Right, result: NDArray[Any]) -> None:
        bits = result.view(f"u{right.dtype.itemsize}")
        if self.name != TORCH:
            first = first_of(self.order[0], self.order[1] * self.trial.size + start)
            digest = sum_of(bits, first)
            self.tally.digest = (self.tally.digest + digest) % 2**128
        error, promised = _errors(right, bits), self.promised()
        if promised is not None:
            error = np.where(promised, error, 0.0)
        self.set_apart(start, right, result, error)
        if right.rounded and self.name != TORCH:
            assert isinstance(right.truth, Pair)
            kept = right.moved or right.stays
            given = self.trial.bits(right.dtype) if kept else None
            count_signs_and_nans(self.tally, bits, right.dtype, right.truth, promised, given)
        if not error.size:
            return
        place = int(error.argmax())
        largest = float(error[place])
        count_errors(self.tally, error, largest)
        if largest > self.tally.worst.error or not self.tally.worst.order:
            self.tally.worst = self.at(largest, start, place, right, result)
        shown_over = self.trial.columns.get("self")
        if shown_over is not None and right.rounded:
            x = shown_over.astype(np.float64)
            np.maximum.at(self.peaks, place_of(x), np.where(np.isfinite(error), error, 0.0))

    def promised(self) -> NDArray[np.bool_] | None:
        """Where something is promised of results; None: everywhere."""
        if self.bound is None or self.bound.holds is None or not self.trial.columns:
            return None
        given = {name: column.astype(np.float64) for name, column in self.trial.columns.items()}
        return holds(self.op, self.dtype, self.bound, given, self.trial.attributes)

    def set_apart(self, start: int, right: Right, result: NDArray[Any], error: Floats) -> None:
        """Bounds are for finite inputs: of the others, count where NaN or infinity is wrong."""
        wrong = np.flatnonzero(np.isinf(error))
        floats = [c[wrong] for c in self.trial.columns.values() if c.dtype.kind not in "iub"]
        if not right.rounded or not wrong.size or not floats:
            return
        finite = np.logical_and.reduce([np.isfinite(c.astype(np.float64)) for c in floats])
        special = wrong[~finite]
        self.tally.wrong_specials += special.size
        if special.size and not self.tally.special:
            self.tally.special = self.at(np.inf, start, int(special[0]), right, result)
        error[special] = 0.0

    def at(self, error: float, start: int, place: int, right: Right, result: NDArray[Any]) -> Worst:
        inputs = tuple(float(column[place]) for column in self.trial.columns.values())
        true = right.truth.high if isinstance(right.truth, Pair) else right.truth
        order = (*self.order, start + place)
        attributes = shown(self.trial.said)
        return Worst(error, order, inputs, attributes, float(result[place]), float(true[place]))

    def finished(self) -> Tally:
        places = np.flatnonzero(self.peaks)
        self.tally.places, self.tally.peaks = places.astype(np.uint16), self.peaks[places]
        return self.tally


def _errors(right: Right, bits: NDArray[Any]) -> Floats:
    """In ULP; of what has no ULP, 0 where it is right and infinite where it is not."""
    if right.rounded:
        assert isinstance(right.truth, Pair)
        return errors(bits, right.dtype, right.truth)
    return np.where(bits == right.array.view(bits.dtype), 0.0, np.inf)
