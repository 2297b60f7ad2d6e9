"""Choice of the fastest of several kernels by timing the calls themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from time import perf_counter
from typing import Generic, Protocol, TypeVar

# Times as long as the fastest that a way may take to be tried again, after the first round, the
# second and so on; after the last one the fastest is left
_TOLERATED = [2.0, 1.2, 1.0]


class Way(Protocol):
    """What runs a call."""

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> bytes: ...

    def run(self, block: bytes, stream: int | None = None) -> None: ...


W = TypeVar("W", bound=Way)


class _Tried(Generic[W]):
    """A way, which is made when its turn comes, and the least time that it took."""

    def __init__(self, make: Callable[[], W]) -> None:
        self.make, self.least = make, math.inf

    @cached_property
    def way(self) -> W:
        return self.make()

    def run(self, addresses: Sequence[int]) -> None:
        way = self.way
        way.run(way.pack(addresses))

    def time(self, addresses: Sequence[int]) -> None:
        way = self.way
        block = way.pack(addresses)
        start = perf_counter()
        way.run(block)
        self.least = min(self.least, perf_counter() - start)


class Fastest(Generic[W]):
    """Ways in turns, until one is left. The first call does not count, for memory may be new to it;
    who calls once does not wait for the kernels of other ways."""

    def __init__(self, first: W, *others: Callable[[], W]) -> None:
        self.ways = [_Tried(lambda: first), *map(_Tried, others)]
        self.tolerated = _TOLERATED
        self.turns = -1  # of this round

    @property
    def left(self) -> W | None:
        """The fastest one, when it is known."""
        return self.ways[0].way if len(self.ways) == 1 else None

    def run(self, addresses: Sequence[int]) -> None:
        ways, turn = self.ways, self.turns
        if len(ways) == 1 or turn < 0:
            self.turns = max(turn, 0)
            ways[0].run(addresses)
            return
        ways[turn % len(ways)].time(addresses)
        self.turns = turn + 1
        if self.turns >= len(ways):
            self.end_round()

    def end_round(self) -> None:
        """Give up ways that are too slow. Several threads may come here at once: none fails."""
        best = min(self.ways, key=lambda way: way.least)
        tolerated, *later = self.tolerated
        left = [way for way in self.ways if way.least <= tolerated * best.least]
        self.ways, self.tolerated, self.turns = left if later else [best], later or [1.0], 0
