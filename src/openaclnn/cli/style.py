"""How commands print: aligned tables in any script, two languages, JSON for programs; and the
options that commands share."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click
from click.shell_completion import CompletionItem

from openaclnn.base import products
from openaclnn.base.tables import lined_up, padded, width, widths
from openaclnn.spec.describe import EN, LANGUAGES, ZH

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def own_language() -> str:
    """Chinese where the environment asks for it."""
    variables = map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    return ZH if next(filter(None, variables), "").startswith("zh") else EN


language = click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), default=own_language,
    help="Language of the texts; the default follows LANG.",
)  # fmt: skip


class Operator(click.ParamType):  # type: ignore[type-arg]  # older clicks have none
    """The name of an operator, in either spelling; shells complete it."""

    name = "operator"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from openaclnn.ops import all_ops

        names = [name for op in all_ops().values() for name in (op.name, op.c_name)]
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class Chip(click.ParamType):  # type: ignore[type-arg]
    """A product line, or one of its chips; shells complete them."""

    name = "chip"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            products.by_name(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = [name for product in products.ALL for name in product.names]
        found = [name for name in names if name.lower().startswith(incomplete.lower())]
        return [*map(CompletionItem, found)]


def colour() -> bool | None:
    """False where colours are not wanted; None leaves it to click, which asks for a terminal."""
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return False if unwanted else None


_PLAIN = {
    "−": "-", "–": "-", "×": "x", "·": "*", "…": "...", "’": "'", "µ": "u", "σ": "sigma",
    "≤": "<=", "≥": ">=", "→": "->", "²": "^2", "░": ".", "█": "#", "∞": "inf",
}  # fmt: skip


def _in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding does not have."""
    assert isinstance(error, UnicodeEncodeError)
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN.get(character, "?") for character in lost), error.end


codecs.register_error("openaclnn", _in_plain_letters)


def take_any_encoding() -> None:
    """Let output be printed in terminals that are not Unicode's: GBK, Latin-1."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # replaced by something else, or closed
            if stream.errors == "strict" or stream is sys.stderr:
                stream.reconfigure(errors="openaclnn")  # type: ignore[union-attr]


def print_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def columns() -> int:
    """The terminal's width; 80 where there is none."""
    return shutil.get_terminal_size((80, 24)).columns


def limit() -> int | None:
    """How wide a line may be; None where output goes to a file or another program."""
    told = sys.stdout.isatty() or os.environ.get("COLUMNS")
    return columns() if told else None


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
    for character, following in zip(text, f"{text} "[1:], strict=True):
        words[-1] += character
        breaks = character == " " or (ord(character) > 0x2E80 and following not in "，。；：、）")
        if breaks:
            words.append("")
    return words


def table(
    rows: Sequence[Sequence[str]],
    header: Sequence[str],
    right: Sequence[int] = (),
    limit: int | None = None,
) -> str:
    """Rows under a header, each column as wide as its widest cell; `right` columns align right.
    Where that is wider than `limit`, every row is a list of its own.

    >>> click.echo(table([["silu", "3.1"]], ["operator", "µs"], right=[1]))
    operator   µs
    silu      3.1
    >>> click.echo(click.unstyle(table([["silu", "3.1"]], ["operator", "µs"], limit=12)))
    silu
      µs  3.1
    """
    cells = [[*map(heading, header)], *rows]
    if limit is not None and sum(widths(cells)) + 2 * (len(header) - 1) > limit:
        return "\n".join(_listed(row, header, limit) for row in rows)
    return "\n".join("  ".join(row).rstrip() for row in lined_up(cells, right))


def _listed(row: Sequence[str], header: Sequence[str], limit: int) -> str:
    first, *others = row
    names = max(map(width, header[1:]), default=0)
    lines = [
        wrapped(cell, f"  {padded(name, names)}  ", " " * (names + 4), limit)
        for name, cell in zip(header[1:], others, strict=True)
    ]
    return "\n".join([heading(first), *lines])
