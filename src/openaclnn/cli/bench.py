"""`openaclnn bench`: how fast the operators are here, beside what else is installed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from openaclnn.base.status import AclnnError
from openaclnn.cli import style

if TYPE_CHECKING:
    from openaclnn.bench.grid import Selection
    from openaclnn.bench.record import Record

_FILE = click.Path(dir_okay=False, path_type=Path)
_SECONDS = 0.1


class _UsageError(click.ClickException):
    exit_code = 2


@click.command()
@click.option(
    "--op",
    multiple=True,
    type=style.Operator(),
    metavar="NAME",
    help="This operator only, one of your own too; all: those that PyTorch has as well.",
)
@click.option("--dtype", multiple=True, help="Only this dtype, such as f16.")
@click.option("--size", multiple=True, help="Only this many elements, such as 2^20.")
@click.option("--layout", multiple=True, metavar="NAME",
              help="Only this layout; `--layout list` explains them; all: every one; random: 200 "
                   "random ones. A shape is one, too: 64x1009.")  # fmt: skip
@click.option("--way", multiple=True, metavar="NAME",
              help="Ways of calling: function, tensors, new, phases, repeated, c, c-repeated, "
                   "all.")  # fmt: skip
@click.option("--level", multiple=True, metavar="NAME",
              help="exact, fast, or usual: exact where it takes no longer.")  # fmt: skip
@click.option("--against", multiple=True, metavar="NAME",
              help="torch, torch.compile, jax or numpy.")  # fmt: skip
@click.option(
    "--threads", type=click.IntRange(1), help="Threads of each side; all cores by default."
)
@click.option("--seconds", type=click.FloatRange(0), default=_SECONDS, show_default=True,
              help="How long to measure each case at least.")  # fmt: skip
@click.option("--runs", type=click.IntRange(1), default=1, show_default=True,
              help="Repeat all measurements; the worst counts.")  # fmt: skip
@click.option("--random", type=click.IntRange(1), metavar="COUNT",
              help="Measure this many random cases: operators, dtypes, levels, dimensions, shapes "
                   "of 10^4 to 2*10^7 elements.")  # fmt: skip
@click.option("--seed", type=int, help="Seed of --random, which repeats its cases.")
@click.option("--full", is_flag=True, help="All sizes and layouts; takes a quarter of an hour.")
@click.option("--check", is_flag=True,
              help="Check this project's own speed targets; cells that miss one are measured "
                   "again, longer. Exit status 1 if one is missed.")  # fmt: skip
@click.option(
    "--compare", type=_FILE, metavar="JSON", help="Show what changed since an earlier result."
)
@click.option("--from", "source", type=_FILE, metavar="JSON",
              help="Report an earlier result instead of measuring.")  # fmt: skip
@click.option("--long", is_flag=True, help="List every case with its times.")
@style.as_json
def command(
    threads: int | None,
    seconds: float,
    runs: int,
    check: bool,
    compare: Path | None,
    source: Path | None,
    long: bool,
    as_json: bool,
    **selecting: Any,
) -> None:
    """Measure operators beside PyTorch, JAX and NumPy.

    Without --op, the operators marked as examples are measured. Selecting options may be repeated.
    A ratio of 2 means that openaclnn takes half the time: the median of rounds in which both sides
    run interleaved; times are minima. Both sides use the same operands, outputs and number of
    threads. Ctrl-C prints the results so far.

    \b
    openaclnn bench                                      about two minutes
    openaclnn bench --op silu_backward --layout transposed
    openaclnn bench --json > before.json                 and, after a change:
    openaclnn bench --compare before.json
    openaclnn bench --op all --level fast --way tensors --size 2^16 --size 2^24 --seconds 0
    openaclnn bench --op all --random 200                random shapes
    """
    from openaclnn.bench import record as records

    if selecting["layout"] == ("list",):
        _list_layouts()
        return
    try:
        old = records.load(compare) if compare else None
        if source:
            record = records.load(source)
        else:
            record = _measured(_selection(**selecting), threads, seconds, runs, check)
    except AclnnError:  # a refusal, which has a status of its own
        raise
    except (ValueError, LookupError, OSError) as error:
        raise _UsageError(str(error)) from None
    if not record.cells:
        reasons = [*record.failed, *record.left_out] or ["interrupted"]
        raise _UsageError("nothing was measured: " + "; ".join(reasons))
    if as_json:
        click.echo(records.dumps(record))
        _tell_result(record)
    else:
        _report(record, long)
    if old:
        from openaclnn.bench.summary import changes
        from openaclnn.cli import bench_report

        found = bench_report.changed(changes(old, record))
        click.echo("\n" + "\n".join(found), err=as_json)
    missed = check and not _meets_targets(record, err=as_json)
    if missed or record.failed:
        raise SystemExit(1)


def _report(record: Record, long: bool) -> None:
    from openaclnn.cli import bench_report

    click.echo("\n\n".join(bench_report.text(record)))
    if long:
        click.echo("\n" + bench_report.long(record))


def _tell_result(record: Record) -> None:
    """Beside the JSON: means, and every cell that loses."""
    from openaclnn.cli import bench_report

    if record.alternatives:
        click.echo("\n\n".join(bench_report.result(record)), err=True)


def _meets_targets(record: Record, err: bool) -> bool:
    from openaclnn.bench import targets
    from openaclnn.cli import bench_report

    found = targets.check(record)
    lines = "\n".join(bench_report.targets(found))
    click.echo(f"\n{style.heading('Targets')}\n{lines}", err=err)
    return not any(judged.passed is False for judged in found)


def _list_layouts() -> None:
    from openaclnn.bench import layouts

    rows = [[layout.name, layout.meaning] for layout in layouts.ALL.values()]
    click.echo(style.table(rows, ["layout", "what it is"]))


def _measured(
    chosen: Selection, threads: int | None, seconds: float, runs: int, judged: bool
) -> Record:
    import openaclnn
    from openaclnn.bench import alternatives, grid, machine
    from openaclnn.bench.record import Record
    from openaclnn.bench.running import measure_all
    from openaclnn.cli.bench_report import Progress

    installed = alternatives.installed()
    for name in chosen.against:
        if name not in installed:
            raise ValueError(f"{name} is not installed")
    jobs = grid.jobs(chosen, installed)
    threads = threads or openaclnn.get_num_threads()
    named = list(dict.fromkeys(name for job in jobs for name in job.against))
    record = Record(machine.describe(threads, named))
    if chosen.random:
        record.machine |= {"random": chosen.random, "seed": chosen.seed}
    if warning := machine.busy(record.machine):
        click.secho(style.wrapped(warning), fg="yellow", err=True)
    progress = Progress()
    try:
        measure_all(jobs, record, threads, seconds, progress, runs, judged)
        free = round(machine.free_share(threads), 2)
        record.machine["free"] = min(free, record.machine["free"])
    finally:
        progress.clear()
    return record


def _selection(
    op: tuple[str, ...],
    dtype: tuple[str, ...],
    size: tuple[str, ...],
    layout: tuple[str, ...],
    way: tuple[str, ...],
    level: tuple[str, ...],
    against: tuple[str, ...],
    full: bool,
    random: int | None,
    seed: int | None,
) -> Selection:
    from openaclnn.bench import alternatives, cases, grid
    from openaclnn.ops import all_ops, find

    if random and seed is None:
        seed = secrets.randbelow(1 << 32)
        click.echo(f"the same cases again: --random {random} --seed {seed}", err=True)
    if "all" in op:
        op = tuple(found.name for found in all_ops().values() if found.torch)
    return grid.Selection(
        ops=tuple(find(name).name for name in op),
        dtypes=_named("dtype", dtype, cases.DTYPES),
        sizes=tuple(map(cases.numel, size)),
        layouts=_layouts(layout),
        ways=_named("way", way, cases.WAYS),
        levels=_named("level", level, grid.LEVEL_CHOICES),
        against=_named("alternative", against, tuple(alternatives.ALL)),
        everything=full,
        random=random or 0,
        seed=seed or 0,
    )


def _layouts(given: Sequence[str]) -> tuple[str, ...]:
    """Names of layouts; of random ones there are many, drawn anew for every run."""
    from openaclnn.bench import layouts

    drawn = layouts.random_names(secrets.randbelow(1 << 32)) if layouts.RANDOM in given else ()
    shapes = tuple(filter(layouts.named_shape, given))
    others = [name for name in given if name != layouts.RANDOM and name not in shapes]
    return _named("layout", others, tuple(layouts.ALL)) + drawn + shapes


def _named(kind: str, given: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    if "all" in given:
        return tuple(known)
    for name in given:
        if name not in known:
            raise ValueError(f"{name!r} is no {kind}; expected one of {', '.join(known)}")
    return tuple(given)
