"""Results of many golden cases at once: found by the cases' names, judged, and printed as a
table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from openaclnn.base.junit import TestCase
from openaclnn.base.records import dataclass
from openaclnn.compare.files import KINDS, open_file
from openaclnn.compare.judge import judge
from openaclnn.compare.result import Comparison, similarity
from openaclnn.golden import manifest

_ENDINGS = (*KINDS, ".pth", ".raw")


@dataclass(frozen=True)
class CaseResult:
    """What is to be said of one output of one case."""

    case: str
    output: str  # empty where it is the only one
    operator: str
    comparison: Comparison | None = None
    problem: str = ""  # why it could not be judged

    @property
    def name(self) -> str:
        return f"{self.case}:{self.output}" if self.output else self.case

    @property
    def passed(self) -> bool:
        return self.comparison is not None and self.comparison.passed

    def as_dict(self) -> dict[str, Any]:
        found = self.comparison.as_dict() if self.comparison is not None else {}
        return {"case": self.case, "output": self.output, "operator": self.operator,
                "passed": self.passed, "problem": self.problem, **found}  # fmt: skip


def is_suite(folder: Path) -> bool:
    """Whether a folder holds cases and is none itself."""
    return folder.is_dir() and not (folder / manifest.NAME).exists() and bool(_cases(folder))


def _cases(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.rglob(manifest.NAME))


def judged(
    results: Path, cases: Path, *, standard: Sequence[str], **options: Any
) -> Iterator[CaseResult]:
    """Judge the results of every case below a folder; what has no results has a problem."""
    for folder in _cases(cases):
        name = folder.relative_to(cases).as_posix()
        try:
            described = manifest.described(folder)
        except ValueError as error:
            yield CaseResult(name, "", "", problem=str(error))
            continue
        for output in described.outputs:
            label = output if len(described.outputs) > 1 else ""
            said = CaseResult(name, label, described.operator)
            try:
                file = _result(results, name, output, alone=not label)
                expected = manifest.expected_output(folder, output)
                actual = open_file(str(file), expected.dtype, expected.shape)
                found = judge(
                    actual, open_file(str(expected.golden), None, None),
                    dtype=expected.judged_as, standard=standard, **options,
                )  # fmt: skip
                problem = ""
                if actual.dtype != expected.dtype:
                    problem = f"{file} has elements of {actual.dtype}; expected {expected.dtype}"
                yield CaseResult(name, label, said.operator, found, problem)
            except (ValueError, OSError) as error:
                yield CaseResult(name, label, said.operator, problem=str(error))


def _result(results: Path, case: str, output: str, *, alone: bool) -> Path:
    """The file of a case's results: RESULTS/CASE.npy, or in the folder RESULTS/CASE."""
    stems = [f"{case}/{output}", f"{case}_{output}"]
    if alone:
        stems = [case, *stems, *(f"{case}/{word}" for word in ("out", "output", "result"))]
    for stem in stems:
        for ending in _ENDINGS:
            path = results / f"{stem}{ending}"
            if path.is_file():
                return path
    folder = results / case
    inside = [p for p in sorted(folder.glob("*")) if p.suffix in _ENDINGS]
    if alone and len(inside) == 1:
        return inside[0]
    tried = f"{results / stems[0]}.npy"
    raise FileNotFoundError(f"there are no results: expected {tried}, or .npz, .pt, .bin")


HEADER = ("case", "verdict", "dtype", "shape", "rounded", "cosine", "RMSE", "largest", "ULP")


def row(result: CaseResult) -> list[str]:
    """A line of the table, below HEADER."""
    found = result.comparison
    if found is None:
        return [result.name, "missing", *[""] * (len(HEADER) - 2)]
    m = found.measures
    share = found.rounded / found.numel if found.numel else 1.0
    return [
        result.name, "pass" if found.passed else "FAIL", found.dtype.name,
        "×".join(map(str, found.shape)) or "0-D", f"{100 * share:.4g} %", similarity(m.cosine),
        f"{m.rmse:.3g}", f"{m.largest:.3g}", f"{m.ulp:.4g}",
    ]  # fmt: skip


def table_as_csv(results: Sequence[CaseResult]) -> str:
    """The same as CSV, numbers in full, with the verdict of every standard."""
    standards = sorted(
        {v.standard for r in results if r.comparison is not None for v in r.comparison.verdicts}
    )
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(
        ["case", "output", "operator", "passed", "dtype", "shape", "elements", "correctly_rounded",
         "cosine", "rmse", "largest_error", "mean_error", "largest_ulp", *standards, "problem"]
    )  # fmt: skip
    for one in results:
        found = one.comparison
        head = [one.case, one.output, one.operator, one.passed]
        if found is None:
            writer.writerow([*head, *[""] * (9 + len(standards)), one.problem])
            continue
        m, judged_by = found.measures, {v.standard: v.passed for v in found.verdicts}
        said = [{True: "pass", False: "fail"}.get(judged_by.get(s), "") for s in standards]  # type: ignore[arg-type]
        writer.writerow(
            [*head, found.dtype.name, "x".join(map(str, found.shape)), found.numel, found.rounded,
             m.cosine, m.rmse, m.largest, m.mean, m.ulp, *said, one.problem]
        )  # fmt: skip
    return out.getvalue()


def as_test(result: CaseResult) -> TestCase:
    """A case as JUnit has it: one without results is an error, one that is wrong a failure."""
    if result.comparison is None:
        return TestCase(result.operator, result.name, error=result.problem)
    failed = [v for v in result.comparison.verdicts if v.counts and v.passed is False]
    told = "; ".join(f"{v.standard}: {', '.join(map(str, v.figures))}" for v in failed)
    return TestCase(result.operator, result.name, failure=told, output=str(result.comparison))
