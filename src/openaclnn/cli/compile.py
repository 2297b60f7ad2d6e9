"""`openaclnn compile`: compiles CUDA kernels before their first use, with or without a GPU."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from openaclnn import ops
from openaclnn.base import settings
from openaclnn.capi import usage
from openaclnn.cli import style
from openaclnn.cli.chinese import translated
from openaclnn.spec.op import Op

if TYPE_CHECKING:
    from openaclnn.engines.cuda.compile import Program
    from openaclnn.engines.cuda.precompile import Entry

T = TypeVar("T")


@click.command()
@click.argument("what", nargs=-1, metavar="[OPERATOR|PATH]...", type=style.Operator())
@click.option("--all", "every", is_flag=True,
              help="Every operator: half an hour on two cores.")  # fmt: skip
@click.option(
    "--trace", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of `openaclnn trace`: compile what the traced program needs.",
)  # fmt: skip
@click.option("--arch", default="sm_90", show_default=True,
              help="The GPU: sm_80, sm_90, sm_100, …; several with commas.")  # fmt: skip
@click.option(
    "--dtypes", type=click.Choice(["same", "all"]), default="same", show_default=True,
    help="One dtype throughout, or every mix that an operator allows.",
)  # fmt: skip
@style.as_json
def command(
    what: tuple[str, ...], every: bool, trace: Path | None, arch: str, dtypes: str, as_json: bool
) -> None:
    """Compile kernels for a GPU into the cache.

    Of operators the usual kernels: for contiguous and transposed tensors, at both levels. PATH is a
    program, library, source, wheel or folder, as openaclnn coverage takes them: the operators that
    it uses. Of a trace exactly the kernels that its calls need, whatever device the traced program
    ran on.

    Neither a GPU nor PyTorch is needed. What is in the cache is not compiled again, and a machine
    with such a GPU and the same cache folder does not compile it either.

    \b
    openaclnn compile silu_backward aclnnAdd
    openaclnn compile --arch sm_80,sm_90 program.cpp
    openaclnn compile --trace trace.json
    """
    numbers = [re.fullmatch(r"sm_(\d+)", one) for one in arch.split(",")]
    if not all(numbers):
        raise click.BadParameter(
            f"{arch!r}; expected sm_ and a number, as in sm_90", param_hint="--arch"
        )
    archs = [int(number[1]) for number in numbers if number]
    if bool(what) + every + (trace is not None) != 1:
        raise click.UsageError(
            "say what to compile: operators, programs that use some, --trace FILE or --all"
        )
    try:
        from openaclnn.engines.cuda import compile, precompile
    except ImportError as error:
        need = f"compiling needs Triton: {error}; pip install triton cuda-bindings"
        raise click.ClickException(need) from None
    if trace is not None:
        _compile_trace(trace, arch, archs, as_json)
        return
    chosen = [*ops.all_ops().values()] if every else _named(what)
    entries: list[Entry] = []
    for op in _with_a_bar(chosen, chosen, "operators", as_json):
        for one in archs:
            entries += precompile.usual(one, every_mix=dtypes == "all", ops=[op])
    programs = dict.fromkeys(entry.program for entry in entries)
    _compile(programs, arch, as_json)
    sizes = {program: len(compile.binary(program).cubin) for program in programs}
    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "operator": entry.op,
                "dtypes": list(entry.dtypes),
                "level": entry.level,
                "layout": entry.layout,
                "bytes": sizes[entry.program],
                "file": str(compile.cached_at(entry.program)),
            }
            for entry in entries
        ]
        style.print_json({"arch": arch, "kernels": rows})
        return
    click.echo(_table(entries, lambda entry: sizes[entry.program]))
    if entries:
        total = f"{sum(sizes.values()) / 2**20:.1f} MiB"
        folder = compile.cached_at(entries[0].program).parent
        click.echo(translated(f"{len(programs)} kernels, {total} in {folder}"))


def _compile(programs: Collection[Program], arch: str, quietly: bool) -> None:
    from openaclnn.engines.cuda import precompile

    done = precompile.compile_all(programs)
    try:
        for _ in _with_a_bar(programs, done, f"kernels for {arch}", quietly):
            pass
    except Exception as error:  # Triton's and ptxas's are of many kinds
        raise click.ClickException(f"Triton cannot compile for {arch}: {_reason(error)}") from None


def _compile_trace(path: Path, arch: str, archs: list[int], as_json: bool) -> None:
    from openaclnn.engines.cuda import compile, precompile
    from openaclnn.sanitize.traced_calls import TraceError, read_trace

    try:
        traced = read_trace(path)
    except TraceError as error:
        raise click.ClickException(str(error)) from None
    programs: dict[Program, dict[str, None]] = {}  # and the operators that need them
    with settings.using(math=traced.level, product=traced.product):
        for one in archs:
            for op, program in precompile.of_calls(traced.forms, one):
                programs.setdefault(program, {})[op.c_name] = None
    missing = [one for one in programs if not compile.cached_at(one).exists()]
    _compile(missing, arch, as_json)
    sizes = {one: len(compile.binary(one).cubin) for one in programs}
    if as_json:
        kernels = [
            {"operators": [*names], "bytes": sizes[one], "file": str(compile.cached_at(one))}
            for one, names in programs.items()
        ]
        counts = {"calls": traced.count, "forms": len(traced.forms), "compiled": len(missing)}
        style.print_json({"arch": arch, **counts, "kernels": kernels})
        return
    operators = Counter(name for names in programs.values() for name in names)
    cells = [[name, str(count)] for name, count in sorted(operators.items())]
    header = [*map(translated, ("operator", "kernels"))]
    click.echo(style.table(cells, header, right=[1]))
    there = len(programs) - len(missing)
    said = (
        f"{traced.count} calls of {len(traced.forms)} forms need {len(programs)} kernels, of which "
        f"{there} were there"
    )
    click.echo(translated(said))


def _named(what: Sequence[str]) -> list[Op]:
    """The operators of some names, and those that some files use."""
    found: dict[str, Op] = {}
    computed = {op.c_name: op for op in ops.all_ops().values()}
    for word in what:
        if Path(word).exists() and word not in ops.all_ops():
            try:
                uses = usage.in_paths([Path(word)])
            except usage.NotReadable as error:
                raise click.UsageError(str(error)) from None
            used = [computed[use.name] for use in uses if use.name in computed]
            if not used:
                raise click.UsageError(f"{word} uses no operator that is computed")
        else:
            try:
                used = [ops.find(word)]
            except LookupError as error:
                raise click.UsageError(str(error)) from None
        found |= {op.name: op for op in used}
    return [*found.values()]


def _with_a_bar(
    counted: Collection[Any], items: Iterable[T], label: str, hidden: bool
) -> Iterator[T]:
    """The items, of which there are as many as in `counted`, with a bar on stderr."""
    text = translated(f"{label}: {len(counted)}")
    with click.progressbar(
        items, length=len(counted), label=text, file=sys.stderr, hidden=hidden
    ) as bar:
        yield from bar


def _table(entries: Sequence[Entry], size: Callable[[Entry], int]) -> str:
    """A row for each operator."""
    header = [*map(translated, ("operator", "dtypes", "kernels", "KiB"))]
    cells = []
    for name in dict.fromkeys(entry.op for entry in entries):
        own = {entry.program: entry for entry in entries if entry.op == name}.values()
        dtypes = dict.fromkeys(dtype for entry in own for dtype in entry.dtypes)
        kib = sum(map(size, own)) / 1024
        cells.append([name, " ".join(dtypes), str(len(own)), f"{kib:.0f}"])
    return style.table(cells, header, right=[2, 3], limit=style.limit())


def _reason(error: Exception) -> str:
    """The line of a compiler's output that names the trouble."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if " fatal " in line]
    return (telling or lines or [type(error).__name__])[0]
