"""`openaclnn call`: one operator on files. Every operator is a subcommand with options of its own,
made from its spec."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from openaclnn import ops
from openaclnn.base import products, settings
from openaclnn.base.dtypes import BF16, DType, by_name
from openaclnn.base.status import AclnnError
from openaclnn.calls.functions import tensor_parameters
from openaclnn.cli import style
from openaclnn.cli.chinese import help_translated, translated
from openaclnn.spec.host import DATA_TYPE, FLAG
from openaclnn.spec.op import REQUIRED, Argument, Attr, InOut, Op

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
            return help_translated(_command(ops.find(cmd_name)))
        except LookupError as error:
            raise click.UsageError(str(error), ctx) from None


@click.group(cls=_Operators, subcommand_metavar="OPERATOR FILE… [OPTIONS]")
def command() -> None:
    """Call an operator on .npy files.

    \b
    openaclnn call silu_backward grad.npy x.npy -o out.npy
    openaclnn call smooth_l1_loss_backward g.npy x.npy y.npy --reduction sum

    openaclnn call OPERATOR --help lists an operator's options. Exit status: 0, 1 if the operator
    refuses the call (status and reason are on stderr), 2 if a file cannot be read or written or the
    command was used wrongly.
    """


def _command(op: Op) -> click.Command:
    tensors = tensor_parameters(op)
    alone = sum(a.many for a in tensors) == 1
    parameters: list[click.Parameter] = [_file(a, alone) for a in tensors]
    parameters += [_option(a) for a in op.attributes]
    parameters += [
        click.Option(["-o", "--output", "_files"], multiple=True, metavar="NPY",
                     type=click.Path(dir_okay=False, path_type=Path),
                     help="File for the result; without it, the result is printed. Several results "
                          "have an option each."),
        click.Option(["--out-dtype"], callback=_dtype, metavar="DTYPE",
                     help="Dtype of the result; by default the promoted dtype of the inputs."),
        click.Option(["--level"], type=click.Choice(settings.LEVELS), help="Level of arithmetic."),
        click.Option(["--soc"], type=style.Chip(), help="The emulated chip; "
                     f"{products.DEFAULT.name} by default, Ascend950 for example."),
        click.Option(["--device"], type=click.Choice(settings.DEVICES), help="Where to compute."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for programs."),
    ]  # fmt: skip
    inputs = [f"{a.name.upper():<14}{a.en}" for a in tensors]
    help = "\n".join([f"{op.en}, of .npy files.", "", "\b", *inputs])
    return click.Command(
        op.name, params=parameters, help=help, short_help=op.en, callback=_advising(_calling(op))
    )


def _advising(callback: Callable[..., None]) -> Callable[..., None]:
    """Refusals name the option that helps, where the operator knows a variable."""

    def advised(**given: Any) -> None:
        try:
            callback(**given)
        except AclnnError as error:
            message = re.sub(r"OPENACLNN_SOC=?(?=\w| |$)", "--soc ", error.message).rstrip()
            raise AclnnError(error.status, message) from None
        except MemoryError:
            raise _UnusableError("the result needs more memory than there is") from None

    return advised


def _file(argument: Argument, alone: bool) -> click.Parameter:
    """A tensor from a file, a list from several, with commas between them unless it is the only
    list; an optional one by name."""
    if getattr(argument, "optional", False):
        names = [_option_name(argument), argument.name]
        return click.Option(names, metavar="NPY", help=f"{argument.en}.")
    many = argument.many
    needed = getattr(argument, "read", True) or isinstance(argument, InOut)
    metavar = f"{argument.name.upper()}…" if many else _metavar(argument.name, needed)
    if many and not alone:
        return click.Argument(
            [argument.name], metavar=f"{argument.name.upper()},…", callback=_split
        )
    return click.Argument(
        [argument.name], required=needed, metavar=metavar, nargs=-1 if many else 1
    )


def _split(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """The names of the files of a list."""
    return tuple(value.split(","))


def _metavar(name: str, required: bool) -> str:
    return name.upper() if required else f"[{name.upper()}]"


def _option_name(argument: Argument) -> str:
    """pos_weight is --pos-weight, from_, which Python has no other name for, --from."""
    return "--" + argument.name.strip("_").replace("_", "-")


def _option(argument: Attr) -> click.Option:
    names, help = [_option_name(argument), argument.name], f"{argument.en}."
    if argument.host is FLAG:
        if argument.default is False:
            return click.Option(names, is_flag=True, help=help)
        names[0] += f"/--no-{names[0][2:]}"
        return click.Option(names, is_flag=True, help=help, **_default(argument, bool))
    return click.Option(
        names, **_default(argument, argument.host.text), help=help, callback=_attribute(argument),
        metavar="|".join(argument.choices) or _metavars(argument),
    )  # fmt: skip


def _default(argument: Attr, typed: Callable[[Any], Any]) -> dict[str, Any]:
    """What click is to know of an attribute's default, or that it has none."""
    if argument.default is REQUIRED:
        return {"required": True}
    if argument.default is None:
        return {}
    return {"default": typed(argument.default), "show_default": True}


def _metavars(argument: Attr) -> str:
    host = argument.host
    return "NUMBER" if host.number else "DTYPE" if host is DATA_TYPE else "VALUE"


