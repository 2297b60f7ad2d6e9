"""Routines on the CPU: one table from a routine's class to the function that makes its runner."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol

from openaclnn.engines.cpu import threads
from openaclnn.plan import WORKSPACE, RoutinePass


class Runner(Protocol):
    """A routine made ready for operands of known views; one that is a kernel is a `KernelRunner`.
    `text` is its kernel's, for people."""

    text: str
    otherwise: Runner | None

    def pack(self, addresses: Sequence[int], workspace: int) -> Any:
        """What `run` needs, given the address of each operand's first element and of the room in
        the workspace."""

    def run(self, packed: Any) -> None:
        """Run once, sharing the work among threads where it is much."""


class KernelRunner:
    """A routine that is one kernel: it takes a block of words, the addresses first, and some of the
    units that threads share."""

    text: str
    address: int  # the kernel's
    units: int
    threaded: bool  # whether threads share them
    places: Sequence[int | None]  # which operand's address each word is, WORKSPACE; None: it is 0
    starts: Sequence[int]  # how many bytes behind that address each begins
    words: Sequence[int]  # behind the addresses
    otherwise: Runner | None = None  # what runs where operands share memory, if that matters

    def block(self, addresses: Sequence[int], workspace: int) -> list[int]:
        """The words that the kernel takes."""
        known = {None: 0, WORKSPACE: workspace}
        pairs = zip(self.places, self.starts, strict=True)
        first = [
            (known[k] if k in known else addresses[k]) + start  # type: ignore[index]
            for k, start in pairs
        ]
        return [*first, *self.words]

    def pack(self, addresses: Sequence[int], workspace: int) -> bytes:
        words = self.block(addresses, workspace)
        return struct.pack(f"{len(words)}q", *words)

    def run(self, packed: bytes) -> None:
        count = min(threads.get_num_threads(), self.units) if self.threaded else 1
        if count > 1:
            threads.sharer()(self.address, packed, self.units, count)
        else:
            threads.KERNEL(self.address)(packed, 0, self.units)


# the module of this folder that has a function of this name, which takes a RoutinePass; it is
# imported when the first plan asks for such a routine
_TABLE: dict[str, str] = {
    "Compact": "compact",
    "Contraction": "contraction",
    "RunningExtremes": "extremes",
    "Scan": "scan",
    "Scatter": "scatter",
    "Sort": "sort",
}


def runner_of(one: RoutinePass) -> Runner:
    """The runner of a pass."""
    name = type(one.routine).__name__
    module = import_module(f"{__name__}.{_TABLE[name]}")
    make: Callable[[RoutinePass], Runner] = module.runner
    return make(one)
