"""Traces of calls with guards: what checks and planner do for one, to be replayed with other sizes,
strides, numbers and addresses (base/trace.py says how).

A call that went well is planned once more on traced numbers. Calls that have everything else in
common share a `Tree`; it ends in the words that kernels take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from openaclnn.base import settings
from openaclnn.base.bounded import Bounded
from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.scalars import Scalar
from openaclnn.base.tensors import Tensor, contiguous_strides
from openaclnn.base.trace import (
    RESULT,
    WORKSPACE,
    Float,
    Trace,
    TracedTensor,
    TracedView,
    Tree,
    Untraceable,
    least,
    same,
)
from openaclnn.check import verdict
from openaclnn.engines import Launched, engine_for
from openaclnn.plan import make_plan, needs_staging
from openaclnn.spec.call import Call
from openaclnn.spec.host import FLOAT32, INT64, INT_ARRAY, Real, ScalarValue
from openaclnn.spec.op import Argument, Attr, Op
from openaclnn.spec.steps import elementwise

_TREES = 128  # of an operator: beyond it start again
_MOST_IN_VAIN = 64  # calls that are not recorded after one that was in vain


def traced_attributes(op: Op) -> list[Attr]:
    """The attributes whose values are inputs of a trace; others are part of what calls have in
    common."""
    moves = op.steps is not elementwise  # which shapes no formula by what is static
    return [
        a
        for a in op.attributes
        if (is_integers(a) and (moves or not a.static)) or (is_number(a) and not a.static)
    ]


def is_integers(attribute: Attr) -> bool:
    """Whether it is an integer, or a list of such."""
    return attribute.host is INT64 or attribute.host is INT_ARRAY


def is_number(attribute: Attr) -> bool:
    """Whether it is a floating-point number, or may be one."""
    return isinstance(attribute.host, (Real, ScalarValue))


def _put_back(attribute: Attr, value: Any, given: Any, traced: list[Any]) -> Any:
    """A traced attribute in the place of its value, which is made of what was `given`."""
    if isinstance(value, tuple):
        return tuple(traced)
    (one,) = traced
    if isinstance(value, Scalar):
        return Scalar(one, value.dtype)
    rounded = attribute.host is FLOAT32 and given is not value and isinstance(one, Float)
    return one.narrowed() if rounded else one


class CallTree(Tree):
    """The recordings of calls that have everything but sizes, strides, numbers and addresses in
    common."""

    shared: tuple[int, Callable[[], int]] | None = None  # how threads share, and how many there are
    on_gpu: int | None = None  # the driver's function that launches kernels
    before: int | None = None  # how many words it had before the latest call; None: as many


Answers = Callable[[CallTree, Sequence[int | float]], bool]
"""Whether a tree answers for these inputs."""


class Recordings:
    """The recordings of one operator's calls."""

    def __init__(self, op: Op, of_arrays: bool = False) -> None:
        """`of_arrays`: attributes are given as Python users write them, and of calls that have a
        tree in common the second one is the first to be recorded."""
        self.op, self.of_arrays = op, of_arrays
        self.traced = traced_attributes(op)
        self.trees: Bounded[tuple[Any, ...], CallTree] = Bounded(_TREES)

    def _inputs(self, attribute: Attr, value: Any) -> list[int | float] | None:
        """What a trace is given of an attribute; None: it is part of what calls have in common."""
        if is_integers(attribute):
            values = value if type(value) in (tuple, list) else (value,)
            return [*values] if all(type(item) is int for item in values) else None
        if type(value) is float:
            return [value]
        known = isinstance(value, Scalar) and value.dtype in (FLOAT, DOUBLE)
        return [value.value] if known and not self.of_arrays else None

    def key(self, call: Call, given: Mapping[str, Any], made: bool) -> tuple[Any, ...]:
        """What calls have in common whose recordings are in one tree."""
        outs = [output.name for output in call.op.outputs] if made else []
        tensors = [
            (
                a.name,
                *(_facts(one, a in self.op.used, a.name in outs) for one in _tensors(call[a.name])),
            )
            for a in self.op.tensors
        ]
        attributes = [
            (a.name, self._common(a, given[a.name], call[a.name])) for a in self.op.attributes
        ]
        return settings.choice(), made, *tensors, *attributes

    def _common(self, attribute: Attr, given: Any, value: Any) -> Any:
        inputs = self._inputs(attribute, given) if attribute in self.traced else None
        if inputs is None:
            return type(value), repr(value), getattr(value, "dtype", None)
        return type(given), type(value), len(inputs), getattr(value, "dtype", None)

    @plain_arithmetic()
    def record(
        self,
        call: Call,
        given: Mapping[str, Any] | None = None,
        made: bool = False,
        answers: Answers | None = None,
    ) -> CallTree:
        """Record a call that went well, where there is something new to tell: the tree that it is
        in now. `given` are the attributes before they were converted; `made`: so will be the output
        of calls like this one. `answers` tells sooner than Python whether there is nothing new."""
        given = call.arguments if given is None else given
        key = self.key(call, given, made)
        values = self.inputs(call, given, made)
        tree = self.trees.get(key)
        if tree is None:
            tree = self.trees[key] = CallTree(len(values), len(call.used) + 1)
            tree.resting = int(self.of_arrays)
        tree.before = None
        if tree.resting:  # what cannot be recorded is not tried each time
            tree.resting -= 1
            return tree
        if tree.leaves and (
            answers(tree, values) if answers else self._replayed(tree, call, values) is not None
        ):
            return tree
        before = len(tree.words)
        trace = Trace(tree, values)
        try:
            if any(not one.tensor.view.numel or not one.tensor.address for one in call.used):
                raise Untraceable("no elements")
            traced = self._traced(call, given, trace, made)
            found = _launched(traced, trace, made)
            if found is None:
                raise Untraceable("what is launched")
            for one in found:
                tree.on_gpu = one.launch
                if one.shared is not None:
                    tree.shared = one.shared.share, one.shared.threads
            added = tree.add(trace, _results(found))
        except Exception:  # it does something else with numbers; the call itself has gone well
            added = False
        finally:
            trace.close()
        tree.in_vain = 0 if added else 2 * tree.in_vain + 1
        tree.resting = min(tree.in_vain, _MOST_IN_VAIN)
        if added:
            tree.before = before
        return tree

    def inputs(self, call: Call, given: Mapping[str, Any], made: bool) -> list[int | float]:
        """A call's inputs: sizes and strides of every tensor that is used, attributes, where the
        tensors' first elements are, and where the workspace is."""
        found: list[int | float] = []
        for one in call.used:
            if not (made and one.argument in self.op.outputs):
                found += (*one.tensor.view.shape, *one.tensor.view.strides)
        for a in self.traced:
            found += self._inputs(a, given[a.name]) or ()
        found += (
            one.tensor.address + one.tensor.view.offset * one.tensor.dtype.itemsize
            for one in call.used
        )
        return [*found, 0]

    def replay(self, call: Call, made: bool = False) -> list[int | float] | None:
        """What C would find for a call; None where no recording answers."""
        tree = self.trees.get(self.key(call, call.arguments, made))
        if tree is None:
            return None
        return self._replayed(tree, call, self.inputs(call, call.arguments, made))

    def _replayed(
        self, tree: CallTree, call: Call, inputs: Sequence[int | float]
    ) -> list[int | float] | None:
        places = [n for n, one in enumerate(call.used) if one.argument in self.op.outputs]

        def make(what: int, numbers: list[int]) -> tuple[int, int]:
            behind = 0 if what == WORKSPACE else len(call.used) - places[what - RESULT]
            number = len(inputs) - 1 - behind
            return number, inputs[number]  # type: ignore[return-value]

        return tree.replay(inputs, make)

    def _traced(self, call: Call, given: Mapping[str, Any], trace: Trace, made: bool) -> Call:
        """The same call on the numbers of a trace."""
        inputs = iter(trace.inputs)
        outs = call.op.outputs if made else ()
        there = [one for one in call.used if one.argument not in outs]
        layouts = [
            [[next(inputs) for _ in sizes] for sizes in (view.shape, view.strides)]
            for view in (one.tensor.view for one in there)
        ]
        for sizes, _ in layouts:  # whoever reads a call leaves one without elements to Python
            trace.tree.positive.update(size.slot for size in sizes)
        arguments: dict[str, Any] = dict(call.arguments)
        for a in self.traced:
            values = self._inputs(a, given[a.name])
            if values is not None:
                numbers = [next(inputs) for _ in values]
                arguments[a.name] = _put_back(a, call[a.name], given[a.name], numbers)
        flat = same(
            [stride for _, strides in layouts for stride in strides],
            [stride for shape, _ in layouts for stride in contiguous_strides(shape)],
        )
        trace.flat = flat
        steps = [stride for _, strides in layouts for stride in strides]
        if steps and not flat and reduce(least, steps) >= 0:
            trace.natural.update(stride.slot for stride in steps)
        tensors: dict[str, list[Tensor]] = {}
        late: list[tuple[Argument, Tensor, Any]] = []
        its = dict(zip(map(id, there), layouts, strict=True))
        for one in call.used:
            tensor, address = one.tensor, next(inputs)
            if one.argument in outs:
                late.append((one.argument, tensor, address))
                continue
            shape, strides = its[id(one)]
            if flat:  # which is most often so, and decides more than a stride could
                strides = [*contiguous_strides(shape)]
            view = TracedView(tensor.dtype, shape, strides, 0, tensor.view.format)
            found = TracedTensor(view, address, tensor.device, tensor.read_only)
            tensors.setdefault(one.argument.name, []).append(found)
        for name, some in tensors.items():
            arguments[name] = tuple(some) if isinstance(call[name], tuple) else some[0]
        if late:
            absent = {output.name: None for output in outs}
            results = Call(self.op, {**arguments, **absent}, call.product).results
            for number, ((out, tensor, address), result) in enumerate(
                zip(late, results, strict=True)
            ):
                trace.make(RESULT + number, result.shape)
                strides = [*contiguous_strides(result.shape)]
                view = TracedView(tensor.dtype, result.shape, strides, 0, tensor.view.format)
                arguments[out.name] = TracedTensor(view, address, tensor.device)
        return Call(self.op, arguments, call.product)


