"""This project's speed targets on a CPU, checked on a record: `openaclnn bench --check`.

Where there were several runs, the worst of each case counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from openaclnn.base.records import dataclass
from openaclnn.base.settings import EXACT, FAST
from openaclnn.bench import summary
from openaclnn.bench.cases import (
    FUNCTION,
    LARGE,
    PHASES,
    REPEATED,
    TENSORS,
    memory_bound,
    usual_level,
)
from openaclnn.bench.record import Cell, Record, lowest, worst_runs
from openaclnn.bench.tables import number

AGAINST = "torch"
_MICROSECONDS = 5
_DOUBT = 1.2  # a cell that is this factor off its bound or more has met it, or missed it


@dataclass(frozen=True)
class Judged:
    """One target, judged: whether it was met (None where nothing was measured for it)."""

    target: str
    passed: bool | None
    found: str
    failing: tuple[str, ...] = ()


def _ratio(cell: Cell) -> float | None:
    return cell.ratio(AGAINST)


def _share(cell: Cell) -> float | None:
    return cell.share


@dataclass(frozen=True)
class _Every:
    """A bound for every cell of some."""

    name: str
    bound: float
    among: Callable[[Cell], bool]
    value: Callable[[Cell], float | None] = _ratio

    def in_doubt(self, cell: Cell) -> bool:
        if not self.among(cell):
            return False
        value = self.value(cell)
        return value is not None and self.bound / _DOUBT < value < self.bound * _DOUBT

    def judge(self, cells: Sequence[Cell]) -> Judged:
        title = f"{self.name} >= {self.bound:g}"
        judged = lowest(filter(self.among, cells), self.value)
        rated = sorted(((self.value(cell) or 0.0, cell) for cell in judged), key=lambda p: p[0])
        if not rated:
            return Judged(title, None, "not measured")
        failing = [f"{number(v)}  {c.case}" for v, c in rated if v < self.bound]
        found = f"lowest {number(rated[0][0])}, {len(failing)} of {len(rated)} below"
        return Judged(title, not failing, found, tuple(failing))


@dataclass(frozen=True)
class _Mean:
    """A bound for the geometric mean over some cells."""

    name: str
    bound: float
    among: Callable[[Cell], bool]

    def judge(self, cells: Sequence[Cell]) -> Judged:
        title = f"{self.name} >= {self.bound:g}"
        judged = worst_runs(filter(self.among, cells), AGAINST)
        mean = summary.geometric_mean(summary.ratios(judged, AGAINST))
        if mean is None:
            return Judged(title, None, "not measured")
        return Judged(title, mean >= self.bound, number(mean))


@dataclass(frozen=True)
class _Tenth:
    """A bound that nine of ten cells of some meet."""

    name: str
    bound: float
    among: Callable[[Cell], bool]

    def judge(self, cells: Sequence[Cell]) -> Judged:
        title = f"{self.name} >= {self.bound:g}"
        ratios = summary.ratios(worst_runs(filter(self.among, cells), AGAINST), AGAINST)
        if not ratios:
            return Judged(title, None, "not measured")
        tenth = summary.worst_tenth(ratios)
        return Judged(title, tenth >= self.bound, number(tenth))


def _layouts(cell: Cell) -> bool:
    return summary.other_layouts(cell) and cell.case.layout != "sliced"


def _exact(cell: Cell) -> bool:
    return summary.exact(cell) and usual_level(cell.case.op) != EXACT


def _large(cell: Cell) -> bool:
    return cell.case.numel >= LARGE


def _memory_bound(cell: Cell) -> bool:
    return summary.contiguous(cell) and _large(cell) and memory_bound(cell.case.op)


def _computing(cell: Cell) -> bool:
    return summary.contiguous(cell) and _large(cell) and not memory_bound(cell.case.op)


def _small(way: str) -> Callable[[Cell], bool]:
    return partial(summary.small_calls, way=way)


def _shapes(level: str) -> Callable[[Cell], bool]:
    return partial(summary.shapes, level=level)


_TARGETS = (
    _Every("contiguous, every cell", 0.95, summary.contiguous),
    _Mean("contiguous, geometric mean", 1.5, summary.contiguous),
    _Every("exact where it computes more, every cell", 0.5, _exact),
    _Every(
        "exact where it computes more, from 2^24", 0.9, lambda cell: _exact(cell) and _large(cell)
    ),
    _Mean("other layouts, geometric mean", 1.8, _layouts),
    _Every("other layouts, every cell", 0.95, _layouts),
    _Every("large, bound by memory, of the copy's bandwidth", 0.85, _memory_bound, _share),
    _Every("large, bound by computing", 1.1, _computing),
    _Mean("random shapes at level fast, geometric mean", 1.0, _shapes(FAST)),
    _Tenth("random shapes at level fast, worst tenth", 0.7, _shapes(FAST)),
    _Mean("random shapes at level exact, geometric mean", 0.9, _shapes(EXACT)),
    _Tenth("random shapes at level exact, worst tenth", 0.5, _shapes(EXACT)),
    _Every("1 K elements, two phases", 1.0, _small(PHASES)),
    _Every("1 K elements, repeated executor", 2.0, _small(REPEATED)),
    _Every("1 K elements, one-line function on NumPy arrays", 0.5, _small(FUNCTION)),
    _Every("1 K elements, one-line function on PyTorch's tensors", 1.0, _small(TENSORS)),
)  # fmt: skip


def check(record: Record) -> list[Judged]:
    """Every target, judged."""
    judged = [target.judge(record.cells) for target in _TARGETS]
    return [*judged, _in_time(record.cells)]


def in_doubt(cell: Cell) -> bool:
    """Whether a cell is so close to a target, on either side, that a longer measurement decides. A
    second chance for misses alone would turn noise into passes."""
    return any(isinstance(target, _Every) and target.in_doubt(cell) for target in _TARGETS)


def _in_time(cells: Sequence[Cell]) -> Judged:
    name = f"1 K elements, two phases, under {_MICROSECONDS} µs"
    taken = [cell.ours.cost * 1e6 for cell in filter(_small(PHASES), cells)]
    if not taken:
        return Judged(name, None, "not measured")
    return Judged(name, max(taken) < _MICROSECONDS, f"{max(taken):.2f} µs")
