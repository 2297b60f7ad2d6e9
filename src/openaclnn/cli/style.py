"""How commands print: tables that line up, whatever the script; JSON for programs."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

import click

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese characters take two."""
    plain = click.unstyle(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in plain)


def table(rows: Sequence[Sequence[str]], header: Sequence[str], right: Sequence[int] = ()) -> str:
    """Rows under a header, each column as wide as its widest cell; `right` columns align right.

    >>> click.echo(table([["silu", "3.1"]], ["operator", "µs"], right=[1]))
    operator   µs
    silu      3.1
    """
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(width(row[column]) for row in cells) for column in range(len(header))]
    lines = []
    for number, row in enumerate(cells):
        parts = []
        for column, cell in enumerate(row):
            gap = " " * (widths[column] - width(cell))
            text = click.style(cell, bold=True) if number == 0 else cell
            parts.append(gap + text if column in right else text + gap)
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)
