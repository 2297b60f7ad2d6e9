"""Passes that reduce: the terms of many elements are accumulated to one element of an output.

A formula with folds becomes one pass for each fold, and one that computes the rest where there is a
rest: the mean's formula is one pass, softmax is three (the largest, the sum, the quotients).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from openaclnn.arithmetic.compute_types import compute_type_of
from openaclnn.arithmetic.folding import MOST_POWERS, Folding, finishing, folding_of, terms
from openaclnn.arithmetic.lower import Body, lower
from openaclnn.base.dtypes import DOUBLE, FLOAT, INT64, DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View, broadcast, product_of, view
from openaclnn.plan.loop import Loop, nests
from openaclnn.plan.passes import WORKSPACE, Pass, Place, pass_over
from openaclnn.plan.routines import Scratch
from openaclnn.spec.call import Call
from openaclnn.spec.formula import Traced
from openaclnn.spec.stages import Stage, dims_of, extents_of, stages_of
from openaclnn.spec.steps import POSITIONS, SCRATCH, Part

_TERMS = {"f32": FLOAT, "f64": DOUBLE, "i64": INT64}  # what terms are stored as
_LONG, _FEW = 1 << 15, 1 << 11  # terms of an output, and outputs, that are shared out


@dataclass(frozen=True, eq=False)
class Fold:
    """How a pass folds: the terms over `folded` for every element of the pass's loop.

    The pass's body computes a term; `finish` turns what the terms make, a number of `how.value`,
    into what is stored. `count` terms a fold; a mean divides by it, or by another `divisor`.
    """

    how: Folding
    finish: Body
    folded: Loop
    divided_by: int | None = None
    over: str = ""  # the attribute that tells the dimensions, or ALL, or STEP
    most: int = 1 << 62  # terms, of which more are folded in another way; 0: so are fewer
    parts: int = 1  # an engine may share out an output's terms

    @property
    def divisor(self) -> int:
        return self.count if self.divided_by is None else self.divided_by

    @cached_property
    def count(self) -> int:
        return product_of(self.folded.sizes)

    @property
    def state_size(self) -> int:
        """Bytes of what a part leaves to be merged."""
        return 8 * self.how.words


@dataclass(frozen=True, eq=False)
class Rows:
    """Passes that fold, and the last one, as one: where a row fits on the chip, all that is
    computed of it is computed of what was read once.

    Operands are the tensors that are read, then those that are written, over `loop` and for each of
    its elements over `folded`: only a GPU asks for those. `reads` says for every pass what it
    reads: operands, and after those what the earlier passes gave.
    """

    passes: tuple[Pass, ...]
    reads: tuple[tuple[int, ...], ...]
    places: tuple[Place, ...]
    views: tuple[View, ...]
    dims: tuple[int, ...]  # that are folded
    writes: tuple[tuple[int, ...], ...]  # for every pass the operands that it writes
    once: tuple[bool, ...]  # for every pass whether that is an element of a row
    alike: bool  # whether the last pass writes all, of the rows' shape
    state: int = 0  # nothing is left in the workspace

    @cached_property
    def _loops(self) -> tuple[Loop, Loop]:
        return nests(self.views, self.dims)

    @property
    def loop(self) -> Loop:
        return self._loops[0]

    @property
    def folded(self) -> Loop:
        return self._loops[1]

    @property
    def inputs(self) -> int:
        """How many operands are read."""
        return len(self.places) - sum(map(len, self.writes))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bytes of an element of every operand."""
        found: dict[int, int] = {}
        for one, reads in zip(self.passes, self.reads, strict=True):
            found.update(zip(reads, one.body.sizes, strict=False))
        for one, writes in zip(self.passes, self.writes, strict=True):
            found.update(zip(writes, one.sizes[len(one.body.loads) :], strict=False))
        return tuple(found[k] for k in range(len(self.places)))

    @property
    def in_order(self) -> bool:
        """Whether the operands are the call's tensors as they come."""
        return all(place.tensor == number for number, place in enumerate(self.places))

    @property
    def words(self) -> bytes:
        """All passes' uniforms as they are handed over."""
        return b"".join(one.words for one in self.passes)


def spread(out: View, shape: Sequence[int], dims: Sequence[int], digits: bool = False) -> View:
    """An output as the terms' loop sees it: one element for all along the dimensions that are
    folded, which it has with size 1, or not at all. The dimension of digits is no loop's."""
    if len(dims) == len(shape):  # one element, whose shape may be [1]
        return out.seen(shape, [0] * len(shape), out.offset)
    strides = list(out.strides[:-1] if digits else out.strides)
    if len(strides) != len(shape):
        for dim in dims:
            strides.insert(dim, 0)
    strides = [0 if dim in dims else stride for dim, stride in enumerate(strides)]
    return out.seen(shape, strides, out.offset)


