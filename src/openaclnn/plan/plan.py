"""Plan: what phase 1 decides and phase 2 runs: passes over the tensors of a call and its workspace.

A pass runs one body over one loop. Most plans have one. Where an output overlaps an input that is
still to be read, `staged` turns a plan into one that computes into the workspace and copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from openaclnn.arithmetic.lower import Body, copying, lower
from openaclnn.base.dtypes import DType
from openaclnn.base.overlap import overlapping, sharing
from openaclnn.base.tensors import Tensor, View, product_of
from openaclnn.plan.loop import Loop, back_from_workspace, nest
from openaclnn.spec.call import Call
from openaclnn.spec.formula import Traced
from openaclnn.spec.op import Op
from openaclnn.spec.steps import Part, Step

WORKSPACE = -1
_ALIGNMENT = 64  # bytes, of what lies in the workspace behind something else


@dataclass(frozen=True, slots=True)
class Place:
    """What an operand lies in: a tensor of the call by its number among the used ones, or the
    workspace, so many bytes from its begin."""

    tensor: int
    offset: int = 0

    def address(self, tensors: Sequence[int], workspace: int) -> int:
        """Where it is, given the addresses of the tensors and of the workspace."""
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

    @property
    def written(self) -> range:
        """The operands that are written."""
        return range(len(self.body.loads), len(self.places))

    @property
    def in_order(self) -> bool:
        """Whether the operands are the call's tensors as they come."""
        return all(place.tensor == number for number, place in enumerate(self.places))


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """One call, but for addresses. Plans are shared by all equal calls and compare by identity."""

    op: Op
    passes: tuple[Pass, ...]
    workspace_size: int = 0

    @property
    def empty(self) -> bool:
        """Whether there is nothing to compute."""
        return all(0 in one.loop.sizes for one in self.passes)


def make_plan(call: Call, level: str) -> Plan:
    """The plan of a call that passed its checks, for outputs that overlap nothing."""
    return Plan(call.op, tuple(_pass(call, step, level) for step in call.op.steps(call)))


def _pass(call: Call, step: Step, level: str) -> Pass:
    op, promoted, attributes = call.op, call.promoted, call.attributes
    assert promoted is not None
    compute = op.computes_in(promoted, level, attributes)
    formula = step.formula or op.formula_in(compute)
    present = {name: part is not None for name, part in step.reads.items()}
    wanted = tuple(part is not None for part in step.writes)
    traced = op.traced(formula, present, attributes, wanted)
    parts = [_there(step.reads[name]) for name in traced.inputs]
    parts += [part for part in step.writes if part is not None]
    numbers = op.numbers(traced.uniforms, attributes, call.numel, promoted)
    one = pass_over([part.view for part in parts], traced, promoted, compute, numbers)
    return replace(one, places=tuple(Place(part.tensor) for part in parts))


def pass_over(
    views: Sequence[View],
    traced: Traced,
    promoted: DType,
    compute: str,
    uniforms: tuple[float, ...] = (),
) -> Pass:
    """A formula over views of tensors as they come: what it reads, then what it writes."""
    dtypes = tuple(view.dtype for view in views)
    inputs, outs = dtypes[: len(traced.inputs)], dtypes[len(traced.inputs) :]
    return Pass(
        body=lower(traced, inputs, promoted, outs, compute),
        loop=nest(views),
        places=tuple(map(Place, range(len(views)))),
        dtypes=dtypes,
        views=tuple(views),
        uniforms=uniforms,
        formula=traced,
        promoted=promoted,
    )


def _there(part: Part | None) -> Part:
    assert part is not None
    return part


def needs_staging(plan: Plan, tensors: Sequence[Tensor]) -> bool:
    """Whether writing an output could change an element that is still to be read. `tensors` are the
    call's used ones."""
    return any(
        # within one pass the same view is read as it is written
        (overlapping if earlier is later else sharing)(
            _tensor(earlier, k, tensors), _tensor(later, j, tensors)
        )
        for number, earlier in enumerate(plan.passes)
        for k in earlier.written
        for later in plan.passes[number:]
        for j in range(len(later.body.loads))
    )


def _tensor(one: Pass, operand: int, tensors: Sequence[Tensor]) -> Tensor:
    whole = tensors[one.places[operand].tensor]
    view = one.views[operand]
    return whole if whole.view is view else Tensor(view, whole.address, whole.device)


def staged(plan: Plan) -> Plan:
    """The same results by way of the workspace: everything is computed before anything is
    written."""
    passes, copies, size = [], [], 0
    for one in plan.passes:
        loop, places = one.loop, list(one.places)
        for k in one.written:
            offset, itemsize = -(-size // _ALIGNMENT) * _ALIGNMENT, one.dtypes[k].itemsize
            copies.append(_copy_back(one, k, Place(WORKSPACE, offset)))
            loop, places[k] = loop.with_contiguous(k), Place(WORKSPACE, offset)
            size = offset + product_of(loop.sizes) * itemsize
        passes.append(replace(one, loop=loop, places=tuple(places)))
    return replace(plan, passes=(*passes, *copies), workspace_size=size)


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
