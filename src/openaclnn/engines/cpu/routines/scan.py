"""Scans: one element after the other, each row by itself."""

from __future__ import annotations

from openaclnn.arithmetic.conversion import stored_as
from openaclnn.arithmetic.scanning import Scanning, scanning
from openaclnn.base.floating import plain_arithmetic
from openaclnn.engines.cpu.code import LoopCode, Value, Variable
from openaclnn.engines.cpu.routines.rows import RowCode, RowRunner
from openaclnn.engines.cpu.vector import SCALARS
from openaclnn.plan import RoutinePass
from openaclnn.spec.scans import Scan


@plain_arithmetic()
def runner(one: RoutinePass) -> RowRunner:
    assert isinstance(one.routine, Scan)
    given, out = one.dtypes
    how = scanning(one.routine.kind, given, out)
    type = stored_as(given)
    read = SCALARS.get(type, type)

    last = one.routine.last

    def body(code: LoopCode, row: RowCode) -> None:
        states = _walked(code, row, how, read, last)
        if how.certain is None or how.otherwise is None:
            return
        (certain,) = code.computed([how.certain], [state.get() for state in states])
        with code.when(~certain):
            _walked(code, row, how.otherwise, read, last)

    return RowRunner(one.views, one.routine.dim, body)


def _walked(code: LoopCode, row: RowCode, how: Scanning, read: str, last: bool) -> list[Variable]:
    """One pass over a row, and the states after it. What is stored are all results, or the last."""
    starts = code.computed(how.starts, [])
    states = [code.variable(start) for start in starts]
    with code.loop(code.number(0), row.count) as k:
        x: Value = code.load(row.place(0, k), read)
        after = code.computed(how.step, [*(state.get() for state in states), x])
        for state, value in zip(states, after, strict=True):
            state.set(value)
        if not last:
            (result,) = code.computed([how.result], [state.get() for state in states])
            code.store(result, row.place(1, k))
    if last:
        (result,) = code.computed([how.result], [state.get() for state in states])
        code.store(result, row.at[1])
    return states
