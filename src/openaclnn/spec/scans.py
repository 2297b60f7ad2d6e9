"""Scans along a dimension, as routines."""

from __future__ import annotations

from openaclnn.base.records import dataclass
from openaclnn.spec.routine import Routine
from openaclnn.spec.steps import Part, Step, flipped


@dataclass(frozen=True)
class Scan(Routine):
    """What all elements along a dimension up to each make together: "add", in an exact sum that is
    rounded once, or "mul", one after the other in float64 with an exponent of its own. Reads the
    elements; writes one for each, in the dtype that it is to have; `last`: only what all make."""

    kind: str
    dim: int
    last: bool = False

    def pulled_back(self, grad: Part, into: Part) -> Step | None:
        """Each element is in all sums from it on: the same from the other end."""
        if self.kind != "add" or self.last:
            return None
        ends = (flipped(part, self.dim) if part.view.shape else part for part in (grad, into))
        reads, writes = ends
        return Step({"grad_result": reads}, (writes,), routine=self)


@dataclass(frozen=True)
class RunningExtremes(Routine):
    """The largest or the smallest of all elements along a dimension up to each, and where it
    stands: the last of several, NaN from the first on. Reads the elements; writes both."""

    dim: int
    largest: bool
    moves = True
