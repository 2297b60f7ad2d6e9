"""The command `openaclnn`: finds the subcommand and turns failures into exit statuses.

0 means done, 1 that the operator refused or a check failed, 2 that the command was used wrongly.
"""

from __future__ import annotations

import io
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from pkgutil import iter_modules

import click

from openaclnn import __version__, cli
from openaclnn.base import settings
from openaclnn.base.status import AclnnError, OpenaclnnError
from openaclnn.cli import style
from openaclnn.cli.chinese import help_translated, translated

_WITHOUT_SETTINGS = {"doctor"}  # it says itself what is wrong with them
_ORDER = ["run", "home", "sanitize", "trace", "coverage", "call", "compare", "golden", "ops",
          "show", "new", "check", "doctor", "verify", "bench", "compile"]  # by use  # fmt: skip
_NO_COMMANDS = {"bench_report", "chinese", "description", "main", "style"}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        found = {m.name for m in iter_modules(cli.__path__)} - _NO_COMMANDS
        return [name for name in _ORDER if name in found] + sorted(found.difference(_ORDER))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"openaclnn.cli.{cmd_name}").command
        return help_translated(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        close = get_close_matches(name, known)
        if name not in known and close and not ctx.resilient_parsing:
            ctx.fail(f"There is no command {name!r}; did you mean {', '.join(close)}?")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="openaclnn")
@click.pass_context
def commands(context: click.Context) -> None:
    """Run aclnn programs without an NPU."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
    elif context.invoked_subcommand not in _WITHOUT_SETTINGS and not _asks_for_help():
        try:
            settings.current()
            settings.device_choice()
        except AclnnError as error:
            raise click.UsageError(error.message) from None


def _asks_for_help() -> bool:
    return any(word in ("-h", "--help") for word in sys.argv)


def main() -> None:
    """The entry point of the installed command."""
    style.take_any_encoding()
    try:
        status = help_translated(commands)(standalone_mode=False, color=style.colour())
    except click.ClickException as error:
        _show(error)
        status = error.exit_code
    except click.Abort:
        _complain("Aborted!")
        status = 1
    except AclnnError as error:
        code = click.style(f"{int(error.status)} {error.status.c_name}", fg="red", bold=True)
        click.echo(code, err=True, color=style.colour())
        _complain(error.message)
        status = 1
    except OpenaclnnError as error:  # a file of the user's own operators
        if "_OPENACLNN_COMPLETE" not in os.environ:  # who presses Tab asks for no sentence
            _complain(f"Error: {error}")
        status = 2
    sys.exit(status if isinstance(status, int) else 0)


def _show(error: click.ClickException) -> None:
    vars(error)["message"] = translated(error.message)  # what is said around it is click's
    text = io.StringIO()
    error.show(text)
    click.echo(text.getvalue(), err=True, nl=False, color=style.colour())


def _complain(text: str) -> None:
    click.echo(translated(text), err=True, color=style.colour())


if __name__ == "__main__":
    main()
