"""`openaclnn coverage`: which functions a program uses, and which of them openaclnn has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from openaclnn.base import products, settings
from openaclnn.base.products import Product
from openaclnn.capi import coverage, usage
from openaclnn.capi.coverage import ABSENT, DECLARED, HEADER, OPERATOR, OTHER_PRODUCT, RUNTIME
from openaclnn.cli import style
from openaclnn.cli.chinese import translated

_BY_NAME = "by name"
_TO_DO = {
    OTHER_PRODUCT: "other product: --soc names a chip that has it.",
    DECLARED: "declared: the program compiles and links; the call is refused with 561003.",
    ABSENT: "absent: the program does not compile or link. An operator can be stated in a file of "
    "your own: docs/your-own-operators.md.",
    _BY_NAME: "by name: the program looks it up, and may do without.",
}


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--soc", type=style.Chip(), help="The chip that must have the operators.")
@click.option("--all", "every", is_flag=True, help="Also list what is computed.")
@style.as_json
def command(paths: tuple[Path, ...], soc: str | None, every: bool, as_json: bool) -> None:
    """List the functions of aclnn and the runtime that a program uses.

    PATHS are C, C++ and Python sources or folders of them, programs and libraries (ELF), wheels, or
    traces of `openaclnn trace`. The exit status is 1 if something is missing.
    """
    product = products.by_name(soc) if soc else settings.current().product
    try:
        uses = usage.in_paths(paths)
    except usage.NotReadable as error:
        raise click.UsageError(str(error)) from None
    found = coverage.covered(uses, product)
    missing = [one for one in found if not one.here]
    if as_json:
        style.print_json(_facts(found, product))
    else:
        _print(found, missing, product, every)
    click.get_current_context().exit(1 if missing else 0)


def _facts(found: Sequence[coverage.Covered], product: Product) -> dict[str, object]:
    kinds = (OPERATOR, RUNTIME, HEADER)
    return {
        "product": product.name,
        "complete": all(one.here for one in found),
        "counts": {kind: coverage.counts(found, kind) for kind in kinds},
        "names": [one.facts() for one in found],
    }


def _print(
    found: Sequence[coverage.Covered],
    missing: Sequence[coverage.Covered],
    product: Product,
    every: bool,
) -> None:
    for kind, plural in ((OPERATOR, "operators"), (RUNTIME, "runtime functions"),
                         (HEADER, "headers")):  # fmt: skip
        counts = coverage.counts(found, kind)
        if kind == HEADER and not counts:
            continue
        told = ", ".join(f"{count} {translated(state)}" for state, count in counts.items())
        plural += f" of {product.name}" if kind == OPERATOR else ""
        click.echo(style.wrapped(translated(f"{plural}: {told or 0}"), "", "  "))
    listed = found if every else missing
    if listed:
        header = [translated(word) for word in ("name", "state", "products", "first used in")]
        rows = [[one.name, _state(one), _products(one), one.where] for one in listed]
        click.echo()
        click.echo(style.table(rows, header, limit=style.limit()))
    states = {one.state for one in missing} | {_BY_NAME for one in missing if one.by_name}
    if states:
        click.echo()
    for state, text in _TO_DO.items():
        if state in states:
            click.echo(style.wrapped(translated(text)))


def _state(one: coverage.Covered) -> str:
    return ", ".join(map(translated, [one.state] + [_BY_NAME] * one.by_name))


def _products(one: coverage.Covered) -> str:
    """The chips that have an operator; nothing where all have."""
    if len(one.products) == len(products.ALL):
        return ""
    return " ".join(product.name.removeprefix("Ascend") for product in one.products)
