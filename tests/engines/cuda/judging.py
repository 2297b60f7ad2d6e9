"""The kernel that judges results on a GPU, under Triton's interpreter, against the judge here."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

from host_engines import mend_interpreter
from openaclnn.base.dtypes import FLOAT
from openaclnn.base.settings import EXACT
from openaclnn.engines.cuda import compile as cuda_compile
from openaclnn.engines.cuda.body import INTERPRETER
from openaclnn.ops import find
from openaclnn.verify import device, judging, trials
from openaclnn.verify.tally import Tally, first_of
from openaclnn.verify.tasks import Task

SIZE = 2 * device.BLOCK
# where numbers begin, are 1, 88, huge, infinite, NaN, and the same below 0
PLACES = (0, 0x3F800000, 0x42B17200, 0x7F7FFF80, 0x7F800000, 0x7FC00000, 0x80000000, 0xBF7FFF80)
OPERATORS = ("exp", "sin", "hardswish")


def differing() -> int:
    """How many tallies are other ones."""
    mend_interpreter()
    wrong = 0
    for name in OPERATORS:
        for place in PLACES:
            told = tallies(name, place // SIZE)
            if not same(*told):
                print(name, hex(place), *told, sep="\n    ")
                wrong += 1
    return wrong


def tallies(name: str, index: int) -> tuple[Tally, Tally]:
    """Of the host and of the kernel, about results of which some are spoilt."""
    import torch

    op = find(name)
    every = partial(trials._every, SIZE)
    trial = trials.trial(op, FLOAT, op.proof.swept, (), every, index)
    task = Task(op.name, "f32", 3, index, True, (EXACT,), "cpu")
    (right,) = trial.outputs
    results = spoilt(right.array.copy())
    judge = judging._Judge(op, FLOAT, task, trial, EXACT)
    judge.add(0, right, results)
    source, judges = device.source(op, INTERPRETER), device.judge_source(INTERPRETER)
    (x,), truth = trial.columns.values(), torch.empty(2 * SIZE, dtype=torch.float64)
    rows = np.zeros((SIZE // device.BLOCK, device.WORDS))
    given, tables, bits = map(
        torch.from_numpy, (x.view(np.int32), source.tables, results.view(np.int32))
    )
    with np.errstate(all="ignore"), patch.object(device, "STRETCH", SIZE):
        start = index * SIZE
        first = first_of(task.part, start)
        grid, places = (len(rows),), (start, first)
        cuda_compile.function(source.text)[grid](given, tables, truth, *places)
        cuda_compile.function(judges)[grid](bits, truth, torch.from_numpy(rows), *places)
        return judge.finished(), device.counted(op, task, EXACT, rows, lambda: results)


def spoilt(results: Any) -> Any:
    """Off by one and by many, of the other sign, infinite, no number, another NaN."""
    bits = results.view(np.uint32)
    bits[5] ^= 1
    bits[77] ^= 0x40
    bits[300] ^= 0x80000000
    bits[301] = 0x7F800000
    bits[302] = 0x7FC00000
    bits[303] = 0xFFC00001
    bits[304] = 0x80000000
    return results


def same(one: Tally, other: Tally) -> bool:
    """All that was counted; the picture is of whole blocks there."""
    names = [field.name for field in fields(Tally) if field.name not in ("places", "peaks")]
    return all(repr(getattr(one, name)) == repr(getattr(other, name)) for name in names)