def _without(found: View, rank: int, kept: Sequence[int]) -> View:
    """A view that broadcasts to so many dimensions, without those that are not kept, of which it
    has one element."""
    new = rank - len(found.shape)
    dims = [dim - new for dim in kept if dim >= new]
    shape, strides = ([each[dim] for dim in dims] for each in (found.shape, found.strides))
    return found.seen(shape, strides, found.offset)


def _are_shared_out(one: Pass) -> bool:
    """Whether terms are so many, and outputs so few, that several have a part of one's terms."""
    fold = one.fold
    return fold is not None and fold.count > _LONG and product_of(one.loop.sizes) <= _FEW


class Folded:
    """A formula with folds over the parts of a step."""

    def __init__(
        self,
        call: Call,
        traced: Traced,
        reads: Mapping[str, Part],
        writes: Sequence[Part],
        promoted: DType,
        compute: str,
        scratch: Scratch,
        axes: Mapping[str, tuple[int, ...]],
    ) -> None:
        self.call, self.promoted, self.room = call, promoted, scratch.room
        self.axes = axes
        # sums of integers wrap where the result does, not before; as floats they are not rounded
        # before they are added up
        given = [part.view.dtype for part in reads.values()]
        long = any(dtype.kind == "int" and dtype.bits > 16 for dtype in given)
        wider = {"f32": "f64" if long else "f32", "f64": "f64"}
        self.compute = wider.get(compute, "i64")
        self.stages = stages_of(traced)
        self.of_scratch = any(part.tensor <= SCRATCH for part in reads.values())
        self.reads = {name: (scratch.place(part), part.view) for name, part in reads.items()}
        self.writes = [(scratch.place(part), part.view) for part in writes]
        self.rounded = [self.rounding_of(part) for part in writes]
        # folds are as good as the compute type, whatever holds them
        self.compute_type = compute_type_of(
            [part.view.dtype for part in reads.values()], promoted, self.compute
        )

    def rounding_of(self, part: Part) -> DType:
        """What a result is rounded to before it is stored: what is computed in, unless the operator
        says that this result has more digits."""
        scratch = part.tensor < 0
        label, outputs = "" if scratch else self.call.used[part.tensor].label, self.call.outputs()
        dtype = next((meta.dtype for name, _, meta in outputs if name == label), self.promoted)
        places = (part.view.dtype if scratch else dtype).kind == "int"
        if places and self.promoted.kind == "float" and self.compute == "f64":
            return DOUBLE  # of places beside numbers
        both = dtype.kind == self.promoted.kind == "float"
        return dtype if both and dtype.bits > self.promoted.bits else self.promoted

    def rows(self, passes: Sequence[Pass]) -> Rows | None:
        """The passes as one, where all fold the same dimensions."""
        folds = [one for one in passes if one.fold is not None]
        kinds = {one.fold.how.kind for one in passes if one.fold is not None}
        alike = len({self.dims(stage) for stage in self.stages if stage.fold is not None}) == 1
        if not alike or self.of_scratch:  # there are other steps
            return None
        if any(place.tensor == POSITIONS for place, _ in self.reads.values()):
            return None  # all of them have one place
        if any(map(_are_shared_out, passes)) or "digits" in kinds:
            return None  # digits have a dimension of their own
        used = {place.tensor for one in passes for place in one.places[: len(one.body.loads)]}
        operands = [
            (place, found)
            for place, found in self.reads.values()
            if place.tensor != WORKSPACE and place.tensor in used
        ]
        for several in (operands, self.writes):
            if len({place.tensor for place, _ in several}) < len(several):
                return None  # parts of one tensor
        dims, last = self.dims(self.stages[0]), passes[-1]
        whole = [found.shape == self.shape for _, found in self.writes]
        views = (
            *(found for _, found in operands),
            *(
                found if full else spread(found, self.shape, dims)
                for full, (_, found) in zip(whole, self.writes, strict=True)
            ),
        )
        outputs = [place for place, _ in self.writes]
        slots = [one.places[-1] for one in folds if one.places[-1].tensor == WORKSPACE]
        known = [place for place, _ in operands] + [*([None] * len(outputs)), *slots]
        reads = tuple(
            tuple(known.index(place) for place in one.places[: len(one.body.loads)])
            for one in passes
        )
        writes = tuple(
            tuple(
                len(operands) + outputs.index(one.places[k])
                for k in one.written
                if one.places[k].tensor != WORKSPACE
            )
            for one in passes
        )
        once = tuple(
            one.fold is None and not all(whole[k - len(operands)] for k in its)
            for one, its in zip(passes, writes, strict=True)
        )
        alike = all(whole) and last.fold is None and len(folds) == len(passes) - 1
        places = (*(place for place, _ in operands), *outputs)
        return Rows(tuple(passes), reads, places, views, dims, writes, once, alike)

    def passes(self) -> list[Pass]:
        shape = broadcast(*(found.shape for _, found in self.reads.values()))
        assert shape is not None
        self.shape = shape
        found = []
        for stage in self.stages:
            if stage.fold is None:
                found += self.rest(stage)
            elif stage.gives:
                (number,) = stage.gives
                found.append(self.folding(stage, *self.writes[number], self.rounded[number]))
            else:
                dims = self.dims(stage)
                kept = [1 if k in dims else size for k, size in enumerate(self.terms(stage))]
                dtype = INT64 if self.compute == "i64" else DOUBLE
                slot = Place(WORKSPACE, self.room.take(product_of(kept) * dtype.itemsize))
                found.append(self.folding(stage, slot, view(dtype, kept), dtype))
                self.reads[stage.name] = slot, view(dtype, kept)
        return found

    def terms(self, stage: Stage) -> tuple[int, ...]:
        """The shape of what a stage folds: one element along dimensions that are kept and that
        nothing moves along which it reads."""
        dims, own = self.dims(stage), [self.reads[name][1].shape for name in stage.traced.inputs]
        if any(one is self.shape for one in own):
            return self.shape
        read = broadcast((1,) * len(self.shape), *own)
        assert read is not None
        return tuple(self.shape[dim] if dim in dims else size for dim, size in enumerate(read))

    def dims(self, stage: Stage) -> tuple[int, ...]:
        """The dimensions that a stage folds."""
        assert stage.fold is not None
        return dims_of(stage.fold.over, self.call.attributes, len(self.shape), self.axes)

    def numbers(self, stage: Stage) -> tuple[float, ...]:
        names, numel, attributes = (
            stage.traced.uniforms,
            product_of(self.shape),
            self.call.attributes,
        )
        extents = extents_of(names, attributes, self.shape, self.axes)
        return self.call.op.numbers(names, {**attributes, **extents}, numel, self.promoted)

    def rest(self, stage: Stage) -> list[Pass]:
        """What is computed of folds, and perhaps of the inputs once more: a pass for the results of
        each shape, the largest last."""
        alike: list[tuple[tuple[tuple[int, ...], DType], list[int]]] = []  # sizes may be traced
        for k, number in enumerate(stage.gives):
            key = self.writes[number][1].shape, self.rounded[number]
            known = next((several for other, several in alike if other == key), None)
            if known is None:
                alike.append((key, [k]))
            else:
                known.append(k)
        alike.sort(key=lambda one: product_of(one[0][0]))
        return [self.rest_of(stage, several, dtype) for (_, dtype), several in alike]

    def rest_of(self, stage: Stage, several: Sequence[int], promoted: DType) -> Pass:
        """The same of some of the results, which have one shape."""
        traced = stage.part(tuple(several))
        writes = [self.writes[stage.gives[k]] for k in several]
        operands = [*(self.reads[name] for name in traced.inputs), *writes]
        views = [found for _, found in operands]
        shape = writes[0][1].shape
        if len(shape) < len(self.shape):  # without the dimensions that were folded
            folded = self.dims(self.stages[0])
            kept = [dim for dim in range(len(self.shape)) if dim not in folded]
            views = [
                *(_without(found, len(self.shape), kept) for found in views[: len(traced.inputs)]),
                *(found for _, found in writes),
            ]
        numbers = self.numbers(replace(stage, traced=traced))
        one = pass_over(views, traced, promoted, self.compute, numbers, self.compute_type)
        return replace(one, places=tuple(place for place, _ in operands))

    def folding(self, stage: Stage, place: Place, out: View, promoted: DType) -> Pass:
        assert stage.fold is not None
        kind, traced = stage.fold.name, stage.traced
        operands = [self.reads[name] for name in traced.inputs]
        dtypes = tuple(found.dtype for _, found in operands)
        digits = kind == "digits"
        dims, shape = self.dims(stage), self.shape if stage.gives else self.terms(stage)
        views = [*(found for _, found in operands), spread(out, shape, dims, digits)]
        kept, folded = nests(views, dims)
        most = Fold.most
        if stage.adds_powers and self.promoted is not DOUBLE:
            few = product_of(folded.sizes) <= MOST_POWERS
            kind, most = ("powers", MOST_POWERS) if few else (kind, 0)
        plain = traced.results[0].op == "input" and dtypes[0].kind == "float"
        how = folding_of(kind, dtypes[0] if plain else FLOAT, promoted, self.compute)
        stored = _TERMS[self.compute]
        body = lower(traced, dtypes, stored, (stored,), self.compute, self.compute_type)
        divisor = self.call.attributes[stage.fold.count] if stage.fold.count else None
        fold = Fold(
            how, finishing(how, promoted, out.dtype), folded, divisor, stage.fold.over, most
        )
        return Pass(
            body=terms(body, kind, self.compute),
            loop=kept,
            places=(*(at for at, _ in operands), place),
            dtypes=(*dtypes, out.dtype),
            views=(*(found for _, found in operands), out),
            uniforms=self.numbers(stage),
            formula=traced,
            promoted=promoted,
            fold=fold,
        )
