"""The command `openaclnn`: finds the subcommand and turns failures into exit statuses.

0 means done, 1 that the operator refused or a check failed, 2 that the command was used wrongly.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules

import click

from openaclnn import __version__, cli
from openaclnn.base.status import AclnnError

_NO_COMMANDS = {"main", "style"}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(m.name for m in iter_modules(cli.__path__) if m.name not in _NO_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"openaclnn.cli.{cmd_name}").command
        return command


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


def main() -> None:
    """The entry point of the installed command."""
    try:
        commands(standalone_mode=True)
    except AclnnError as error:
        click.secho(f"{int(error.status)} {error.status.c_name}", fg="red", bold=True, err=True)
        click.echo(error.message, err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
