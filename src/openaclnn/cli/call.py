"""`openaclnn call`: one operator on files. Every operator is a subcommand with options of its own,
made from its spec."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from openaclnn import ops
from openaclnn.base import products, settings
from openaclnn.base.dtypes import BF16, DType, by_name, from_numpy, promote
from openaclnn.base.tensors import broadcast
from openaclnn.cli import style
from openaclnn.spec.op import Attr, Op

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PRINTED_AT_MOST = 256  # elements; of larger results a summary says more


class _UnusableError(click.ClickException):
    """A file that cannot be read or written: the same exit status as wrong usage."""

    exit_code = 2


class _Operators(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(ops.all_ops())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        try:
            return _command(ops.find(cmd_name))
        except LookupError as error:
            raise click.UsageError(str(error), ctx) from None


@click.group(cls=_Operators, subcommand_metavar="OPERATOR FILE… [OPTIONS]")
def command() -> None:
    """Call an operator on .npy files.

    \b
    openaclnn call silu_backward grad.npy x.npy -o out.npy
    openaclnn call smooth_l1_loss_backward g.npy x.npy y.npy --reduction sum

    What else an operator takes: openaclnn call OPERATOR --help. Exit status: 0, 1 where the
    operator refuses the call (its status and reason are on stderr), 2 where a file cannot be
    read or written or the command was used wrongly.
    """


def _command(op: Op) -> click.Command:
    parameters: list[click.Parameter] = [
        click.Argument([a.name], required=a.read, metavar=_metavar(a.name, a.read))
        for a in op.inputs
    ]
    parameters += [_option(a) for a in op.attributes]
    parameters += [
        click.Option(["-o", "--output"], type=click.Path(dir_okay=False, path_type=Path),
                     metavar="NPY", help="Where to write the result; it is printed otherwise."),
        click.Option(["--out-dtype"], callback=_dtype, metavar="DTYPE",
                     help="Of the result; the inputs' promoted dtype by default."),
        click.Option(["--level"], type=click.Choice(settings.LEVELS), help="Of the arithmetic."),
        click.Option(["--soc"], type=click.Choice([product.name for product in products.ALL],
                     case_sensitive=False), metavar="CHIP", help="Whose rules are played; "
                     f"{products.DEFAULT.name} by default, Ascend950 for example."),
        click.Option(["--device"], type=click.Choice(settings.DEVICES), help="Where to compute."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for programs."),
    ]  # fmt: skip
    inputs = [f"{_metavar(a.name, True):<14}{a.en}" for a in op.inputs]
    help = "\n".join([f"{op.en}, of .npy files.", "", "\b", *inputs])
    return click.Command(
        op.name, params=parameters, help=help, short_help=op.en, callback=_calling(op)
    )


def _metavar(name: str, required: bool) -> str:
    return name.upper() if required else f"[{name.upper()}]"


def _option(argument: Attr) -> click.Option:
    names, help = ["--" + argument.name.replace("_", "-"), argument.name], f"{argument.en}."
    if argument.c_type == "bool":
        return click.Option(names, is_flag=True, help=help)
    return click.Option(
        names, default=str(argument.default), show_default=True, help=help,
        callback=_attribute(argument), metavar="|".join(argument.choices) or "NUMBER",
    )  # fmt: skip


def _attribute(argument: Attr) -> Callable[..., Any]:
    """Reads what a user types for an attribute; a scalar may say its dtype: 0.1:f16."""

    def read(ctx: click.Context, param: click.Parameter, typed: str) -> Any:
        if typed in argument.choices:
            return typed
        try:
            if argument.c_type == "int64_t":
                return int(typed)  # whichever: the operator says which it knows
            number, _, dtype = typed.partition(":")
            if dtype and argument.c_type == "const aclScalar*":
                from openaclnn.base.scalars import scalar

                return scalar(float(number), by_name(dtype))
            return float(typed)
        except ValueError:
            expected = ", ".join(argument.choices) or "a number"
            raise click.BadParameter(f"{typed!r} came; expected {expected}", ctx, param) from None

    return read


def _dtype(ctx: click.Context, param: click.Parameter, typed: str | None) -> DType | None:
    try:
        return by_name(typed) if typed else None
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def _calling(op: Op) -> Callable[..., None]:
    def callback(
        output: Path | None,
        out_dtype: DType | None,
        level: str | None,
        soc: str | None,
        device: str | None,
        as_json: bool,
        **given: Any,
    ) -> None:
        inputs = {a.name: _read(given[a.name]) for a in op.inputs}
        with ExitStack() as during:
            if level:
                during.enter_context(settings.math(level))
            if soc:
                during.enter_context(settings.product(soc))
            result = _result(op, inputs, given, out_dtype, _place(device))
        if output:
            _write(output, result)
        if as_json:
            style.print_json({"operator": op.c_name, **_facts(result)})
        elif output:
            click.echo(f"{output}: {_summary(result)}")
        else:
            click.echo(_text(result))

    return callback


def _place(device: str | None) -> str:
    from openaclnn.runtime import cuda_exists

    device = device or settings.device_choice()
    return device if device != "auto" else "cuda" if cuda_exists() else "cpu"


def _result(
    op: Op,
    inputs: Mapping[str, NDArray[Any] | None],
    given: Mapping[str, Any],
    out_dtype: DType | None,
    place: str,
) -> NDArray[Any]:
    import numpy as np

    from openaclnn.calls.functions import attribute, call
    from openaclnn.runtime import AclError
    from openaclnn.runtime.moving import Moving

    attributes = {a.name: attribute(op, a, given[a.name]) for a in op.attributes}
    read = [array for a in op.read_inputs if (array := inputs[a.name]) is not None]
    out: NDArray[Any] = np.empty(*_shape_and_dtype(read, out_dtype))
    if place == "cpu":
        call(op, dict(inputs), attributes, out)
        return out
    try:
        with Moving() as moving:
            on_device = {name: moving.there(array) for name, array in inputs.items()}
            out_there = moving.there(out)
            call(op, on_device, attributes, out_there)
            moving.back(out_there, out)
    except AclError as error:
        raise click.ClickException(error.message) from None
    return out


def _shape_and_dtype(read: list[NDArray[Any]], wanted: DType | None) -> tuple[Any, Any]:
    """What the result is like; where nothing is, something for the operator to refuse."""
    shape = broadcast(*(array.shape for array in read))
    known = [dtype for array in read if (dtype := from_numpy(array.dtype))]
    dtype = wanted or (promote(*known) if known else None)
    return (
        read[0].shape if shape is None else shape,
        dtype.numpy if dtype and dtype.numpy_name else "float32",
    )


def _read(place: str | None) -> NDArray[Any] | None:
    import numpy as np

    from openaclnn.precision.files import open_file

    if place is None:
        return None
    if Path(place).suffix.lower() in (".bin", ".raw"):
        raise _UnusableError(
            f"{place} is raw bytes; expected .npy, .npz or .pt, which say their dtype and shape"
        )
    try:
        if place.endswith(".npy"):
            return _read_npy(Path(place))
        source = open_file(place)
        parts = [np.empty(0, source.dtype.numpy), *source.walk()]
        return np.concatenate(parts).reshape(source.shape)
    except OSError as error:
        raise _UnusableError(f"{place} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise _UnusableError(str(error)) from None
    except MemoryError:
        raise _UnusableError(f"{place} holds more than the memory does") from None


def _read_npy(path: Path) -> NDArray[Any]:
    """An array of any dtype: which of them it takes is for the operator to say."""
    import numpy as np

    from openaclnn.precision.npy import read_header

    with open(path, "rb") as stream:
        header = read_header(stream, str(path))
        try:
            # ml_dtypes writes bfloat16 as '<V2'
            dtype = BF16.numpy if header.descr == "<V2" else np.dtype(header.descr)
        except TypeError:
            raise ValueError(f"{path} has elements of unknown type {header.descr!r}") from None
        came = path.stat().st_size - stream.tell()
        if came != header.numel * dtype.itemsize:
            promised = f"{list(header.shape)} of {dtype}"
            raise ValueError(f"{path} holds {came} bytes of data; its header promises {promised}")
        flat = np.fromfile(stream, dtype, header.numel)
    native = flat if dtype.isnative else flat.astype(dtype.newbyteorder("="))
    return native.reshape(header.shape, order="F" if header.fortran else "C")


def _write(path: Path, array: NDArray[Any]) -> None:
    import numpy as np

    try:
        with open(path, "wb") as file:  # np.save given a name would add a suffix to it
            np.save(file, array)
    except OSError as error:
        raise _UnusableError(f"{path} cannot be written: {error.strerror}") from None


def _summary(array: NDArray[Any]) -> str:
    size = "×".join(map(str, array.shape)) or "0-D"
    return f"{size} {array.dtype.name}"


def _facts(array: NDArray[Any]) -> dict[str, Any]:
    """Shape, dtype, and the values of a small result or the figures of a large one."""
    import numpy as np

    facts: dict[str, Any] = {"shape": list(array.shape), "dtype": array.dtype.name}
    if array.size <= _PRINTED_AT_MOST:
        pairs = np.iscomplexobj(array)
        values = np.stack([array.real, array.imag], -1) if pairs else array.astype(np.float64)
        return facts | {"values": _json_numbers(values.tolist())}
    finite = array[np.isfinite(array)].astype(np.complex128 if np.iscomplexobj(array) else float)
    figures = {
        "min": finite.real.min(initial=np.inf), "max": finite.real.max(initial=-np.inf),
        "mean": finite.real.mean() if finite.size else np.nan,
    }  # fmt: skip
    facts |= {name: _json_numbers(float(value)) for name, value in figures.items()}
    return facts | {"nan": int(np.isnan(array).sum()), "inf": int(np.isinf(array).sum())}


def _json_numbers(values: Any) -> Any:
    """What JSON has no numbers for as strings that float() reads: "nan", "inf", "-inf"."""
    if isinstance(values, list):
        return [_json_numbers(value) for value in values]
    return values if math.isfinite(values) else str(values)


def _text(array: NDArray[Any]) -> str:
    import numpy as np

    if array.size <= _PRINTED_AT_MOST:
        return np.array2string(array, max_line_width=style.columns(), separator=", ")
    facts = _facts(array)
    least, most, mean = (f"{float(facts[name]):.6g}" for name in ("min", "max", "mean"))
    figures = f"min {least}, max {most}, mean {mean}, {facts['nan']} NaN, {facts['inf']} inf"
    lines = [_summary(array), figures]
    lines.append(np.array2string(array, max_line_width=style.columns(), threshold=0))
    return "\n".join(lines)
