"""A call cache for small calls on arrays of NumPy or PyTorch: what was learnt from one call serves
all like it.

Two calls are alike when the settings, the attributes and the arrays' types, dtypes, shapes, strides
and devices are: then the checks pass again and the same launcher runs, and only addresses are to be
read. What is unusual (other kinds of arrays, an output that may overlap an input) takes the normal
road.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from operator import add, is_
from typing import Any

import numpy as np

from openaclnn.base import forking
from openaclnn.base.bounded import Bounded
from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import Scalar
from openaclnn.base.tensors import contiguous_strides, product_of
from openaclnn.calls import door, likeness
from openaclnn.calls.door import Door, Doors, Library
from openaclnn.calls.executor import Executor, Ready
from openaclnn.calls.form_in_c import Reckoned, compiled_passes
from openaclnn.calls.forms import KEPT_AT_MOST, Form, Near, form_of
from openaclnn.calls.kinds import Kind, kind_of
from openaclnn.calls.reckoning import reckons, whole_attributes
from openaclnn.engines import Cut, Launcher
from openaclnn.plan import kinds_of
from openaclnn.plan.loop import Loop
from openaclnn.spec.op import Argument, In, InOut, Op

_KNOWN_AT_MOST = 1024  # calls of one operator on one kind of arrays
_ANYWHERE = 1 << 12  # an address
_KEPT_WORKSPACE = 1 << 20  # bytes: a larger workspace is not kept from call to call

_Taught = tuple[Door, tuple[int, ...]]  # which compiled call cache was told, and in which state

_VALUES = {bool, int, float, str, type(None), Scalar, DType}


@dataclass(eq=False, slots=True)
class _Recipe:
    """How to make a call; an operand is a tensor that is read or written, in C order."""

    make: Callable[[Any], Any]  # an output, from the first input
    launcher: Launcher | None  # None where there is nothing to compute
    shifts: tuple[int, ...] | None  # from first elements to storages, in bytes
    near: tuple[Near, ...]  # one for each operand
    stream: Callable[[], int] | None
    allocate: Callable[[], tuple[int, object]] | None  # a workspace, where one is needed
    recording: Callable[[], bool] | None  # whether what is done is a graph's, with its workspace
    values: bool  # whether a call is told apart by its attributes' bits: the compiled one can
    form: _Form | None = None  # what it has in common with calls of other layouts
    passes: _Passes | None = None  # of a call that folds, or has several passes
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
        if found is None or found.stream != stream:
            workspace, keep = self.allocate()
            found = _Spare(stream, workspace, keep)
        if found.addresses != addresses:
            found.addresses, found.packed = addresses, self.pack(addresses, found.workspace)
        self.launcher.launch(found.packed, stream)
        if not recorded:
            self.spare[:] = (found,)


@dataclass(eq=False, slots=True)
class _Spare:
    """A workspace, the stream that it belongs to, and what was launched with it last."""

    stream: int | None
    workspace: int
    keep: object
    addresses: tuple[int, ...] = ()
    packed: object = None


class _Layouts:
    """Reads how operands are laid out; with or without an output that is `made`."""

    def __init__(self, op: Op, kind: Kind, made: bool) -> None:
        self.in_bytes = kind.in_bytes
        self.shapes = likeness.of_operands(op, kind, kind.shape, made)
        self.bare_strides = likeness.of_operands(op, kind, kind.strides, made)
        self.flat = likeness.of_operands(op, kind, kind.flat, made)

    def strides(self, operands: Sequence[Any], itemsizes: Sequence[int]) -> list[Any] | None:
        """In elements; None where they are none."""
        found = [*self.bare_strides(*operands)]
        if not self.in_bytes:
            return found
        for k, (strides, size) in enumerate(zip(found, itemsizes, strict=False)):
            if any(stride % size for stride in strides):
                return None
            found[k] = tuple([stride // size for stride in strides])
        return found


@dataclass(eq=False, slots=True)
class _Form:
    """What is learnt of calls on arrays of any layout."""

    of: Form
    given: tuple[Any, ...]  # the attributes of the first
    like: Any  # what results have in common
    stream: Callable[[], int] | None
    values: bool  # see _Recipe
    kinds: tuple[float, ...]  # of its numbers: others have other kernels
    # what the compiled call cache was told: by which of them, and of which kernels
    taught: _Taught | None = None
    cuts: dict[tuple[str, int], Cut] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class _Passes:
    """What the compiled call cache is told of calls that fold, or have several passes, in any
    layout."""

    ready: Ready  # of the first
    tensors: int
    attributes: dict[str, Any]
    stream: Callable[[], int] | None
    taught: _Taught | None = None
    cuts: list[dict[tuple[str, int], Cut]] = field(default_factory=list)  # of each pass


class _Way:
    """The call cache of one operator for one kind of arrays."""

    def __init__(self, op: Op, kind: Kind) -> None:
        self.kind = kind
        self.key = likeness.of_arrays(op, kind)
        self.addresses = likeness.of_operands(op, kind, kind.address)
        self.recipes: Bounded[tuple[Any, ...], _Recipe] = Bounded(_KNOWN_AT_MOST)
        self.form = likeness.form_of_arrays(op, kind)
        self.layouts = [_Layouts(op, kind, made) for made in (False, True)]
        self.forms: Bounded[tuple[Any, ...], _Form] = Bounded(KEPT_AT_MOST)
        self.passes: Bounded[tuple[Any, ...], _Passes] = Bounded(KEPT_AT_MOST)
        self.reckoned: Bounded[tuple[Any, ...], Reckoned] = Bounded(KEPT_AT_MOST)


class Shortcut:
    """What one operator has learnt. Operators with optional tensors or several outputs always take
    the full path."""

    def __init__(self, op: Op) -> None:
        self.op = op
        self.ways: dict[type, _Way] = {}
        takes = [a for a in op.arguments if isinstance(a, (In, InOut))]
        self.count = len(takes)
        usual = len(op.outputs) == 1 and bool(takes)
        self.possible = usual and not any(a.optional or getattr(a, "many", 0) for a in takes)
        self.used = _picker([a in op.used for a in takes])
        self.changed = [isinstance(a, InOut) for a in takes].index(True) if op.in_place else None
        self.output = op.used.index(op.outputs[0])  # among the operands
        self.door: Door | None = None
        self.enter: Callable[..., Any]  # the compiled one, which asks this one; or `take`
        door.whenever(self._use)

    def _use(self, library: Library | None) -> None:
        """Take the compiled call cache from now on, or no longer; it learns like any other."""
        fits = self.possible and door.possible(self.op)
        self.door = Door(library, self.op) if library is not None and fits else None
        self.enter = self.take if self.door is None else self.door.entrance(self.take)

    def take(self, *arguments: Any) -> Any:
        """The result, or None where the call is not like an earlier one. Arguments are tensors,
        attributes, and the output, if one is given."""
        way = self.ways.get(type(arguments[0])) if self.count else None
        if way is None:
            return None
        out = arguments[-1]
        made = out is None
        try:
            key = way.key(*arguments)
            recipe = known = way.recipes.get(key)
            if recipe is None:
                recipe = self._adapted(way, key, arguments)
            if recipe is None:
                return None
            if self.changed is not None:
                out, made = arguments[self.changed], False
                addresses = way.addresses(*self.used(arguments[: self.count]))
            else:
                if made:
                    out = recipe.make(arguments[0])
                addresses = way.addresses(*self.used(arguments[: self.count]), out)
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
        if door.pending:
            door.poll()
        if self.door is not None and recipe.values:
            if recipe.passes is not None and recipe.passes.taught != (self.door, way.kind.state()):
                self._teach_passes(
                    self.door, way, recipe.passes, recipe.launcher, packed, arguments, out
                )
            taught = known is not None and self._teach(self.door, recipe, addresses, arguments, out)
            if not taught and recipe.form is not None:
                # what may never come again, or is changed in place: what it has in common
                self._teach_form(self.door, way, recipe, packed, arguments, out)
        return out

    def _teach(
        self,
        taught: Door,
        recipe: _Recipe,
        addresses: tuple[int, ...],
        arguments: tuple[Any, ...],
        result: Any,
    ) -> bool:
        """Let the compiled call cache know a call that only this one knew, if it can."""
        assert recipe.launcher is not None
        if recipe.allocate is not None and recipe.stream is not None:
            return False  # a GPU's workspace
        compiled = recipe.launcher.compiled(recipe.pack(addresses))
        if compiled is not None:
            taught.learn(arguments, result, compiled, recipe.near, recipe.stream)
        elif recipe.passes is None and not recipe.launcher.trying:
            recipe.values = False  # it never will be
        return compiled is not None

    def _teach_passes(
        self,
        taught: Door,
        way: _Way,
        passes: _Passes,
        launcher: Launcher,
        packed: Any,
        arguments: tuple[Any, ...],
        result: Any,
    ) -> None:
        """Let the compiled call cache know the form of a call that folds, or has several passes, or
        kernels of one that only this one knew."""
        if passes.taught != (taught, way.kind.state()):
            passes.taught = taught, way.kind.state()
            passes.cuts.clear()
        cuts = launcher.cuts(packed)
        passes.cuts = passes.cuts or [{} for _ in cuts]
        # numbers are part of what such calls have in common
        if taught.free or len(cuts) != len(passes.cuts):
            return
        # C tells a GPU's kernels of folds apart
        pairs = zip(passes.cuts, cuts, strict=True)
        if not any(cut.key not in known or cut.tiles is not None for known, cut in pairs):
            return
        for known, cut in zip(passes.cuts, cuts, strict=True):
            known[cut.key] = cut
        taught.library.use_threads_of(cuts)
        tables = [[*known.values()] for known in passes.cuts]
        forms = compiled_passes(
            passes.ready, passes.tensors, passes.attributes, tables, way.kind.in_bytes
        )
        if forms is not None:
            taught.learn_passes(arguments, result, passes.ready, forms, cuts[-1], passes.stream)

    def _teach_sums(
        self,
        taught: Door,
        way: _Way,
        arguments: tuple[Any, ...],
        result: Any,
        executor: Executor,
        stream: Callable[[], int] | None,
    ) -> None:
        """Let the compiled call cache know how a call is reckoned, or kernels of one like it."""
        launcher, packed = executor.ready.launcher, executor.packed()
        if launcher is None or packed is None:
            return
        alike, wholes = [*arguments], whole_attributes(self.op)
        for place, a in enumerate(self.op.attributes, self.count):
            if a in wholes:
                alike[place] = None
        key = way.form(*alike)
        known = way.reckoned.get(key)
        if known is None:
            known = way.reckoned[key] = Reckoned()
        cuts = launcher.cuts(packed)
        made = arguments[-1] is None and self.changed is None
        plan, in_bytes = executor.ready.plan, way.kind.in_bytes
        found = known.forms(executor.call(), plan, cuts, made, in_bytes)
        if found is not None:
            taught.library.use_threads_of(cuts)
            forms, sums = found
            taught.learn_passes(arguments, result, executor.ready, forms, cuts[-1], stream, sums)

    def _teach_form(
        self,
        taught: Door,
        way: _Way,
        recipe: _Recipe,
        packed: Any,
        arguments: tuple[Any, ...],
        result: Any,
    ) -> None:
        """Let the compiled call cache know a form, or a kernel of one that only this one knew."""
        form = recipe.form
        assert form is not None
        assert recipe.launcher is not None
        if not self._has_its_numbers(taught, form, arguments[self.count : -1]):
            return
        if form.taught != (taught, way.kind.state()):
            form.taught = taught, way.kind.state()
            form.cuts.clear()
        cut = recipe.launcher.cut(packed)
        if cut is not None:
            taught.library.use_threads_of([cut])
        if cut is not None and cut.key not in form.cuts:
            form.cuts[cut.key] = cut
            cuts = [*form.cuts.values()]
            in_bytes = way.kind.in_bytes
            taught.learn_form(arguments, result, form.of, cuts, in_bytes, form.stream)

    def _has_its_numbers(self, taught: Door, form: _Form, attributes: tuple[Any, ...]) -> bool:
        """Whether a call has the numbers of its form's first, but for those that the compiled short
        cut reads from every call."""
        return all(
            value is first
            or (a in taught.free and type(value) is float)
            or (type(value) is type(first) in (int, float) and repr(value) == repr(first))
            for a, value, first in zip(self.op.attributes, attributes, form.given, strict=True)
        )

    def learn(self, arguments: tuple[Any, ...], result: Any, executor: Executor) -> None:
        """Remember a call that went well, if others like it can take the call cache."""
        tensors, attributes = arguments[: self.count], arguments[self.count : -1]
        if not self.possible or not all(map(_is_value, attributes)):
            return
        ready = executor.ready
        if ready.workspace_size > _KEPT_WORKSPACE or ready.plan.staged:
            return
        kind = kind_of(result)
        given = [array for array in tensors if array is not None]
        if kind is None or any(kind_of(array) is not kind for array in given):
            return
        way = self.ways.get(type(result))
        if way is None:
            way = self.ways[type(result)] = _Way(self.op, kind)
        self.ways.setdefault(type(tensors[0]), way)  # a parameter
        outputs = () if self.changed is not None else (result,)
        addresses = way.addresses(*self.used(tensors), *outputs)
        like, stream = kind.like(result), kind.stream(tensors[0])
        values = all(map(is_told_apart, attributes))
        recipe = way.recipes[way.key(*arguments)] = _Recipe(
            make=kind.maker(tensors[0], result.shape, like),
            launcher=ready.launcher,
            shifts=_shifts(executor, addresses),
            near=_near(executor, addresses, self.output),
            stream=stream,
            allocate=ready.allocate if ready.workspace_size else None,
            recording=getattr(ready.engine, "recording", None),
            values=values,
        )
        if Scalar not in map(type, attributes):  # whose dtypes tell forms apart
            form = form_of(self.op, ready, executor.used(), executor.attributes())
            if form is not None:
                kinds = kinds_of(form.one.uniforms)
                known = _Form(form, attributes, like, stream, values, kinds)
                recipe.form = way.forms[way.form(*arguments)] = known
        door.want()
        if door.pending:
            door.poll()
        plan = ready.plan
        if ready.launcher is None:
            return
        if self.door is not None and values and reckons(plan):
            self._teach_sums(self.door, way, arguments, result, executor, stream)
        if plan.routines or not any(one.fold for one in plan.formulas):
            return
        if any(one.empty for one in plan.formulas):
            return
        key = way.form(*arguments), repr(attributes)
        recipe.passes = way.passes.get(key)
        if recipe.passes is None:
            passes = _Passes(ready, len(addresses), executor.attributes(), stream)
            recipe.passes = way.passes[key] = passes
        if self.door is not None and values:
            packed = executor.packed()
            if packed is None and stream is not None:  # a workspace: any will do to learn from it
                packed = recipe.pack(addresses, _ANYWHERE)
            self._teach_passes(
                self.door, way, recipe.passes, ready.launcher, packed, arguments, result
            )
            self._teach(self.door, recipe, addresses, arguments, result)

    def _adapted(
        self, way: _Way, key: tuple[Any, ...], arguments: tuple[Any, ...]
    ) -> _Recipe | None:
        """The recipe of a call that differs from an earlier one in sizes, strides and numbers."""
        form = self._form(way, arguments)
        if form is None:
            return None
        tensors, attributes = arguments[: self.count], arguments[self.count : -1]
        out = arguments[-1]
        made = out is None and self.changed is None
        operands = [*self.used(tensors)]
        if out is not None:
            operands.append(out)
        layouts = way.layouts[made]
        shapes = layouts.shapes(*operands)
        shape = form.of.again.shape(shapes, ()) if made else form.of.shape(shapes)
        numel = 0 if shape is None else product_of(shape)
        if shape is None or not numel:
            return None
        with forking.whole:
            numbers = form.of.numbers(self._changed(form, attributes), numel)
            if numbers is None:
                return None
            if all(layouts.flat(*operands)) and all(one == shape for one in shapes):
                loop: Loop | None = form.of.flat(numel)
            else:
                strides = layouts.strides(operands, form.of.itemsizes)
                if strides is None:
                    return None
                if made:
                    shapes, strides = (*shapes, shape), [*strides, contiguous_strides(shape)]
                loop = form.of.loop(shape, shapes, strides, (0,) * len(shapes))
            if loop is None:
                return None
            launcher = form.of.over(loop, numbers).launcher
        recipe = _Recipe(
            make=way.kind.maker(tensors[0], shape, form.like),
            launcher=launcher,
            shifts=None,
            near=form.of.apart if made else form.of.near(loop),
            stream=form.stream,
            allocate=None,
            recording=None,
            values=form.values,
            form=form if kinds_of(numbers) == form.kinds else None,
        )
        way.recipes[key] = recipe
        return recipe

    def _form(self, way: _Way, arguments: tuple[Any, ...]) -> _Form | None:
        """The form of a call; one of its own where numbers that C does not read from every call are
        others than the first call's, and have come before."""
        alike, attributes = way.form(*arguments), arguments[self.count : -1]
        form = way.forms.get(alike)
        if form is None or self.door is None:
            return form
        if self._has_its_numbers(self.door, form, attributes):
            return form
        key = alike, repr(attributes)
        own = way.forms.get(key)
        if own is not None:
            if self._has_its_numbers(self.door, own, attributes):
                return own
            with forking.whole:
                made = form.of.with_attributes(self._changed(form, attributes) or {})
            if made is not None:
                kinds = kinds_of(made.one.uniforms)
                form = _Form(made, attributes, form.like, form.stream, form.values, kinds)
        way.forms[key] = form
        return form

    def _changed(self, form: _Form, attributes: tuple[Any, ...]) -> dict[str, Any] | None:
        """The attributes as their C types have them, where they are not the first call's."""
        if all(map(is_, attributes, form.given)):
            return None
        return {
            a.name: form.of.call[a.name] if a.static else a.host.from_python(value)
            for a, value in zip(self.op.attributes, attributes, strict=True)
        }


