"""Plan: what phase 1 decides and phase 2 runs: passes over the tensors of a call and its workspace.

A pass runs one body over one loop, or a routine. Most plans have one. Where an output overlaps an
input that is still to be read, `staged` turns a plan into one that computes into the workspace and
copies.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from openaclnn.arithmetic.lower import copying
from openaclnn.base.dtypes import DOUBLE, INT64
from openaclnn.base.overlap import overlapping, sharing, touching
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import Tensor, product_of, view
from openaclnn.plan.loop import back_from_workspace
from openaclnn.plan.passes import WORKSPACE, Pass, Place, Room, pass_over
from openaclnn.plan.routines import RoutinePass, Scratch, routine_pass
from openaclnn.spec.call import Call, Member
from openaclnn.spec.formula import Expr, equal, fold, tensor, trace, where
from openaclnn.spec.op import Op
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import COUNT, POSITIONS, SCRATCH, Limit, Part, Step, integer

if TYPE_CHECKING:
    from openaclnn.plan.folds import Rows


@dataclass(frozen=True, slots=True)
class Extremes:
    """Where the workspace has the largest of a tensor's indices, and -1 less the smallest; and what
    they may be."""

    called: str  # what a report begins with
    offset: int
    low: int
    high: int

    def fault(self, largest: int, smallest: int) -> str | None:
        """What is wrong with the indices, of which these words were found."""
        for value in (largest, -1 - smallest):
            if not self.low <= value <= self.high:
                expected = f"{self.low} to {self.high}" if self.low < self.high else str(self.low)
                return f"{self.called} {value}; expected {expected}"
        return None


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """One call, but for addresses. Plans are shared by all equal calls and compare by identity."""

    op: Op
    passes: tuple[Pass | RoutinePass, ...]
    workspace_size: int = 0
    staged: bool = False  # whether outputs are written when everything is computed
    rows: Rows | None = None  # all passes as one, where the last one writes all of the rows' shape
    whole: Rows | None = None  # the same, whatever they write
    tensors: int | None = None  # that the call uses; None: those of the one pass
    limits: tuple[Extremes, ...] = ()  # of indices that the passes read
    count: int | None = None  # where the workspace has how many elements there are, if data decide

    @property
    def empty(self) -> bool:
        """Whether there is nothing to compute."""
        return all(one.empty for one in self.passes)

    @property
    def formulas(self) -> tuple[Pass, ...]:
        """The passes that run a formula: all, unless there are `routines`."""
        return tuple(one for one in self.passes if isinstance(one, Pass))

    @property
    def routines(self) -> bool:
        """Whether some pass runs a routine."""
        return any(isinstance(one, RoutinePass) for one in self.passes)

    def is_all(self, one: Pass | RoutinePass | Rows) -> bool:
        """Whether the operands of a pass are the call's tensors as they come, all of them."""
        return (
            not isinstance(one, RoutinePass)
            and one.in_order
            and self.tensors in (None, len(one.places))
        )

    @property
    def elementwise(self) -> bool:
        """Whether each element is read before it is written, whatever the order of elements."""
        return len(self.passes) == 1 and is_elementwise(self.passes[0])


def is_elementwise(one: Pass | RoutinePass) -> bool:
    """Whether a pass reads each element before it writes it, whatever the order of elements."""
    return isinstance(one, Pass) and one.fold is None


