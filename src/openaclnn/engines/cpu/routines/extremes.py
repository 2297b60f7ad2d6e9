"""Running extremes and their positions on the CPU, each row by itself."""

from __future__ import annotations

from openaclnn.arithmetic.conversion import stored_as
from openaclnn.arithmetic.sorting import extreme_key
from openaclnn.base.floating import plain_arithmetic
from openaclnn.engines.cpu.code import LoopCode
from openaclnn.engines.cpu.routines.rows import RowCode, RowRunner
from openaclnn.engines.cpu.vector import SCALARS
from openaclnn.plan import RoutinePass
from openaclnn.spec.scans import RunningExtremes


@plain_arithmetic()
def runner(one: RoutinePass) -> RowRunner:
    assert isinstance(one.routine, RunningExtremes)
    stored = stored_as(one.dtypes[0])
    read = SCALARS.get(stored, stored)
    key = extreme_key(one.dtypes[0], one.routine.largest)
    place_type = f"i{one.dtypes[2].bits}"

    def body(code: LoopCode, row: RowCode) -> None:
        best = code.variable(code.number(-1 << 63))
        place = code.variable(code.number(0))
        with code.loop(code.number(0), row.count) as k:
            (found,) = code.computed([key], [code.load(row.place(0, k), read)])
            with code.when(found >= best.get()):
                best.set(found)
                place.set(k)
            code.store(code.load(row.place(0, place.get()), read), row.place(1, k))
            code.store(place.get().to(place_type), row.place(2, k))

    return RowRunner(one.views, one.routine.dim, body)
