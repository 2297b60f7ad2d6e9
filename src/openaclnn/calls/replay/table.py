"""The call cache, keyed by everything but addresses: what was learnt from one call on arrays of
NumPy or PyTorch serves all like it.

Two calls are alike when the settings, the attributes and the arrays' types, dtypes, shapes, strides
and devices are: then the checks pass again and the same launcher runs, and only addresses are to be
read. What is unusual (other kinds of arrays, an output that may overlap an input) takes the normal
road.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from operator import add
from typing import Any

import numpy as np

from openaclnn.base.bounded import Bounded
from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import Scalar
from openaclnn.calls import keys
from openaclnn.calls.array_readers import Kind, kind_of
from openaclnn.calls.executor import Executor
from openaclnn.calls.replay import native
from openaclnn.calls.replay.native import Library, NativeTable, NativeVariants
from openaclnn.calls.replay.recordings import Recordings
from openaclnn.engines import Launcher
from openaclnn.spec.op import Argument, In, InOut, Op

_KNOWN_AT_MOST = 1024  # calls of one operator on one kind of arrays
_ANYWHERE = 1 << 12  # an address
_KEPT_WORKSPACE = 1 << 20  # bytes: a larger workspace is not kept from call to call

Near = tuple[int, int, bool]
"""An operand touches the output's bytes if it begins more than the first and less than the second
number of bytes behind it; which does not matter if it begins where the output does and the third
holds: they are the same elements, each read before it is written."""

_VALUES = {bool, int, float, str, type(None), Scalar, DType}


@dataclass(eq=False, slots=True)
class _Recipe:
    """How to make a call; an operand is a tensor that is read or written, in C order."""

    make: Callable[[Any], Any]  # an output, or a tuple of them, from the first input
    launcher: Launcher | None  # None where there is nothing to compute
    shifts: tuple[int, ...] | None  # from first elements to storages, in bytes
    near: tuple[Near, ...]  # one for each operand
    stream: Callable[[], int] | None
    workspace: int  # bytes
    allocate: Callable[[int | None], tuple[int, object]] | None  # it, where one is needed
    recording: Callable[[], bool] | None  # whether what is done is a graph's, with its workspace
    values: bool  # whether a call is told apart by its attributes' bits: the compiled one can
    # the operands' addresses at the latest call, and what was launched: a loop's are the same again
    latest: tuple[tuple[int, ...], object] = ((), None)
    spare: list[_Spare] = field(default_factory=list)  # what nobody uses: taking one is atomic

    def pack(self, addresses: tuple[int, ...], workspace: int = 0) -> object:
        """What the launcher needs for operands whose first elements are there."""
        assert self.launcher is not None
        if self.shifts is not None:
            addresses = tuple(map(add, addresses, self.shifts))
        return self.launcher.pack(addresses, workspace)

    def run_in_workspace(self, addresses: tuple[int, ...], stream: int | None) -> None:
        """Launch with a workspace that no other thread or stream has."""
        assert self.launcher is not None
        assert self.allocate is not None
        recorded = self.recording is not None and self.recording()
        try:
            found = None if recorded else self.spare.pop()
        except IndexError:
            found = None
        if found is None or found.stream != stream or found.keep is None:
            workspace, keep = self.allocate(stream)
            if found is None or found.workspace != workspace:
                found = _Spare(stream, workspace)
            found.keep = keep
        if found.addresses != addresses:
            found.addresses, found.packed = addresses, self.pack(addresses, found.workspace)
        self.launcher.launch(found.packed, stream)
        if self.workspace > _KEPT_WORKSPACE:
            found.keep = None
        if not recorded:
            self.spare[:] = (found,)


@dataclass(eq=False, slots=True)
class _Spare:
    """A workspace, the stream that it belongs to, and what was launched with it last."""

    stream: int | None
    workspace: int
    keep: object = None  # None: it was freed, and mostly the next one begins there, too
    addresses: tuple[int, ...] = ()
    packed: object = None


class _Way:
    """The call cache of one operator for one kind of arrays."""

    def __init__(self, op: Op, kind: Kind) -> None:
        self.kind = kind
        self.key = keys.of_arrays(op, kind)
        self.addresses = keys.of_operands(op, kind, kind.address)
        self.recipes: Bounded[tuple[Any, ...], _Recipe] = Bounded(_KNOWN_AT_MOST)


class CallTable:
    """What one operator has learnt. Operators with optional tensors always take the full path, and
    so do those with several outputs where these are given."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.ways: dict[type, _Way] = {}
        takes = [a for a in op.arguments if isinstance(a, (In, InOut))]
        self.count = len(takes)
        self.several = len(op.outputs) > 1
        usual = not any(output.many for output in op.outputs) and bool(takes)
        usual &= not (self.several and op.in_place)
        self.possible = usual and not any(a.optional or a.many for a in takes)
        self.used = _picker([a in op.used for a in takes])
        self.changed = [isinstance(a, InOut) for a in takes].index(True) if op.in_place else None
        self.output = op.used.index(op.outputs[0])  # among the operands
        self._recordings: Recordings | None = None
        self.native: NativeTable | None = None
        self.enter: Callable[..., Any]  # the compiled one, which asks this one; or `take`
        native.whenever(self._use)

    def _use(self, library: Library | None) -> None:
        """Take the compiled call cache from now on, or no longer; it learns like any other."""
        fits = self.possible and native.possible(self.op)
        self.native = NativeTable(library, self.op) if library is not None and fits else None
        self.enter = self.take if self.native is None else self.native.entrance(self.take)

    def take(self, *arguments: Any) -> Any:
        """The result, or None where the call is not like an earlier one. Arguments are tensors,
        attributes, and the output, if one is given."""
        way = self.ways.get(type(arguments[0])) if self.count else None
        if way is None:
            return None
        out = arguments[-1]
        made = out is None
        if self.several and not made:
            return None
        try:
            key = way.key(*arguments)
            recipe = way.recipes.get(key)
            if recipe is None:
                return None
            if self.changed is not None:
                out, made = arguments[self.changed], False
                addresses = way.addresses(*self.used(arguments[: self.count]))
            else:
                if made:
                    out = recipe.make(arguments[0])
                outs = out if self.several else (out,)
                addresses = way.addresses(*self.used(arguments[: self.count]), *outs)
        except Exception:  # what cannot be read, hashed or compared: the full path will say why
            return None
        if recipe.launcher is None:
            return out
        latest, packed = recipe.latest
        if addresses != latest:
            if 0 in addresses or (
                not made and _may_overlap(addresses, recipe.near, addresses[self.output])
            ):
                return None
            if recipe.allocate is None:
                packed = recipe.pack(addresses)
            recipe.latest = addresses, packed  # at once: another thread may read it
        stream = None if recipe.stream is None else recipe.stream()
        if recipe.allocate is None:
            recipe.launcher.launch(packed, stream)
        else:
            recipe.run_in_workspace(addresses, stream)
        if not made and way.kind.written is not None:
            way.kind.written(out)
        if native.pending:
            native.poll()
        if self.native is not None and recipe.values:
            self._teach(self.native, recipe, addresses, arguments, out)
        return out

    def _teach(
        self,
        taught: NativeTable,
        recipe: _Recipe,
        addresses: tuple[int, ...],
        arguments: tuple[Any, ...],
        result: Any,
    ) -> None:
        """Let the compiled table know a call that only this one knew, if it can."""
        launcher = recipe.launcher
        assert launcher is not None
        compiled = launcher.compiled(recipe.pack(addresses, _ANYWHERE))
        if compiled is not None and not compiled.limits:
            workspace = _ANYWHERE, recipe.workspace
            near, stream = recipe.near, recipe.stream
            taught.learn(arguments, result, compiled, addresses, near, stream, workspace)
        elif not launcher.trying:
            recipe.values = False  # it never will be

    def learn(
        self, arguments: tuple[Any, ...], results: tuple[Any, ...], executor: Executor
    ) -> None:
        """Remember a call that went well, if others like it can take the call cache."""
        tensors, attributes = arguments[: self.count], arguments[self.count : -1]
        if not self.possible or not all(map(_is_value, attributes)):
            return
        if self.several and arguments[-1] is not None:
            return
        ready = executor.ready
        if ready.plan.staged:
            return
        kind = kind_of(results[0])
        given = [array for array in (*tensors, *results) if array is not None]
        if kind is None or any(kind_of(array) is not kind for array in given):
            return
        way = self.ways.get(type(results[0]))
        if way is None:
            way = self.ways[type(results[0])] = _Way(self.op, kind)
        self.ways.setdefault(type(tensors[0]), way)  # a parameter
        outputs = () if self.changed is not None else results
        addresses = way.addresses(*self.used(tensors), *outputs)
        stream = kind.stream(tensors[0])
        makers = [kind.maker(tensors[0], one.shape, kind.like(one)) for one in results]
        values = all(map(is_told_apart, attributes))
        recipe = way.recipes[way.key(*arguments)] = _Recipe(
            make=_together(makers) if self.several else makers[0],
            launcher=ready.launcher,
            shifts=_shifts(executor, addresses),
            near=_near(executor, addresses, self.output),
            stream=stream,
            workspace=ready.workspace_size,
            allocate=ready.allocate if ready.workspace_size else None,
            recording=getattr(ready.engine, "recording", None),
            values=values,
        )
        native.want()
        if native.pending:
            native.poll()
        if self.native is None or not values or ready.launcher is None:
            return
        result = results if self.several else results[0]
        self._teach(self.native, recipe, addresses, arguments, result)
        made = arguments[-1] is None and self.changed is None
        pairs = zip(self.op.attributes, attributes, strict=True)
        call = executor.call()
        found = self.recordings(call.op).record(
            call, {a.name: value for a, value in pairs}, made, self.native.library.answers
        )
        if found.leaves:
            sizes = [one.tensor.dtype.itemsize if kind.in_bytes else 1 for one in call.used]
            self.native.learn_tree(arguments, result, found, sizes, stream)

    def recordings(self, op: Op) -> Recordings:
        """Those of the operator as it is called."""
        if self._recordings is None:
            self._recordings = Recordings(op, of_arrays=True)
        return self._recordings


