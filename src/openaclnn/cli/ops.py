"""`openaclnn ops`: which operators there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from openaclnn.base import products
from openaclnn.base.language import in_language
from openaclnn.cli import style
from openaclnn.ops import all_ops, declared, families, family_of, find
from openaclnn.spec import describe
from openaclnn.spec.declared import Declared
from openaclnn.spec.families import INTEGERS
from openaclnn.spec.op import Op

_TEXTS = {
    "equal": "equal",
    "equal_or": "equal *",
    "broadcast": "broadcast",
    "footnote": "* The inputs broadcast on {}.",
    "products": "Products are Ascend chips, chosen with OPENACLNN_SOC; {} is the default.",
    "no_bf16": "No bf16 on {}.",
    "all_but": "all but {}",
    "more": "More about one: openaclnn show {}",
    "declared": "declared",
    "counts": "Computed: {}. Declared: {}; programs that use them link, and a call says that "
    "openaclnn does not have it yet.",
}
_HEADER = ("operator", "dtypes", "shapes", "products", "what it is")
_SUMMARIES_FROM = 120  # columns of a terminal that has room for all that is known


@click.command()
@click.argument("word", required=False)
@click.option("--family", help="Only those of a family: activation, loss, math, …")
@click.option("--all", "every", is_flag=True,
              help="Also list operators that are only declared: they link, and calls are "
                   "refused.")  # fmt: skip
@style.language
@style.as_json
def command(
    word: str | None, family: str | None, every: bool, language: str, as_json: bool
) -> None:
    """List the operators: dtypes, shapes, products.

    With WORD, those whose name or summary contains it.
    """
    ops = [op for op in all_ops().values() if family in (None, family_of(op)) and _has(op, word)]
    listed = (every or word) and not family  # who asks for a name is told that it is declared
    others = [op for op in declared().values() if listed and _has(op, word)]
    if not ops and not others:
        raise click.UsageError(_nothing(word, family))
    if as_json:
        computed = [facts(op, language) for op in ops]
        style.print_json([*computed, *map(declared_facts, others)])
        return
    texts = {name: in_language(text, language) for name, text in _TEXTS.items()}
    rows = [[*_row(op, texts), describe.summary(op, language)] for op in ops]
    rows += [[op.name, texts["declared"], "", "", ""] for op in others]
    shown = 5 if style.columns() >= _SUMMARIES_FROM else 2
    header = [in_language(word, language) for word in _HEADER[:shown]]
    click.echo(style.table([row[:shown] for row in rows], header, limit=style.limit()))
    click.echo()
    elsewhere = [product for op in ops if _differs(op) for product in describe.broadcasts(op)]
    without = [p for p in products.ALL if not p.bf16 and any(p in op.products for op in ops)]
    notes = [texts["footnote"].format(_names(dict.fromkeys(elsewhere)))] if elsewhere else []
    notes += [texts["counts"].format(len(ops), len(others))] if every or others else []
    if ops:
        notes.append(texts["products"].format(products.DEFAULT.name))
        notes.append(texts["no_bf16"].format(_names(without)))
    notes.append(texts["more"].format((ops or others)[0].name))
    for note in notes:
        click.echo(style.wrapped(note))


def _nothing(word: str | None, family: str | None) -> str:
    """Why there is nothing to list."""
    if family in (None, *families()):
        try:
            find(str(word))
        except LookupError as error:
            return str(error)
    known = ", ".join(families())
    return f"there is no such operator; the families are {known}"


def _has(op: Op | Declared, word: str | None) -> bool:
    """Whether a word stands in what is said of an operator."""
    texts = () if isinstance(op, Declared) else (op.en, op.zh)
    said = " ".join((op.name, op.c_name, *texts)).lower()
    return word is None or word.lower() in said


def facts(op: Op, language: str) -> dict[str, Any]:
    """One operator for programs to read."""
    return {
        "name": op.name,
        "c_name": op.c_name,
        "computed": True,
        "family": family_of(op),
        "summary": describe.summary(op, language),
        "dtypes": [dtype.name for dtype in describe.dtypes(op)],
        "broadcasts_on": [product.name for product in describe.broadcasts(op)],
        "products": [product.name for product in op.products],
    }


def declared_facts(op: Declared) -> dict[str, Any]:
    """The same of one that is only declared."""
    return {
        "name": op.name,
        "c_name": op.c_name,
        "computed": False,
        "header": f"aclnnop/{op.header_name}",
    }


def _differs(op: Op) -> bool:
    """Whether the shape rule is another on some products."""
    return describe.broadcasts(op) not in ((), op.products)


def _row(op: Op, texts: Mapping[str, str]) -> list[str]:
    broadcast = describe.broadcasts(op)
    shapes = "equal_or" if _differs(op) else "broadcast" if broadcast else "equal"
    return [
        op.name,
        _dtypes(op),
        texts[shapes],
        _products(op, texts),
    ]


def _dtypes(op: Op) -> str:
    """The dtypes of the inputs; the usual integers in a word."""
    allowed = describe.dtypes(op)
    if not {*INTEGERS} <= {*allowed}:
        return " ".join(dtype.short for dtype in allowed)
    others = [dtype.short for dtype in allowed if dtype not in INTEGERS]
    return " ".join([*others, "s8…s64"])


def _products(op: Op, texts: Mapping[str, str]) -> str:
    """The chips that have it, or, where those are fewer, the chips that have not."""
    missing = [p.name.removeprefix("Ascend") for p in products.ALL if p not in op.products]
    if len(missing) < 3:
        return texts["all_but"].format(" ".join(missing))
    return " ".join(product.name.removeprefix("Ascend") for product in op.products)


def _names(some: Any) -> str:
    return " ".join(product.name for product in some)
