"""`openaclnn home`: the folder that stands in for the vendor's toolkit."""

from __future__ import annotations

import os

import click

from openaclnn.capi import build, toolkit
from openaclnn.cli.chinese import translated


@click.command()
@click.option(
    "--key", is_flag=True, help="Print a key for a cache of compiled code; builds nothing."
)
@click.option("--env", is_flag=True, help="Print the variables of set_env.sh as NAME=VALUE lines.")
def command(key: bool, env: bool) -> None:
    """Print the toolkit folder, building it at first use.

    source "$(openaclnn home)/set_env.sh"; then Ascend projects build and run as usual, and CMake's
    find_package(openaclnn) and pkg-config find it.
    """
    if key and env:
        raise click.UsageError("--key and --env exclude each other")
    if key:
        click.echo(toolkit.key())
        return
    try:
        folder = toolkit.home(lambda text: click.echo(translated(text), err=True))
    except build.BuildError as error:
        raise click.ClickException(str(error)) from None
    if not env:
        click.echo(folder)
        return
    applied = toolkit.applied(folder, dict(os.environ))
    for name in (*toolkit.DEFAULTS, *toolkit.environment(folder)):
        click.echo(f"{name}={applied[name]}")
