"""What a comparison found, as data, and as the table that people read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, field
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.tables import lined_up, padded, width, widths


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
    counts: bool = True  # whether it decides, or informs


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
class Measures:
    """How far results are from golden over all elements that are finite on both sides."""

    largest: float = 0.0  # of the absolute errors
    mean: float = 0.0
    rmse: float = 0.0  # root of the mean square
    cosine: float = 1.0  # similarity of both as vectors
    ulp: float = 0.0  # the largest error in units of the last place

    def __str__(self) -> str:
        """
        >>> print(Measures(largest=0.5, mean=0.25, rmse=0.3, cosine=0.999, ulp=3))
        largest errors 0.5 and 3 ULP, mean 0.25, RMSE 0.3, cosine similarity 0.999
        """
        return (
            f"largest errors {_number(self.largest)} and {_number(self.ulp)} ULP, mean "
            f"{_number(self.mean)}, RMSE {_number(self.rmse)}, cosine similarity "
            f"{similarity(self.cosine)}"
        )


def similarity(cosine: float) -> str:
    """A cosine, with the digits that tell it from 1.

    >>> similarity(1.0), similarity(0.999987654321), similarity(1 - 3e-15)
    ('1', '0.99998765', '1 - 3e-15')
    """
    if 0 < 1 - cosine < 1e-8:
        return f"1 - {1 - cosine:.1g}"
    return f"{cosine:.8g}"


@dataclass(frozen=True)
class Comparison:
    """The judgement of results against golden values; true where every standard passed."""

    dtype: DType
    golden_dtype: DType
    shape: tuple[int, ...]
    numel: int
    equal: int  # elements without any error, NaN for NaN included
    rounded: int  # elements that are golden rounded to the results' type
    special: int  # elements where both sides are the same infinity, or NaN
    mismatched: int  # elements where only one side is NaN or infinite, or the infinities differ
    verdicts: tuple[Verdict, ...]
    worst: tuple[Element, ...]
    measures: Measures = field(default_factory=Measures)

    @property
    def passed(self) -> bool:
        return all(verdict.passed is not False for verdict in self.verdicts if verdict.counts)

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


@dataclass(frozen=True)
class Style:
    """How a table is printed; plainly where nothing is said."""

    paint: Callable[[str, str], str] = lambda text, kind: text  # passed, failed, header, quiet
    say: Callable[[str], str] = lambda text: text  # in another language
    wrap: Callable[[str, str, str], str] = lambda text, first, rest: first + text
    limit: int | None = None  # columns of a line


_PLAINLY = Style()


def text(result: Comparison, style: Style = _PLAINLY) -> str:
    """The verdicts, the figures behind them and the worst elements, as lines that line up."""
    first = [_summary(result)]
    if result.numel and result.dtype.kind == "float":
        first.append(str(result.measures))
    lines = (style.wrap(style.say(line), "", "") for line in first)
    blocks = ["\n".join(lines), _verdict_table(result, style)]
    if result.worst:
        blocks.append(_worst_table(result, style))
    return "\n\n".join(blocks)


def _summary(result: Comparison) -> str:
    shape = "×".join(map(str, result.shape)) or "0-D"
    line = f"{result.dtype} {shape} against golden in {result.golden_dtype}: "
    if not result.numel:
        return line + "no elements, nothing to fail"
    if result.dtype.kind == "float" and result.golden_dtype != result.dtype:
        line += f"{result.rounded:,} of {result.numel:,} elements correctly rounded"
    else:
        line += f"{result.equal:,} of {result.numel:,} elements equal"
    if result.special:
        line += f", {result.special:,} NaN or infinite on both sides"
    if result.mismatched:
        line += f", {result.mismatched:,} NaN or infinite on one side only: no standard passes"
    return line


_WORDS = {True: ("pass", "passed"), False: ("FAIL", "failed"), None: ("-", "quiet")}


def _verdict_table(result: Comparison, style: Style) -> str:
    header = [*map(style.say, ("verdict", "standard", "figures"))]
    words = [(style.say(word), kind) for word, kind in map(_word, result.verdicts)]
    first = max(width(word) for word in (header[0], *(word for word, _ in words)))
    second = max(17, width(header[1]))
    indent = " " * (first + second + 4)
    narrow = style.limit is not None and style.limit < len(indent) + 48
    head = f"{padded(header[0], first)}  {padded(header[1], second)}  {header[2]}"
    out = [style.paint(head.rstrip(), "header")]
    for verdict, (word, kind) in zip(result.verdicts, words, strict=True):
        shown = style.paint(padded(word, first), kind)
        begin = f"{shown}  {padded(verdict.standard, second)}  "
        lines = [*map(str, verdict.figures), *([verdict.note] if verdict.note else [])]
        if narrow:  # figures get lines of their own
            out.append(begin.rstrip())
            begin = rest = "    "
        else:
            rest = indent
        for line in lines or [""]:
            out.append(style.wrap(style.say(line), begin, rest).rstrip())
            begin = rest
    return "\n".join(out)


def _word(verdict: Verdict) -> tuple[str, str]:
    if not verdict.counts and verdict.passed is not None:
        return ("(pass)" if verdict.passed else "(fail)"), "quiet"
    return _WORDS[verdict.passed]


def _worst_table(result: Comparison, style: Style) -> str:
    header = ("index", "actual", "golden", "abs error", "rel error", "ULP")
    rows: list[Sequence[str]] = [[*map(style.say, header)]]
    rows += [
        (
            "[" + ", ".join(map(str, e.index)) + "]",
            *(str(n) if isinstance(n, int) else f"{n:.9g}" for n in (e.actual, e.golden)),
            *(f"{value:.3g}" for value in (e.abs_error, e.rel_error)),
            _number(e.ulp_error),
        )
        for e in result.worst
    ]
    for _ in range(2):  # errors that the others tell, too
        if style.limit and sum(widths(rows)) + 2 * (len(rows[0]) - 1) > style.limit:
            rows = [(*row[:3], *row[4:]) for row in rows]
    head, *body = ("  ".join(row) for row in lined_up(rows, range(1, len(rows[0]))))
    return "\n".join([style.paint(head, "header"), *body])


def _number(value: float) -> str:
    """A number as short as it stays telling: 0, 0.5001, 1.23e-07."""
    if value and abs(value) < 1e-3:
        return f"{value:.3g}"
    return f"{value:,.4f}".rstrip("0").rstrip(".") if abs(value) < 1e6 else f"{value:.4g}"
