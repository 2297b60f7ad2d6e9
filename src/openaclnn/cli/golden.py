"""`openaclnn golden`: write inputs and true outputs of an operator, the same on every machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from openaclnn.base.status import AclnnError
from openaclnn.cli.chinese import translated
from openaclnn.cli.style import Operator

if TYPE_CHECKING:
    from openaclnn.golden.cases import GoldenCase


@click.command("golden")
@click.argument("operator", type=Operator(), required=False)
@click.option("--suite", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              metavar="FILE", help="Write every case of a file: each line is an operator and its "
                                   "options, with alternatives as f16|f32 in braces.")  # fmt: skip
@click.option("--shape", multiple=True, default=["128,1024"], show_default=True,
              help="Shape of all inputs, or of one: self=1,1024.")  # fmt: skip
@click.option("--dtype", multiple=True,
              help="Dtype of all inputs (f16, s32, …), or of one: self=bf16. The default is f32 if "
                   "the operator takes it.")  # fmt: skip
@click.option("--out-dtype", multiple=True,
              help="Dtype of the outputs, or of one: mask=u8. The default follows from the "
                   "inputs.")  # fmt: skip
@click.option("--attribute", "-a", multiple=True, metavar="NAME=VALUE",
              help="An attribute: reduction=sum, beta=0.5, negative_slope=0.1:f16.")  # fmt: skip
@click.option("--without", multiple=True, metavar="NAME",
              help="Leave out this optional tensor.")  # fmt: skip
@click.option("--members", type=click.IntRange(1), default=2, show_default=True,
              help="Number of tensors in a list.")  # fmt: skip
@click.option("--layout", multiple=True, default=["contiguous"], show_default=True,
              help="contiguous, transposed, sliced, offset or reversed, of all tensors or of one.",
              )  # fmt: skip
@click.option("--distribution", default="standard", show_default=True,
              help="standard, bits, uniform:LOW,HIGH or normal:MEAN,DEVIATION.")  # fmt: skip
@click.option("--special", is_flag=True,
              help="Make one element in 16 NaN, infinite, zero, subnormal or extreme.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random values.")
@click.option("--raw", is_flag=True, help="Raw .bin files instead of .npy, for C++ programs.")
@click.option("-o", "--output", "folder", required=True, metavar="FOLDER",
              type=click.Path(file_okay=False, path_type=Path),
              help="Folder to write; created if it does not exist.")  # fmt: skip
def command(
    operator: str | None,
    suite: Path | None,
    shape: tuple[str, ...],
    dtype: tuple[str, ...],
    out_dtype: tuple[str, ...],
    attribute: tuple[str, ...],
    without: tuple[str, ...],
    members: int,
    layout: tuple[str, ...],
    distribution: str,
    special: bool,
    seed: int,
    raw: bool,
    folder: Path,
) -> None:
    """Write inputs and golden outputs of OPERATOR to a folder.

    One file per input, golden.npy with the true results in float64, golden_rounded.npy with the
    same in the output's dtype, and manifest.json with everything needed to make the call. Several
    outputs have a file each: golden_NAME.npy. A tensor that the operator changes is an input and an
    output.

    \b
    openaclnn golden silu_backward --shape 128,1024 --dtype f16 --seed 7 -o case
    openaclnn golden smooth_l1_loss_backward --shape 8,16 --shape target=16 -a beta=0.5 -o case
    openaclnn golden --suite cases.txt -o cases
    """
    from openaclnn.golden import cases, options

    if (operator is None) == (suite is None):
        raise click.UsageError("give an OPERATOR, or --suite FILE")
    try:
        if suite:
            count = 0
            for named in options.suite(suite):
                cases.write(named.case, folder / named.name)
                count += 1
            click.echo(translated(f"{count} cases written to {folder}"))
            click.echo(translated(f"compare results with: openaclnn compare RESULTS {folder}"))
            return
        assert operator is not None
        case = options.case(
            operator, shape=shape, dtype=dtype, out_dtype=out_dtype, attribute=attribute,
            without=without, members=members, layout=layout, distribution=distribution,
            special=special, seed=seed, raw=raw,
        )  # fmt: skip
        cases.write(case, folder)
    except AclnnError:  # a refusal, which has a status of its own
        raise
    except (LookupError, ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    except MemoryError:
        raise click.UsageError("the tensors of this shape do not fit into the memory") from None
    _tell(case, folder)


def _tell(case: GoldenCase, folder: Path) -> None:
    op = case.op
    several = len(case.call.writes) > 1
    for given in case.call.writes:
        size = "×".join(map(str, given.tensor.shape)) or "0-D"
        name = f"{op.c_name}, {given.label}" if several else op.c_name
        line = f"{name}: {size} of {given.tensor.dtype}, written to {folder}"
        click.echo(translated(line))
    place = f"{folder}:NAME" if several else folder
    click.echo(translated(f"compare a result with: openaclnn compare RESULT {place}"))
