"""Scans along a dimension, as routines."""

from __future__ import annotations

from openaclnn.base.records import dataclass
from openaclnn.spec.routine import Routine
from openaclnn.spec.steps import Part, Step, flipped


@dataclass(frozen=True)
class Scan(Routine):
    """What all elements along a dimension up to each make together: "add", in an exact sum that is
    rounded once. Reads the elements; writes one for each, in the dtype that it is to have."""

    kind: str
    dim: int

    def pulled_back(self, grad: Part, into: Part) -> Step | None:
        """Each element is in all sums from it on: the same from the other end."""
        if self.kind != "add":
            return None
        ends = (flipped(part, self.dim) if part.view.shape else part for part in (grad, into))
        reads, writes = ends
        return Step({"grad_result": reads}, (writes,), routine=self)
