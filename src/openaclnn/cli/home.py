"""`openaclnn home`: the folder that stands in for the vendor's toolkit."""

from __future__ import annotations

import click

from openaclnn.capi import build, toolkit
from openaclnn.cli.chinese import translated


@click.command()
def command() -> None:
    """Print the toolkit folder, building it at first use.

    source "$(openaclnn home)/set_env.sh", and projects for Ascend build and run as usual.
    """
    try:
        click.echo(toolkit.home(lambda text: click.echo(translated(text), err=True)))
    except build.BuildError as error:
        raise click.ClickException(str(error)) from None
