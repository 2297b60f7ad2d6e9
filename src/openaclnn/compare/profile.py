"""Histograms of errors: counts over (|golden|, error) and (position, error), gathered in one pass
and small whatever the number of elements. `plots` draws them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from openaclnn.compare.differences import Differences
from openaclnn.truth.double_double import Floats

# errors in ULP: quarters of binades from 2⁻¹² (and less, and 0) to 2⁵² (and more)
ERROR_EDGES = np.arange(-12, 52.25, 0.25)
MAGNITUDE_EDGES = np.arange(-1075.0, 1025.0, 0.5)  # halves of binades; 0 is left out
POSITIONS = 256


class Profile:
    """Counts per bin and the largest error per column."""

    def __init__(self, numel: int) -> None:
        self.numel = numel
        rows = ERROR_EDGES.size - 1
        columns = MAGNITUDE_EDGES.size - 1
        self.by_magnitude = np.zeros((columns, rows), np.int64)
        self.by_position = np.zeros((POSITIONS, rows), np.int64)
        self.magnitude_peaks = np.zeros(columns)
        self.position_peaks = np.zeros(POSITIONS)

    def add(self, start: int, found: Differences) -> None:
        ulp = found.in_ulp
        with np.errstate(all="ignore"):
            row = _bin(np.log2(ulp), ERROR_EDGES)
            column = _bin(np.log2(found.magnitude), MAGNITUDE_EDGES)
        seen = found.magnitude > 0
        place = start + np.flatnonzero(found.finite)
        position = place * POSITIONS // max(self.numel, 1)
        _count(self.by_magnitude, self.magnitude_peaks, column[seen], row[seen], ulp[seen])
        _count(self.by_position, self.position_peaks, position, row, ulp)


def _bin(values: Floats, edges: Floats) -> NDArray[np.int64]:
    """The bin of each value, the first and last taking in what lies beyond them."""
    step = edges[1] - edges[0]
    clipped = np.clip(np.nan_to_num(values, neginf=edges[0]), edges[0], edges[-1] - step / 2)
    return np.asarray((clipped - edges[0]) / step, np.int64)


def _count(
    counts: NDArray[np.int64],
    peaks: Floats,
    column: NDArray[np.int64],
    row: NDArray[np.int64],
    ulp: Floats,
) -> None:
    np.add.at(counts, (column, row), 1)
    np.maximum.at(peaks, column, ulp)
