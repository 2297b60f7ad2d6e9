"""What an element that a call writes truly is, by mpmath or Python's integers: the formula of its
step at the element's place, on the memory that the step finds. Of what routines write the plain
engine's fractions are true."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpmath import mpf

from mathematics import LookedUp, Point, UnknownError, value
from openaclnn.base.dtypes import UINT64, DType
from openaclnn.base.layouts import elements
from openaclnn.base.settings import EXACT
from openaclnn.spec.call import Call
from openaclnn.spec.formula import ADDRESS, Expr, Traced
from openaclnn.spec.stages import dims_of, extents_of, folds_of
from openaclnn.spec.steps import POSITIONS, SCRATCH, Part, Step
from openaclnn.truth import reference
from openaclnn.truth.double_double import Pair
from openaclnn.truth.stored import Truth

Array = Any  # of NumPy


@dataclass(frozen=True)
class Found:
    """A step, and what it finds in scratch memory."""

    step: Step
    scratch: Mapping[int, Array]


class Steps:
    """The steps of a call; `storages` are the memory of its used tensors."""

    def __init__(self, call: Call, storages: Sequence[Array | None]) -> None:
        self.call, self.storages = call, storages
        self.found: list[Found] = []
        steps = call.op.steps(call)
        if any(part.tensor <= SCRATCH for step in steps for part in _parts(step)):
            reference.results(call, storages, self._seen)
        else:
            self.found = [Found(step, {}) for step in steps]

    def _seen(self, step: Step, scratch: Mapping[int, Truth]) -> None:
        kept = {}
        for part in _parts(step):
            if part.tensor <= SCRATCH and part.tensor in scratch:
                truth = scratch[part.tensor]
                kept[part.tensor] = np.array(truth.high if isinstance(truth, Pair) else truth)
        self.found.append(Found(step, kept))

    def written(self, tensor: int, place: int) -> Any:
        """An element of a tensor that is written; None where a routine, or no step, writes it."""
        view = self.call.used[tensor].tensor.view
        for found in reversed(self.found):
            for number, part in enumerate(found.step.writes):
                if part is None or part.tensor != tensor:
                    continue
                order = elements(np.arange(view.storage_numel), part.view)
                here = np.flatnonzero(order.ravel() == place)
                if here.size:
                    return self.value(found, number, int(here[0]))
        return None

    def scratch(self) -> Iterator[tuple[Found, int, Array]]:
        """What formulas write to scratch memory and later steps find there."""
        for k, found in enumerate(self.found):
            for number, part in enumerate(found.step.writes):
                if part is None or part.tensor > SCRATCH or found.step.routine is not None:
                    continue
                later = [one.scratch[part.tensor] for one in self.found[k + 1 :]
                         if part.tensor in one.scratch][:1]  # fmt: skip
                if later:
                    kept = elements(later[0], part.view).ravel()
                    yield found, number, kept.astype(part.view.dtype.numpy)

    def value(self, found: Found, number: int, flat: int) -> Any:
        """An element of what a step writes, in C order."""
        step, call = found.step, self.call
        if step.routine is not None:
            return None
        part, promoted = step.writes[number], call.promoted
        assert part is not None
        assert promoted is not None
        there = [k for k, one in enumerate(step.writes) if one is not None]
        traced = call.op.traced(
            step.formula or reference.meaning(call.op),
            {name: one is not None for name, one in step.reads.items()},
            call.attributes,
            tuple(one is not None for one in step.writes),
        )
        tree = traced.results[there.index(number)]
        arrays, memories = self._arrays(found, traced, tree)
        shape = part.view.shape
        whole = np.broadcast_shapes(
            *(array.shape for array in arrays.values()), *([] if folds_of(traced) else [shape])
        )
        dims = {
            fold.over: dims_of(fold.over, call.attributes, len(whole), step.axes)
            for fold in folds_of(traced)
        }
        index = _index(flat, shape, whole, {dim for each in dims.values() for dim in each})
        if promoted.kind == "float":
            extents = extents_of(traced.uniforms, call.attributes, whole, step.axes)
            attributes = {**call.attributes, **extents}
            given = reference.numbers(call.op, traced.uniforms, attributes, call.numel, promoted)
            uniforms = {n: mpf(float(p.high)) + mpf(float(p.low)) for n, p in given.items()}
            point = Point(arrays, uniforms, dims, memories=memories, whole=whole)
            result = value(tree, point, index)
            return result if isinstance(result, (bool, mpf)) else mpf(result)
        if promoted is UINT64:
            raise UnknownError
        op = call.op
        bits = 64 if op.computes_in(promoted, EXACT, call.attributes) == "i64" else 32
        integers = op.numbers(traced.uniforms, call.attributes, call.numel, promoted)
        known = dict(zip(traced.uniforms, map(int, integers), strict=True))
        held = (promoted.bits, promoted.name.startswith("U"))
        point = Point(arrays, known, dims, bits, held, memories=memories, whole=whole)
        result = value(tree, point, index)
        if isinstance(result, bool) or promoted.kind == "bool":
            return bool(result)
        return point.as_held(result)

    def _arrays(
        self, found: Found, traced: Traced, tree: Expr
    ) -> tuple[dict[str, Array], dict[str, LookedUp]]:
        promoted = self.call.promoted
        assert promoted is not None
        arrays: dict[str, Array] = {}
        memories: dict[str, LookedUp] = {}
        for name in traced.inputs:
            part = found.step.reads[name]
            assert part is not None
            own = part.view
            if part.tensor == POSITIONS or name.endswith(ADDRESS):
                strides = np.array(own.strides, np.int64).reshape(-1, *[1] * len(own.strides))
                arrays[name] = np.asarray(own.offset + sum(np.indices(own.shape) * strides))
            if part.tensor == POSITIONS:
                continue
            storage = self._storage(found, part)
            if name.endswith(ADDRESS):
                assert own.dtype.element is not None
                values = _become(storage, tree, promoted)
                memories[name] = LookedUp(values, own.dtype.element.itemsize)
            else:
                arrays[name] = _become(elements(storage, own), tree, promoted)
        return arrays, memories

    def _storage(self, found: Found, part: Part) -> Array:
        if part.tensor <= SCRATCH:
            held = part.view.dtype.element or part.view.dtype  # of an address, what stands there
            return found.scratch[part.tensor].astype(held.numpy)
        storage = self.storages[part.tensor]
        assert storage is not None
        return storage


def _parts(step: Step) -> list[Part]:
    return [part for part in (*step.reads.values(), *step.writes) if part is not None]


def _index(
    flat: int, shape: tuple[int, ...], whole: tuple[int, ...], folded: set[int]
) -> tuple[int, ...]:
    """Where an element that is written stands among all that its formula is evaluated for."""
    if math.prod(shape) == math.prod(whole):
        return tuple(int(k) for k in np.unravel_index(flat, whole))
    own = iter(int(k) for k in np.unravel_index(flat, shape))
    if len(shape) == len(whole):
        return tuple(own)
    kept = [dim for dim in range(len(whole)) if dim not in folded]
    if len(kept) != len(shape):
        shape = tuple(1 if dim in folded else size for dim, size in enumerate(whole))
        return tuple(int(k) for k in np.unravel_index(flat, shape))
    return tuple(next(own) if dim in kept else 0 for dim in range(len(whole)))


def _become(array: Array, tree: Expr, promoted: DType) -> Array:
    """Integers become FLOAT or DOUBLE first, unless they are added up as they are."""
    bare = tree.op == "input" or (tree.op == "fold" and tree.args[0].op == "input")
    floats = promoted.kind == "float" and promoted.bits >= 32
    if not floats or array.dtype.kind not in "iu" or bare:
        return array
    return array.astype(promoted.numpy)