def _attribute(argument: Attr) -> Callable[..., Any]:
    """Reads what a user types for an attribute; a scalar may say its dtype: 0.1:f16."""

    def read(ctx: click.Context, param: click.Parameter, typed: str | None) -> Any:
        if typed is None or typed in argument.choices:
            return typed
        try:
            return argument.host.from_text(typed)  # which it knows, the operator says
        except (ValueError, KeyError, OverflowError):
            expected = ", ".join(argument.choices) or argument.host.expected
            raise click.BadParameter(f"{typed!r} came; expected {expected}", ctx, param) from None

    return read


def _dtype(ctx: click.Context, param: click.Parameter, typed: str | None) -> DType | None:
    try:
        return by_name(typed) if typed else None
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def _calling(op: Op) -> Callable[..., None]:
    def callback(
        _files: tuple[Path, ...],  # no tensor is called so
        out_dtype: DType | None,
        level: str | None,
        soc: str | None,
        device: str | None,
        as_json: bool,
        **given: Any,
    ) -> None:
        names = [out.name for out in op.outputs]
        lists = any(out.many for out in op.outputs)
        if not lists:
            _refuse_files(_files, names)
        arrays = {a.name: _read_all(given[a.name]) for a in tensor_parameters(op)}
        with settings.using(math=level, product=soc):
            results = _results(op, arrays, given, out_dtype, _place(device))
        if lists:
            names, results = _one_by_one(names, results)
            _refuse_files(_files, names)
        for path, result in zip(_files, results, strict=False):
            _write(path, result)
        if as_json:
            style.print_json({"operator": op.c_name, **_all_facts(names, results)})
        elif _files:
            for path, result in zip(_files, results, strict=True):
                click.echo(f"{path}: {_summary(result)}", err=_is_stdout(path))
        else:
            for name, result in zip(names, results, strict=True):
                click.echo((f"{name}:\n" if len(names) > 1 else "") + _text(result))

    return callback


def _refuse_files(files: tuple[Path, ...], names: list[str]) -> None:
    if files and len(files) != len(names):
        raise click.UsageError(
            f"-o is given {len(files)} times; expected {len(names)}, for {', '.join(names)}"
        )


def _one_by_one(names: list[str], results: tuple[Any, ...]) -> tuple[list[str], tuple[Any, ...]]:
    """Results and their names, those of lists taken apart."""
    found: dict[str, Any] = {}
    for name, result in zip(names, results, strict=True):
        if isinstance(result, list):
            found |= {f"{name}[{k}]": one for k, one in enumerate(result)}
        else:
            found[name] = result
    return list(found), tuple(found.values())


def _all_facts(names: list[str], results: tuple[NDArray[Any], ...]) -> dict[str, Any]:
    if len(results) == 1:
        return _facts(results[0])
    return {"outputs": {n: _facts(result) for n, result in zip(names, results, strict=True)}}


def _place(device: str | None) -> str:
    from openaclnn.runtime import cuda_exists

    device = device or settings.device_choice()
    return device if device != "auto" else "cuda" if cuda_exists() else "cpu"


def _results(
    op: Op,
    arrays: Mapping[str, Any],
    given: Mapping[str, Any],
    out_dtype: DType | None,
    place: str,
) -> tuple[NDArray[Any], ...]:
    import numpy as np

    from openaclnn.calls.functions import attribute, made_outputs
    from openaclnn.calls.on_device import call_at
    from openaclnn.runtime import AclError

    attributes = {a.name: attribute(op, a, given[a.name]) for a in op.attributes}
    outs: list[Any] = [None] * len(op.outputs)
    if out_dtype is not None and op.separate:
        first = op.outputs.index(op.separate[0])
        like = made_outputs(op, arrays, attributes, outs)[first]
        many = isinstance(like, list)
        made = [np.empty(one.shape, out_dtype.numpy) for one in (like if many else [like])]
        outs[first] = made if many else made[0]
    try:
        return call_at(place, op, arrays, attributes, outs)
    except AclError as error:
        raise click.ClickException(error.message) from None


def _read_all(places: Any) -> Any:
    return [_read(place) for place in places] if isinstance(places, tuple) else _read(places)


def _read(place: str | None) -> NDArray[Any] | None:
    import numpy as np

    from openaclnn.compare.files import open_file

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
        array, start = np.empty(source.numel, source.dtype.numpy), 0  # all of it, or an error now
        for stretch in source.walk():
            array[start : start + stretch.size] = stretch
            start += stretch.size
        return array.reshape(source.shape)
    except OSError as error:
        raise _UnusableError(f"{place} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise _UnusableError(str(error)) from None
    except MemoryError:
        raise _UnusableError(f"{place} holds more than the memory does") from None


def _read_npy(path: Path) -> NDArray[Any]:
    """An array of any dtype: which of them it takes is for the operator to say."""
    import numpy as np

    from openaclnn.compare.npy import read_header

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

    data = io.BytesIO()  # np.save given a name would add a suffix to it, and cannot write to pipes
    np.save(data, array)
    try:
        with click.open_file(str(path), "wb") as file:  # "-" is stdout
            file.write(data.getbuffer())
    except OSError as error:
        raise _UnusableError(f"{path} cannot be written: {error.strerror or error}") from None


def _is_stdout(path: Path) -> bool:
    """Whether what is written there must not be mixed with what is printed."""
    return str(path) in ("-", "/dev/stdout", "/proc/self/fd/1")


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
    lines = [_summary(array), translated(figures)]
    lines.append(np.array2string(array, max_line_width=style.columns(), threshold=0))
    return "\n".join(lines)
