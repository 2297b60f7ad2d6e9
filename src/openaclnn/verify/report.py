"""What a verification found: rows of figures, a verdict, and how they read."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.settings import EXACT
from openaclnn.base.tables import lined_up
from openaclnn.spec.op import Op
from openaclnn.spec.proof import Bound
from openaclnn.truth.ulp import format_of
from openaclnn.verify.bounds import bound
from openaclnn.verify.tally import THRESHOLDS, Tally, Worst, over_self

Paint = Callable[[str, str], str]  # a text and what it is: "passed", "failed", "header", "quiet"


@dataclass(frozen=True)
class Row:
    """One operator in one dtype at one level, PyTorch beside it where it is installed."""

    op: Op
    dtype: DType
    level: str
    tally: Tally
    torch: Tally | None
    one_kernel: bool  # both levels compute alike

    @property
    def bound(self) -> Bound | None:
        """What is promised, if anything is."""
        return bound(self.op, self.dtype, self.level)

    @property
    def every_gradient(self) -> float | None:
        """What the slope's measured error allows at most whatever the gradient, in ULP.

        A relative error of r before the last rounding adds at most r·2^bits to that rounding's. At
        level exact a float64 product lies between. At level fast subnormal results, which have a
        bit less, are rounded up to three times more on their way down. docs/accuracy.md has the
        argument.
        """
        slope = self.tally.relative
        if not slope.order:
            return None
        bits = format_of(self.dtype).bits
        if self.level == EXACT:
            return 0.5 + 2.0**bits * (slope.error + 2.0**-53 * (1 + slope.error))
        return max(1 + 2.0**bits * slope.error, 1.375 + 2.0 ** (bits - 1) * slope.error)

    @property
    def faults(self) -> list[str]:
        """Sentences about what is not as promised."""
        tally, limit = self.tally, self.bound.ulp if self.bound else math.inf
        found = []
        if tally.refused:
            found.append(f"a call that should be taken is refused: {tally.refused}")
        if tally.worst.error > limit:
            error = f"{ulps(tally.worst.error)} ULP > {limit:g}"
            found.append(f"{error if tally.rounded else 'not equal'} at {place(self, tally.worst)}")
        every = self.every_gradient
        if every is not None and every > limit:
            found.append(
                f"a slope off by {tally.relative.error:.3g} of itself at self = "
                f"{tally.relative.inputs[0]!r} allows {ulps(every)} ULP > {limit:g}"
            )
        if tally.wrong_zeros and self.bound:
            found.append(f"{tally.wrong_zeros:,} zeros have the wrong sign")
        if tally.special and self.bound:
            found.append(
                f"{tally.wrong_specials:,} results for NaN or infinite inputs are wrong, the first "
                f"at {place(self, tally.special)}"
            )
        if tally.wrong_nans:
            found.append(f"{tally.wrong_nans:,} NaNs are not the type's quiet NaN")
        return found

    def as_dict(self, profile: bool = False) -> dict[str, Any]:
        return {
            "operator": self.op.name,
            "dtype": self.dtype.name,
            "level": self.level,
            "passed": not self.faults,
            "bound_ulp": self.bound.ulp if self.bound else None,
            "bound_holds_where": self.bound.where if self.bound else "",
            "every_gradient_ulp": self.every_gradient,
            "same_kernel_at_both_levels": self.one_kernel,
            **_figures(self.tally, profile),
            "digest": digest(self.tally),
            "wrong_zeros": self.tally.wrong_zeros,
            "wrong_nans": self.tally.wrong_nans,
            "wrong_specials": self.tally.wrong_specials,
            "torch": _figures(self.torch, profile) if self.torch else None,
        }


def _figures(tally: Tally, profile: bool) -> dict[str, Any]:
    worst, slope = tally.worst, tally.relative
    figures: dict[str, Any] = {
        "count": tally.count,
        "max_ulp": json_number(worst.error),
        "worst": {
            "inputs": [json_number(value) for value in worst.inputs],
            "attributes": worst.attributes,
            "actual": json_number(worst.actual),
            "true": json_number(worst.true),
        },
        "above": {f"{t:g}": int(n) for t, n in zip(THRESHOLDS, tally.above, strict=True)},
    }
    if slope.order:
        figures["slope_relative_error"] = {"max": slope.error, "self": slope.inputs[0]}
    if profile:
        figures["over_self"] = over_self(tally)
    return figures


def json_number(value: float) -> float | str:
    """JSON knows neither NaN nor infinities."""
    return value if math.isfinite(value) else repr(value)


def digest(tally: Tally) -> str:
    return f"{tally.digest:032x}"


@dataclass(frozen=True)
class Report:
    """All rows. True where everything is as promised."""

    rows: tuple[Row, ...]
    device: str
    share: float  # of the work that was done
    seconds: float
    _: KW_ONLY
    exhaustive: bool
    interrupted: bool

    @property
    def passed(self) -> bool:
        return not any(row.faults for row in self.rows)

    def __bool__(self) -> bool:
        return self.passed

    def as_dict(self, profile: bool = False) -> dict[str, Any]:
        """For programs; with the errors over self, as pictures show them, if wanted."""
        return {
            "passed": self.passed,
            "device": self.device,
            "exhaustive": self.exhaustive,
            "interrupted": self.interrupted,
            "share_done": self.share,
            "seconds": round(self.seconds, 1),
            "rows": [row.as_dict(profile) for row in self.rows],
        }

    def __str__(self) -> str:
        return text(self)


def place(row: Row, worst: Worst) -> str:
    """The inputs of an element, to type in again, what came and the true value."""
    names = [argument.name for argument in row.op.reads]
    given = [
        f"{name}={shortest(value, row.dtype)}"
        for name, value in zip(names, worst.inputs, strict=False)
    ]
    shown = " ".join([*given, worst.attributes]).strip()
    if not given:
        part, batch, number = worst.order
        shown = f"result {number} of part {part}, batch {batch} {shown}".rstrip()
    return f"{shown}: {shortest(worst.actual, row.dtype)}, true {worst.true:.12g}"


def shortest(value: float, dtype: DType) -> str:
    """As few digits as tell a number from its neighbours in its type."""
    if dtype.kind != "float":  # a result of integers may be a float
        return str(int(value)) if value == value // 1 and abs(value) < 2**64 else f"{value:.9g}"
    return str(dtype.numpy.type(value))


def ulps(error: float) -> str:
    """As many digits as tell apart what is close to a bound.

    >>> ulps(0.50012345), ulps(9.6234), ulps(16777216.2), ulps(float("inf"))
    ('0.500123', '9.62', '16,777,216', 'inf')
    """
    if error < 1:
        return f"{error:.6f}"
    return f"{error:,.2f}" if error < 1000 else f"{error:,.0f}"


def share(count: int, of: int) -> str:
    """
    >>> share(0, 10), share(1, 3), share(1, 30000)
    ('0', '33 %', '0.0033 %')
    """
    if not count or not of:
        return "0"
    percent = 100 * count / of
    return f"{percent:.2g} %" if percent < 10 else f"{percent:.0f} %"


_HEADER = ("", "operator", "dtype", "level", "max ULP", "any g", "bound", "> 0.5", "> 0.505", "±0",
           "PyTorch", "> 0.51", "inputs", "digest")  # fmt: skip
_RIGHT = range(4, 13)


def text(report: Report, paint: Paint = lambda words, kind: words) -> str:
    """A table, then the worst inputs of every row, then what is wrong."""
    rows = list(_told(report))
    cells = [list(_cells(row)) for row in rows]
    head, *body = lined_up([_HEADER, *cells], _RIGHT)
    lines = [paint("  ".join(head).rstrip(), "header")]
    for row, (verdict, *rest) in zip(rows, body, strict=True):
        kind = "failed" if row.faults else "passed"
        lines.append("  ".join([paint(verdict, kind), *rest]).rstrip())
    worst = [row for row in rows if row.tally.worst.error]
    lines += ["", paint("worst inputs", "header")] if worst else []
    lines += [f"{_name(row)}: {place(row, row.tally.worst)}" for row in worst]
    faults = [paint(f"{_name(row)}: {fault}", "failed") for row in rows for fault in row.faults]
    return "\n".join([*lines, *([""] if faults else []), *faults])


def _told(report: Report) -> Iterator[Row]:
    """The rows, but one for both levels where they are the same kernel."""
    seen: set[tuple[str, str]] = set()
    for row in report.rows:
        key = row.op.name, row.dtype.name
        if not (row.one_kernel and key in seen):
            yield row
        seen.add(key)


def _name(row: Row) -> str:
    return f"{row.op.name} {row.dtype.short} {_level(row)}"


def _level(row: Row) -> str:
    return "both" if row.one_kernel else row.level


def _cells(row: Row) -> Iterator[str]:
    tally, torch, every = row.tally, row.torch, row.every_gradient
    yield "FAIL" if row.faults else "pass"
    yield row.op.name
    yield row.dtype.short
    yield _level(row)
    yield ulps(tally.worst.error)
    yield "" if every is None else ulps(every)
    yield "equal" if not row.tally.rounded else str(row.bound or "–")
    yield share(int(tally.above[0]), tally.count)
    yield share(int(tally.above[1]), tally.count)
    yield f"{tally.wrong_zeros:,}"
    yield ulps(torch.worst.error) if torch else ""
    yield share(int(torch.above[2]), torch.count) if torch else ""
    yield f"{tally.count:,}"
    yield digest(tally)[:16]
