"""How commands print: tables that line up, whatever the script; either language; JSON for
programs."""

from __future__ import annotations

import json
import os
import shutil
import unicodedata
from collections.abc import Sequence
from typing import Any

import click

from openaclnn.spec.describe import EN, LANGUAGES, ZH

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def _own_language() -> str:
    """Chinese where the environment asks for it."""
    variables = map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    return ZH if next(filter(None, variables), "").startswith("zh") else EN


language = click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default=_own_language,
    help="English or Chinese texts; what LANG says by default.",
)  # fmt: skip


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese characters take two."""
    plain = click.unstyle(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in plain)


def padded(text: str, columns: int) -> str:
    """A text with spaces after it, so that it takes this many columns."""
    return text + " " * (columns - width(text))


def columns() -> int:
    """The terminal's width; 80 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns


def heading(text: str) -> str:
    return click.style(text, bold=True)


def wrapped(text: str, first: str = "", rest: str = "", limit: int | None = None) -> str:
    """Lines no wider than the terminal or `limit`, begun with `first`, the others with `rest`.

    >>> click.echo(wrapped("one word after the other", "161002  ", "        ", limit=24))
    161002  one word after
            the other
    """
    limit = limit or columns()
    lines, line = [], first
    for number, word in enumerate(_words(text)):
        if number and width(line) + width(word.rstrip()) > limit:
            lines.append(line.rstrip())
            line = rest
        line += word
    return "\n".join([*lines, line.rstrip()])


def _words(text: str) -> list[str]:
    """What a line can be broken after: spaces, and every Chinese character that none follows."""
    words = [""]
    for character, following in zip(text, text[1:] + " ", strict=True):
        words[-1] += character
        breaks = character == " " or (ord(character) > 0x2E80 and following not in "，。；：、）")
        if breaks:
            words.append("")
    return words


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
