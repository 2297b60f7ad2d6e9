"""Statistics of measured errors: of fixed size, and independent of the order in which parts are
merged."""

from __future__ import annotations

import hashlib
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.records import dataclass

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
    rounded: bool = False  # whether there were results that may be off by a rounding
    refused: str = ""  # why a call could not be made
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
        self.rounded = self.rounded or other.rounded
        self.refused = min(filter(None, (self.refused, other.refused)), default="")
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


_GOLDEN, _ROUNDS = 0x9E3779B97F4A7C15, ((32, 0xD6E8FEB86659FD93), (29, 0xC2B2AE3D27D4EB4F))


def first_of(part: int, place: int) -> int:
    """What `sum_of` counts places from, in the part of the work with this number."""
    return (part << 48) + place


def sum_of(bits: NDArray[Any], first: int) -> int:
    """As `hash_of`, by sums modulo 2⁶⁴ that a GPU adds up in any order: of words that hold an
    element and its place, scrambled, and of those scrambled again."""
    word = np.arange(bits.size, dtype=np.uint64) + np.uint64(first)
    word *= np.uint64(_GOLDEN)
    word += bits
    return int(_scrambled(word).sum()) + (int(_scrambled(word).sum()) << 64)


def _scrambled(word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    for shift, factor in _ROUNDS:
        word ^= word >> np.uint64(shift)
        word *= np.uint64(factor)
    return word


def _signed(word: int) -> int:
    return word - (word >> 63 << 64)


_ROUND = "".join(
    f"    word ^= (word >> {shift}) & {(1 << (64 - shift)) - 1}\n    word *= {_signed(factor)}\n"
    for shift, factor in _ROUNDS
)
SUMS_IN_TRITON = f"""
@triton.jit
def sums(bits, place):
    word = place * {_signed(_GOLDEN)} + (bits.to(tl.int64) & {2**32 - 1})
{_ROUND}    low = tl.sum(word, 0)
{_ROUND}    return low, tl.sum(word, 0)
"""


def place_of(x: NDArray[np.float64]) -> NDArray[np.uint16]:
    """The stretch that each value of `self` lies in."""
    with np.errstate(all="ignore"):
        return np.asarray(x.astype(np.float32).view(np.uint32) >> 18, np.uint16)


BINADES = range(-8, 9)  # of |self| that pictures show, in eighths
_EIGHTHS = 8 * len(BINADES)


def edges() -> list[float]:
    """Where the stretches of `over_self` begin and end, rising, the two signs one after another."""
    positive = [2.0**b * (1 + k / 8) for b in BINADES for k in range(8)] + [2.0**BINADES.stop]
    return [-edge for edge in reversed(positive)] + positive


def over_self(tally: Tally) -> list[float]:
    """The largest error between every two `edges`; 0 also where nothing was measured."""
    peaks = np.zeros(PLACES)
    peaks[tally.places] = tally.peaks
    first = ((127 + BINADES.start) << 5, (127 + BINADES.stop) << 5)
    positive, negative = (
        peaks[sign + first[0] : sign + first[1]].reshape(_EIGHTHS, 4).max(axis=1)
        for sign in (0, PLACES // 2)
    )
    middle = max(peaks[sign : sign + first[0]].max() for sign in (0, PLACES // 2))
    row = [*negative[::-1].tolist(), middle, *positive.tolist()]
    return [float(f"{min(peak, 1e30):.4g}") for peak in row]
