"""`openaclnn sanitize`: runs a program for Ascend and reports its mistakes."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from openaclnn.base.status import OpenaclnnError
from openaclnn.cli import run
from openaclnn.sanitize import records
from openaclnn.sanitize.findings import Suppression, suppressions
from openaclnn.sanitize.report import opened
from openaclnn.sanitize.watch import INCOMPLETE, TOOLS, Options, follow


def _tools(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    names = typed.split(",")
    unknown = [name for name in names if name not in TOOLS]
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r}; expected {', '.join(TOOLS)}", ctx, param)
    return names


def _hidden(ctx: click.Context, param: click.Parameter, path: str | None) -> list[Suppression]:
    try:
        return suppressions(Path(path)) if path else []
    except OpenaclnnError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def writable(ctx: click.Context, param: click.Parameter, path: str | None) -> str | None:
    """A file that is to be written later; that it cannot be is said before the program runs."""
    folder = os.path.dirname(os.path.abspath(path)) if path else "."
    if not os.path.isdir(folder):
        raise click.BadParameter(f"there is no folder {folder}", ctx, param)
    if not os.access(path if path and os.path.exists(path) else folder, os.W_OK):
        raise click.BadParameter(f"{path} cannot be written", ctx, param)
    return path


@click.command(context_settings=run.CONTEXT)
@click.option("--tool", "tools", default=",".join(TOOLS), show_default=True, callback=_tools,
              help="Which tools to run.")  # fmt: skip
@click.option("--leak-check/--no-leak-check", "leaks", default=True,
              help="Report leaks at the end; the default.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each line.")
@click.option("--sarif", type=click.Path(dir_okay=False, path_type=Path), callback=writable,
              help="Also write a SARIF log here, for code hosts.")  # fmt: skip
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), callback=writable,
              help="Also write a JUnit report here, with a failed test for each "
                   "finding.")  # fmt: skip
@click.option("--log-file", type=click.Path(dir_okay=False), callback=writable,
              help="Reports go here, not to stderr.")  # fmt: skip
@click.option("--error-exitcode", type=click.IntRange(1, 255), metavar="N",
              help="Exit with N if there are errors or the check is incomplete. Without it, the "
                   "status is the program's, or 2 if the check is incomplete.")  # fmt: skip
@click.option("--suppressions", "hidden", type=click.Path(exists=True, dir_okay=False),
              callback=_hidden, help="A file with lines kind:pattern; * stands for any text.",
              )  # fmt: skip
@run.of_programs
def command(
    tools: list[str],
    leaks: bool,
    as_json: bool,
    sarif: Path | None,
    junit: Path | None,
    log_file: str | None,
    error_exitcode: int | None,
    hidden: list[Suppression],
    device: str | None,
    soc: str | None,
    cxxflags: list[str],
    file: str,
    arguments: tuple[str, ...],
) -> None:
    """Run FILE as `run` does, and report its mistakes.

    Reports go to stderr while the program runs.
    """
    words, environment = run.prepared(device, soc, cxxflags, file, arguments)
    with recorded(error_exitcode) as record, opened(log_file) as (out, problems):
        options = Options(tools, hidden, sarif, junit, problems, leaks=leaks, as_json=as_json)
        # refused calls are findings here
        asked = {records.FILE: str(record), "OPENACLNN_REFUSALS": "0"}
        child = started(words, {**environment, **asked})
        verdict = follow(
            record, child.pid, options, out,
            lambda: child.poll() is not None, lambda: max(0, -child.wait()),
        )  # fmt: skip
        status = child.wait()
    if error_exitcode and (verdict.errors or verdict.incomplete):
        sys.exit(error_exitcode)
    own = status if status >= 0 else 128 - status
    sys.exit(own or (INCOMPLETE if verdict.incomplete else 0))


@contextlib.contextmanager
def recorded(error_exitcode: int | None = None) -> Iterator[Path]:
    """A file in which a program's calls are recorded."""
    with contextlib.ExitStack() as stack:
        try:
            record = stack.enter_context(records.new_record())
        except OSError as error:
            click.ClickException(f"the calls cannot be recorded: {error.strerror}").show()
            sys.exit(error_exitcode or INCOMPLETE)
        yield record


def started(words: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a program that gets the keyboard's interrupts itself."""
    try:
        child = subprocess.Popen(words, env=environment)
    except OSError as error:
        raise click.ClickException(f"{words[0]} cannot be executed: {error.strerror}") from None
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return child
