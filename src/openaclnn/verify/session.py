"""One verification as a command runs it: progress, table, JSON, picture, exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import KW_ONLY
from pathlib import Path

from openaclnn import ops
from openaclnn.base import dtypes
from openaclnn.base.records import dataclass
from openaclnn.base.settings import LEVELS
from openaclnn.compare.plots import require_matplotlib
from openaclnn.runtime import cuda_exists
from openaclnn.spec import describe
from openaclnn.verify import shards
from openaclnn.verify.plot import draw
from openaclnn.verify.report import Paint, Report, text
from openaclnn.verify.run import (
    Bar,
    Measured,
    Scope,
    duration,
    measure,
    report_of,
    work_of,
)
from openaclnn.verify.shards import Shard

PASSED, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for; nothing named means everything."""

    operators: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()
    level: str = ""
    device: str = "cpu"
    threads: int | None = None
    plot: Path | None = None
    save: Path | None = None
    shard: str = ""
    _: KW_ONLY
    exhaustive: bool = False
    torch: bool = True
    as_json: bool = False
    merge: bool = False  # the operators are files of parts


def run(wanted: Wanted, echo: Callable[[str], None], paint: Paint) -> int:
    """Do it and tell; the exit status. Raises ValueError for what was asked wrongly."""
    if wanted.plot:
        require_matplotlib()
    if wanted.merge:
        return _told(wanted, _merged(wanted), echo, paint)
    work = _work(wanted)
    if wanted.device == "cuda" and not cuda_exists():
        raise ValueError("there is no CUDA device here, or triton or cuda-bindings is missing")
    if wanted.threads is not None and wanted.threads < 1:
        raise ValueError(f"{wanted.threads} threads cannot work; expected at least 1")
    tasks = work.tasks(wanted.device)
    part = shards.shard(wanted.shard) if wanted.shard else None
    if part and (wanted.plot or wanted.as_json):
        raise ValueError("a part has neither table nor picture; --merge of all parts has them")
    bar = Bar()
    found = measure(part.some(tasks) if part else tasks, wanted.threads, bar)
    bar.end()
    if part:
        return _write(wanted, work, part, found, echo)
    report = report_of(
        work, found.tallies, wanted.device, found.seconds, found.share, found.interrupted
    )
    return _told(wanted, report, echo, paint)


def _work(wanted: Wanted) -> Scope:
    try:
        chosen = [ops.find(name) for name in wanted.operators] or list(ops.by_default().values())
    except LookupError as error:
        raise ValueError(str(error)) from None
    types = [dtypes.by_name(name) for name in wanted.dtypes]
    for dtype in types:
        if not any(dtype in describe.dtypes(op) for op in chosen):
            names = ", ".join(op.name for op in chosen)
            raise ValueError(f"no inputs of {names} have dtype {dtype}")
    levels = (wanted.level,) if wanted.level else LEVELS
    return work_of(chosen, types, levels, wanted.exhaustive, wanted.torch)


def _write(
    wanted: Wanted, work: Scope, part: Shard, found: Measured, echo: Callable[[str], None]
) -> int:
    """Keep a part; one that is not complete is none."""
    if found.interrupted:
        echo(f"interrupted after {found.share:.0%}: {part} is not written")
        return INTERRUPTED
    path = wanted.save or Path(f"verify-{part.number}-of-{part.of}.json")
    path.write_text(shards.dumps(work, part, found.tallies, wanted.device, found.seconds))
    echo(f"{part}, {duration(found.seconds)} on {wanted.device}, written: {path}")
    return PASSED


def _merged(wanted: Wanted) -> Report:
    for name in wanted.operators:
        if wanted.operators.count(name) > 1:
            raise ValueError(f"{name} is named twice; expected every part once")
    try:
        return shards.merged({name: Path(name).read_text() for name in wanted.operators})
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(str(error)) from None


def _told(wanted: Wanted, report: Report, echo: Callable[[str], None], paint: Paint) -> int:
    if wanted.save:
        wanted.save.write_text(results(report))
    if wanted.plot and report.rows:
        draw(wanted.plot, report.as_dict(profile=True)["rows"])
    if wanted.as_json:
        echo(json.dumps(report.as_dict(), indent=2))
    else:
        echo(f"{text(report, paint)}\n\n{_last_line(report, paint)}")
        for path in filter(None, (wanted.plot, wanted.save)):
            echo(f"written: {path}")
    if report.interrupted:
        return INTERRUPTED if report.passed else FAILED
    return PASSED if report.passed else FAILED


def results(report: Report) -> str:
    """All figures and the errors over self, as JSON with a row of the table on each line."""
    found = report.as_dict(profile=True)
    lines = ",\n".join(json.dumps(row) for row in found.pop("rows"))
    head = json.dumps(found)[:-1]
    return f'{head}, "rows": [\n{lines}\n]}}\n'


def _last_line(report: Report, paint: Paint) -> str:
    how = "all inputs" if report.exhaustive else "a sample"
    if report.interrupted:
        how += f", interrupted after {report.share:.0%}"
    told = f"{how}, {duration(report.seconds)} on {report.device}"
    if report.interrupted and report.passed:
        return paint(f"nothing outside the bounds so far: {told}", "header")
    if report.passed:
        return paint(f"within the bounds ({told})", "passed")
    failed = sum(bool(row.faults) for row in report.rows)
    return paint(f"{failed} of {len(report.rows)} rows exceed what is promised ({told})", "failed")
