"""The differences of a chunk of results from its golden values, before any standard judges them.

NaN for NaN and an infinity for the same infinity are right, and have no error to count. A golden
value that the results' type rounds to infinity counts as that infinity. One side alone being NaN
or infinite is a *mismatch*: no finite figure describes it, and it fails every standard.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import DOUBLE, DType
from openaclnn.base.records import dataclass
from openaclnn.truth.double_double import Floats
from openaclnn.truth.ulp import format_of, spacing


@dataclass(frozen=True, eq=False)
class Differences:
    """Of the elements where both sides are finite (`finite` says which of all): |golden|, the
    absolute error, the ULP of the results' type at golden, and the errors relative to both."""

    finite: NDArray[np.bool_]
    mismatched: NDArray[np.bool_]
    magnitude: Floats
    error: Floats
    ulp: Floats

    @property
    def count(self) -> int:
        return self.finite.size

    @property
    def relative(self) -> Floats:
        """error / |golden|: 0 for 0/0, infinite where a zero was missed."""
        with np.errstate(all="ignore"):
            return np.where(self.error == 0, 0.0, self.error / self.magnitude)

    @property
    def in_ulp(self) -> Floats:
        with np.errstate(all="ignore"):
            return self.error / self.ulp


def differences(actual: Floats, golden: Floats, dtype: DType) -> Differences:
    """The differences of two stretches of float64 values, `actual` being results of `dtype`."""
    f = format_of(dtype)
    with np.errstate(all="ignore"):
        if dtype is not DOUBLE:
            beyond = (np.abs(golden) >= f.overflow) & (actual != golden)
            golden = np.where(beyond, np.copysign(np.inf, golden), golden)
        finite = np.isfinite(actual) & np.isfinite(golden)
        right = (actual == golden) | (np.isnan(actual) & np.isnan(golden))
        mismatched = ~finite & ~right
        if not finite.all():
            actual, golden = actual[finite], golden[finite]
        error = np.abs(actual - golden)
    return Differences(finite, mismatched, np.abs(golden), error, spacing(golden, 0.0, dtype))