_LONGEST = 16  # list of tensors that takes it


class VariedShortcut:
    """The call cache of an operator that takes a list of tensors, or tensors that may be None: for
    every length, or those that are given, one, to which they are arguments of their own."""

    def __init__(self, op: Op, place: int | None) -> None:
        self.op, self.place = op, place  # of the list among the tensors, if there is one
        self.count = len([a for a in op.arguments if isinstance(a, (In, InOut))])
        self.variants: dict[int, Shortcut] = {}
        self.door: Doors | None = None
        door.whenever(self._use)

    def _use(self, library: Library | None) -> None:
        self.door = None if library is None else Doors(library, self.op, self.place)

    def _use_for(self, variant: int) -> None:
        known = self.variants[variant]
        if self.door is not None and known.door is not None:
            self.door.use_for(variant, known.door)

    def take(self, *arguments: Any) -> Any:
        known = self.variants.get(self._variant(arguments))
        return None if known is None else known.enter(*self._flat(arguments))

    def learn(self, arguments: tuple[Any, ...], result: Any, executor: Executor) -> None:
        variant = self._variant(arguments)
        if variant < 1 or (self.place is not None and variant > _LONGEST):
            return
        known = self.variants.get(variant)
        if known is None:
            known = self.variants[variant] = Shortcut(self._of(variant))
            door.whenever(lambda _: self._use_for(variant))
        known.learn(self._flat(arguments), result, executor)

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
            if isinstance(a, In) and a.many:
                found += [replace(a, name=f"{a.name}_{k}", many=False) for k in range(variant)]
            elif isinstance(a, In) and a.optional:
                found += [replace(a, optional=False)] if variant >> place & 1 else []
            else:
                found.append(a)
        return replace(self.op, arguments=tuple(found))


def shortcut_of(op: Op) -> Shortcut | VariedShortcut:
    takes = [a for a in op.arguments if isinstance(a, (In, InOut))]
    lists = [place for place, a in enumerate(takes) if isinstance(a, In) and a.many]
    optional = any(isinstance(a, In) and a.optional for a in takes)
    if len(lists) == 1 and not optional:
        return VariedShortcut(op, lists[0])
    return VariedShortcut(op, None) if optional and not lists else Shortcut(op)


def _picker(wanted: Sequence[bool]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Takes the wanted items out of a sequence."""
    if all(wanted):
        return lambda items: items
    positions = [position for position, wants in enumerate(wanted) if wants]
    return lambda items: [items[position] for position in positions]


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
