"""Compaction: the positions of true elements, in order. Each is written to the next free place, and
stays there if the element is true."""

from __future__ import annotations

from openaclnn.engines.cpu.code import LoopCode
from openaclnn.engines.cpu.routines.rows import RowCode, RowRunner
from openaclnn.plan import RoutinePass


def runner(one: RoutinePass) -> RowRunner:
    def body(code: LoopCode, row: RowCode) -> None:
        count = code.variable(code.number(0))
        with code.loop(code.number(0), row.count) as k:
            found = code.load(row.place(0, k), "i8") != 0
            code.store(k, row.place(1, count.get()))
            count.set(count.get() + found.to("i64"))
        code.store(count.get(), row.at[2])

    return RowRunner(one.views, 0, body)
