"""`openaclnn new`: writes a working file of your own operator."""

from __future__ import annotations

import os
from pathlib import Path

import click

from openaclnn import ops
from openaclnn.base.status import OpenaclnnError
from openaclnn.cli.chinese import translated
from openaclnn.ops.files import is_name

# It computes something, so that whoever changes it knows at each step what was changed.
_FILE = '''"""@NAME@(x) = scale · x · sigmoid(x)."""

from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import sigmoid
from openaclnn.spec.host import FLOAT32
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, Promotable, SameShape


def formula(self, scale):  # the arguments that it needs, by their names
    return scale * self * sigmoid(self)


OP = Op(
    name="@NAME@",
    arguments=(  # in C order; a second and a third text say what they are in English and Chinese
        In("self"),
        Attr("scale", host=FLOAT32, default=1.0),
        Out("out"),
    ),
    rules=(  # checked in this order
        Dtypes(("self",), FLOATS),
        MaxDims(("self",)),
        SameShape(("self",)),
        Promotable(),
        Castable(),
    ),
    formula=formula,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.@NAME@(np.array([0, 100], np.float32), scale=0.5)
array([ 0., 50.], dtype=float32)
""",
)
'''


@click.command()
@click.argument("name")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("my_ops"),
              show_default=True,
              help="Folder to write to; created if it does not exist.")  # fmt: skip
def command(name: str, folder: Path) -> None:
    """Write a working file for your own operator NAME.

    Change its arguments, rules and formula: docs/your-own-operators.md, docs/operator-words.md.
    """
    name = ops.snake(name)
    if not is_name(name):
        raise click.UsageError(
            f"{name!r} is no name; expected words in lower case, as in hard_gate"
        )
    if name in ops.built_in():
        raise click.UsageError(f"{name} exists already: openaclnn show {name}")
    path = folder / f"{name}.py"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o755)
        with open(path, "x", encoding="utf-8") as stream:
            stream.write(_FILE.replace("@NAME@", name))
        path.chmod(0o644)
    except FileExistsError:
        raise click.UsageError(f"{path} is there already") from None
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from None
    try:
        for file in ops.choose([folder]):
            if file.path.name == path.name:
                ops.load(file)
    except OpenaclnnError as error:
        raise click.ClickException(str(error)) from None
    click.echo(translated(f"written: {path}"))
    click.echo(f"  export {ops.VARIABLE}={os.path.abspath(folder)}")
    click.echo(f"  openaclnn check {folder}\n  openaclnn show {name}")
