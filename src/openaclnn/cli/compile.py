"""`openaclnn compile`: compiles CUDA kernels before their first use, with or without a GPU."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from openaclnn.cli import style


@click.command()
@click.option("--arch", default="sm_90", show_default=True, help="The GPU: sm_80, sm_90, sm_100, …")
@click.option(
    "--dtypes", type=click.Choice(["same", "all"]), default="same", show_default=True,
    help="One dtype throughout, or every mix that an operator allows.",
)  # fmt: skip
@style.as_json
def command(arch: str, dtypes: str, as_json: bool) -> None:
    """Compile the usual kernels for a GPU into the cache.

    All operators, contiguous and transposed, at both levels. Neither a GPU nor PyTorch is needed. A
    machine with such a GPU and the same cache folder then compiles nothing.
    """
    number = re.fullmatch(r"sm_(\d+)", arch)
    if number is None:
        raise click.BadParameter(
            f"{arch!r}; expected sm_ and a number, as in sm_90", param_hint="--arch"
        )
    try:
        from openaclnn.engines.cuda import compile, precompile
    except ImportError as error:
        need = f"compiling needs Triton: {error}; pip install triton cuda-bindings"
        raise click.ClickException(need) from None
    entries = list(precompile.usual(int(number[1]), every_mix=dtypes == "all"))
    programs = dict.fromkeys(entry.program for entry in entries)
    with click.progressbar(
        length=len(programs), label=f"{len(programs)} kernels for {arch}", file=sys.stderr,
        hidden=as_json,
    ) as bar:  # fmt: skip
        try:
            for _ in precompile.compile_all(programs):
                bar.update(1)
        except Exception as error:  # Triton's and ptxas's are of many kinds
            raise click.ClickException(
                f"Triton cannot compile for {arch}: {_reason(error)}"
            ) from None
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


def _reason(error: Exception) -> str:
    """The line of a compiler's output that names the trouble."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if " fatal " in line]
    return (telling or lines or [type(error).__name__])[0]
