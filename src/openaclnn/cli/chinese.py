"""What commands print, in Chinese, for people whose LANG asks for it. Commands are written in
English and pass their texts through `translated` as they print; what has no entry stays English.

An entry is a sentence with places: `{} of {} elements equal`. What stands in a place is translated
in its turn, so that one entry serves every sentence of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from functools import cache

import click

from openaclnn.base.status import OpenaclnnError
from openaclnn.base.tables import padded, width
from openaclnn.check.chinese import refusal
from openaclnn.cli import style
from openaclnn.cli.chinese_texts import TEXTS
from openaclnn.spec.describe import ZH


def translated(text: str) -> str:
    """A text in the user's language."""
    return chinese(text) if style.own_language() == ZH else text


def chinese(text: str) -> str:
    """A text in Chinese, as far as it is known.

    >>> chinese("3 of 12 elements equal")
    '12 个元素中 3 个相等'
    >>> chinese("Error: there is no file x.npy")
    '错误：文件 x.npy 不存在'
    """
    found = TEXTS.get(text) or _of_operators().get(text) or refusal(text)
    if found is not None:
        return found
    if text.startswith("Error: "):  # before anything in the sentence is looked at
        return f"错误：{chinese(text.removeprefix('Error: '))}"
    for pattern, template in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            words = [found.replace(" or ", " 或 ") for found in map(chinese, match.groups())]
            return template.format(*words)
    return text


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Every entry with places; those that say most come first."""
    keys = sorted((key for key in TEXTS if "{}" in key), key=len, reverse=True)
    return [(_pattern(key), TEXTS[key]) for key in keys]


def _pattern(key: str) -> re.Pattern[str]:
    source = "(.+?)".join(map(re.escape, key.split("{}")))
    if key.startswith(("{};", "{},", "{}:")):  # what follows a sentence is what comes last
        source = source.replace("(.+?)", "(.+)", 1)
    return re.compile(source, re.DOTALL)


@cache
def _of_operators() -> dict[str, str]:
    """What the operators' files say in both languages, as it is printed of them."""
    from openaclnn.ops import all_ops

    found: dict[str, str] = {}
    try:
        ops = all_ops()
    except OpenaclnnError:  # who uses the operators will say so
        return found
    for op in ops.values():
        for en, zh in ((op.en, op.zh), *((a.en, a.zh) for a in op.arguments)):
            found |= {en: zh, f"{en}.": f"{zh}。"}
    return found


def help_translated(command: click.Command) -> click.Command:
    """A command like this one, whose help is in the user's language."""
    found = copy(command)
    found.context_class = _Context
    if style.own_language() == ZH:
        found.short_help = chinese(command.get_short_help_str(limit=1000))
        found.help = "\n\n".join(map(_paragraph, (command.help or "").split("\n\n")))
        found.params = [*map(copy, command.params)]
        for parameter in found.params:
            if isinstance(parameter, click.Option) and parameter.help:
                parameter.help = chinese(parameter.help)
    return found


def _paragraph(text: str) -> str:
    lines = [line.strip() for line in text.strip().splitlines()]
    if lines[:1] != ["\b"]:
        return chinese(" ".join(lines))
    return "\n".join(["\b", *map(_line, lines[1:])])


def _line(text: str) -> str:
    """A line of a list: what it names, spaces, and what that is."""
    match = re.fullmatch(r"(\S.*?\s{2,})(.+)", text)
    return match[1] + chinese(match[2]) if match else text


class HelpFormatter(click.HelpFormatter):
    """Headings in the user's language, and lines of Chinese that break where they may: click counts
    letters and breaks at spaces."""

    def write_heading(self, heading: str) -> None:
        if style.own_language() == ZH:
            self.write(f"{' ' * self.current_indent}{chinese(heading)}：\n")
        else:
            super().write_heading(heading)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if style.own_language() == ZH and prefix is None:
            prefix = "用法："
        super().write_usage(prog, args, prefix)

    def write_text(self, text: str) -> None:
        if style.own_language() != ZH:
            super().write_text(text)
            return
        indent = " " * self.current_indent
        for number, paragraph in enumerate(text.split("\n\n")):
            lines = paragraph.splitlines()
            if number:
                self.write_paragraph()
            if lines[:1] == ["\b"]:
                self.write("".join(f"{indent}{line}\n" for line in lines[1:]))
            else:
                self.write(style.wrapped(" ".join(lines), indent, indent, self.width) + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        rows = list(rows)
        if style.own_language() != ZH:
            super().write_dl(rows, col_max, col_spacing)
            return
        indent = " " * self.current_indent
        column = min(max((width(name) for name, _ in rows), default=0), col_max)
        rest = indent + " " * (column + col_spacing)
        for name, text in rows:
            first = indent + padded(name, column + col_spacing)
            if width(name) > column:
                self.write(f"{indent}{name}\n")
                first = rest
            told = chinese(text).replace("[default: ", "[默认：")
            self.write(style.wrapped(told, first, rest, self.width) + "\n")


class _Context(click.Context):
    formatter_class = HelpFormatter
