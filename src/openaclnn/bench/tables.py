"""The tables of a record, as texts that the terminal and the results page share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from openaclnn.base.records import dataclass
from openaclnn.bench import alternatives, layouts, summary
from openaclnn.bench.cases import DTYPES, SMALL, WAYS, Case, size
from openaclnn.bench.record import Cell, Record, worst_runs

Key = TypeVar("Key", bound=tuple[object, ...])

LOSING = 0.95  # ratios below it are marked


@dataclass(frozen=True)
class Table:
    """Rows of texts; numbers are ratios, and None is a case that was not measured."""

    title: str
    header: list[str]
    rows: list[list[str | float | None]]
    labels: int  # leading columns that are texts


def tables(record: Record) -> list[Table]:
    """All that the record has something for."""
    found: list[Table] = []
    for name in record.alternatives:
        cells = sorted(worst_runs(record.cells, name), key=_place)
        if name != main(record) and not _measured_widely(cells, record):
            continue  # the last table has them
        exact = _of(cells, summary.exact)
        if all(map(summary.contiguous, exact)):
            exact = []  # the first table has them
        faster = f"times faster than {alternatives.ALL[name].title}"
        found += [
            _by_size(f"Contiguous, {faster}", _of(cells, summary.contiguous), name),
            _by_layout(f"Other layouts, {faster}", _of(cells, summary.other_layouts), name),
            _by_size(f"Level exact for all, {faster}", exact, name),
            _small(f"{SMALL} elements: µs a call", _of(cells, summary.small_calls), name),
            _rest(f"Other cases, {faster}", _of(cells, _ungrouped), name),
        ]
    found.append(_others(record))
    return [table for table in found if table.rows]


def main(record: Record) -> str:
    """The alternative that the tables are about."""
    return next(iter(record.alternatives), "")


def by_group(record: Record) -> dict[str, list[float]]:
    """The ratios of every group of cells that has some."""
    cells = worst_runs(record.cells, main(record))
    groups = summary.GROUPS.items()
    found = {name: summary.ratios(filter(belongs, cells), main(record)) for name, belongs in groups}
    return {name: ratios for name, ratios in found.items() if ratios}


def losses(record: Record) -> tuple[list[list[str]], int]:
    """The cells that lose, the worst first: their ratios and facts. And of how many."""
    cells = worst_runs(record.cells, main(record))
    rated = [(cell.ratio(main(record)) or 0.0, cell.case.facts) for cell in cells]
    rated.sort(key=lambda pair: pair[0])
    return [[number(ratio), *facts] for ratio, facts in rated if ratio < LOSING], len(cells)


def number(value: str | float | None) -> str:
    """
    >>> [number(value) for value in (0.123, 12.34, 234.5, None, "f32")]
    ['0.12', '12.3', '234', '–', 'f32']
    """
    if isinstance(value, str):
        return value
    if value is None:
        return "–"
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def _of(cells: Iterable[Cell], belongs: Callable[[Cell], bool]) -> list[Cell]:
    return [cell for cell in cells if belongs(cell)]


def _measured_widely(cells: Sequence[Cell], record: Record) -> bool:
    return 2 * len(cells) > len({cell.case for cell in record.cells})


def _by_size(title: str, cells: list[Cell], against: str) -> Table:
    """A row for operator and dtype, a column for each size."""
    sizes = sorted({cell.case.numel for cell in cells})
    rows = []
    groups = _grouped(cells, lambda c: (c.op, c.level, c.dtype))
    for (op, level, dtype), group in groups.items():
        by_size = {cell.case.numel: cell for cell in group}
        ratios = [by_size[n].ratio(against) if n in by_size else None for n in sizes]
        mean = summary.geometric_mean(ratio for ratio in ratios if ratio is not None)
        share = by_size[max(by_size)].share
        rows.append([op, level, dtype, *ratios, mean, f"{share:.0%}" if share else "–"])
    header = ["operator", "level", "dtype", *map(size, sizes), "mean", "of copy"]
    return Table(title, header, rows, 3)


def _by_layout(title: str, cells: list[Cell], against: str) -> Table:
    """A row for operator and layout, a column for each size and dtype."""
    columns = sorted(
        {_size_and_dtype(cell.case) for cell in cells},
        key=lambda column: (column[0], DTYPES.index(column[1])),
    )
    rows = []
    groups = _grouped(cells, lambda c: (c.op, c.level, c.layout))
    for (op, level, layout), group in groups.items():
        found = {_size_and_dtype(cell.case): cell.ratio(against) for cell in group}
        mean = summary.geometric_mean(ratio for ratio in found.values() if ratio is not None)
        rows.append([op, level, layout, *(found.get(column) for column in columns), mean])
    several = len({numel for numel, _ in columns}) > 1
    names = [f"{size(numel)} {dtype}" if several else dtype for numel, dtype in columns]
    if not several and columns:
        title += f", {size(columns[0][0])} elements"
    return Table(title, ["operator", "level", "layout", *names, "mean"], rows, 3)


def _small(title: str, cells: list[Cell], against: str) -> Table:
    """A row for each operator: the alternative's time, then ours in every way of calling."""
    ways = [way for way in WAYS if any(cell.case.way == way for cell in cells)]
    rows: list[list[str | float | None]] = []
    if len(ways) < 2:
        cells = []  # the first table has them
    for (op,), group in _grouped(cells, lambda c: (c.op,)).items():
        by_way = {cell.case.way: cell for cell in group}
        theirs = (by_way.get("phases") or group[0]).times[against].cost
        texts = [_time_and_ratio(by_way.get(way), against) for way in ways]
        rows.append([op, f"{theirs * 1e6:.2f}", *texts])
    return Table(f"{title} (times faster)", ["operator", against, *ways], rows, 1)


