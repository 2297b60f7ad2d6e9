"""One verification as a command runs it: progress, table, JSON, picture, exit status.

`openaclnn verify` and `python -m openaclnn.precision.verify` are its two doors; the second needs
nothing but NumPy and the package.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from openaclnn import ops
from openaclnn.base import dtypes
from openaclnn.base.settings import LEVELS
from openaclnn.precision.plots import require_matplotlib
from openaclnn.precision.verify.plot import draw
from openaclnn.precision.verify.report import Paint, Report, text
from openaclnn.precision.verify.run import Bar, duration, verify
from openaclnn.runtime import cuda_exists
from openaclnn.spec import describe

PASSED, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for; nothing named means everything."""

    operators: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()
    level: str = ""
    device: str = "cpu"
    exhaustive: bool = False
    threads: int | None = None
    torch: bool = True
    as_json: bool = False
    plot: Path | None = None
    save: Path | None = None


def run(wanted: Wanted, echo: Callable[[str], None], paint: Paint) -> int:
    """Do it and tell; the exit status. Raises ValueError for what was asked wrongly."""
    try:
        chosen = [ops.find(name) for name in wanted.operators] or list(ops.by_default().values())
    except LookupError as error:
        raise ValueError(str(error)) from None
    types = [dtypes.by_name(name) for name in wanted.dtypes]
    for dtype in types:
        if not any(dtype in describe.dtypes(op) for op in chosen):
            names = ", ".join(op.name for op in chosen)
            raise ValueError(f"no inputs of {names} have dtype {dtype}")
    if wanted.device == "cuda" and not cuda_exists():
        raise ValueError("there is no CUDA device here, or triton or cuda-bindings is missing")
    if wanted.plot:
        require_matplotlib()
    if wanted.threads is not None and wanted.threads < 1:
        raise ValueError(f"{wanted.threads} threads cannot work; expected at least 1")
    bar = Bar()
    report = verify(
        chosen, types, (wanted.level,) if wanted.level else LEVELS, wanted.device,
        wanted.exhaustive, wanted.threads, wanted.torch, bar,
    )  # fmt: skip
    bar.end()
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
