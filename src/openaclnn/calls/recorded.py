"""Recordings of calls: what checks and planner do for one, for C to do again with other sizes,
strides, numbers and addresses (base/trace.py says how).

A call that went well is planned once more on traced numbers. Calls that have everything else in
common share a `Tree`; it ends in the words that a kernel takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openaclnn.base import settings
from openaclnn.base.bounded import Bounded
from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.scalars import Scalar
from openaclnn.base.tensors import Tensor, contiguous_strides
from openaclnn.base.trace import Trace, TracedTensor, TracedView, Tree, Untraceable, same
from openaclnn.check import verdict
from openaclnn.engines import Launched, engine_for
from openaclnn.plan import make_plan, needs_staging
from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64, INT_ARRAY, Real, ScalarValue
from openaclnn.spec.op import Attr, Op

_TREES = 128  # of an operator: beyond it start again
_OFTEN = 256  # leaves, beyond which every fourth call that has none is recorded


def traced_attributes(op: Op) -> list[Attr]:
    """The attributes whose values are inputs of a trace; others are part of what calls have in
    common."""
    numbers = (Real, ScalarValue)
    return [
        a
        for a in op.attributes
        if not a.static and (a.host in (INT64, INT_ARRAY) or isinstance(a.host, numbers))
    ]


def _inputs(value: Any) -> list[int | float] | None:
    """What a trace is given of an attribute; None: it is part of what calls have in common."""
    if type(value) is int:
        return [value]
    if type(value) is float:
        return [value]
    if type(value) is tuple and all(type(item) is int for item in value):
        return [*value]
    if isinstance(value, Scalar) and value.dtype in (FLOAT, DOUBLE):
        return [value.value]  # type: ignore[list-item]
    return None


def _put_back(value: Any, traced: list[Any]) -> Any:
    if isinstance(value, tuple):
        return tuple(traced)
    return Scalar(traced[0], value.dtype) if isinstance(value, Scalar) else traced[0]


class Recordings:
    """The recordings of one operator's calls."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.traced = traced_attributes(op)
        self.trees: Bounded[tuple[Any, ...], Tree] = Bounded(_TREES)

    def key(self, call: Call) -> tuple[Any, ...]:
        """What calls have in common whose recordings are in one tree."""
        tensors = [
            (a.name, *(_facts(one, a in self.op.used) for one in _tensors(call[a.name])))
            for a in self.op.tensors
        ]
        attributes = [
            (a.name, self._common(a, call[a.name])) for a in self.op.attributes
        ]  # fmt: skip
        return settings.choice(), *tensors, *attributes

    def _common(self, attribute: Attr, value: Any) -> Any:
        given = _inputs(value) if attribute in self.traced else None
        if given is None:
            return type(value), repr(value), getattr(value, "dtype", None)
        return type(value), len(given), getattr(value, "dtype", None)

    @plain_arithmetic()
    def record(self, call: Call) -> tuple[Tree, int] | None:
        """Record a call that went well: the tree that it is in now, and how many words that had
        before. None where there is nothing new to tell."""
        key = self.key(call)
        tree = self.trees.get(key)
        values = self.inputs(call)
        if tree is None:
            tree = self.trees[key] = Tree(len(values), len(call.used))
        before = len(tree.words)
        tree.asked += 1
        if tree.leaves > _OFTEN and tree.asked % 4:
            return None  # what is left is rare, and to record it takes as long as ten calls
        trace = Trace(tree, values)
        try:
            found = _launched(self._traced(call, trace))
            added = tree.add(trace, [] if found is None else _results(found))
        except Exception:  # it does something else with numbers; the call itself has gone well
            return None
        return (tree, before) if added else None

    def inputs(self, call: Call) -> list[int | float]:
        """A call's inputs: sizes and strides of every tensor that is used, attributes, and where
        the tensors' first elements are."""
        views = [given.tensor.view for given in call.used]
        found: list[int | float] = []
        for view in views:
            found += (*view.shape, *view.strides)
        for a in self.traced:
            found += _inputs(call[a.name]) or ()
        found += (
            given.tensor.address + given.tensor.view.offset * given.tensor.dtype.itemsize
            for given in call.used
        )
        return found

    def replay(self, call: Call) -> list[int | float] | None:
        """What C would find for a call; None where no recording answers."""
        tree = self.trees.get(self.key(call))
        return None if tree is None else tree.replay(self.inputs(call))

    def _traced(self, call: Call, trace: Trace) -> Call:
        """The same call on the numbers of a trace."""
        inputs = iter(trace.inputs)
        layouts = [
            [[next(inputs) for _ in sizes] for sizes in (view.shape, view.strides)]
            for view in (given.tensor.view for given in call.used)
        ]
        arguments: dict[str, Any] = dict(call.arguments)
        for a in self.traced:
            values = _inputs(call[a.name])
            if values is not None:
                arguments[a.name] = _put_back(call[a.name], [next(inputs) for _ in values])
        tensors: dict[str, list[Tensor]] = {}
        flat = same(
            [stride for _, strides in layouts for stride in strides],
            [stride for shape, _ in layouts for stride in contiguous_strides(shape)],
        )
        for given, (shape, strides) in zip(call.used, layouts, strict=True):
            tensor = given.tensor
            if flat:  # which is most often so, and decides more than a stride could
                strides = [*contiguous_strides(shape)]
            view = TracedView(tensor.dtype, shape, strides, 0, tensor.view.format)
            made = TracedTensor(view, next(inputs), tensor.device, tensor.read_only)
            tensors.setdefault(given.argument.name, []).append(made)
        for name, some in tensors.items():
            arguments[name] = tuple(some) if isinstance(call[name], tuple) else some[0]
        return Call(self.op, arguments, call.product)


def _facts(tensor: Tensor, used: bool) -> tuple[Any, ...]:
    """What calls must have in common of a tensor: of one that is not used, all."""
    view = tensor.view
    rest = len(view.shape) if used else view
    return view.dtype, view.format, tensor.device, tensor.read_only, rest


def _tensors(value: Any) -> Sequence[Tensor]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def _launched(call: Call) -> Launched | None:
    """What a call that passed launches."""
    if verdict(call) is not None:
        raise Untraceable("it is refused")
    plan = make_plan(call, settings.current().level)
    tensors = [given.tensor for given in call.used]
    if needs_staging(plan, tensors):
        return None
    launched: Any = getattr(engine_for(tensors[0].device), "launched", None)
    found: Launched | None = launched(plan, [tensor.address for tensor in tensors])
    return found


def _results(found: Launched) -> list[Any]:
    """As layouts.c reads them: the function; how threads share; the words that it takes."""
    how = found.shared
    sharing = (0,) * 5
    if how is not None:  # in a C program nobody says another number of threads
        sharing = how.of_units, how.units, how.share, how.threads(), how.on_threads or 0
    return [found.function, *sharing, *found.words]
