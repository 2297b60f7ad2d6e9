"""The field's accuracy standards. Each is a tally that takes differences a stretch at a time and
gives a verdict at the end; thresholds stand in one table per standard, by dtype.

A mismatch (NaN or infinity on one side only) fails every one of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16, DType
from openaclnn.base.records import dataclass
from openaclnn.compare.differences import Differences
from openaclnn.compare.result import Figure, Verdict
from openaclnn.truth.ulp import FORMATS, TWICE_ROUNDED

EXACT_LIMIT = 0.51  # ULP from the true value, what this project holds itself to


def exact_limit(dtype: DType) -> float:
    """What results of a type are held to; where they are rounded twice, the first time may leave
    them up to a quarter of a unit from where the second begins."""
    return EXACT_LIMIT + 0.25 * (dtype in TWICE_ROUNDED)


@dataclass(frozen=True)
class Setting:
    """What is being judged: results of `dtype` against golden values of `golden_dtype`."""

    dtype: DType
    golden_dtype: DType
    ulp_limit: float | None = None

    @property
    def golden_is_rounded(self) -> bool:
        """Whether golden has no digits that the results do not have."""
        return FORMATS[self.golden_dtype].bits <= FORMATS[self.dtype].bits


class Standard(ABC):
    """One standard at work on one comparison."""

    key: ClassVar[str]
    title: ClassVar[str]
    thresholds: ClassVar[Mapping[DType, Any]] = {}

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.count = 0
        self.mismatched = 0

    @property
    def dtype(self) -> DType:
        """Whose thresholds hold."""
        return BF16 if self.setting.dtype in TWICE_ROUNDED else self.setting.dtype

    @property
    def applies(self) -> bool:
        return self.dtype in self.thresholds

    @property
    def limits(self) -> Any:
        return self.thresholds[self.dtype]

    def add(self, found: Differences, other: Differences | None) -> None:
        """Take one stretch; `other` has the differences of another device's results."""
        self.count += found.count
        self.mismatched += int(np.count_nonzero(found.mismatched))
        if self.applies:
            self.tally(found, other)

    @abstractmethod
    def tally(self, found: Differences, other: Differences | None) -> None: ...

    @abstractmethod
    def figures(self) -> tuple[Figure, ...]: ...

    def verdict(self) -> Verdict:
        if not self.applies:
            note = f"says nothing about {self.setting.dtype}"
            return Verdict(self.key, self.title, None, (), note)
        figures = self.figures()
        if self.mismatched:
            lone = Figure("elements NaN or infinite on one side only", self.mismatched, "<=", 0)
            figures = (lone, *figures)
        passed = all(figure.passed for figure in figures)
        return Verdict(self.key, self.title, passed, figures)


class Mixed(Standard):
    """|a−g| <= atol + rtol·|g| for 99 % of the elements, and none off by more than a limit: an
    absolute one or 32 ULP, whichever is larger at the element."""

    key = "mixed"
    title = "open-source operator standard, mixed tolerance"
    thresholds: ClassVar = {  # rtol, atol, absolute limit
        FLOAT16: (2**-9, 2**-9, 1e-1),
        BF16: (2**-6, 2**-6, 1.0),
        FLOAT: (2**-10, 2**-16, 1e-2),
    }
    outside = over = 0
    largest = 0.0

    def tally(self, found: Differences, other: Differences | None) -> None:
        rtol, atol, limit = self.limits
        outside = int(np.count_nonzero(found.error > atol + rtol * found.magnitude))
        self.outside += outside + int(np.count_nonzero(found.mismatched))
        self.largest = max(self.largest, float(found.error.max(initial=0)))
        self.over += int(np.count_nonzero(found.error > np.maximum(limit, 32 * found.ulp)))

    def figures(self) -> tuple[Figure, ...]:
        within = 100 * (1 - self.outside / self.count) if self.count else 100.0
        over = f"elements off by more than {self.limits[2]:g} and 32 ULP"
        return (
            Figure("elements within tolerance", within, ">=", 99.0, "%"),
            Figure(f"{over} (largest error {self.largest:.3g})", self.over, "<=", 0),
        )


class Relative(Standard):
    """Mean relative error < t and largest < 10·t, errors relative to |g| + 1e-7."""

    key = "relative"
    title = "open-source operator standard, earlier form"
    thresholds: ClassVar = {FLOAT16: 2**-10, BF16: 2**-7, FLOAT: 2**-13}
    total = largest = 0.0

    def tally(self, found: Differences, other: Differences | None) -> None:
        relative = found.error / (found.magnitude + 1e-7)
        self.total += float(relative.sum())
        self.largest = max(self.largest, float(relative.max(initial=0)))

    def figures(self) -> tuple[Figure, ...]:
        mean = self.total / self.count if self.count else 0.0
        return (
            Figure("mean relative error", mean, "<", self.limits),
            Figure("largest relative error", self.largest, "<", 10 * self.limits),
        )


class DoubleThousandth(Standard):
    """Fewer than 0.1 % of the elements off by more than 0.1 %; for FLOAT 0.01 % and 0.01 %."""

    key = "double-thousandth"
    title = "双千分之一 (FLOAT: 双万分之一)"
    thresholds: ClassVar = {FLOAT16: 1e-3, BF16: 1e-3, FLOAT: 1e-4}
    over = 0

    def tally(self, found: Differences, other: Differences | None) -> None:
        self.over += int(np.count_nonzero(found.relative > self.limits))

    def figures(self) -> tuple[Figure, ...]:
        share = 100 * self.over / self.count if self.count else 0.0
        percent = 100 * self.limits
        return (Figure(f"elements off by more than {percent:g} %:", share, "<", percent, "%"),)


