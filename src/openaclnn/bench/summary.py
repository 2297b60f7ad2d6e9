"""Summaries of many cells: groups, geometric means, worst values, and changes between two
records."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial

from openaclnn.base.records import dataclass
from openaclnn.base.settings import EXACT, LEVELS
from openaclnn.bench.cases import PHASES, SMALL, WAYS, Case, main_dtype, usual_level
from openaclnn.bench.layouts import named_shape
from openaclnn.bench.record import Cell, Record, lowest
from openaclnn.ops import find

_QUIET = 0.1  # how far the upper quartile of medians may lie above the minima


def contiguous(cell: Cell) -> bool:
    """Cells of the main table."""
    return _usual(cell) and cell.case.layout == "contiguous"


def other_layouts(cell: Cell) -> bool:
    return _usual(cell) and cell.case.layout != "contiguous" and not named_shape(cell.case.layout)


def shapes(cell: Cell, level: str) -> bool:
    """Cells in shapes that were named, or drawn by `--random`."""
    return cell.case.level == level and bool(named_shape(cell.case.layout))


def exact(cell: Cell) -> bool:
    """Cells of the table that has every operator at level exact."""
    case = cell.case
    return case.way == PHASES and case.layout == "contiguous" and case.level == EXACT


def small_calls(cell: Cell, way: str | None = None) -> bool:
    """Cells in which the call costs more than its work; those of one way of calling."""
    case = cell.case
    if way not in (None, case.way) or case.level != usual_level(case.op):
        return False
    dtype = main_dtype(find(case.op)).short
    return (case.numel, case.dtype, case.layout) == (SMALL, dtype, "contiguous")


GROUPS: dict[str, Callable[[Cell], bool]] = {
    "contiguous": contiguous,
    "layouts": other_layouts,
    "exact": exact,
    **{f"shapes, {level}": partial(shapes, level=level) for level in LEVELS},
    **{f"1 K, {way}": partial(small_calls, way=way) for way in WAYS},
}


def _usual(cell: Cell) -> bool:
    """At the usual level, or at fast where that computes the same."""
    usual = usual_level(cell.case.op)
    return cell.case.way == PHASES and (usual == EXACT or cell.case.level == usual)


def ratios(cells: Iterable[Cell], against: str) -> list[float]:
    found = (cell.ratio(against) for cell in cells)
    return [ratio for ratio in found if ratio is not None]


def geometric_mean(values: Iterable[float]) -> float | None:
    """
    >>> geometric_mean([2, 8]), geometric_mean([])
    (4.0, None)
    """
    logs = [math.log(value) for value in values]
    return math.exp(math.fsum(logs) / len(logs)) if logs else None


def worst_tenth(values: Iterable[float]) -> float:
    """The value that a tenth of them is below.

    >>> worst_tenth(range(100)), worst_tenth([3, 2])
    (10, 2)
    """
    ranked = sorted(values)
    return ranked[len(ranked) // 10]


def unrest(cells: Iterable[Cell]) -> str | None:
    """What to say where samples scatter more than those of a quiet machine do."""
    scatter = sorted(
        times.median / times.minimum - 1 for cell in cells for times in cell.times.values()
    )
    if not scatter or (upper := scatter[3 * len(scatter) // 4]) <= _QUIET:
        return None
    return f"every fourth median is {upper:.0%} or more above its minimum"


@dataclass(frozen=True)
class Change:
    """One case in two records of the same machine, in seconds; `drift` is what the alternative's
    time did meanwhile, which is the machine's doing."""

    case: Case
    before: float
    after: float
    drift: float | None

    @property
    def faster(self) -> float:
        return self.before / self.after


def changes(old: Record, new: Record) -> list[Change]:
    """Every case that both have, the one that lost most first."""
    before, after = _fastest(old), _fastest(new)
    found = [
        Change(case, before[case].ours.cost, cell.ours.cost, _drift(before[case], cell))
        for case, cell in after.items()
        if case in before
    ]
    return sorted(found, key=lambda change: change.faster)


def _fastest(record: Record) -> dict[Case, Cell]:
    """Of several runs the least disturbed."""
    return {cell.case: cell for cell in lowest(record.cells, lambda cell: cell.ours.cost)}


def _drift(before: Cell, after: Cell) -> float | None:
    names = [name for name in before.alternatives if name in after.times]
    return geometric_mean(before.times[n].cost / after.times[n].cost for n in names)
