"""Forms of calls: what calls that differ in sizes, strides and numbers only have in common.

Programs whose lengths change meet a new layout in every call. What the first call of a form has
found out (that its dtypes pass, what is computed, by which kernels) holds for the others: of those
it remains to look at shapes and numbers, and to lay the loop. What is not certain here takes the
normal road.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from openaclnn.base import settings
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.tensors import Tensor, View
from openaclnn.calls.executor import Ready, ready_for
from openaclnn.check import Again, asked_again
from openaclnn.plan import Pass, Plan
from openaclnn.plan.loop import Loop, nest_over, spread
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op
from openaclnn.spec.steps import elementwise

KEPT_AT_MOST = 256  # forms of an operator: beyond it start again

Shape = tuple[int, ...]

Near = tuple[int, int, bool]
"""An operand touches the output's bytes if it begins more than the first and less than the second
number of bytes behind it; which does not matter if it begins where the output does and the third
holds: they are the same elements, each read before it is written."""
_FAR = (0, 0, False)


class Form:
    """Learnt from a call that went well; `tensors` are its used ones, `attributes` by name."""

    def __init__(
        self,
        op: Op,
        again: Again,
        ready: Ready,
        tensors: Sequence[Tensor],
        attributes: Mapping[str, Any],
    ) -> None:
        self.op, self.again, self.device, self.engine = op, again, tensors[0].device, ready.engine
        self.one = one = ready.plan.formulas[0]
        self.operands = [place.tensor for place in one.places]
        self.itemsizes = [tensor.dtype.itemsize for tensor in tensors]
        self.reads = [k for k, a in enumerate(op.used) if a in op.reads]
        self.output = op.used.index(op.outputs[0])
        self.apart = (_FAR,) * len(op.used)
        self.names = () if one.formula is None else one.formula.uniforms
        # the attributes decide about numbers, which of most operators do not depend on sizes
        self.sized = bool(self.names) and op.derives
        chosen = settings.current()
        self.level, self.product = chosen.level, chosen.product
        alike = [Tensor(tensor.view, 0, tensor.device) for tensor in tensors]
        self.tensors = dict(zip((a.name for a in op.used), alike, strict=True))
        self.attributes = attributes
        self.call = self.of(attributes)
        self.compute = self.computed_in(self.call)

    def of(self, attributes: Mapping[str, Any]) -> Call:
        """The first call with these attributes."""
        return Call(self.op, {**self.tensors, **attributes}, self.product)

    def with_attributes(self, attributes: Mapping[str, Any]) -> Form | None:
        """The same of calls with other attributes; None where these may not pass, or are computed
        otherwise."""
        numbers = self.numbers(attributes, self.tensors[self.op.outputs[0].name].view.numel)
        if numbers is None:
            return None
        found = copy(self)
        found.attributes, found.call = attributes, self.of(attributes)
        found.one = replace(self.one, uniforms=numbers)
        return found

    def computed_in(self, call: Call) -> tuple[str, object]:
        """The type, and the formula."""
        promoted = self.one.promoted
        assert promoted is not None
        compute = self.op.computes_in(promoted, self.level, call.attributes)
        return compute, self.op.formula_of(compute, promoted, call.attributes)

    def numbers(self, attributes: Mapping[str, Any] | None, numel: int) -> tuple[float, ...] | None:
        """The formula's numbers; attributes are None where they are the first call's. None where
        these may not pass, or are computed otherwise."""
        if attributes is None and not self.sized:
            return self.one.uniforms
        return self._numbers(attributes, numel)

    @plain_arithmetic()
    def _numbers(
        self, attributes: Mapping[str, Any] | None, numel: int
    ) -> tuple[float, ...] | None:
        call, promoted = self.call, self.one.promoted
        assert promoted is not None
        if attributes is not None:
            call = self.of(attributes)
            if not self.again.allows(call) or self.computed_in(call) != self.compute:
                return None
        return self.op.numbers(self.names, call.attributes, numel, promoted)

    def shape(self, shapes: Sequence[Shape]) -> Shape | None:
        """The output's shape, where that and all others are given; None where it may be wrong."""
        return self.again.shape([shapes[k] for k in self.reads], [shapes[self.output]])

    def flat(self, numel: int) -> Loop:
        """The loop over tensors whose elements follow each other."""
        count = len(self.operands)
        return Loop((numel,), ((1,),) * count, (0,) * count)

    def loop(
        self,
        shape: Shape,
        shapes: Sequence[Shape],
        strides: Sequence[Shape],
        starts: Sequence[int],
    ) -> Loop | None:
        """The loop over used tensors of these shapes; None where an output may have two indices for
        one element."""
        along = [spread(shape, shapes[k], strides[k]) for k in self.operands]
        loop = nest_over(shape, along, [starts[k] for k in self.operands])
        reach = 0
        for size, stride in zip(reversed(loop.sizes), reversed(loop.strides[-1]), strict=True):
            if stride <= reach:
                return None
            reach += stride * (size - 1)
        return loop

    def near(self, loop: Loop) -> tuple[Near, ...]:
        """How near the output the used tensors may not begin."""
        spans = []
        for k, size in enumerate(self.itemsizes):
            operand = self.operands.index(k)
            low = high = loop.starts[operand]
            for count, stride in zip(loop.sizes, loop.strides[operand], strict=True):
                if stride < 0:
                    low += (count - 1) * stride
                else:
                    high += (count - 1) * stride
            spans.append((low * size, (high + 1) * size))
        first, end = spans[self.output]
        dtype, strides = self.one.dtypes[-1], loop.strides[-1]
        alike = [
            self.one.dtypes[operand] is dtype
            and loop.strides[operand] == strides
            and loop.starts[operand] == loop.starts[-1]
            for operand in map(self.operands.index, range(len(spans)))
        ]
        return tuple(
            [(first - e, end - f, same) for (f, e), same in zip(spans, alike, strict=True)]
        )

    def plan(self, loop: Loop, numbers: tuple[float, ...], views: Sequence[View] = ()) -> Plan:
        """Of a call of this form."""
        one, views = self.one, tuple(views)
        passed = Pass(
            one.body, loop, one.places, one.dtypes, views, numbers, one.formula, one.promoted
        )
        return Plan(self.op, (passed,))

    def over(self, loop: Loop, numbers: tuple[float, ...], views: Sequence[View] = ()) -> Ready:
        """A call of this form."""
        return ready_for(self.plan(loop, numbers, views), self.device)


def form_of(
    op: Op, ready: Ready, tensors: Sequence[Tensor], attributes: Mapping[str, Any]
) -> Form | None:
    """The form of a call that went well, or None where each of its layouts is a case of its own."""
    plan = ready.plan
    if plan.staged or not plan.elementwise or op.steps is not elementwise or plan.empty:
        return None
    tensors_only = all(place.tensor >= 0 for place in plan.formulas[0].places)
    if not tensors_only or len(op.outputs) != 1 or len(tensors) != len(op.used):
        return None
    again = asked_again(op, settings.current().product)
    return None if again is None else Form(op, again, ready, tensors, attributes)
