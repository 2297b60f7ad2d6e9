"""A record for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from openaclnn.bench import alternatives, summary
from openaclnn.bench.cases import WAY_MEANINGS, WAYS, short, size
from openaclnn.bench.change import NOISE, Change, overall
from openaclnn.bench.machine import busy
from openaclnn.bench.record import Record, worst_runs
from openaclnn.bench.tables import LOSING, Table, main, number, tables
from openaclnn.bench.targets import Verdict
from openaclnn.cli import style

_WORST = 10
_CHANGES = 20


def text(record: Record) -> Iterator[str]:
    """The paragraphs of the report."""
    yield head(record)
    if not record.alternatives:
        yield long(record)
        yield from _notes(record)
        return
    for table in tables(record):
        yield f"{style.heading(table.title)}\n{_table(table)}"
    ways = {cell.case.way for cell in record.cells}
    if len(ways) > 1:
        yield "\n".join(style.wrapped(f"{w}: {WAY_MEANINGS[w]}") for w in WAYS if w in ways)
    yield "\n".join(_means(record))
    yield "\n".join(_worst(record))
    if record.compiled:
        yield "\n".join(_compiled(record))
    if record.programs:
        yield style.table(_programs(record), ["C programs", "measured", "bound"], right=[1, 2])
    yield from _notes(record)


def _notes(record: Record) -> Iterator[str]:
    if record.failed:
        lines = [_item(line) for line in record.failed]
        yield "\n".join([click.style("Failed: bugs, please report them", fg="red"), *lines])
    if record.left_out:
        yield "\n".join([style.heading("Left out"), *(_item(line) for line in record.left_out)])


def head(record: Record) -> str:
    """What was measured on what."""
    machine = record.machine
    versions = ", ".join(f"{name} {found}" for name, found in machine["versions"].items())
    copied = summary.geometric_mean(cell.copied for cell in record.cells if cell.copied)
    parts = [
        f"{machine['cpu']}, {machine['threads']} of {machine['cores']} cores",
        f"copy {copied / 1e9:.1f} GB/s" if copied else "",
        versions,
    ]
    lines = [style.wrapped("; ".join(part for part in parts if part))]
    if warning := busy(machine) or summary.unrest(record.cells):
        lines.append(click.style(style.wrapped(warning), fg="yellow"))
    if record.interrupted:
        lines.append(click.style("interrupted: this is what was measured so far", fg="yellow"))
    return "\n".join(lines)


def _table(table: Table) -> str:
    """The table, in pieces where the terminal is too narrow for all of its columns."""
    rows = [[_coloured(value) for value in row] for row in table.rows]
    pieces, labels = [], list(range(table.labels))
    for columns in _fitting(table, rows):
        shown = [*labels, *columns]
        pieces.append(
            style.table(
                [[row[column] for column in shown] for row in rows],
                [table.header[column] for column in shown],
                right=range(table.labels, len(shown)),
            )
        )
    return "\n\n".join(pieces)


def _fitting(table: Table, rows: list[list[str]]) -> list[list[int]]:
    widths = [
        2 + max(style.width(cell) for cell in column)
        for column in zip(table.header, *rows, strict=True)
    ]
    room = max(20, style.columns() + 2 - sum(widths[: table.labels]))
    pieces: list[list[int]] = [[]]
    for column in range(table.labels, len(widths)):
        if pieces[-1] and sum(widths[c] for c in pieces[-1]) + widths[column] > room:
            pieces.append([])
        pieces[-1].append(column)
    return pieces


def _coloured(value: str | float | None) -> str:
    if isinstance(value, float) and value < LOSING:
        return click.style(number(value), fg="red")
    return number(value)


def _means(record: Record) -> Iterator[str]:
    against = main(record)
    yield style.heading(f"Geometric means, times faster than {alternatives.title(against)}")
    cells = worst_runs(record.cells, against)
    rows = []
    for name, belongs in summary.GROUPS.items():
        ratios = summary.ratios(filter(belongs, cells), against)
        if ratios:
            mean = summary.geometric_mean(ratios)
            rows.append([name, number(mean), number(min(ratios)), str(len(ratios))])
    yield style.table(rows, ["group", "mean", "lowest", "cells"], right=[1, 2, 3])


def _worst(record: Record) -> Iterator[str]:
    against = main(record)
    cells = worst_runs(record.cells, against)
    lost = summary.worst(cells, against, LOSING, len(cells))
    if not lost:
        yield f"No cell is below {LOSING}."
        return
    yield style.heading(f"Where we lose: {len(lost)} of {len(cells)} cells are below {LOSING}")
    rows = [
        [
            number(cell.ratio(against)), short(cell.case.op), cell.case.dtype,
            size(cell.case.numel), cell.case.layout, cell.case.level, cell.case.way,
        ]
        for cell in lost[:_WORST]
    ]  # fmt: skip
    yield style.table(rows, ["ratio", "operator", "dtype", "size", "layout", "level", "way"], [0])
    if len(lost) > _WORST:
        yield f"and {len(lost) - _WORST} more"


def _compiled(record: Record) -> Iterator[str]:
    yield style.heading("First call of an f32 kernel, ms")
    rows = [
        [short(op), f"{cold:.0f}", f"{kept:.1f}"] for op, (cold, kept) in record.compiled.items()
    ]
    yield style.table(rows, ["operator", "compiled", "from the cache"], right=[1, 2])


def _programs(record: Record) -> list[list[str]]:
    return [
        [one["name"], f"{one['value']:.3g} {one['unit']}", f"< {one['bound']:g} {one['unit']}"]
        for one in record.programs
    ]


def long(record: Record) -> str:
    """Every cell with its times."""
    rows = []
    for cell in record.cells:
        case = cell.case
        for name, times in cell.times.items():
            rows.append([
                short(case.op), case.dtype, size(case.numel), case.layout, case.level, case.way,
                name, f"{times.median * 1e6:.2f}", f"{times.minimum * 1e6:.2f}",
                f"{cell.bytes_moved / times.cost / 1e9:.1f}", str(times.samples),
            ])  # fmt: skip
    header = ["operator", "dtype", "size", "layout", "level", "way", "who", "median µs", "min µs"]
    return style.table(rows, [*header, "GB/s", "rounds"], right=[7, 8, 9, 10])


def changed(found: Sequence[Change]) -> Iterator[str]:
    """What a change did."""
    mean = overall(list(found))
    if mean is None:
        yield "The two results have no case in common."
        return
    notable = [change for change in found if abs(change.faster - 1) > NOISE]
    yield style.heading(f"{len(found)} cases in both: {number(mean)} times as fast as before")
    slower = [change for change in notable if change.faster < 1]
    faster = [change for change in reversed(notable) if change.faster > 1]
    for title, some in (("slower", slower), ("faster", faster)):
        if some:
            yield f"{style.heading(title)}: {len(some)} by more than {NOISE:.0%}\n" + _changes(some)


def _changes(some: list[Change]) -> str:
    rows = [
        [
            number(change.faster), short(change.case.op), change.case.dtype,
            size(change.case.numel), change.case.layout, change.case.level, change.case.way,
            f"{change.before * 1e6:.1f}", f"{change.after * 1e6:.1f}", number(change.drift),
        ]
        for change in some[:_CHANGES]
    ]  # fmt: skip
    header = ["times", "operator", "dtype", "size", "layout", "level", "way", "µs", "now", "others"]
    text = style.table(rows, header, right=[0, 7, 8, 9])
    return text + (f"\nand {len(some) - _CHANGES} more" if len(some) > _CHANGES else "")


def verdicts(found: Sequence[Verdict]) -> Iterator[str]:
    """Targets, and the cells that miss them."""
    marks = {True: ("passed", "green"), False: ("failed", "red"), None: ("–", None)}
    for verdict in found:
        word, colour = marks[verdict.passed]
        mark = click.style(f"{word:6}", fg=colour) + "  "
        yield style.wrapped(f"{verdict.target}: {verdict.found}", mark, " " * 8)
        for line in verdict.failing[:_WORST]:
            yield f"          {line}"
        if len(verdict.failing) > _WORST:
            yield f"          and {len(verdict.failing) - _WORST} more"


def _item(line: str) -> str:
    return style.wrapped(line, "- ", "  ")
