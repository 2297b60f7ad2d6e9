"""A unit of work, and the statistics that all units have in common."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.truth.double_double import Floats, Pair
from openaclnn.truth.ulp import round_to, wrong_zeros
from openaclnn.verify.measure import Bits, values
from openaclnn.verify.tally import THRESHOLDS, Tally

TORCH = "torch"


@dataclass(frozen=True)
class Task:
    """Which batch, and whose results."""

    op: str
    dtype: str
    part: int
    index: int
    exhaustive: bool
    subjects: tuple[str, ...]  # levels, and "torch"
    device: str


def count_errors(tally: Tally, error: Floats, largest: float) -> None:
    """How many errors lie above each threshold."""
    if largest > THRESHOLDS[0]:
        for number, threshold in enumerate(THRESHOLDS):
            if largest > threshold:
                tally.above[number] += np.count_nonzero(error > threshold)


def count_signs_and_nans(
    tally: Tally,
    bits: Bits,
    dtype: DType,
    truth: Pair,
    promised: NDArray[np.bool_] | None = None,
    moved: NDArray[Any] | None = None,
) -> None:
    """Zeros of the wrong sign where something is promised, and NaNs that are neither the type's one
    nor, where elements only move, one of those."""
    magnitude = bits << bits.dtype.type(1)
    if np.count_nonzero(magnitude) < bits.size:
        zero = magnitude == 0 if promised is None else (magnitude == 0) & promised
        true = Pair(truth.high[zero], truth.low[zero])
        tally.wrong_zeros += int(wrong_zeros(bits[zero], dtype, true).sum())
    if np.isnan(truth.high.sum()):
        found = bits[np.isnan(truth.high)]
        wrong = np.isnan(values(found, dtype)) & (found != quiet_nan(dtype))
        if moved is not None:
            wrong &= ~np.isin(found, moved)
        tally.wrong_nans += int(np.count_nonzero(wrong))


@cache
def quiet_nan(dtype: DType) -> Any:
    """The bits of the one NaN that is written."""
    return round_to(dtype, Pair(np.array([np.nan]), np.zeros(1))).view(f"u{dtype.itemsize}")[0]


def shown(attributes: Mapping[str, Any]) -> str:
    """Attributes for people to type in again."""
    return " ".join(
        f"{name}={value:.9g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in attributes.items()
    )
