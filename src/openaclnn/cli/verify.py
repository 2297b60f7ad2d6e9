"""`openaclnn verify`: prove how far results are from the true values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from openaclnn.base.settings import LEVELS
from openaclnn.base.status import AclnnError
from openaclnn.cli.style import Operator, as_json

_COLOURS: dict[str, dict[str, Any]] = {
    "passed": {"fg": "green"},
    "failed": {"fg": "red", "bold": True},
    "header": {"bold": True},
}


@click.command("verify")
@click.argument("operator", nargs=-1, type=Operator())
@click.option("--exhaustive", is_flag=True,
              help="All inputs instead of a sample: half an hour on two cores.")  # fmt: skip
@click.option("--dtype", multiple=True, help="This dtype only; may be repeated.")
@click.option("--level", type=click.Choice(LEVELS), help="This level only.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True,
              help="Whose kernels to measure.")  # fmt: skip
@click.option("--threads", type=click.IntRange(1), metavar="N",
              help="Number of processes; all cores by default.")  # fmt: skip
@click.option("--torch/--no-torch", default=True, help="Also measure PyTorch if it is installed.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="PNG",
              help="Plot the error over self.")  # fmt: skip
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Save all figures as JSON, including those of --plot.")  # fmt: skip
@click.option("--shard", metavar="K/N", default="",
              help="Do part K of N; write verify-K-of-N.json, or what --save says.")  # fmt: skip
@click.option("--merge", is_flag=True,
              help="Combine the files of all parts into one proof.")  # fmt: skip
@as_json
def command(
    operator: tuple[str, ...],
    exhaustive: bool,
    dtype: tuple[str, ...],
    level: str | None,
    device: str,
    threads: int | None,
    torch: bool,
    plot: Path | None,
    save: Path | None,
    shard: str,
    merge: bool,
    as_json: bool,
) -> None:
    """Measure errors against the true values.

    Without OPERATOR, the operators marked as examples are measured.

    The sample takes some ten seconds. --exhaustive proves the bounds: every value of one input in
    float32, every pair in 16 bits. docs/accuracy.md says how that covers all inputs. Integers and
    booleans must be equal.

    Columns: the largest error in ULP; the bound for any gradient that follows from the error of the
    slope; the promised bound, if any; shares of inputs with larger errors; zeros of the wrong sign;
    PyTorch's largest error and its share above 0.51; a digest of all result bits, equal on every
    device and for any number of threads.

    Exit status: 0 if all results are within the bounds, 1 if one is not, 2 if the command was used
    wrongly, 130 after Ctrl-C.

    \b
    openaclnn verify
    openaclnn verify silu_backward --dtype f32 --plot silu.png
    openaclnn verify --exhaustive --device cuda --json
    openaclnn verify --exhaustive --shard 2/8            on one of eight machines
    openaclnn verify --merge verify-*-of-8.json
    """
    from openaclnn.verify import session

    wanted = session.Wanted(
        operator, dtype, level or "", device, threads, plot, save, shard,
        exhaustive=exhaustive, torch=torch, as_json=as_json, merge=merge,
    )  # fmt: skip
    try:
        status = session.run(
            wanted, click.echo, lambda words, kind: click.style(words, **_COLOURS[kind])
        )
    except AclnnError:  # a refusal, which has a status of its own
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    raise SystemExit(status)
