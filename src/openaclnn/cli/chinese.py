"""Chinese commands, for people whose LANG asks for it: what operators' files say in both languages
besides the catalogue, click's own messages, and help whose lines break where Chinese may."""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from functools import cache

import click
from click import core, decorators, exceptions, formatting, parser, termui, types

from openaclnn.base import language
from openaclnn.base.language import is_chinese
from openaclnn.base.status import OpenaclnnError
from openaclnn.base.tables import padded, width
from openaclnn.cli import style


def translated(text: str) -> str:
    """A text in the user's language."""
    return chinese(text) if is_chinese() else text


def chinese(text: str) -> str:
    """A text in Chinese, as far as it is known.

    >>> chinese("Error: there is no file x.npy")
    '错误：文件 x.npy 不存在'
    """
    if text.startswith("Error: "):  # before anything in the sentence is looked at
        return f"错误：{chinese(text.removeprefix('Error: '))}"
    return language.chinese(text, _of_operators().get)


def _message(message: str) -> str:
    return language.catalogue().gettext(message) if is_chinese() else message


def _counted(one: str, many: str, count: int) -> str:
    return _message(one if count == 1 else many)


# click asks gettext for its messages, in the domain of the whole process, which is not ours
for _module in (core, decorators, exceptions, formatting, parser, termui, types):
    for _name, _ours in (("_", _message), ("ngettext", _counted)):
        if hasattr(_module, _name):
            setattr(_module, _name, _ours)


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
    if is_chinese():
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
        if is_chinese():
            self.write(f"{' ' * self.current_indent}{chinese(heading)}：\n")
        else:
            super().write_heading(heading)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if is_chinese() and prefix is None:
            prefix = "用法："
        super().write_usage(prog, args, prefix)

    def write_text(self, text: str) -> None:
        if not is_chinese():
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
        if not is_chinese():
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