def _time_and_ratio(cell: Cell | None, against: str) -> str:
    if cell is None:
        return "–"
    return f"{cell.ours.cost * 1e6:.2f} ({number(cell.ratio(against))})"


def _ungrouped(cell: Cell) -> bool:
    return not any(belongs(cell) for belongs in summary.GROUPS.values())


def _rest(title: str, cells: list[Cell], against: str) -> Table:
    """Ways, levels and layouts that only some ask for."""
    sizes = sorted({cell.case.numel for cell in cells})
    rows: list[list[str | float | None]] = []
    groups = _grouped(cells, lambda c: (c.op, c.level, c.dtype, c.layout, c.way))
    for (op, *facts), group in groups.items():
        found = {cell.case.numel: cell.ratio(against) for cell in group}
        rows.append([op, *facts, *(found.get(numel) for numel in sizes)])
    header = ["operator", "level", "dtype", "layout", "way", *map(size, sizes)]
    return Table(title, header, rows, 5)


def _others(record: Record) -> Table:
    """Every alternative side by side, where they were measured on the same cases."""
    names = [name for name in record.alternatives if name != main(record)]
    cells = [cell for cell in record.cells if any(name in cell.times for name in names)]
    cells.sort(key=_place)
    rows: list[list[str | float | None]] = []
    for (op, level, dtype, numel), group in _grouped(
        [cell for cell in cells if summary.contiguous(cell)],
        lambda c: (c.op, c.level, c.dtype, c.numel),
    ).items():
        cell = group[0]
        ratios = [cell.ratio(name) for name in (main(record), *names)]
        rows.append([op, level, dtype, size(numel), *ratios])
    header = ["operator", "level", "dtype", "size", main(record), *names]
    return Table("Contiguous, times faster than each alternative", header, rows, 4)


def _place(cell: Cell) -> tuple[object, ...]:
    """Where in the tables a cell stands."""
    case = cell.case
    known = case.layout in layouts.ALL
    layout = list(layouts.ALL).index(case.layout) if known else len(layouts.ALL)
    return case.op, case.level, layout, case.layout, DTYPES.index(case.dtype), case.numel


def _size_and_dtype(case: Case) -> tuple[int, str]:
    return case.numel, case.dtype


def _grouped(cells: Iterable[Cell], key: Callable[[Case], Key]) -> dict[Key, list[Cell]]:
    found: dict[Key, list[Cell]] = {}
    for cell in cells:
        found.setdefault(key(cell.case), []).append(cell)
    return found
