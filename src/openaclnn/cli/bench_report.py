"""`openaclnn bench` in a terminal: progress, and the record at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence

import click

from openaclnn.base.tables import padded, widths
from openaclnn.bench import alternatives, summary
from openaclnn.bench.cases import FACTS, WAY_MEANINGS, WAYS
from openaclnn.bench.machine import busy
from openaclnn.bench.record import Record, worst_runs
from openaclnn.bench.summary import Change
from openaclnn.bench.tables import LOSING, Table, by_group, losses, main, number, tables
from openaclnn.bench.targets import Judged
from openaclnn.cli import style

_WORST = 10
_CHANGES = 20
_NOISE = 0.05  # changes within it are nothing to speak of
_BAR = 20


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
    yield from result(record, _WORST)
    yield from _notes(record)


def result(record: Record, most: int | None = None) -> Iterator[str]:
    """Means, and where we lose: so many cells at most."""
    yield "\n".join(_means(record))
    yield "\n".join(_worst(record, most))


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
    wide = [2 + columns for columns in widths([table.header, *rows])]
    room = max(20, style.columns() + 2 - sum(wide[: table.labels]))
    pieces: list[list[int]] = [[]]
    for column in range(table.labels, len(wide)):
        if pieces[-1] and sum(wide[c] for c in pieces[-1]) + wide[column] > room:
            pieces.append([])
        pieces[-1].append(column)
    return pieces


def _coloured(value: str | float | None) -> str:
    if isinstance(value, float) and value < LOSING:
        return click.style(number(value), fg="red")
    return number(value)


def _means(record: Record) -> Iterator[str]:
    title = alternatives.ALL[main(record)].title
    yield style.heading(f"Geometric means, times faster than {title}")
    every = summary.ratios(worst_runs(record.cells, main(record)), main(record))
    rows = [
        [
            name,
            number(summary.geometric_mean(ratios)),
            number(summary.worst_tenth(ratios)),
            number(min(ratios)),
            str(len(ratios)),
        ]
        for name, ratios in (by_group(record) | {"all": every}).items()
    ]
    yield style.table(rows, ["group", "mean", "worst tenth", "lowest", "cells"], right=range(1, 5))


def _worst(record: Record, most: int | None) -> Iterator[str]:
    lost, of = losses(record)
    if not lost:
        yield f"No cell is below {LOSING}."
        return
    yield style.heading(f"Where we lose: {len(lost)} of {of} cells are below {LOSING}")
    shown = lost[:most]
    yield style.table(shown, ["ratio", *FACTS], [0])
    if len(lost) > len(shown):
        yield f"and {len(lost) - len(shown)} more"


def long(record: Record) -> str:
    """Every cell with its times."""
    rows = []
    for cell in record.cells:
        for name, times in cell.times.items():
            rows.append([
                *cell.case.facts, name, f"{times.median * 1e6:.2f}", f"{times.minimum * 1e6:.2f}",
                f"{cell.bytes_moved / times.cost / 1e9:.1f}", str(times.samples),
            ])  # fmt: skip
    header = [*FACTS, "who", "median µs", "min µs", "GB/s", "rounds"]
    return style.table(rows, header, right=[7, 8, 9, 10])


def changed(found: Sequence[Change]) -> Iterator[str]:
    """What a change did."""
    mean = summary.geometric_mean(change.faster for change in found)
    if mean is None:
        yield "The two results have no case in common."
        return
    notable = [change for change in found if abs(change.faster - 1) > _NOISE]
    yield style.heading(f"{len(found)} cases in both: {number(mean)} times as fast as before")
    slower = [change for change in notable if change.faster < 1]
    faster = [change for change in reversed(notable) if change.faster > 1]
    for title, some in (("slower", slower), ("faster", faster)):
        if some:
            yield f"{style.heading(title)}: {len(some)} by more than {_NOISE:.0%}\n" + _changes(
                some
            )


def _changes(some: list[Change]) -> str:
    rows = [
        [
            number(change.faster), *change.case.facts, f"{change.before * 1e6:.1f}",
            f"{change.after * 1e6:.1f}", number(change.drift),
        ]
        for change in some[:_CHANGES]
    ]  # fmt: skip
    header = ["times", *FACTS, "µs", "now", "others"]
    text = style.table(rows, header, right=[0, 7, 8, 9])
    return text + (f"\nand {len(some) - _CHANGES} more" if len(some) > _CHANGES else "")


def targets(found: Sequence[Judged]) -> Iterator[str]:
    """Targets, and the cells that miss them."""
    marks = {True: ("passed", "green"), False: ("failed", "red"), None: ("–", None)}
    for judged in found:
        word, colour = marks[judged.passed]
        mark = click.style(f"{word:6}", fg=colour) + "  "
        yield style.wrapped(f"{judged.target}: {judged.found}", mark, " " * 8)
        for line in judged.failing[:_WORST]:
            yield f"          {line}"
        if len(judged.failing) > _WORST:
            yield f"          and {len(judged.failing) - _WORST} more"


def _item(line: str) -> str:
    return style.wrapped(line, "- ", "  ")


class Progress:
    """Called with jobs done, jobs in all and the next one; silent where stderr is no terminal."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, of: int, following: str) -> None:
        if not self._shown:
            return
        filled = _BAR * done // max(of, 1)
        taken = time.monotonic() - self._start
        left = f"{clock(taken / done * (of - done))} left" if done else "starting"
        line = f"[{'#' * filled}{' ' * (_BAR - filled)}] {done}/{of}  {left}  {following}"
        sys.stderr.write("\r" + padded(line[: style.columns() - 1], style.columns() - 1))
        sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r" + " " * (style.columns() - 1) + "\r")
            sys.stderr.flush()


def clock(seconds: float) -> str:
    """
    >>> clock(75.4)
    '1:15'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
