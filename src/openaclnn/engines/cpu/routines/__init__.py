"""Routines on the CPU: one table from a routine's class to the function that makes its runner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol

from openaclnn.plan import RoutinePass


class Runner(Protocol):
    """A routine made ready for operands of known views. `text` is its kernel's, for people."""

    text: str

    def pack(self, addresses: Sequence[int], workspace: int) -> Any:
        """What `run` needs, given the address of each operand's first element and of the room in
        the workspace."""

    def run(self, packed: Any) -> None:
        """Run once, sharing the work among threads where it is much."""


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
