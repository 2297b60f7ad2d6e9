"""What a change did: two records of the same machine side by side."""

from __future__ import annotations

from dataclasses import dataclass

from openaclnn.bench.cases import Case
from openaclnn.bench.record import Cell, Record, lowest
from openaclnn.bench.summary import geometric_mean

NOISE = 0.05  # changes within it are nothing to speak of


@dataclass(frozen=True)
class Change:
    """One case in both records, in seconds; `drift` is what the alternative's time did meanwhile,
    which is the machine's doing."""

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


def overall(found: list[Change]) -> float | None:
    """The geometric mean of all."""
    return geometric_mean(change.faster for change in found)


def _fastest(record: Record) -> dict[Case, Cell]:
    """Of several runs the least disturbed."""
    return {cell.case: cell for cell in lowest(record.cells, lambda cell: cell.ours.cost)}


def _drift(before: Cell, after: Cell) -> float | None:
    names = [name for name in before.alternatives if name in after.times]
    return geometric_mean(before.times[n].cost / after.times[n].cost for n in names)
