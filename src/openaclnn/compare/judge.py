"""Compare results with golden values in one pass over both, whatever their size."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import DType
from openaclnn.compare import equality, standards
from openaclnn.compare.differences import Differences, differences
from openaclnn.compare.profile import Profile
from openaclnn.compare.result import Comparison, Element, Measures, Verdict
from openaclnn.compare.sources import Source, common_shape
from openaclnn.truth.double_double import Floats, Pair
from openaclnn.truth.ulp import format_of, round_to, spacing


def judge(
    actual: Source,
    golden: Source,
    *,
    standard: str | Sequence[str] = standards.DEFAULT,
    dtype: DType | None = None,
    benchmark: Source | None = None,
    ulp_limit: float | None = None,
    worst: int = 10,
    profile: Profile | None = None,
    round_golden: bool = False,
    explain: bool = True,
) -> Comparison:
    """The comparison; `dtype` is that of the results where the source has a wider one."""
    dtype = dtype or actual.dtype
    if dtype.kind != "float" or golden.dtype.kind != "float":
        if profile:
            raise ValueError(f"there is nothing to draw of {dtype}: integers are equal or not")
        return equality.judge(actual, golden, dtype, standard, worst)
    format_of(dtype)
    exact = golden
    golden = rounded(golden, dtype) if round_golden else golden
    shape = common_shape([actual, golden, *([benchmark] if benchmark else [])])
    names = {standard} if isinstance(standard, str) else {*standard}
    every = bool({standards.DEFAULT, "all"} & names)
    setting = standards.Setting(dtype, golden.dtype, ulp_limit)
    tallies = [chosen(setting) for chosen in standards.choose(standard, benchmark is not None)]
    ranking = _Ranking(worst)
    sums = _Sums()
    numel = equal = nearest = special = mismatched = 0
    others = _values(benchmark) if benchmark else None
    for a, g in zip(_values(actual), _values(golden), strict=True):
        found = differences(a, g, dtype)
        other = differences(next(others), g, dtype) if others else None
        for tally in tallies:
            tally.add(found, other)
        ranking.add(numel, a, g, found)
        if profile:
            profile.add(numel, found)
        numel += a.size
        wrong = int(np.count_nonzero(found.mismatched))
        matched = int(a.size - found.error.size - wrong)
        special += matched
        mismatched += wrong
        equal += matched + int(np.count_nonzero(found.error == 0))
        nearest += _count_rounded(a, g, dtype)
        sums.add(a, g, found)
    verdicts = [tally.verdict() for tally in tallies]
    if explain and not standards.Setting(dtype, exact.dtype).golden_is_rounded:
        verdicts = _explained(verdicts, exact, golden, dtype, chosen_by_name=not every)
    if standards.DEFAULT in names:
        deciding = standards.deciding(verdicts)
        verdicts = [replace(v, counts=v.standard in {*deciding, *names}) for v in verdicts]
    return Comparison(
        dtype, golden.dtype, shape, numel, equal, nearest, special, mismatched,
        tuple(verdicts), ranking.elements(shape), sums.measures(),
    )  # fmt: skip


def _count_rounded(a: Floats, g: Floats, dtype: DType) -> int:
    """How many results are their golden value, rounded."""
    with np.errstate(all="ignore"):
        near = _wide(round_to(dtype, Pair(g, np.zeros_like(g))))
        return int(np.count_nonzero((a == near) | (np.isnan(a) & np.isnan(near))))


class _Sums:
    """The sums that measures of all elements are made of, of values relative to the largest one so
    far: squares of large numbers overflow, those of small ones vanish."""

    def __init__(self) -> None:
        self.count = 0
        self.scale = self.largest = self.ulp = 0.0
        self.sums = np.zeros(5)  # of errors and their squares; a·a, a·g, g·g

    def add(self, a: Floats, g: Floats, found: Differences) -> None:
        if not found.error.size:
            return
        self.count += found.error.size
        self.largest = max(self.largest, float(found.error.max()))
        self.ulp = max(self.ulp, float(found.in_ulp.max()))
        a, g = a[found.finite], g[found.finite]
        most = max(float(np.abs(a).max()), float(np.abs(g).max()))
        if most > self.scale:
            ratio = self.scale / most
            self.sums *= [ratio, *[ratio**2 if ratio > 1e-150 else 0.0] * 4]
            self.scale = most
        if self.scale:
            a, g = a / self.scale, g / self.scale
            error = np.abs(a - g)
            self.sums += [error.sum(), np.dot(error, error), np.dot(a, a), np.dot(a, g),
                          np.dot(g, g)]  # fmt: skip

    def measures(self) -> Measures:
        if not self.count:
            return Measures()
        total, squares, aa, ag, gg = self.sums.tolist()
        both = (aa * gg) ** 0.5
        alike = ag / both if both else float(aa == gg)
        return Measures(
            self.largest, self.scale * (total / self.count),
            self.scale * (squares / self.count) ** 0.5, max(-1.0, min(1.0, alike)), self.ulp,
        )  # fmt: skip


def rounded(source: Source, dtype: DType) -> Source:
    """The same values, rounded to a narrower type."""

    def walk() -> Iterator[Floats]:
        for values in _values(source):
            yield round_to(dtype, Pair(values, np.zeros_like(values)))

    return Source(f"{source.name} rounded to {dtype}", dtype, source.shape, walk)


def coarsest(source: Source, dtype: DType) -> Source:
    """Of the numbers within `exact_limit` ULP of each value the farther one: results that are as
    good as any, and no better."""
    slack = standards.exact_limit(dtype) - 0.5

    def walk() -> Iterator[Floats]:
        for values in _values(source):
            with np.errstate(all="ignore"):
                more = spacing(values, 0.0, dtype) * slack
                low, high, near = (
                    round_to(dtype, Pair(moved, np.zeros_like(moved)))
                    for moved in (values - more, values + more, values)
                )
                lower_is_farther = values - _wide(low) > _wide(high) - values
            found = np.where(lower_is_farther, low, high)
            # infinity for a finite value is no matter of rounding
            yield np.where(np.isfinite(_wide(found)), found, near)

    return Source(f"{source.name} as {dtype}", dtype, source.shape, walk)


def _explained(
    verdicts: list[Verdict], exact: Source, golden: Source, dtype: DType, *, chosen_by_name: bool
) -> list[Verdict]:
    """Say of a failed standard that results as good as any would fail it too: most were made for a
    golden that is already rounded to the type of the results, and in 16 bits some demand every
    bit. A standard that nobody chose does not count then."""
    names = [v.standard for v in verdicts if v.passed is False and v.standard not in _NOT_EXPLAINED]
    if not names:
        return verdicts
    good = judge(coarsest(exact, dtype), golden, standard=names, worst=0, explain=False)
    hopeless = {verdict.standard for verdict in good.verdicts if not verdict.passed}
    note = f"results within {standards.exact_limit(dtype)} ULP of golden fail this too"
    if golden is exact and chosen_by_name:
        note += ": judge against golden rounded to the results' type, with --round-golden"

    def noted(verdict: Verdict) -> Verdict:
        if verdict.standard not in hopeless:
            return verdict
        if not chosen_by_name:
            return replace(verdict, passed=None, note=f"not counted: {note}")
        return replace(verdict, note=note)

    return [*map(noted, verdicts)]


_NOT_EXPLAINED = (standards.Ulp.key, standards.MsprobeBenchmark.key)


def _values(source: Source) -> Iterator[Floats]:
    return map(_wide, source.walk())


def _wide(stretch: NDArray[Any]) -> Floats:
    with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN like any other
        return stretch.astype(np.float64)


class _Ranking:
    """The worst elements so far: mismatches first, then by ULP, ties by position."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.heap: list[tuple[float, int, Any]] = []

    def add(self, start: int, a: Floats, g: Floats, found: Differences) -> None:
        if not self.size:
            return
        ulp = np.zeros(a.size)
        ulp[found.finite] = found.in_ulp
        ulp[found.mismatched] = np.inf
        least = self.heap[0][0] if len(self.heap) == self.size else 0.0
        candidates = np.flatnonzero(ulp > least)
        if candidates.size > self.size:
            order = np.argsort(-ulp[candidates], kind="stable")[: self.size]
            candidates = candidates[order]
        for place in candidates.tolist():
            item = (float(ulp[place]), -(start + place), (float(a[place]), float(g[place])))
            if len(self.heap) < self.size:
                heapq.heappush(self.heap, item)
            else:
                heapq.heappushpop(self.heap, item)

    def elements(self, shape: tuple[int, ...]) -> tuple[Element, ...]:
        found = []
        for ulp, place, (a, g) in sorted(self.heap, key=lambda item: (-item[0], -item[1])):
            index = tuple(int(i) for i in np.unravel_index(-place, shape)) if shape else ()
            error = abs(a - g)
            relative = error / abs(g) if g else (0.0 if error == 0 else float("inf"))
            found.append(Element(index, a, g, error, relative, ulp))
        return tuple(found)
