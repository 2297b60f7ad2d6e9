"""No element's result depends on its neighbours: kernels go a longer way for a whole vector where
one element needs it, and what stands alone must have the same bits."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from openaclnn.base import settings
from openaclnn.base.dtypes import DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.tensors import view
from openaclnn.engines.cpu import CpuEngine
from openaclnn.ops import all_ops
from openaclnn.plan import Plan, make_plan
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op
from openaclnn.spec.sample import sample_call
from openaclnn.spec.steps import elementwise
from walks import in_turn

AT_ONCE = 256  # elements and more, whatever a kernel takes at once


def numbers(dtype: DType) -> Any:
    facts = np.finfo(dtype.numpy)
    extreme = [facts.max, facts.max / 2, facts.tiny, 3 * facts.tiny, facts.smallest_subnormal]
    sizes = [0.0, 0.3, 1.0, 1.5, 7.0, 1000.7, *extreme, np.inf]
    return np.array([*sizes, *(-size for size in sizes), np.nan], dtype.numpy)


def results(call: Call, plan: Plan, given: list[Any]) -> list[Any]:
    with np.errstate(all="ignore"):
        blocks = [  # a number for the whole call is the same among others
            np.full(one.tensor.view.numel, 3).astype(one.tensor.dtype.numpy)
            if one.tensor.view.numel == 1
            else given[place % len(given)].astype(one.tensor.dtype.numpy)
            for place, one in enumerate(call.used)
        ]
    launcher = CpuEngine().prepare(plan)
    launcher.launch(launcher.pack([block.ctypes.data for block in blocks], 0), None)
    return blocks


def differing(op: Op, dtype: DType, level: str) -> str:
    """The first numbers whose result is another among other ones."""
    pairs = np.array(list(itertools.product(numbers(dtype), repeat=2)), dtype.numpy)
    alone = np.repeat(pairs, AT_ONCE, axis=0)
    call = sample_call(op, (dtype,), (len(alone),), layout=lambda _, of, shape: view(of, shape))
    plan = make_plan(call, level)
    if not plan.elementwise or all(one.body.unguarded is None for one in plan.passes):
        return ""
    order = np.random.default_rng(0).permutation(len(alone))
    given = [alone[:, 0], alone[:, 1], alone[::-1, 0]]
    found = results(call, plan, given)
    among_others = results(call, plan, [one[order] for one in given])
    for one, other in zip(found, among_others, strict=True):
        size = one.dtype.itemsize
        if one.size == 1:
            continue
        places = np.flatnonzero(one.view(f"V{size}")[order] != other.view(f"V{size}"))
        if len(places):
            numbers_there = [column[order[places[0]]] for column in given]
            return f"{op.name} {dtype} {level}: {numbers_there}"
    return ""


@pytest.mark.parametrize("dtype", [FLOAT16, FLOAT, DOUBLE], ids=str)
def test_what_stands_alone_has_the_bits_it_has_among_others(dtype: DType) -> None:
    plain = [op for op in all_ops().values() if op.steps is elementwise]
    taking = [op for op in plain if dtype in describe.dtypes(op)]
    found = [
        differing(op, dtype, level)
        for turn, op in enumerate(taking)
        for level in in_turn(settings.LEVELS, turn, 2)
    ]
    assert not list(filter(None, found))
