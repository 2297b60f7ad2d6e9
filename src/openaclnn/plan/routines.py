"""Passes that run a routine: operands of any shapes, and room in the workspace."""

from __future__ import annotations

from dataclasses import replace

from openaclnn.arithmetic.lower import copying
from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View, view
from openaclnn.plan.loop import nest
from openaclnn.plan.passes import WORKSPACE, Pass, Place, Room
from openaclnn.spec.routine import Routine
from openaclnn.spec.steps import SCRATCH, Part, Step


@dataclass(frozen=True, eq=False, slots=True)
class RoutinePass:
    """One routine on operands: what it reads, then what it writes. `state` is where the
    workspace has the bytes that the routine needs besides."""

    routine: Routine
    places: tuple[Place, ...]
    views: tuple[View, ...]
    inputs: int
    state: int = 0

    @property
    def dtypes(self) -> tuple[DType, ...]:
        return tuple(view.dtype for view in self.views)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bytes of an element of every operand."""
        return tuple(view.dtype.itemsize for view in self.views)

    @property
    def words(self) -> bytes:
        """Numbers of formulas, of which there are none."""
        return b""

    @property
    def written(self) -> range:
        """The operands that are written."""
        return range(self.inputs, len(self.places))

    @property
    def empty(self) -> bool:
        """Whether nothing is written."""
        return not any(self.views[k].numel for k in self.written)

    @property
    def starts(self) -> tuple[int, ...]:
        """How many bytes after its place each operand's first element is."""
        return tuple(view.offset * view.dtype.bits // 8 for view in self.views)

    def into(self, operand: int, place: Place) -> RoutinePass:
        """The same with an operand that is contiguous in another place."""
        places, views = list(self.places), list(self.views)
        own = views[operand]
        places[operand], views[operand] = place, view(own.dtype, own.shape)
        return replace(self, places=tuple(places), views=tuple(views))

    def copied_back(self, operand: int, place: Place) -> Pass:
        """What copies an operand from there to where it belongs."""
        own = self.views[operand]
        views = (view(own.dtype, own.shape), own)
        return Pass(
            body=copying(own.dtype.itemsize),
            loop=nest(views),
            places=(place, self.places[operand]),
            dtypes=(own.dtype,) * 2,
            views=views,
        )


class Scratch:
    """Where the pieces of scratch memory of a call lie in its workspace."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.offsets: dict[int, int] = {}

    def place(self, part: Part) -> Place:
        """Where a part lies."""
        if part.tensor > SCRATCH:
            return Place(part.tensor)
        if part.tensor not in self.offsets:
            own = part.view
            self.offsets[part.tensor] = self.room.take(own.storage_numel * own.dtype.itemsize)
        return Place(WORKSPACE, self.offsets[part.tensor])


def routine_pass(step: Step, scratch: Scratch) -> RoutinePass:
    """The pass of a step that asks for a routine."""
    assert step.routine is not None
    reads = [part for part in step.reads.values() if part is not None]
    writes = [part for part in step.writes if part is not None]
    parts = (*reads, *writes)
    size = step.routine.workspace([p.view for p in reads], [p.view for p in writes])
    return RoutinePass(
        routine=step.routine,
        places=tuple(map(scratch.place, parts)),
        views=tuple(part.view for part in parts),
        inputs=len(reads),
        state=scratch.room.take(size) if size else 0,
    )