class Adapter(Standard):
    """|a−g| <= t + t·|g| for every element."""

    key = "adapter"
    title = "framework adapters' tests"
    thresholds: ClassVar = {FLOAT16: 1e-3, BF16: 1e-3, FLOAT: 1e-4}
    over = 0

    def tally(self, found: Differences, other: Differences | None) -> None:
        tolerance = self.limits
        self.over += int(np.count_nonzero(found.error > tolerance + tolerance * found.magnitude))

    def figures(self) -> tuple[Figure, ...]:
        tolerance = f"{self.limits:g} + {self.limits:g}·|golden|"
        return (Figure(f"elements off by more than {tolerance}", self.over, "<=", 0),)


_MSPROBE = {  # rtol, below which golden is small, atol of small values
    FLOAT16: (2**-10, 2**-10, 2**-16),
    BF16: (2**-8, 2**-10, 1e-16),
    FLOAT: (2**-20, 2**-20, 2**-30),
}


class MsprobeThreshold(Standard):
    """Relative error <= rtol for every element, absolute error <= atol where golden is small."""

    key = "msprobe"
    title = "msprobe, absolute-threshold mode"
    thresholds: ClassVar = _MSPROBE
    over = over_small = 0

    def tally(self, found: Differences, other: Differences | None) -> None:
        rtol, small_below, atol = self.limits
        small = found.magnitude < small_below
        self.over += int(np.count_nonzero(~small & (found.error > rtol * found.magnitude)))
        self.over_small += int(np.count_nonzero(small & (found.error > atol)))

    def figures(self) -> tuple[Figure, ...]:
        rtol, small_below, atol = self.limits
        small = f"with |golden| < {small_below:.3g}"
        return (
            Figure(f"elements off by more than {rtol:.3g}·|golden|", self.over, "<=", 0),
            Figure(f"elements {small} off by more than {atol:.3g}", self.over_small, "<=", 0),
        )


class MsprobeBenchmark(Standard):
    """The error against that of another device: ratios of RMSE <= 2, of mean relative error <= 2
    and of the largest relative error <= 10. Relative errors are those of values that are not
    small; elements where one of the three is not finite are left out."""

    key = "msprobe-benchmark"
    title = "msprobe, benchmark mode"
    thresholds: ClassVar = _MSPROBE

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.squares, self.relatives, self.largest = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]

    def tally(self, found: Differences, other: Differences | None) -> None:
        assert other is not None, "this standard is only chosen where there is another device"
        both = found.finite & other.finite
        for side, one in enumerate((found, other)):
            kept = both[one.finite]
            error = one.error[kept]
            large = one.magnitude[kept] >= self.limits[1]
            relative = error[large] / one.magnitude[kept][large]
            self.squares[side] += float(np.square(error).sum())
            self.relatives[side] += float(relative.sum())
            self.largest[side] = max(self.largest[side], float(relative.max(initial=0)))

    def figures(self) -> tuple[Figure, ...]:
        return (
            Figure("ratio of RMSE", _ratio(self.squares) ** 0.5, "<=", 2),
            Figure("ratio of mean relative errors", _ratio(self.relatives), "<=", 2),
            Figure("ratio of largest relative errors", _ratio(self.largest), "<=", 10),
        )


def _ratio(pair: Sequence[float]) -> float:
    """Ours to theirs; two errors of 0 are equal."""
    ours, theirs = pair
    if theirs == 0:
        return 1.0 if ours == 0 else float("inf")
    return ours / theirs


class Ulp(Standard):
    """The largest error in ULP of the results' type."""

    key = "ulp"
    title = "units in the last place"
    thresholds: ClassVar = dict.fromkeys(FORMATS)
    largest = 0.0

    def tally(self, found: Differences, other: Differences | None) -> None:
        self.largest = max(self.largest, float(found.in_ulp.max(initial=0)))

    def figures(self) -> tuple[Figure, ...]:
        given = self.setting.ulp_limit
        # a golden that is itself rounded may be half a unit from the truth
        default = exact_limit(self.setting.dtype) + 0.5 * self.setting.golden_is_rounded
        return (
            Figure("largest error in ULP", self.largest, "<=", default if given is None else given),
        )


ALL: dict[str, type[Standard]] = {
    standard.key: standard
    for standard in (
        Mixed, Relative, DoubleThousandth, Adapter, MsprobeThreshold, MsprobeBenchmark, Ulp,
    )
}  # fmt: skip


DEFAULT = "default"  # one standard decides, the others inform
_KNOWN = ", ".join((DEFAULT, "all", *ALL))


def choose(names: str | Sequence[str], benchmark: bool) -> list[type[Standard]]:
    """The standards of these names; DEFAULT and "all" for every one that can be applied."""
    names = [names] if isinstance(names, str) else list(names)
    if not names:
        raise ValueError(f"no standard was chosen; expected {_KNOWN}")
    for name in names:
        if name not in (DEFAULT, "all", *ALL):
            raise ValueError(f"{name!r} is no standard; expected {_KNOWN}")
    if MsprobeBenchmark.key in names and not benchmark:
        raise ValueError(f"{MsprobeBenchmark.key} needs another device's results: the benchmark")
    every = DEFAULT in names or "all" in names
    return [
        standard
        for key, standard in ALL.items()
        if key in names or (every and (benchmark or standard is not MsprobeBenchmark))
    ]


def deciding(verdicts: Sequence[Verdict]) -> set[str]:
    """The standards that decide where none was chosen: the mixed tolerance, or where that says
    nothing, as of DOUBLE, the error in ULP; and another device's errors where these are given."""
    judged = {verdict.standard for verdict in verdicts if verdict.passed is not None}
    first = Mixed.key if Mixed.key in judged else Ulp.key
    return {first, MsprobeBenchmark.key}
