"""Message templates with placeholders, and their translations.

In a template {} is a word or a number, {s} a list in brackets, {t} any text."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

_PLACES = {"{}": r"(\S+?)", "{s}": r"(\[[^\]]*\])", "{t}": r"(.+)"}


def is_chinese() -> bool:
    """Whether the environment asks for Chinese."""
    variables = map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, variables), "").startswith("zh")


class Templates:
    """A table of templates; of those that match, the one that says most is taken.

    >>> table = Templates({"{} is null": "{} 为空指针", "{} is {t}": "{} 为 {}"})
    >>> table.translated("x is null"), table.translated("x is 3, y"), table.translated("x")
    ('x 为空指针', 'x 为 3, y', None)
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table
        self._patterns: list[tuple[re.Pattern[str], str]] = []

    def translated(self, text: str) -> str | None:
        if not self._patterns:
            rows = sorted(self.table.items(), key=lambda row: -len(re.sub(r"\{.?\}", "", row[0])))
            self._patterns = [(re.compile(_source(key), re.DOTALL), said) for key, said in rows]
        for pattern, template in self._patterns:
            match = pattern.fullmatch(text)
            if match:
                return template.format(*match.groups())
        return None


def _source(template: str) -> str:
    pieces = re.split(r"(\{[st]?\})", template)
    return "".join(_PLACES.get(piece) or re.escape(piece) for piece in pieces)
