"""Routines: what a step asks for that is no formula over elements, such as a scan or a sort.

A routine is a small frozen description. What it reads and writes are parts of any shape and dtype;
each engine has a table from a routine's class to what runs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View

if TYPE_CHECKING:
    from openaclnn.spec.steps import Part, Step


@dataclass(frozen=True)
class Routine:
    """The base of all. Equal ones do the same to parts of equal views, so that what an engine makes
    for one can be kept by it; numbers that often change are better read from a part."""

    reads_first = False  # whether it reads everything before it writes anything

    moves = False  # whether what it writes are elements as they came

    def workspace(self, reads: Sequence[View], writes: Sequence[View]) -> int:
        """Bytes that it needs besides its operands, on any engine."""
        return 0

    def pulled_back(self, grad: Part, into: Part) -> Step | None:
        """The step that writes the gradient of the one part that is read, given that of the one
        that is written; None where there is no such step."""
        return None

    def pulled_back_along(
        self, along: str, reads: Mapping[str, Part | None], grad: Part, into: Part
    ) -> Step | None:
        """The same of one of several parts that are read, by its name; `grad` and `into` lie as
        the parts that the step writes and reads."""
        return self.pulled_back(grad, into) if len(reads) == 1 else None
