"""`openaclnn trace`: runs a program for Ascend and records every call with its times."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import click

from openaclnn.base import products, settings
from openaclnn.cli import run, style
from openaclnn.cli.chinese import translated
from openaclnn.cli.sanitize import recorded, started, writable
from openaclnn.sanitize import records
from openaclnn.sanitize.trace import Timeline, logged, table

_PAUSE = 0.02  # seconds between two looks at the record


@click.command(context_settings=run.CONTEXT)
@click.option("-o", "--output", type=click.Path(dir_okay=False), default="trace.json",
              callback=writable, show_default=True, help="File to write.")  # fmt: skip
@click.option("--log", is_flag=True, help="Print every call as it happens.")
@run.of_programs
def command(
    output: str,
    log: bool,
    device: str | None,
    soc: str | None,
    cxxflags: list[str],
    file: str,
    arguments: tuple[str, ...],
) -> None:
    """Run FILE as `run` does, and write a trace of its calls.

    ui.perfetto.dev and chrome://tracing open it. The calls that took longest are printed to stderr.
    """
    words, environment = run.prepared(device, soc, cxxflags, file, arguments)
    trace = Timeline(file)
    with recorded() as record:
        asked = {records.FILE: str(record), records.TIMES: "1"}
        child = started(words, {**environment, **asked})
        with record.open("r+b") as opened:
            reader = records.Reader(opened)
            over = False
            while not over:
                over = child.poll() is not None
                for event in reader.events(over):
                    trace.see(event)
                    if log and isinstance(event, records.Done):
                        click.echo(logged(event.call), err=True)
                if not over:
                    time.sleep(_PAUSE)
            missing = reader.incomplete()
            trace.add_lines(reader.frames)
    header = [*map(translated, ("call", "calls", "ms", "µs a call"))]
    rows = [[_named(name), *numbers] for name, *numbers in table(trace.totals)]
    click.echo(style.table(rows, header, right=[1, 2, 3]), err=True)
    if missing:
        click.echo(translated(f"the trace is incomplete: {missing}"), err=True)
    # what a plan depends on besides a call's arguments
    product = products.by_name(soc) if soc else settings.product_choice()
    chosen = {"level": settings.level_choice(), "product": product.name}
    written = {"traceEvents": trace.events, "displayTimeUnit": "ns", "openaclnn": chosen}
    try:
        Path(output).write_text(json.dumps(written, ensure_ascii=False))
    except OSError as error:
        raise click.ClickException(f"{output} cannot be written: {error.strerror}") from None
    click.echo(translated(f"{len(trace.events)} events in {output}"), err=True)
    sys.exit(child.returncode if child.returncode >= 0 else 128 - child.returncode)


def _named(name: str) -> str:
    """A call's name; what is none stands in parentheses."""
    return f"({translated(name[1:-1])})" if name.startswith("(") else name
