"""`openaclnn golden`: write inputs and true outputs of an operator, the same on every machine."""

from __future__ import annotations

from pathlib import Path

import click

from openaclnn.cli.chinese import translated
from openaclnn.cli.style import Operator


@click.command("golden")
@click.argument("operator", type=Operator())
@click.option("--shape", multiple=True, default=["128,1024"], show_default=True,
              help="Of all inputs, or of one: self=1,1024.")  # fmt: skip
@click.option("--dtype", multiple=True, default=["f32"], show_default=True,
              help="f16, bf16, f32 or f64, of all inputs or of one: self=bf16.")  # fmt: skip
@click.option("--out-dtype", help="The output's; by default the inputs' promoted one.")
@click.option("--attribute", "-a", multiple=True, metavar="NAME=VALUE",
              help="Such as reduction=sum, beta=0.5, negative_slope=0.1:f16.")  # fmt: skip
@click.option("--layout", multiple=True, default=["contiguous"], show_default=True,
              help="contiguous, transposed, sliced, offset or reversed, of all tensors or of one.",
              )  # fmt: skip
@click.option("--distribution", default="standard", show_default=True,
              help="standard, bits, uniform:LOW,HIGH or normal:MEAN,DEVIATION.")  # fmt: skip
@click.option("--special", is_flag=True,
              help="Make one element in 16 NaN, infinite, zero, subnormal or extreme.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed, other values.")
@click.option("--raw", is_flag=True, help="Raw .bin files instead of .npy, for C++ programs.")
@click.option("-o", "--output", "folder", required=True, metavar="FOLDER",
              type=click.Path(file_okay=False, path_type=Path),
              help="Where to write; made if it is not there.")  # fmt: skip
def command(
    operator: str,
    shape: tuple[str, ...],
    dtype: tuple[str, ...],
    out_dtype: str | None,
    attribute: tuple[str, ...],
    layout: tuple[str, ...],
    distribution: str,
    special: bool,
    seed: int,
    raw: bool,
    folder: Path,
) -> None:
    """Write inputs and golden outputs of OPERATOR to a folder.

    One file per input, golden.npy with the true results in float64, golden_rounded with them in
    the output's type, and manifest.json with all that is needed to make the call.

    \b
    openaclnn golden silu_backward --shape 128,1024 --dtype f16 --seed 7 -o case
    openaclnn golden smooth_l1_loss_backward --shape 8,16 --shape target=16 -a beta=0.5 -o case
    """
    from openaclnn import ops
    from openaclnn.base.dtypes import FLOAT
    from openaclnn.precision import description, draws, golden, layouts

    try:
        op = ops.find(operator)
        inputs = [argument.name for argument in op.inputs]
        attributes = golden.defaults(op)
        for text in attribute:
            name, _, value = text.partition("=")
            found = next((a for a in op.attributes if name in (a.name, a.c_name)), None)
            if found is None:
                known = ", ".join(attributes) or "none"
                raise ValueError(f"{op.c_name} has no attribute {name!r}; it has {known}")
            attributes[found.name] = golden.attribute(found, value)
        draws.distribution(distribution)
        case = golden.Case(
            op,
            description.by_argument(shape, inputs, description.shape_of, (128, 1024)),
            description.by_argument(dtype, inputs, description.float_dtype, FLOAT),
            description.by_argument(
                layout, [*inputs, op.outputs[0].name], lambda name: layouts.by_name(name).name,
                "contiguous",
            ),
            attributes,
            description.float_dtype(out_dtype) if out_dtype else None,
            distribution, special, seed, raw,
        )  # fmt: skip
        golden.write(case, folder)
    except (LookupError, ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    except MemoryError:
        raise click.UsageError("the tensors of this shape do not fit into the memory") from None
    size = "×".join(map(str, case.shape)) or "0-D"
    of = case.output_dtype or case.promoted
    click.echo(translated(f"{op.c_name}: {size} of {of}, written to {folder}"))
    click.echo(translated(f"compare a result with: openaclnn compare RESULT {folder}"))