def _facts(tensor: Tensor, used: bool, made: bool) -> tuple[Any, ...]:
    """What calls must have in common of a tensor: of one that is not used, all."""
    view = tensor.view
    rest = None if made else len(view.shape) if used else view
    return view.dtype, view.format, tensor.device, tensor.read_only, rest


def _tensors(value: Any) -> Sequence[Tensor]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def _launched(call: Call, trace: Trace | None = None, made: bool = False) -> list[Launched] | None:
    """What a call that passed launches, if its outputs are `made` or not."""
    if verdict(call) is not None:
        raise Untraceable("it is refused")
    plan = make_plan(call, settings.current().level)
    tensors = [one.tensor for one in call.used]
    outs = [k for k, one in enumerate(call.used) if made and one.argument in call.op.outputs]
    if needs_staging(plan, tensors, outs):
        return None
    engine: Any = engine_for(tensors[0].device)
    if not hasattr(engine, "launched"):
        return None
    size, workspace = engine.workspace_size(plan), 0
    if size and trace is not None:
        trace.make(WORKSPACE, [size])
        workspace = trace.inputs[-1]
    found: list[Launched] | None = engine.launched(
        plan, [tensor.address for tensor in tensors], workspace
    )
    return found


def _results(launches: Sequence[Launched]) -> list[Any]:
    """As launch.h reads them: of each launch the function, how many words it takes, how threads
    share them or a GPU's programs do, and the words."""
    found: list[Any] = []
    for one in launches:
        how = one.shared
        sharing: tuple[Any, ...] = (*one.shape, one.holding, 0, 0)
        if how is not None:
            threads = how.of_units, how.units, how.on_threads or 0
            sharing = *threads, one.holding, how.share, how.threads()
        found += (one.function, len(one.words), *sharing, *one.words)
    return found
