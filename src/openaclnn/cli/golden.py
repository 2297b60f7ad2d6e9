"""`openaclnn golden`: write inputs and true outputs of an operator, the same on every machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from openaclnn.base.status import AclnnError
from openaclnn.cli.chinese import translated
from openaclnn.cli.style import Operator

if TYPE_CHECKING:
    from openaclnn.base.dtypes import DType
    from openaclnn.spec.op import Op


@click.command("golden")
@click.argument("operator", type=Operator())
@click.option("--shape", multiple=True, default=["128,1024"], show_default=True,
              help="Of all inputs, or of one: self=1,1024.")  # fmt: skip
@click.option("--dtype", multiple=True,
              help="Such as f16 or s32, of all inputs or of one: self=bf16. By default f32 where "
                   "the operator takes it.")  # fmt: skip
@click.option("--out-dtype", multiple=True,
              help="The output's, or of one of several: mask=u8; by default what the operator "
                   "makes of the inputs'.")  # fmt: skip
@click.option("--attribute", "-a", multiple=True, metavar="NAME=VALUE",
              help="Such as reduction=sum, beta=0.5, negative_slope=0.1:f16.")  # fmt: skip
@click.option("--without", multiple=True, metavar="NAME",
              help="Leave out this optional tensor.")  # fmt: skip
@click.option("--members", type=click.IntRange(1), default=2, show_default=True,
              help="Tensors of a list.")  # fmt: skip
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

    One file per input, golden.npy with the true results in float64, golden_rounded with them in
    the output's type, and manifest.json with all that is needed to make the call. Of several
    outputs each has its own: golden_NAME.npy. A tensor that the operator changes is an input and
    an output.

    \b
    openaclnn golden silu_backward --shape 128,1024 --dtype f16 --seed 7 -o case
    openaclnn golden smooth_l1_loss_backward --shape 8,16 --shape target=16 -a beta=0.5 -o case
    """
    from openaclnn import ops
    from openaclnn.golden import cases as golden
    from openaclnn.golden import draws

    try:
        op = ops.find(operator)
        draws.distribution(distribution)
        attributes = _attributes(op, attribute)
        case = golden.GoldenCase(
            op, _shapes(op, shape, attributes), _dtypes(op, dtype, out_dtype), _layouts(op, layout),
            attributes, _absent(op, without), members, distribution, seed,
            special=special, raw=raw,
        )  # fmt: skip
        golden.write(case, folder)
    except AclnnError:  # a refusal, which has a status of its own
        raise
    except (LookupError, ValueError, OSError) as error:
        raise click.UsageError(str(error)) from None
    except MemoryError:
        raise click.UsageError("the tensors of this shape do not fit into the memory") from None
    several = len(case.call.writes) > 1
    for given in case.call.writes:
        size = "×".join(map(str, given.tensor.shape)) or "0-D"
        name = f"{op.c_name}, {given.label}" if several else op.c_name
        line = f"{name}: {size} of {given.tensor.dtype}, written to {folder}"
        click.echo(translated(line))
    place = f"{folder}:NAME" if several else folder
    click.echo(translated(f"compare a result with: openaclnn compare RESULT {place}"))


def _given(op: Op) -> list[str]:
    """The tensors that go in."""
    from openaclnn.spec.op import In, InOut

    return [a.name for a in op.tensors if isinstance(a, (In, InOut))]


def _attributes(op: Op, given: tuple[str, ...]) -> dict[str, Any]:
    from openaclnn.golden import cases as golden

    attributes = dict(op.defaults)
    for text in given:
        name, _, value = text.partition("=")
        found = next((a for a in op.attributes if name in (a.name, a.c_name)), None)
        if found is None:
            known = ", ".join(attributes) or "none"
            raise ValueError(f"{op.c_name} has no attribute {name!r}; it has {known}")
        attributes[found.name] = golden.attribute(found, value)
    return attributes


def _shapes(
    op: Op, given: tuple[str, ...], attributes: dict[str, Any]
) -> dict[str, tuple[int, ...]]:
    from openaclnn.cli.description import said, shape_of

    for_all, by_name = said(given, _given(op), shape_of)
    shape = (128, 1024) if for_all is None else for_all
    return dict.fromkeys(_given(op), shape) | dict(op.shapes(shape, attributes)) | by_name


def _dtypes(op: Op, given: tuple[str, ...], outputs: tuple[str, ...]) -> dict[str, DType]:
    from openaclnn.base.dtypes import FLOAT
    from openaclnn.cli.description import real_dtype, said
    from openaclnn.spec import describe

    for_all, by_name = said(given, _given(op), real_dtype)
    found = describe.alike(op, for_all or FLOAT)
    if for_all is not None and for_all not in found.values():
        found = dict.fromkeys(found, for_all)  # the operator will say what it takes
    written = [output.name for output in op.outputs if output.name not in found]
    if outputs and not written:
        raise ValueError(f"{op.c_name} writes to {', '.join(found)}: --dtype says of which dtype")
    for_all, of_outputs = said(outputs, written, real_dtype)
    made = {} if for_all is None else dict.fromkeys(written, for_all)
    return {**found, **by_name, **made, **of_outputs}


def _layouts(op: Op, given: tuple[str, ...]) -> dict[str, str]:
    from openaclnn.base import layouts
    from openaclnn.cli.description import said

    names = [a.name for a in op.tensors]
    for_all, by_name = said(given, names, lambda name: layouts.by_name(name).name)
    return dict.fromkeys(names, for_all or "contiguous") | by_name


def _absent(op: Op, names: tuple[str, ...]) -> frozenset[str]:
    optional = [a.name for a in op.tensors if getattr(a, "optional", False)]
    for name in names:
        if name not in optional:
            known = ", ".join(optional) or "none"
            raise ValueError(f"{op.c_name} has no optional tensor {name!r}; it has {known}")
    return frozenset(names)
