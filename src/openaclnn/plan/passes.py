"""Passes: one body over one loop, on parts of a call's tensors and of its workspace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.lower import Body, lower
from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View
from openaclnn.plan.loop import Loop, nest
from openaclnn.spec.formula import Traced
from openaclnn.spec.steps import POSITIONS

if TYPE_CHECKING:
    from openaclnn.plan.folds import Fold

WORKSPACE = -1
_ALIGNMENT = 64  # bytes, of what lies in the workspace behind something else


@dataclass(frozen=True, slots=True)
class Place:
    """What an operand lies in: a tensor of the call by its number among the used ones, or the
    workspace, so many bytes from its begin; positions lie in no memory."""

    tensor: int
    offset: int = 0

    def address(self, tensors: Sequence[int], workspace: int) -> int:
        """Where it is, given the addresses of the tensors and of the workspace."""
        if self.tensor == POSITIONS:
            return 0
        return workspace + self.offset if self.tensor == WORKSPACE else tensors[self.tensor]


@dataclass(frozen=True, eq=False, slots=True)
class Pass:
    """One body over one loop. Operands are what it reads, then what it writes."""

    body: Body
    loop: Loop
    places: tuple[Place, ...]
    dtypes: tuple[DType, ...]  # of the operands
    views: tuple[View, ...]  # of the operands that lie in tensors
    uniforms: tuple[float, ...] = ()
    formula: Traced | None = None  # what the body computes; None: it copies
    promoted: DType | None = None
    fold: Fold | None = None  # what becomes of the body's terms; None: they are the results
    state: int = 0  # where the workspace has room for a fold's parts

    @property
    def written(self) -> range:
        """The operands that are written."""
        return range(len(self.body.loads), len(self.places))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bytes of an element of every operand."""
        if self.fold is None:
            return self.body.sizes
        return (*self.body.sizes[:-1], *self.fold.finish.sizes[1:])

    @property
    def words(self) -> bytes:
        """The uniforms as they are handed over."""
        return self.body.packed(self.uniforms)

    @property
    def number_words(self) -> list[int]:
        """The same as words, which may be traced."""
        return self.body.words(self.uniforms)

    @property
    def in_order(self) -> bool:
        """Whether the operands are the call's tensors as they come."""
        return all(place.tensor == number for number, place in enumerate(self.places))

    @property
    def in_place(self) -> bool:
        """Whether something is read where it is written, whatever the addresses are."""
        written = self.places[len(self.body.loads) :]
        return any(place in written for place in self.places[: len(self.body.loads)])

    @property
    def empty(self) -> bool:
        """Whether nothing is written."""
        return 0 in self.loop.sizes


class Room:
    """The workspace as it is given out."""

    def __init__(self, size: int = 0) -> None:
        self.size = size

    def take(self, size: int) -> int:
        """Where so many bytes begin."""
        offset = -(-self.size // _ALIGNMENT) * _ALIGNMENT
        self.size = offset + size
        return offset


def pass_over(
    views: Sequence[View],
    traced: Traced,
    promoted: DType,
    compute: str,
    uniforms: tuple[float, ...] = (),
    compute_type: ComputeType | None = None,
) -> Pass:
    """A formula over views of tensors as they come: what it reads, then what it writes."""
    dtypes = tuple(view.dtype for view in views)
    inputs, outs = dtypes[: len(traced.inputs)], dtypes[len(traced.inputs) :]
    return Pass(
        body=lower(traced, inputs, promoted, outs, compute, compute_type),
        loop=nest(views),
        places=tuple(map(Place, range(len(views)))),
        dtypes=dtypes,
        views=tuple(views),
        uniforms=uniforms,
        formula=traced,
        promoted=promoted,
    )