def make_plan(call: Call, level: str) -> Plan:
    """The plan of a call that passed its checks, for outputs that overlap nothing."""
    room = Room()
    each = [_of_member(member, level, room) for member in call.members]
    passes = tuple(one for member in each for one in member.passes)
    limits = [extremes for member in each for extremes in member.limits]
    whole = each[0].rows if len(each) == 1 and not limits else None
    return Plan(
        call.op,
        passes,
        room.size,
        rows=whole if whole and whole.alike else None,
        whole=whole,
        tensors=len(call.used),
        limits=tuple(limits),
        count=each[0].count if len(each) == 1 else None,
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Planned:
    """The passes of a call that may be part of another one."""

    passes: tuple[Pass | RoutinePass, ...]
    limits: list[Extremes]
    rows: Rows | None  # all passes as one, where they can be
    count: int | None  # as a plan's


def _of_member(member: Member, level: str, room: Room) -> _Planned:
    call, scratch = member.call, Scratch(room)
    passes: tuple[Pass | RoutinePass, ...] = ()
    limits: list[Extremes] = []
    each: list[Rows | None] = []
    for step in call.op.steps(call):
        if step.writes and not any(step.writes):  # nobody wants what it computes
            continue
        for limit in step.limits:
            extremes, checking = _extremes(call, limit, len(limits), scratch)
            limits.append(extremes)
            passes = (*passes, *checking)
        found, together = _passes(call, step, level, scratch)
        passes = (*passes, *found)
        each.append(together)
    rows = each[0] if len(each) == 1 else None
    if member.tensors != tuple(range(len(call.used))):
        passes, rows = tuple(_moved(one, member.tensors) for one in passes), None
    return _Planned(passes, limits, rows, scratch.offsets.get(COUNT))


def _moved(one: Pass | RoutinePass, tensors: Sequence[int]) -> Pass | RoutinePass:
    """A pass whose places count the tensors of the whole call."""
    places = tuple(
        Place(tensors[place.tensor], place.offset) if place.tensor >= 0 else place
        for place in one.places
    )
    return replace(one, places=places)


def extremes(index: Expr) -> tuple[Expr, Expr]:
    """The largest of some integers, and -1 less the smallest, which overflows for none."""
    return fold(index, "max"), fold(-1 - index, "max")


def extremes_but(index: Expr, but: Expr, low: Expr) -> tuple[Expr, Expr]:
    """The same where one of the integers does not count."""
    return extremes(where(equal(index, but), low, index))


_FIRST_OF_LIMITS = 1000  # pieces of scratch memory: steps have those before
_EXTREMES = trace(extremes, {"index": tensor("index")})
_BUT = trace(extremes_but, {name: tensor(name) for name in ("index", "but", "low")})


def _extremes(
    call: Call, limit: Limit, number: int, scratch: Scratch
) -> tuple[Extremes, Sequence[Pass]]:
    """The passes that find the extremes of indices, and where they leave them."""
    from openaclnn.plan.folds import Folded

    words = Part(SCRATCH - _FIRST_OF_LIMITS - number, view(INT64, (2,)))
    offset = scratch.place(words).offset
    called, own = limit.called, limit.part.view
    if not called:
        given = call.used[limit.part.tensor]
        called, own = f"{given.label} has", given.tensor.view
    if not (own.numel and limit.part.view.numel):  # nothing is looked up
        return Extremes(called, offset, -(1 << 63), (1 << 63) - 1), ()
    each = [Part(words.tensor, words.view.seen((), (), k)) for k in range(2)]
    reads, traced = {"index": limit.part}, _EXTREMES
    if limit.but is not None:
        reads |= {"but": integer(limit.but), "low": integer(limit.low)}
        traced = _BUT
    folded = Folded(call, traced, reads, each, INT64, "i64", scratch, {})
    return Extremes(called, offset, limit.low, limit.high), folded.passes()


def _passes(
    call: Call, step: Step, level: str, scratch: Scratch
) -> tuple[Sequence[Pass | RoutinePass], Rows | None]:
    if step.routine is not None:
        return [routine_pass(step, scratch)], None
    op, promoted, attributes = call.op, call.promoted, call.attributes
    assert promoted is not None
    compute = op.computes_in(promoted, level, attributes)
    formula = step.formula or op.formula_of(compute, promoted, attributes)
    present = {name: part is not None for name, part in step.reads.items()}
    wanted = tuple(part is not None for part in step.writes)
    traced = op.traced(formula, present, attributes, wanted)
    reads = {name: _there(step.reads[name]) for name in traced.inputs}
    writes = [part for part in step.writes if part is not None]
    if folds_of(traced):
        from openaclnn.plan.folds import Folded  # which other calls need not wait for

        folded = Folded(call, traced, reads, writes, promoted, compute, scratch, step.axes)
        passes = folded.passes()
        return passes, folded.rows(passes)
    parts = [*reads.values(), *writes]
    numbers = op.numbers(traced.uniforms, attributes, call.numel, promoted)
    counts = all(part.view.dtype.kind == "int" for part in writes)
    if counts and promoted.kind == "float" and compute == "f64":
        promoted = DOUBLE  # of places beside numbers: FLOAT16 has no room for them
    one = pass_over([part.view for part in parts], traced, promoted, compute, numbers)
    return [replace(one, places=tuple(map(scratch.place, parts)))], None


def _there(part: Part | None) -> Part:
    assert part is not None
    return part


_MOST_PAIRS = 4096  # of views that may touch; past it, they do


def needs_staging(plan: Plan, tensors: Sequence[Tensor], made: Container[int] = ()) -> bool:
    """Whether writing an output could change an element that is still to be read. `tensors` are the
    call's used ones; memory of those that are `made` for it is no other one's."""
    written: list[tuple[int, int, int, Tensor]] = []
    read: list[tuple[int, int, int, Tensor]] = []
    for number, one in enumerate(plan.passes):
        loads = one.written.start
        for k, place in enumerate(one.places):
            if made and k < loads and place.tensor not in made:
                continue
            if place.tensor not in (WORKSPACE, POSITIONS):
                found = _tensor(one, k, tensors)
                if found.address and found.view.numel:
                    (read if k < loads else written).append((found.first, found.end, number, found))
    pairs = islice(touching(written, read), _MOST_PAIRS + 1)
    for count, ((_, _, first, output), (_, _, then, source)) in enumerate(pairs):
        if count == _MOST_PAIRS:
            return True
        # within one pass the same view is read as it is written, unless elements are folded
        inputs = [k for k, place in enumerate(plan.passes[then].places) if place.tensor >= 0]
        looks_up = any(plan.passes[then].dtypes[k].element for k in inputs)
        one = plan.passes[first]
        if first == then and isinstance(one, RoutinePass) and one.routine.reads_first:
            continue
        within = first == then and is_elementwise(one) and not looks_up
        if first <= then and (overlapping if within else sharing)(output, source):
            return True
    return False


def _tensor(one: Pass | RoutinePass, operand: int, tensors: Sequence[Tensor]) -> Tensor:
    whole = tensors[one.places[operand].tensor]
    view = one.views[operand]
    if view.dtype.element:  # elements anywhere in the tensor
        return whole
    return whole if whole.view is view else Tensor(view, whole.address, whole.device)


def staged(plan: Plan) -> Plan:
    """The same results by way of the workspace: everything is computed before anything is
    written."""
    passes: list[Pass | RoutinePass] = []
    copies, room = [], Room(plan.workspace_size)
    for one in plan.passes:
        if isinstance(one, RoutinePass):
            for k in one.written:
                if one.places[k].tensor != WORKSPACE:
                    begin = Place(WORKSPACE, room.take(one.views[k].numel * one.dtypes[k].itemsize))
                    copies.append(one.copied_back(k, begin))
                    one = one.into(k, begin)
            passes.append(one)
            continue
        loop, places = one.loop.compact(), list(one.places)
        for k in one.written:
            if one.places[k].tensor == WORKSPACE:
                continue
            size = product_of(loop.sizes) * one.dtypes[k].itemsize
            begin = Place(WORKSPACE, room.take(size))
            copies.append(_copy_back(one, k, begin))
            loop, places[k] = loop.with_contiguous(k), begin
        passes.append(replace(one, loop=loop, places=tuple(places)))
    return replace(
        plan,
        passes=(*passes, *copies),
        workspace_size=room.size,
        staged=True,
        rows=None,
        whole=None,
    )


def _copy_back(one: Pass, operand: int, begin: Place) -> Pass:
    dtype = one.dtypes[operand]
    loop, word = back_from_workspace(one.loop, operand, dtype.itemsize)
    return Pass(
        body=copying(word),
        loop=loop,
        places=(begin, one.places[operand]),
        dtypes=(dtype, dtype),
        views=one.views[operand : operand + 1] * 2,
    )
