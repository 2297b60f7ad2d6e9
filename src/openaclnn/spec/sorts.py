"""Sorting along a dimension, as a routine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY

from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View
from openaclnn.spec.routine import Routine

SLOTS = 8  # rows that a CPU sorts at once, at most


@dataclass(frozen=True)
class Sort(Routine):
    """The elements along a dimension in order, of equal ones the first first. NaN is the largest, 0
    and -0 are equal. Reads the elements; writes `values`, places or both: as many as there is room
    for along the dimension, from a rank on (`start`). `nan_wins`: where there is a NaN, the first
    is what is written, whatever the rank."""

    dim: int
    start: int = 0
    _: KW_ONLY
    descending: bool = False
    values: bool = True
    places: bool = True
    nan_wins: bool = False
    moves = True

    def workspace(self, reads: Sequence[View], writes: Sequence[View]) -> int:
        rows, count = rows_of(reads[0], self.dim)
        return max(32 * count * min(rows, SLOTS), 16 * rows * padded(count))


def rows_of(view: View, dim: int) -> tuple[int, int]:
    """How many rows there are, and of how many elements."""
    if not view.shape:
        return 1, 1
    return math.prod(size for k, size in enumerate(view.shape) if k != dim), view.shape[dim]


def padded(count: int) -> int:
    """The least power of two that is not below."""
    return 1 << max(count - 1, 0).bit_length()
