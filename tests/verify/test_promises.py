"""What pages print and what `verify` checks is one thing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.base.settings import EXACT, LEVELS
from openaclnn.ops import all_ops, find
from openaclnn.spec import describe
from openaclnn.spec.formula import Expr, words_of
from openaclnn.spec.rules import Dtypes
from openaclnn.verify.bounds import bound
from openaclnn.verify.form import same_kernel
from openaclnn.verify.promises import promises
from openaclnn.verify.run import work_of
from openaclnn.verify.work import work
from walks import operators


@pytest.mark.parametrize("name", operators("promises"))
def test_a_promise_is_checked_in_its_dtype_and_at_its_level(name: str) -> None:
    op = find(name)
    for one in promises(op):
        tasks = work_of([op], [one.dtype], torch=False).tasks("cpu")
        assert tasks
        levels = {level for task in tasks for level in task.subjects}
        missing = {level for level, limit in one.bounds.items() if limit} - levels
        assert not missing or same_kernel(op, one.dtype)
    if promises(op):
        dtype = promises(op)[0].dtype.short
        last = work_of([op], [promises(op)[0].dtype], torch=False).tasks("cpu")[-1]
        assert last.dtype == dtype
        assert all(tally.count and not tally.refused for tally in work(last)[1].values())


def test_what_no_check_covers_is_not_promised() -> None:
    """An operator that takes no call, one that computes no floats, and one that has no true
    values."""
    relu = find("relu")
    strange = replace(relu, formula=lambda self: Expr("wobble", (self,)))
    assert promises(strange) == ()
    sums = {one.dtype: one.bounds for one in promises(find("cumsum"))}
    assert sums[FLOAT][EXACT]
    assert not any(sums[DOUBLE].values())
    deaf = replace(relu, rules=(*relu.rules, Dtypes(("self",), ())))
    for dtype in describe.dtypes(relu):
        if dtype.kind == "float":
            assert bound(deaf, dtype, LEVELS[0]) is not None
    assert promises(deaf) == ()
    assert promises(relu)
    assert promises(find("eq_tensor")) == ()


def test_most_operators_promise_something() -> None:
    assert len({op for op in all_ops().values() if promises(op)}) > 390
    drawn = {op for op in all_ops().values() if any(map(is_random, op.expressions))}
    floats = [
        one
        for op in all_ops().values()
        for one in promises(op)
        if op not in drawn and one.dtype is not DOUBLE
    ]
    assert sum(one.bounds[EXACT] is None for one in floats) < len(floats) / 100


def is_random(tree: Expr) -> bool:
    return any(word.startswith("random") for word in words_of(tree))
