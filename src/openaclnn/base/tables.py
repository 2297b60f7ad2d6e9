"""Tables of texts: lined up for terminals, or as Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

_COLOURS = re.compile(r"\033\[[;?0-9]*[a-zA-Z]")


def width(text: str) -> int:
    """Columns that a text takes in a terminal: Chinese characters take two, colours none."""
    plain = _COLOURS.sub("", text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in plain)


def padded(text: str, columns: int, right: bool = False) -> str:
    """A text with spaces after or before it, so that it takes this many columns."""
    gap = " " * (columns - width(text))
    return gap + text if right else text + gap


def widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """What each column takes at least."""
    return [max(map(width, column)) for column in zip(*rows, strict=True)]


def lined_up(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[list[str]]:
    """The same, each column as wide as its widest cell; `right` columns align right.

    >>> lined_up([["silu", "3.1"], ["op", "12.5"]], right=[1])
    [['silu', ' 3.1'], ['op  ', '12.5']]
    """
    wide = widths(rows)
    return [[padded(cell, wide[k], k in right) for k, cell in enumerate(row)] for row in rows]


def markdown(rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A table of Markdown; the first row is its head.

    >>> print(markdown([["operator", "µs"], ["silu", "3.1"]], right=[1]))
    | operator | µs |
    | --- | --: |
    | silu | 3.1 |
    """
    head, *body = ([cell.replace("|", "&#124;") for cell in row] for row in rows)
    rule = ["--:" if column in right else "---" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))
