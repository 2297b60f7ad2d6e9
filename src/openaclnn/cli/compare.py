"""`openaclnn compare`: judge results from an NPU or a GPU against golden values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from openaclnn.base.records import dataclass
from openaclnn.cli import style
from openaclnn.cli.chinese import translated
from openaclnn.cli.style import as_json, print_json

if TYPE_CHECKING:
    from openaclnn.base.dtypes import DType
    from openaclnn.compare.result import Comparison, Style
    from openaclnn.compare.sources import Source
    from openaclnn.golden.suites import CaseResult

_COLOURS: dict[str, dict[str, Any]] = {
    "passed": {"fg": "green"},
    "failed": {"fg": "red", "bold": True},
    "header": {"bold": True},
    "quiet": {"dim": True},
}


class _RefusedError(click.ClickException):
    exit_code = 2


@click.command("compare", short_help="Judge results against values of higher precision.")
@click.argument("actual", type=click.Path())
@click.argument("golden", type=click.Path())
@click.option(
    "--standard", "-s", multiple=True, default=["default"], metavar="NAME",
    help="Judge by this standard only; may be repeated: mixed, relative, double-thousandth, "
         "adapter, msprobe, msprobe-benchmark (with --benchmark), ulp; all. By default mixed "
         "decides (ulp for DOUBLE); the others are for information.",
)  # fmt: skip
@click.option("--dtype", help="The results' dtype: of raw bytes or bit patterns, or to judge by.")
@click.option("--golden-dtype", help="The dtype of a raw golden file, if it differs.")
@click.option("--shape", help="The shape of raw files, such as 128,1024.")
@click.option(
    "--benchmark", metavar="FILE", help="Another device's results, for msprobe-benchmark."
)
@click.option("--round-golden", is_flag=True, help="Round golden to the results' dtype first.")
@click.option("--ulp", type=float, help="Largest error for the standard ulp (0.51 by default).")
@click.option("--worst", type=click.IntRange(0), default=10, show_default=True,
              help="How many of the worst elements to list.")  # fmt: skip
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="PNG",
              help="Plot the error against magnitude and position.")  # fmt: skip
@click.option("--junit", type=click.Path(dir_okay=False, path_type=Path), metavar="XML",
              help="For a folder of cases: also write a JUnit report.")  # fmt: skip
@click.option("--csv", type=click.Path(dir_okay=False, path_type=Path), metavar="CSV",
              help="For a folder of cases: also write all figures as a table.")  # fmt: skip
@as_json
def command(
    actual: str,
    golden: str,
    standard: tuple[str, ...],
    dtype: str | None,
    golden_dtype: str | None,
    shape: str | None,
    benchmark: str | None,
    round_golden: bool,
    ulp: float | None,
    worst: int,
    plot: Path | None,
    junit: Path | None,
    csv: Path | None,
    as_json: bool,
) -> None:
    """Judge the results in ACTUAL against the values of higher precision in GOLDEN.

    Files are .npy, .npz or .pt (FILE:NAME if they hold several arrays), or raw .bin with --dtype
    and --shape. GOLDEN may be a folder written by `openaclnn golden`, FOLDER:NAME if there are
    several outputs. Integers and booleans must be equal.

    If GOLDEN is a folder of such folders, ACTUAL is the folder of their results: CASE.npy, or files
    in CASE/.

    Exit status: 0 if every standard that decides passes, 1 if one fails or results are missing, 2
    if a file cannot be read or the command was used wrongly.

    \b
    openaclnn compare out.npy golden.npy
    openaclnn compare out.bin golden.bin --dtype f16 --golden-dtype f64 --shape 128,1024
    openaclnn compare npu.npy case/ --standard mixed --plot errors.png
    openaclnn compare results/ cases/ --junit accuracy.xml --csv accuracy.csv
    """
    from openaclnn.golden import suites

    if suites.is_suite(Path(golden)):
        alone = {"--dtype": dtype, "--shape": shape, "--golden-dtype": golden_dtype,
                 "--benchmark": benchmark, "--plot": plot}  # fmt: skip
        for name, value in alone.items():
            if value:
                raise click.UsageError(f"{name} is for one comparison, {golden} has many cases")
        found = _many(Path(actual), Path(golden), standard, ulp, round_golden)
        _write_reports(found, junit, csv)
        if as_json:
            print_json([one.as_dict() for one in found])
        else:
            _tell_many(found)
        raise SystemExit(0 if all(one.passed for one in found) else 1)
    if junit or csv:
        raise click.UsageError(f"--junit and --csv are for many cases; {golden} is one")
    from openaclnn.compare.judge import judge
    from openaclnn.compare.plots import draw, require_matplotlib
    from openaclnn.compare.profile import Profile
    from openaclnn.compare.result import text

    try:
        if plot:
            require_matplotlib()
        given = _sources(actual, golden, benchmark, dtype, golden_dtype, shape)
        profile = Profile(given.actual.numel) if plot else None
        result = judge(
            given.actual, given.golden, benchmark=given.benchmark, dtype=given.judged_as,
            standard=standard, ulp_limit=ulp, worst=worst, round_golden=round_golden,
            profile=profile,
        )  # fmt: skip
        if plot and profile:
            draw(plot, profile, result)
    except (ValueError, OSError) as error:
        raise _RefusedError(str(error)) from None
    if as_json:
        print_json(result.as_dict())
    else:
        click.echo(text(result, _style()))
        click.echo(f"\n{_last_line(result)}")
        if plot:
            click.echo(translated(f"drawn: {plot}"))
    raise SystemExit(0 if result else 1)


def _many(
    results: Path, cases: Path, standard: tuple[str, ...], ulp: float | None, round_golden: bool
) -> list[CaseResult]:
    from openaclnn.compare import standards
    from openaclnn.golden import suites

    if not results.is_dir():
        raise _RefusedError(f"{results} is no folder; expected one with results of {cases}")
    try:
        standards.choose(standard, benchmark=False)
    except ValueError as error:
        raise _RefusedError(str(error)) from None
    options = {"ulp_limit": ulp, "round_golden": round_golden, "worst": 3}
    return [*suites.judged(results, cases, standard=standard, **options)]


def _write_reports(found: list[CaseResult], junit_file: Path | None, csv: Path | None) -> None:
    from openaclnn.base import junit
    from openaclnn.golden import suites

    if junit_file:
        _keep(junit_file, junit.xml("openaclnn compare", [*map(suites.as_test, found)]) + "\n")
    if csv:
        _keep(csv, suites.table_as_csv(found))


def _keep(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _RefusedError(f"{file} cannot be written: {error.strerror}") from None


def _tell_many(found: list[CaseResult]) -> None:
    from openaclnn.golden import suites

    rows = [suites.row(one) for one in found]
    header = [*map(translated, suites.HEADER)]
    for cells in rows:
        cells[1] = translated(cells[1])
    click.echo(style.table(rows, header, right=range(4, len(header)), limit=style.limit()))
    click.echo()
    for one in found:
        if one.problem:
            click.echo(translated(f"{one.name}: {one.problem}"))
    passed = sum(one.passed for one in found)
    missing = sum(one.comparison is None for one in found)
    line = f"{passed} of {len(found)} pass, {len(found) - passed - missing} fail, {missing} missing"
    colour = "green" if passed == len(found) else "red"
    click.echo(click.style(translated(line), fg=colour))


def _style() -> Style:
    from openaclnn.compare.result import Style

    limit = style.limit()
    return Style(
        paint=lambda words, kind: click.style(words, **_COLOURS[kind]),
        say=translated,
        wrap=lambda text, first, rest: style.wrapped(text, first, rest, limit or 1 << 30),
        limit=limit,
    )


@dataclass(frozen=True)
class _Given:
    """What the command line names, opened."""

    actual: Source
    golden: Source
    benchmark: Source | None
    judged_as: DType | None


def _sources(
    actual: str,
    golden: str,
    benchmark: str | None,
    dtype: str | None,
    golden_dtype: str | None,
    shape: str | None,
) -> _Given:
    from openaclnn.compare.files import open_file
    from openaclnn.golden.description import real_dtype, shape_of
    from openaclnn.golden.manifest import expected_output

    judged = stored = real_dtype(dtype) if dtype else None
    golden_as = real_dtype(golden_dtype) if golden_dtype else None
    sizes = shape_of(shape) if shape is not None else None
    folder, _, output = (golden, "", "") if Path(golden).is_dir() else golden.rpartition(":")
    case = expected_output(Path(folder), output) if Path(folder).is_dir() and folder else None
    if case:
        stored, judged = stored or case.dtype, judged or case.judged_as
        sizes = case.shape if sizes is None else sizes
        golden = str(case.golden)
    elif golden.endswith((".bin", ".raw")):
        golden_as = golden_as or judged
    truth = open_file(golden, golden_as, sizes)
    if case and truth.shape != case.shape:
        raise ValueError(
            f"{golden} has shape {list(truth.shape)}; its manifest says {list(case.shape)}"
        )
    results = open_file(actual, stored, sizes)
    if case and not dtype and results.dtype != case.dtype:
        click.echo(
            translated(
                f"{actual} has elements of {results.dtype}, the results of {folder} are "
                f"{case.dtype}: they are judged as {case.judged_as}. If that is meant, say "
                f"--dtype {case.dtype}"
            ),
            err=True,
        )
    return _Given(
        results, truth, open_file(benchmark, stored, sizes) if benchmark else None, judged
    )


def _last_line(result: Comparison) -> str:
    judged = [v for v in result.verdicts if v.passed is not None and v.counts]
    failed = [verdict.standard for verdict in judged if not verdict.passed]
    if not failed:
        names = ", ".join(verdict.standard for verdict in judged)
        return click.style(translated(f"passes {names}"), fg="green")
    line = f"fails {', '.join(failed)} ({len(failed)} of {len(judged)})"
    return click.style(translated(line), fg="red")
