"""`openaclnn run`: a program for Ascend, from source or compiled, in the toolkit's environment.

The program takes this process over: its output, exit status and signals are nobody else's."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import click

from openaclnn.base import products, settings
from openaclnn.capi import build, program, toolkit
from openaclnn.cli.chinese import translated
from openaclnn.cli.style import Chip


def _words(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    try:
        return shlex.split(typed)
    except ValueError as error:
        raise click.BadParameter(f"{typed!r} came: {error}", ctx, param) from None


CONTEXT = {"allow_interspersed_args": False}  # the rest is the program's
_OPTIONS = (
    click.option("--device", type=click.Choice(settings.DEVICES), help="Where operators run."),
    click.option(
        "--soc",
        type=Chip(),
        help=f"The emulated chip: {', '.join(p.name for p in products.ALL)}, "
        f"or in full as in {products.DEFAULT.chips[0]}.",
    ),
    click.option("--cxxflags", default="", metavar="FLAGS", callback=_words,
                 help='Flags for the compiler: "-O2 -pthread".'),
    click.argument("file", type=click.Path()),
    click.argument("arguments", nargs=-1, type=click.UNPROCESSED),
)  # fmt: skip


def of_programs(command: Callable[..., None]) -> Callable[..., None]:
    """The options and arguments of every command that runs a program."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(context_settings=CONTEXT)
@of_programs
def command(
    device: str | None, soc: str | None, cxxflags: list[str], file: str, arguments: tuple[str, ...]
) -> None:
    """Run FILE, a program written for Ascend, with ARGUMENTS.

    A C or C++ source is compiled first (with $CC or $CXX; the binary is cached), a Python script
    runs with the module acl on its path, anything else is executed.
    """
    _become(*prepared(device, soc, cxxflags, file, arguments))


def prepared(
    device: str | None, soc: str | None, cxxflags: list[str], file: str, arguments: tuple[str, ...]
) -> tuple[list[str], dict[str, str]]:
    """The words of a command that runs a program, and its environment."""
    environment = dict(os.environ)
    if device:
        environment["OPENACLNN_DEVICE"] = device
    if soc:
        environment["OPENACLNN_SOC"] = soc
    try:
        folder = toolkit.home(lambda text: click.echo(translated(text), err=True))
        words = [*_program(file, ["-g", *cxxflags], folder), *arguments]  # lines have names
    except build.BuildError as error:
        raise click.ClickException(str(error)) from None
    except program.CompileError as error:
        if error.hint:
            click.echo(translated(f"openaclnn: {error.hint}"), err=True)
        sys.exit(error.status)
    # what a program prints into a pipe before it crashes is to be seen
    environment.setdefault("OPENACLNN_LINE_BUFFERED", "1")
    environment.setdefault("OPENACLNN_REFUSALS", "1")  # why a call is refused, too
    return words, toolkit.applied(folder, environment)


def _program(file: str, flags: list[str], folder: Path) -> list[str]:
    path = Path(file)
    if path.suffix in program.SOURCES or path.suffix == ".py":
        if not path.is_file():
            raise click.UsageError(f"there is no file {file}")
        if path.suffix == ".py":
            return [sys.executable, file]
        return [str(program.executable(path, flags, folder))]
    found = shutil.which(path.absolute() if path.is_file() else file)
    if found is None:
        raise click.UsageError(f"{file} is no program: neither a source nor executable")
    return [str(found)]


def _become(words: list[str], environment: dict[str, str]) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores them, and that would be inherited
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execve(words[0], words, environment)
    except OSError as error:
        raise click.ClickException(f"{words[0]} cannot be executed: {error.strerror}") from None
