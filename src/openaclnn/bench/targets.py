"""What the project holds itself to on a CPU, judged on a record: `openaclnn bench --check`.

Where there were several runs, the worst of each case counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from openaclnn.base.settings import EXACT
from openaclnn.bench import summary
from openaclnn.bench.cases import FUNCTION, LARGE, PHASES, REPEATED, short, usual_level
from openaclnn.bench.record import Cell, Record, lowest, worst_runs
from openaclnn.bench.tables import number

AGAINST = "torch"
_MEMORY_BOUND = ("hardsigmoid_backward", "leaky_relu_backward", "smooth_l1_loss_backward")


@dataclass(frozen=True)
class Verdict:
    """One target: whether it was met (None where nothing was measured for it)."""

    target: str
    passed: bool | None
    found: str
    failing: tuple[str, ...] = ()


def check(record: Record) -> list[Verdict]:
    """A verdict on every target."""
    cells = worst_runs(record.cells, AGAINST)
    contiguous = [cell for cell in cells if summary.contiguous(cell)]
    layouts = [c for c in cells if summary.other_layouts(c) and c.case.layout != "sliced"]
    exact = [c for c in cells if summary.exact(c) and usual_level(c.case.op) != EXACT]
    large_exact = [cell for cell in exact if cell.case.numel >= LARGE]
    large = [cell for cell in contiguous if cell.case.numel >= LARGE]
    exponential = [cell for cell in large if cell.case.op not in _MEMORY_BOUND]
    shared = [
        cell
        for cell in lowest(record.cells, lambda cell: cell.share)
        if summary.contiguous(cell) and cell.case.numel >= LARGE and cell.case.op in _MEMORY_BOUND
    ]
    small = [cell for cell in cells if summary.small_calls(cell)]
    called = {way: [c for c in small if c.case.way == way] for way in (PHASES, REPEATED, FUNCTION)}
    return [
        _at_least("contiguous, every cell", contiguous, 0.95),
        _mean("contiguous, geometric mean", contiguous, 1.5),
        _at_least("exact for the three others, every cell", exact, 0.5),
        _at_least("exact for the three others, from 2^24", large_exact, 0.9),
        _mean("other layouts, geometric mean", layouts, 1.8),
        _at_least("other layouts, every cell", layouts, 0.95),
        _at_least(
            "large, of the copy's bandwidth: hardsigmoid, leaky_relu, smooth_l1",
            shared, 0.85, lambda cell: cell.share,
        ),
        _at_least("large: log_sigmoid, silu", exponential, 1.1),
        _at_least("1 K elements, two phases", called[PHASES], 1.0),
        _at_least("1 K elements, repeated executor", called[REPEATED], 2.0),
        _at_least("1 K elements, one-line function on NumPy arrays", called[FUNCTION], 0.5),
        _leaky_relu_in_time(called[PHASES]),
    ]  # fmt: skip


def _ratio(cell: Cell) -> float | None:
    return cell.ratio(AGAINST)


def _at_least(
    name: str,
    cells: Sequence[Cell],
    bound: float,
    value: Callable[[Cell], float | None] = _ratio,
) -> Verdict:
    rated = sorted(((value(cell) or 0.0, cell) for cell in cells), key=lambda pair: pair[0])
    if not rated:
        return Verdict(f"{name} >= {bound:g}", None, "not measured")
    failing = [f"{number(v)}  {c.case}" for v, c in rated if v < bound]
    found = f"lowest {number(rated[0][0])}, {len(failing)} of {len(rated)} below"
    return Verdict(f"{name} >= {bound:g}", not failing, found, tuple(failing))


def _mean(name: str, cells: Sequence[Cell], bound: float) -> Verdict:
    mean = summary.geometric_mean(summary.ratios(cells, AGAINST))
    if mean is None:
        return Verdict(f"{name} >= {bound:g}", None, "not measured")
    return Verdict(f"{name} >= {bound:g}", mean >= bound, number(mean))


def _leaky_relu_in_time(cells: Sequence[Cell]) -> Verdict:
    name = "1 K elements, two phases of leaky_relu, under 5 µs"
    taken = [cell.ours.cost * 1e6 for cell in cells if short(cell.case.op) == "leaky_relu"]
    if not taken:
        return Verdict(name, None, "not measured")
    return Verdict(name, max(taken) < 5, f"{max(taken):.2f} µs")
