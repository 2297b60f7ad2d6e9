"""The language of what people read: English, or Chinese where the environment asks for it.

Messages are written in English and translated as they are printed, so that programs and tests read
the same everywhere. There is one catalogue of gettext's, `locale/zh/LC_MESSAGES/openaclnn.po`. An
entry may have places for what differs: {} is a word or a number, {s} a list in brackets, {v} a
value, {t} any text, which is translated in its turn.

A refusal has one shape, `operator: what came; expected what; a hint`. Its parts are entries of
their own, of the contexts `came`, `expected` and `hint`.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from gettext import NullTranslations
from pathlib import Path

PATH = Path(__file__).parent.parent / "locale" / "zh" / "LC_MESSAGES" / "openaclnn.po"
_PLACES = {
    "{}": r"(\S+?)",
    "{s}": r"(\[[^\]]*\])",
    "{v}": r"('[^']*'|\"[^\"]*\"|\[.*\]|\(.*\)|\S+)",
    "{t}": r"(.+?)",
}
CONTEXTS = CAME, EXPECTED, HINT, WHOLE = "came", "expected", "hint", "whole"

Words = Callable[[str], str | None]  # texts that are translated where they are written


def is_chinese() -> bool:
    """Whether the environment asks for Chinese."""
    variables = map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, variables), "").startswith("zh")


def translated(text: str) -> str:
    """A message in the user's language."""
    return chinese(text) if is_chinese() else text


def in_language(text: str, language: str) -> str:
    """A message, or one that has yet to be filled in, in a language that was chosen."""
    return catalogue().gettext(text) if language == "zh" else text


class Catalogue(NullTranslations):
    """The entries of a .po file, which is read as it is: nothing has to be compiled."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.entries: dict[str, dict[str, str]] = {}  # by context
        for context, message, text in entries_of(path.read_text(encoding="utf-8")):
            self.entries.setdefault(context, {})[message] = text
        self._templates: dict[str, list[_Template]] = {}

    def gettext(self, message: str) -> str:
        return self.entries[""].get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def of(self, context: str, text: str, words: Words) -> str | None:
        """A text by an entry of a context: the same, or the template that says most of it."""
        found = self.entries[context].get(text)
        if found is not None:
            return found
        if context not in self._templates:
            rows = self.entries[context].items()
            self._templates[context] = sorted(_Template(*row) for row in rows if "{" in row[0])
        for template in self._templates[context]:
            said = template.translated(text, words)
            if said is not None:
                return said
        return None


class _Template:
    """An entry with places."""

    def __init__(self, message: str, said: str) -> None:
        self.said = said
        self.pieces = re.split(r"(\{[svt]?\})", message)
        self.literals = [piece for piece in self.pieces if piece and piece not in _PLACES]
        self.free = [piece == "{t}" for piece in self.pieces if piece in _PLACES]
        self._pattern: re.Pattern[str] | None = None

    def __lt__(self, other: _Template) -> bool:
        return sum(map(len, self.literals)) > sum(map(len, other.literals))

    def translated(self, text: str, words: Words) -> str | None:
        if not all(literal in text for literal in self.literals):
            return None
        if self._pattern is None:
            self._pattern = re.compile(self._source(), re.DOTALL)
        match = self._pattern.fullmatch(text)
        if match is None:
            return None
        groups = zip(match.groups(), self.free, strict=True)
        return self.said.format(*(_within(one, words) if free else one for one, free in groups))

    def _source(self) -> str:
        source = "".join(_PLACES.get(piece) or re.escape(piece) for piece in self.pieces)
        if self.pieces[:2] == ["", "{t}"] and self.pieces[2][:1] in (";", ",", ":"):
            source = source.replace("(.+?)", "(.+)", 1)  # what follows a sentence comes last
        return source


def _within(text: str, words: Words) -> str:
    found = _known(text, words)
    return found if found is not None else _listed(text) or text


@cache
def catalogue() -> Catalogue:
    return Catalogue(PATH)


def chinese(text: str, words: Words = lambda text: None) -> str:
    """A message in Chinese, as far as it is known.

    >>> chinese("aclnnSiluBackward: self has shape [3]; expected [2], as grad_output has")
    'aclnnSiluBackward：self 的 shape 为 [3]；应为 [2]，与 grad_output 相同'
    >>> chinese("3 of 12 elements equal")
    '12 个元素中 3 个相等'
    >>> chinese("aclnnSilu: self has a wrong colour; expected green")
    'aclnnSilu: self has a wrong colour; expected green'
    """
    found = _known(text, words)
    return text if found is None else found


def _known(text: str, words: Words) -> str | None:
    entries = catalogue()
    found = entries.entries[""].get(text) or words(text) or _refusal(text, words)
    return entries.of("", text, words) if found is None else found


def _refusal(text: str, words: Words) -> str | None:
    """A refusal, or another sentence of what came and what is expected, part by part."""
    name, colon, body = text.partition(": ")
    if not colon or " " in name:
        name, body = "", text
    before = f"{name}：" if name else ""
    if name:
        whole = catalogue().of(WHOLE, body, words)
        if whole is not None:
            return before + whole.replace(", ", "、")
    left, semicolon, rest = body.partition("; expected ")
    if not semicolon:
        return None
    right, *hints = rest.split("; ")
    came, expected = _came(left, words), _expected(right, words)
    if came is None or expected is None:
        return None
    more = [catalogue().of(HINT, hint, words) for hint in hints]
    if not all(more):
        return None
    # a Chinese character follows the words without a space, anything else after one
    space = "" if expected[:1] > "\u2e80" else " "
    return "；".join([f"{before}{came}", f"应为{space}{expected}", *map(str, more)])


def _came(text: str, words: Words) -> str | None:
    clauses = re.split(r", (?=\w[\w\[\]]* has )", text)
    found = [catalogue().of(CAME, clause, words) for clause in clauses]
    if all(found):
        return "，".join(map(str, found))
    return catalogue().of("", text, words)


_NAME = r"[A-Za-z0-9_.+-]+(?: \([\w ]+\))?"
_CHOICES = re.compile(rf"{_NAME}(?:, {_NAME})*(?:,? or {_NAME})?(?: on \w+)?")


def _listed(text: str) -> str | None:
    """A list of names or shapes, of which one is meant."""
    if re.fullmatch(r"\[[^\]]*\](?: or \[[^\]]*\])*", text):
        return text.replace(" or ", " 或 ")
    if _CHOICES.fullmatch(text):
        text, _, chip = text.partition(" on ")
        listed = text.replace(" or ", " 或 ").replace(", ", "、")
        return f"{listed}（{chip}）" if chip else listed
    return None


def _expected(text: str, words: Words) -> str | None:
    if text.endswith(", or none"):
        rest = _expected(text.removesuffix(", or none"), words)
        return rest and f"{rest}，或不给出"
    for found in (catalogue().of(EXPECTED, text, words), _listed(text)):
        if found is not None:
            return found
    return catalogue().of("", text, words)


def entries_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Context, message and text of every entry; of two numbers of things each is one."""
    for block in text.split("\n\n"):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line[:1] not in ('"', "#", ""):
                name, _, line = line.partition(" ")
                fields[name] = ""
            if line[:1] == '"':
                fields[name] += ast.literal_eval(line)
        found = fields.get("msgstr") or fields.get("msgstr[0]")
        for message in ("msgid", "msgid_plural"):
            if found and fields.get(message):
                yield fields.get("msgctxt", ""), fields[message], found
