"""What a comparison found, as data, and as the table that people read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from openaclnn.base.dtypes import DType


@dataclass(frozen=True)
class Figure:
    """One measured number and what the standard demands of it: value `relation` limit.

    A limit of 0 makes it a count of what must not be.

    >>> print(Figure("elements within tolerance", 98.5, ">=", 99, "%"))
    elements within tolerance 98.5 % < 99 %
    >>> print(Figure("elements off by more than 1", 3, "<=", 0))
    3 elements off by more than 1
    """

    name: str
    value: float
    relation: str  # <=, < or >=
    limit: float
    unit: str = ""

    @property
    def passed(self) -> bool:
        if self.relation == "<":
            return self.value < self.limit
        return self.value <= self.limit if self.relation == "<=" else self.value >= self.limit

    def __str__(self) -> str:
        if self.limit == 0:
            return f"{_number(self.value)} {self.name}"
        relation = self.relation if self.passed else _OPPOSITE[self.relation]
        value, limit = (f"{_number(n)} {self.unit}".strip() for n in (self.value, self.limit))
        return f"{self.name} {value} {relation} {limit}"


_OPPOSITE = {"<": ">=", "<=": ">", ">=": "<"}


@dataclass(frozen=True)
class Verdict:
    """One standard's judgement. `passed` is None where it has nothing to say about the dtype."""

    standard: str
    title: str
    passed: bool | None
    figures: tuple[Figure, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Element:
    """One element and its errors."""

    index: tuple[int, ...]
    actual: float
    golden: float
    abs_error: float
    rel_error: float
    ulp_error: float


@dataclass(frozen=True)
class Comparison:
    """The judgement of results against golden values; true where every standard passed."""

    dtype: DType
    golden_dtype: DType
    shape: tuple[int, ...]
    numel: int
    equal: int  # elements without any error, NaN for NaN included
    special: int  # elements where both sides are the same infinity, or NaN
    mismatched: int  # elements where only one side is NaN or infinite, or the infinities differ
    verdicts: tuple[Verdict, ...]
    worst: tuple[Element, ...]

    @property
    def passed(self) -> bool:
        return all(verdict.passed is not False for verdict in self.verdicts)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return text(self)

    def as_dict(self) -> dict[str, Any]:
        """Everything, in types that JSON has; NaN and infinities as their names."""
        dtypes = {"dtype": self.dtype.name, "golden_dtype": self.golden_dtype.name}
        data: dict[str, Any] = _plain({"passed": self.passed, **asdict(self), **dtypes})
        for verdict, found in zip(data["verdicts"], self.verdicts, strict=True):
            for figure, judged in zip(verdict["figures"], found.figures, strict=True):
                figure["passed"] = judged.passed
        return data


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):
        return str(value)  # JSON has neither
    return value


Style = Callable[[str, str], str]  # a text and what it is: passed, failed, header, quiet


def _unstyled(text: str, kind: str) -> str:
    return text


def text(result: Comparison, style: Style = _unstyled) -> str:
    """The verdicts, the figures behind them and the worst elements, as lines that line up."""
    blocks = [_summary(result), _verdict_table(result, style)]
    if result.worst:
        blocks.append(_worst_table(result, style))
    return "\n\n".join(blocks)


def _summary(result: Comparison) -> str:
    shape = "×".join(map(str, result.shape)) or "0-D"
    line = f"{result.dtype} {shape} against golden in {result.golden_dtype}: "
    if not result.numel:
        return line + "no elements, nothing to fail"
    line += f"{result.equal:,} of {result.numel:,} elements equal"
    if result.special:
        line += f", {result.special:,} NaN or infinite on both sides"
    if result.mismatched:
        line += f", {result.mismatched:,} NaN or infinite on one side only: no standard passes"
    return line


_WORDS = {True: ("pass", "passed"), False: ("FAIL", "failed"), None: ("-", "quiet")}


def _verdict_table(result: Comparison, style: Style) -> str:
    rows = []
    for verdict in result.verdicts:
        word, kind = _WORDS[verdict.passed]
        lines = [str(figure) for figure in verdict.figures]
        lines += [verdict.note] if verdict.note else []
        rows.append((style(f"{word:7}", kind), f"{verdict.standard:17}", lines or [""]))
    out = [style(f"{'verdict':7}  {'standard':17}  figures", "header")]
    for word, name, lines in rows:
        out.append(f"{word}  {name}  {lines[0]}".rstrip())
        out += [" " * 28 + line for line in lines[1:]]
    return "\n".join(out)


def _worst_table(result: Comparison, style: Style) -> str:
    header = ("index", "actual", "golden", "abs error", "rel error", "ULP")
    rows = [
        (
            "[" + ", ".join(map(str, e.index)) + "]",
            *(f"{value:.9g}" for value in (e.actual, e.golden)),
            *(f"{value:.3g}" for value in (e.abs_error, e.rel_error)),
            _number(e.ulp_error),
        )
        for e in result.worst
    ]
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        first, *rest = (
            cell.ljust(w) if n == 0 else cell.rjust(w)
            for n, (cell, w) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join((first, *rest))

    return "\n".join([style(line(header), "header"), *(line(row) for row in rows)])


def _number(value: float) -> str:
    """A number as short as it stays telling: 0, 0.5001, 1.23e-07."""
    if value and abs(value) < 1e-3:
        return f"{value:.3g}"
    return f"{value:,.4f}".rstrip("0").rstrip(".") if abs(value) < 1e6 else f"{value:.4g}"
