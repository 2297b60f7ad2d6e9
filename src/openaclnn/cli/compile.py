"""`openaclnn compile`: compiles CUDA kernels before their first use, with or without a GPU."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from openaclnn.base import settings
from openaclnn.cli import style
from openaclnn.cli.chinese import translated

if TYPE_CHECKING:
    from openaclnn.engines.cuda.compile import Program


@click.command()
@click.option(
    "--arch",
    default="sm_90",
    show_default=True,
    help="The GPU: sm_80, sm_90, sm_100, …; several with commas.",
)
@click.option(
    "--dtypes", type=click.Choice(["same", "all"]), default="same", show_default=True,
    help="One dtype throughout, or every mix that an operator allows.",
)  # fmt: skip
@click.option(
    "--trace", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of `openaclnn trace`: compile what the traced program needs.",
)  # fmt: skip
@style.as_json
def command(arch: str, dtypes: str, trace: Path | None, as_json: bool) -> None:
    """Compile the usual kernels for a GPU into the cache.

    All operators, contiguous and transposed, at both levels; or what the calls in a trace need,
    whatever device the traced program ran on. Neither a GPU nor PyTorch is needed. A machine with
    such a GPU and the same cache folder then compiles nothing.
    """
    numbers = [re.fullmatch(r"sm_(\d+)", one) for one in arch.split(",")]
    if not all(numbers):
        raise click.BadParameter(
            f"{arch!r}; expected sm_ and a number, as in sm_90", param_hint="--arch"
        )
    archs = [int(number[1]) for number in numbers if number]
    try:
        from openaclnn.engines.cuda import compile, precompile
    except ImportError as error:
        need = f"compiling needs Triton: {error}; pip install triton cuda-bindings"
        raise click.ClickException(need) from None
    if trace is not None:
        _compile_trace(trace, arch, archs, as_json)
        return
    entries = [entry for one in archs for entry in precompile.usual(one, every_mix=dtypes == "all")]
    _compile(dict.fromkeys(entry.program for entry in entries), arch, as_json)
    rows: list[dict[str, Any]] = [
        {
            "operator": entry.op,
            "dtypes": list(entry.dtypes),
            "level": entry.level,
            "layout": entry.layout,
            "bytes": len(compile.binary(entry.program).cubin),
            "file": str(compile.cached_at(entry.program)),
        }
        for entry in entries
    ]
    if as_json:
        style.print_json({"arch": arch, "kernels": rows})
        return
    header = ["operator", "dtypes", "level", "layout", "KiB"]
    cells = [
        [r["operator"], " ".join(dict.fromkeys(r["dtypes"])) if dtypes == "same" else
         " ".join(r["dtypes"]), r["level"], r["layout"], f"{r['bytes'] / 1024:.0f}"]
        for r in rows
    ]  # fmt: skip
    click.echo(style.table(cells, header, right=[4]))
    click.echo(f"in {compile.cached_at(entries[0].program).parent}")


def _compile(programs: Collection[Program], arch: str, quietly: bool) -> None:
    from openaclnn.engines.cuda import precompile

    with click.progressbar(
        length=len(programs), label=f"{len(programs)} kernels for {arch}", file=sys.stderr,
        hidden=quietly,
    ) as bar:  # fmt: skip
        try:
            for _ in precompile.compile_all(programs):
                bar.update(1)
        except Exception as error:  # Triton's and ptxas's are of many kinds
            raise click.ClickException(
                f"Triton cannot compile for {arch}: {_reason(error)}"
            ) from None


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
    click.echo(style.table(cells, ["operator", "kernels"], right=[1]))
    there = len(programs) - len(missing)
    said = (
        f"{traced.count} calls of {len(traced.forms)} forms need {len(programs)} kernels, of which "
        f"{there} were there"
    )
    click.echo(translated(said))


def _reason(error: Exception) -> str:
    """The line of a compiler's output that names the trouble."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if " fatal " in line]
    return (telling or lines or [type(error).__name__])[0]
