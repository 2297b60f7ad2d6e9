"""Writes docs/operator-words.md from docstrings: the rules, results, kinds of attributes and words
of formulas that a file of an operator is made of.

python scripts/operator_words.py            write it
python scripts/operator_words.py --check    exit status 1 where it says something else
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openaclnn.spec import families, gates, host, results, rules
from openaclnn.spec.mistakes import vocabulary
from openaclnn.spec.rules import Rule

PAGE = Path(__file__).parents[1] / "docs" / "operator-words.md"

_HEAD = (
    "# Vocabulary of operator files\n\nWhat an [operator file](your-own-operators.md) can use, "
    "with the module that each word is imported from. This page is generated from the source.\n"
)
_OPERATORS = (
    ("+ - * /", "arithmetic; integers wrap"),
    ("< <= > >=", "comparisons; nothing compares with NaN"),
    ("& | ~", "and, or and not of conditions"),
    ("abs(x)", "the magnitude"),
)


def page() -> str:
    return "\n".join([_HEAD, *_sections()]).rstrip() + "\n"


def _sections() -> Iterator[str]:
    yield from _table(
        "Formulas", "openaclnn.spec.formula",
        "A formula gets symbols: one element of each tensor, and the numbers of the call. Python's "
        "`if`, `and`, `max` and `==` cannot decide by a symbol; `where`, `&`, `maximum` and "
        "`equal` can.",
        [*_OPERATORS, *_functions(vocabulary())],
    )  # fmt: skip
    known = {name: getattr(rules, name) for name in rules.__all__}
    stated = {name: one for name, one in known.items() if _is_rule(one)}
    yield from _table(
        "Rules", "openaclnn.spec.rules",
        "Rules are checked in the order in which they are listed; the first that fails decides the "
        "status. One of your own is a class with `complaint` and `sentence`.",
        [(_signature(name, one), _first(one)) for name, one in sorted(stated.items())],
    )  # fmt: skip
    made = {name: one for name, one in vars(results).items() if _is_of(one, results)}
    yield from _table(
        "Results", "openaclnn.spec.results",
        "What the outputs are like: `results=` of an operator; `broadcast_and_promote` is the "
        "default.",
        [(_signature(name, one), _first(one)) for name, one in sorted(made.items())
         if name in _RESULTS],
    )  # fmt: skip
    yield from _table(
        "Kinds of attributes", "openaclnn.spec.host",
        "What an attribute is in C: the fourth of an `Attr`, or `host=`.",
        [(name, f"`{one.c_type}` in C, {one.expected}") for name, one in sorted(vars(host).items())
         if isinstance(one, host.Host)],
    )  # fmt: skip
    shared = {**vars(families), "gated": gates.gated}
    yield from _table(
        "Families", "openaclnn.spec.families",
        "A family states what operators of a kind share: arguments, rules, variants in place and "
        "for numbers. `gated` is in `openaclnn.spec.gates`.",
        [(name, _first(shared[name])) for name in _FAMILIES],
    )  # fmt: skip


_RESULTS = ("broadcast_and_promote", "compared", "Like", "OverDims", "ReducedBy")
_FAMILIES = ("unary", "function", "binary", "comparison", "number_first", "gated")


def _is_rule(one: Any) -> bool:
    return inspect.isclass(one) and issubclass(one, Rule) and one is not Rule


def _is_of(one: Any, module: Any) -> bool:
    return getattr(one, "__module__", "") == module.__name__


def _functions(words: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, one in sorted(words.items()):
        if one.__doc__ and name not in _NOT_FOR_FORMULAS:
            yield f"{name}({', '.join(inspect.signature(one).parameters)})", _first(one)


# what others do with formulas
_NOT_FOR_FORMULAS = {
    "are_same", "inputs_of", "is_among", "tensor", "text", "trace", "uniform", "walk", "words_of",
}  # fmt: skip


def _signature(name: str, one: Any) -> str:
    if not inspect.isclass(one):
        return name
    return f"{name}({', '.join(p for p in inspect.signature(one).parameters)})"


def _first(one: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    paragraph = inspect.cleandoc(one.__doc__ or "").split("\n\n")[0]
    return " ".join(paragraph.split()).replace("|", "\\|")


def _table(title: str, module: str, text: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    yield f"## {title}\n\n`{module}`. {text}\n\n| word | meaning |\n| --- | --- |"
    for word, meaning in rows:
        yield f"| `{word.replace('|', chr(92) + '|')}` | {meaning} |"
    yield ""


def main(arguments: list[str]) -> int:
    text = page()
    if "--check" in arguments:
        current = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        if not current:
            print(f"{PAGE} is not up to date: run make docs", file=sys.stderr)
        return 0 if current else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
