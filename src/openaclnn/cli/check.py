"""`openaclnn check`: checks the files of your own operators."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from openaclnn import ops
from openaclnn.base.status import OpenaclnnError
from openaclnn.capi import entries
from openaclnn.cli import style
from openaclnn.cli.chinese import translated
from openaclnn.ops.files import File
from openaclnn.spec import describe
from openaclnn.spec.op import Op


@click.command()
@click.argument("paths", nargs=-1, required=True,
                type=click.Path(exists=True, path_type=Path))  # fmt: skip
@style.as_json
def command(paths: tuple[Path, ...], as_json: bool) -> None:
    """Check operators in PATHS and report every mistake.

    Loads every file, traces its formulas and rules, computes a call of every operator in each of
    its dtypes, and runs its example. Mistakes are reported with file and line; the exit status is
    then 1.
    """
    chosen = {path.resolve() for path in paths}
    folders = dict.fromkeys(path.parent if path.is_file() else path for path in paths)
    files = [
        file for file in ops.choose(folders)
        if chosen & {file.path.resolve(), *file.path.resolve().parents}
    ]  # fmt: skip
    if not files:
        raise click.UsageError(f"there is no file of operators in {paths[0]}")
    wrong: list[str] = []
    count = 0
    for file in files:
        for found in _checked(file):
            if isinstance(found, Op):
                count += 1
            else:
                wrong.append(found)
                if not as_json:
                    click.echo(translated(found))
    if as_json:
        style.print_json({"files": len(files), "operators": count, "wrong": wrong})
    else:
        told = f"files: {len(files)}, operators: {count}, mistakes: {len(wrong)}"
        click.echo(translated(told))
    click.get_current_context().exit(1 if wrong else 0)


def _checked(file: File) -> Iterator[Op | str]:
    """The operators of a file, and what is wrong with each."""
    try:
        stated = file.defined()
    except OpenaclnnError as error:
        yield str(error)
        return
    right = []
    for op in stated:
        problems = [str(problem) for problem in file.problems(op)]
        yield from problems
        yield op
        right += [] if problems else [op]
    if len(right) < len(stated):
        return  # which cannot be loaded, and so not be called
    try:
        ops.load(file)
    except OpenaclnnError as error:  # a name that exists already
        yield str(error)
        return
    for op in right:
        yield from (f"{file.path}:{file.line_of(op.name)}: {why}" for why in _tried(op))


def _tried(op: Op) -> Iterator[str]:
    """What goes wrong where an operator is described, declared and computed."""
    from openaclnn.calls.selfcheck import self_check

    try:
        for language in describe.LANGUAGES:
            describe.checks(op, language)
        entries.operator_headers([op])
    except Exception as error:  # a rule's sentence is the user's Python
        yield f"{op.name}: {type(error).__name__}: {error}"
        return
    for result in self_check([op]):
        if result.why:
            yield f"{op.name}: {result.why}"
