"""What is remembered of measured results: small, and the same whatever order parts are added in."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

THRESHOLDS = (0.5, 0.505, 0.51, 1.0, 2.0, 16.0)  # of the histogram's tail, in ULP
PLACES = 1 << 14  # stretches of `self` by the first 14 bits of its float32: 32 to a binade


@dataclass(frozen=True)
class Worst:
    """The worst element so far and where it stands in the order of all, which breaks ties."""

    error: float
    order: tuple[int, ...] = ()
    inputs: tuple[float, ...] = ()
    attributes: str = ""
    actual: float = 0.0
    true: float = 0.0

    def __gt__(self, other: Worst) -> bool:
        if self.error != other.error:
            return self.error > other.error
        return bool(self.order) and (not other.order or self.order < other.order)


NOWHERE = Worst(0.0)


@dataclass
class Tally:
    """Figures of one implementation over some inputs. `digest` adds up hashes of result bits."""

    count: int = 0
    worst: Worst = NOWHERE
    above: NDArray[np.int64] = field(default_factory=lambda: np.zeros(len(THRESHOLDS), np.int64))
    wrong_zeros: int = 0
    wrong_nans: int = 0
    wrong_specials: int = 0  # NaN or infinity where an input is one, and the result should not be
    special: Worst | None = None  # the first of them
    digest: int = 0
    relative: Worst = NOWHERE  # of the slope, before gradient and rounding
    places: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    peaks: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def add(self, other: Tally) -> None:
        self.count += other.count
        self.worst = max(self.worst, other.worst)
        self.relative = max(self.relative, other.relative)
        self.above += other.above
        self.wrong_zeros += other.wrong_zeros
        self.wrong_nans += other.wrong_nans
        self.wrong_specials += other.wrong_specials
        if other.special and (not self.special or other.special.order < self.special.order):
            self.special = other.special
        self.digest = (self.digest + other.digest) % 2**128
        if other.places.size:
            peaks = np.zeros(PLACES)
            peaks[self.places] = self.peaks
            peaks[other.places] = np.maximum(peaks[other.places], other.peaks)
            self.places = np.flatnonzero(peaks).astype(np.uint16)
            self.peaks = peaks[self.places]


def hash_of(bits: NDArray[Any], order: tuple[int, ...]) -> int:
    """A number for result bits at a place; the sum over all places says whether all are equal."""
    found = hashlib.sha256(repr(order).encode())
    found.update(np.ascontiguousarray(bits).data)
    return int.from_bytes(found.digest()[:16], "little")


def place_of(x: NDArray[np.float64]) -> NDArray[np.uint16]:
    """The stretch that each value of `self` lies in."""
    with np.errstate(all="ignore"):
        return np.asarray(x.astype(np.float32).view(np.uint32) >> 18, np.uint16)


def span_of(place: NDArray[np.uint16]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The first and the last value of stretches, by magnitude."""
    first = place.astype(np.uint32) << 18
    return first.view(np.float32), (first | 0x3FFFF).view(np.float32)
