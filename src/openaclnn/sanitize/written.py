"""Tracks which bytes of a block were written.

A block begins as a few runs of bytes. One that is written in more pieces than that gets a map, a
bit for each byte. What was written stays written, so a place that was seen whole once is not looked
at again."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

import numpy as np

from openaclnn.base.records import dataclass

_RUNS = 1024  # of a block, and of a place, before there is a map
_SEEN = 1 << 12  # places to remember
_PIECE = 1 << 20  # bytes of a map's place that are looked at together


@dataclass(frozen=True)
class Runs:
    """Runs of bytes: the first byte, how long each is, and dimensions of size and step."""

    start: int
    run: int
    dims: tuple[tuple[int, int], ...] = ()

    @property
    def count(self) -> int:
        return math.prod(size for size, _ in self.dims)

    @property
    def end(self) -> int:
        return self.start + sum((size - 1) * step for size, step in self.dims) + self.run

    def runs(self) -> Iterator[tuple[int, int]]:
        """From and to of each."""
        for steps in itertools.product(*(range(0, n * step, step) for n, step in self.dims)):
            low = self.start + sum(steps)
            yield low, low + self.run


def runs_of(start: int, itemsize: int, dims: Iterator[tuple[int, int]]) -> Runs:
    """The bytes of a view, by sizes and steps in bytes, in as few runs as it has.

    >>> runs_of(100, 4, iter([(3, 8), (2, 4)]))
    Runs(start=100, run=24, dims=())
    >>> runs_of(100, 4, iter([(3, 16), (2, -4)]))
    Runs(start=96, run=8, dims=((3, 16),))
    """
    run, left = itemsize, []
    for size, step in sorted(dims, key=lambda dim: abs(dim[1])):
        start += min(0, (size - 1) * step)
        if abs(step) <= run:
            run += (size - 1) * abs(step)
        else:
            left.append((size, abs(step)))
    return Runs(start, run, tuple(reversed(left)))


class Written:
    """The bytes of a block that were written."""

    def __init__(self, start: int, size: int, whole: bool = False) -> None:
        self._start, self._end = start, start + size
        self._whole = whole
        self._lows: list[int] = []
        self._highs: list[int] = []
        self._bits: np.ndarray | None = None
        self._seen: set[Runs] = set()

    def add(self, where: Runs) -> None:
        """Somebody writes there; what lies beyond the block is nobody's."""
        if self._whole or where in self._seen:
            return
        if where.count > _RUNS:
            self._map()
        if self._bits is not None and where.dims:
            for low, mask in _pieces(where, self._start, self._end):
                self._bits[low : low + len(mask)] |= mask
        else:
            for low, high in where.runs():
                self._add(max(low, self._start), min(high, self._end))
        self._saw(where)

    def first_missing(self, where: Runs) -> int | None:
        """The first address there that nobody wrote."""
        if self._whole or where in self._seen:
            return None
        missing = None
        if self._bits is not None or where.count > _RUNS:
            self._map()
            assert self._bits is not None
            for low, mask in _pieces(where, self._start, self._end):
                left = mask & ~self._bits[low : low + len(mask)]
                if left.any():
                    byte = int(left.nonzero()[0][0])
                    bit = int(np.unpackbits(left[byte : byte + 1], bitorder="little").argmax())
                    missing = self._start + 8 * (low + byte) + bit
                    break
        else:
            for low, high in where.runs():
                missing = self._missing(max(low, self._start), min(high, self._end))
                if missing is not None:
                    break
        if missing is None:
            self._saw(where)
        return missing

    def copy(self, where: Runs, other: Written, source: int) -> None:
        """Somebody copies what begins at an address of another block there."""
        shift = source - where.start
        moved = Runs(source, where.run, where.dims)
        if other.first_missing(moved) is None:
            self.add(where)
        elif other._bits is None and not where.dims:
            for low, high in zip(other._lows, other._highs, strict=True):
                self._add(max(low - shift, where.start), min(high - shift, where.start + where.run))
        else:
            self.add(where)  # what lacks there is not followed further

    def _saw(self, where: Runs) -> None:
        if len(self._seen) == _SEEN:
            self._seen.clear()
        self._seen.add(where)
        one_run = [self._start] == self._lows and [self._end] == self._highs
        if one_run or (not where.dims and where.start <= self._start and where.end >= self._end):
            self._whole, self._bits = True, None

    def _add(self, low: int, high: int) -> None:
        if low >= high:
            return
        if self._bits is not None:
            for at, mask in _pieces(Runs(low, high - low), self._start, self._end):
                self._bits[at : at + len(mask)] |= mask
            return
        first, last = bisect_left(self._highs, low), bisect_right(self._lows, high)
        if first < last:
            low, high = min(low, self._lows[first]), max(high, self._highs[last - 1])
        self._lows[first:last], self._highs[first:last] = [low], [high]
        if len(self._lows) > _RUNS:
            self._map()

    def _missing(self, low: int, high: int) -> int | None:
        if low >= high:
            return None
        at = bisect_right(self._lows, low) - 1
        reached = self._highs[at] if at >= 0 else 0
        return None if reached >= high else max(low, reached)

    def _map(self) -> None:
        """Go on with a map."""
        if self._bits is None:
            runs = list(zip(self._lows, self._highs, strict=True))
            self._bits = np.zeros((self._end - self._start) // 8 + 1, np.uint8)
            for low, high in runs:
                self._add(low, high)
            self._lows, self._highs = [], []


def _pieces(where: Runs, start: int, end: int) -> Iterator[tuple[int, np.ndarray]]:
    """Which bytes a place has, as parts of a map of the bytes from start to end: the first byte of
    the map, and bits."""
    if where.dims and where.dims[0][0] > 1 and where.end - where.start > _PIECE:
        (size, step), *rest = where.dims
        some = max(1, _PIECE // step)
        for first in range(0, size, some):
            count = min(some, size - first)
            dims = ((count, step), *rest) if count > 1 else tuple(rest)
            piece = Runs(where.start + first * step, where.run, dims)
            yield from _pieces(piece, start, end)
        return
    if not where.dims and where.run > _PIECE:
        for low in range(where.start, where.end, _PIECE):
            yield from _pieces(Runs(low, min(_PIECE, where.end - low)), start, end)
        return
    low, high = max(where.start, start), min(where.end, end)
    if low >= high:
        return
    first = (low - start) // 8
    marks = np.zeros(where.end - (start + 8 * first), np.uint8)
    shape = [size for size, _ in where.dims] + [where.run]
    steps = [step for _, step in where.dims] + [1]
    begin = where.start - (start + 8 * first)
    if begin < 0:  # it begins before the block
        return
    np.lib.stride_tricks.as_strided(marks[begin:], shape, steps)[...] = 1
    yield first, np.packbits(marks[: end - (start + 8 * first)], bitorder="little")