_LONGEST = 16  # list of tensors that takes it


class VariedCallTable:
    """The call cache of an operator that takes a list of tensors, or tensors that may be None: for
    every length, or those that are given, one, to which they are arguments of their own."""

    def __init__(self, op: Op, place: int | None) -> None:
        self.op, self.place = op, place  # of the list among the tensors, if there is one
        self.count = len([a for a in op.arguments if isinstance(a, (In, InOut))])
        self.variants: dict[int, CallTable] = {}
        self.native: NativeVariants | None = None
        native.whenever(self._use)

    def _use(self, library: Library | None) -> None:
        self.native = None if library is None else NativeVariants(library, self.op, self.place)

    def _use_for(self, variant: int) -> None:
        known = self.variants[variant]
        if self.native is not None and known.native is not None:
            self.native.use_for(variant, known.native)

    def take(self, *arguments: Any) -> Any:
        known = self.variants.get(self._variant(arguments))
        return None if known is None else known.enter(*self._flat(arguments))

    def learn(
        self, arguments: tuple[Any, ...], results: tuple[Any, ...], executor: Executor
    ) -> None:
        variant = self._variant(arguments)
        if variant < 1 or (self.place is not None and variant > _LONGEST):
            return
        known = self.variants.get(variant)
        if known is None:
            known = self.variants[variant] = CallTable(self._of(variant))
            native.whenever(lambda _: self._use_for(variant))
        known.learn(self._flat(arguments), results, executor)

    def _variant(self, arguments: tuple[Any, ...]) -> int:
        """The list's length, or a bit for each tensor that is given; -1: neither."""
        if self.place is None:
            return sum(1 << k for k, one in enumerate(arguments[: self.count]) if one is not None)
        given = arguments[self.place]
        return len(given) if type(given) is tuple or type(given) is list else -1

    def _flat(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.place is None:
            given = [one for one in arguments[: self.count] if one is not None]
            return (*given, *arguments[self.count :])
        return (
            *arguments[: self.place],
            *arguments[self.place],
            *arguments[self.place + 1 :],
        )

    def _of(self, variant: int) -> Op:
        """The operator with so many tensors in the list's place, or those that are given."""
        found: list[Argument] = []
        place = -1  # among the tensors
        for a in self.op.arguments:
            place += isinstance(a, (In, InOut))
            if a.many:
                found += [replace(a, name=f"{a.name}_{k}", many=False) for k in range(variant)]
            elif isinstance(a, In) and a.optional:
                found += [replace(a, optional=False)] if variant >> place & 1 else []
            else:
                found.append(a)
        return replace(self.op, arguments=tuple(found))


def call_table_of(op: Op) -> CallTable | VariedCallTable:
    takes = [a for a in op.arguments if isinstance(a, (In, InOut))]
    lists = [place for place, a in enumerate(takes) if a.many]
    if any(output.many for output in op.outputs):
        return CallTable(op)
    optional = any(isinstance(a, In) and a.optional for a in takes)
    if len(lists) == 1 and not optional:
        return VariedCallTable(op, lists[0])
    return VariedCallTable(op, None) if optional and not lists else CallTable(op)


def _picker(wanted: Sequence[bool]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Takes the wanted items out of a sequence."""
    if all(wanted):
        return lambda items: items
    positions = [position for position, wants in enumerate(wanted) if wants]
    return lambda items: [items[position] for position in positions]


def _together(makers: Sequence[Callable[[Any], Any]]) -> Callable[[Any], tuple[Any, ...]]:
    """Makes every result."""
    return lambda first: tuple([make(first) for make in makers])


def _is_value(attribute: Any) -> bool:
    """Whether this says all by being equal: an array of one element may change."""
    if type(attribute) is tuple:
        return all(map(_is_value, attribute))
    return is_told_apart(attribute) or isinstance(attribute, (np.number, np.bool_))


def is_told_apart(attribute: Any) -> bool:
    """Whether the compiled call cache knows it again: by its bits, or as the same object."""
    if type(attribute) is tuple:
        return all(map(is_told_apart, attribute))
    return type(attribute) in _VALUES or _is_dtype(attribute)


def _is_dtype(attribute: Any) -> bool:
    """Whether this is one of NumPy's or PyTorch's, which never change."""
    torch = sys.modules.get("torch")
    of_torch = torch is not None and type(attribute) is torch.dtype
    return of_torch or isinstance(attribute, (type, np.dtype))


def _shifts(executor: Executor, addresses: Sequence[int]) -> tuple[int, ...] | None:
    pairs = zip(executor.used(), addresses, strict=True)
    shifts = tuple(tensor.address - address for tensor, address in pairs)
    return shifts if any(shifts) else None


def _near(executor: Executor, addresses: Sequence[int], output: int) -> tuple[Near, ...]:
    # bytes that the operands cover, counted from their first elements
    spans = [
        (tensor.first - address, tensor.end - address)
        for tensor, address in zip(executor.used(), addresses, strict=True)
    ]
    views = [tensor.view for tensor in executor.used()]
    first, end = spans[output]
    elementwise = executor.ready.plan.elementwise  # then an element is read before it is written
    return tuple(
        (
            first - span[1],
            end - span[0],
            number == output or (elementwise and view is views[output]),
        )
        for number, (span, view) in enumerate(zip(spans, views, strict=True))
    )


def _may_overlap(addresses: Sequence[int], near: Sequence[Near], out: int) -> bool:
    """Whether the output touches another operand's bytes, unless both are the same elements."""
    for address, (above, below, same_elements) in zip(addresses, near, strict=True):
        if above < address - out < below and (address != out or not same_elements):
            return True
    return False
