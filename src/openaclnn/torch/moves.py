"""The backward of a move: each element of the input gets the gradients of the places it went to.

A move's steps say which elements of the input, a box of them, go where. Along every dimension the
boxes' bounds cut the input into pieces whose elements are in the same boxes; each cell of pieces is
one step back: a copy where its elements went to one place, an exact sum where they went to several.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from operator import mul
from typing import Any

from openaclnn.base.dtypes import INT8
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import Tensor, View, contiguous_strides, product_of, view
from openaclnn.spec.call import Call
from openaclnn.spec.derivative import pullback
from openaclnn.spec.formula import STEP, Expr, constant, equal, fold, inputs_of, tensor, where
from openaclnn.spec.op import Op
from openaclnn.spec.steps import POSITIONS, Part, Step, copied, narrowed, position, zeros

_GRAD = "grad_part"
_WHICH = "which"
_TRIED = 256  # elements of outputs that are looked at one by one, as those of made-up calls are
_FEW = 16  # places, which are an operand each: folds over short dimensions take longer


def steps_back(op: Op, name: str, call: Call, grad: str, result: str) -> tuple[Step, ...]:
    """The steps from the gradient of a move's output to that of its input, which are arguments of a
    call with the move's own attributes. ValueError where this cannot state them."""
    given, made = call[grad], call[result]
    terms = _terms(op, name, call, given.shape, made.shape)
    numbers = {one.label: number for number, one in enumerate(call.used)}
    shape, steps, covered = made.shape, [], 0
    along = [_pieces([term.spans[k] for term in terms]) for k in range(len(shape))]
    for cell in product(*along):
        ranges = [piece for piece, _ in cell]
        inside = set(range(len(terms))).intersection(*(those for _, those in cell))
        if not inside:
            continue
        formula, reads, folded = _summed([terms[k] for k in sorted(inside)], ranges)
        real: dict[str, Part | None] = {
            one: part if part.tensor == POSITIONS
            else Part(numbers[grad], _Axes(given.shape).on(part.view, given.view))
            for one, part in reads.items()
        }  # fmt: skip
        target = Part(numbers[result], _cell(made.view, ranges))
        steps.append(Step(real, (target,), formula, {STEP: folded}))
        covered += math.prod(map(len, ranges))
    whole = Part(numbers[result], made.view)
    around = [] if covered == product_of(shape) else [Step({}, (whole,), zeros)]
    return (*around, *steps)


def steps_again(op: Op, name: str, call: Call, result: str) -> tuple[Step, ...]:
    """A move's own steps from an argument to another, 0 where it would write a number: what is
    linear in it, and the backward of the backward."""
    reading = {**call.arguments, op.outputs[0].name: call[result], name: call[name]}
    writing = {**reading, op.outputs[0].name: call[result]}
    numbers = {one.label: number for number, one in enumerate(call.used)}
    found = []
    for read, written in zip(
        *(op.steps(Call(op, given, call.product)) for given in (reading, writing)), strict=True
    ):
        parts = {
            one: part if part is None or part.tensor == POSITIONS
            else Part(numbers[name], part.view)
            for one, part in read.reads.items()
        }  # fmt: skip
        formula = (read.formula or op.formula) if parts else zeros
        (target,) = written.writes
        assert target is not None
        found.append(Step(parts, (Part(numbers[result], target.view),), formula))
    return tuple(found)


def _passed(grad_part: Expr) -> Expr:
    return grad_part


class _Axes:
    """Strides that tell how far one goes along each dimension: any sum of so many of each can be
    taken apart again."""

    def __init__(self, shape: Sequence[int]) -> None:
        self.shape = tuple(shape)
        self.bases = [2 * size + 2 for size in shape]

    def tensor(self) -> Tensor:
        strides = contiguous_strides(self.bases)
        return Tensor(view(INT8, self.shape, strides, storage_shape=self.bases), 0)

    def apart(self, number: int) -> list[int]:
        found = []
        for base in reversed(self.bases):
            digit = (number + base // 2) % base - base // 2
            found.append(digit)
            number = (number - digit) // base
        return found[::-1]

    def on(self, told: View, whole: View) -> View:
        """What a view that was made of such strides is of another tensor of the shape."""

        def far(number: int) -> int:
            return sum(n * s for n, s in zip(self.apart(number), whole.strides, strict=True))

        strides, offset = [far(stride) for stride in told.strides], whole.offset + far(told.offset)
        return whole.seen(told.shape, strides, offset)


@dataclass(frozen=True)
class _Span:
    """Which elements along a dimension of the input a step reads, and by which of its own
    dimensions; None: by none, there is but one."""

    start: int
    step: int = 1
    count: int = 1
    dim: int | None = None

    @property
    def ends(self) -> tuple[int, int]:
        other = self.start + self.step * (self.count - 1)
        return min(self.start, other), max(self.start, other) + 1


@dataclass(frozen=True)
class _Term:
    """What a step gives back to what it read: a formula of parts, over the step's dimensions;
    `summed` are those along which it read one element for all."""

    formula: Callable[..., Any]
    parts: Mapping[str, Part]
    sizes: tuple[int, ...]
    spans: tuple[_Span, ...]
    summed: tuple[int, ...]

    def over(self, part: Part, ranges: Sequence[range]) -> Part:
        """A part over some of the elements that the step read: what is summed, then those."""
        own, missing = part.view, len(self.sizes) - len(part.view.shape)
        strides = [0] * missing
        strides += [s if size > 1 else 0 for size, s in zip(own.shape, own.strides, strict=True)]
        dims, offset = [(self.sizes[dim], strides[dim]) for dim in self.summed], own.offset
        for span, chosen in zip(self.spans, ranges, strict=True):
            stride = 0 if span.dim is None else strides[span.dim]
            offset += stride * ((chosen.start - span.start) // span.step)
            dims.append((len(chosen), stride * (chosen.step // span.step) * (len(chosen) > 1)))
        return Part(part.tensor, _seen(own, dims, offset))


def _seen(whole: View, dims: Sequence[tuple[int, int]], offset: int) -> View:
    """A storage over dimensions of these sizes and strides."""
    sizes, strides = [size for size, _ in dims], [stride for _, stride in dims]
    return whole.seen(sizes, strides, offset)


def _terms(op: Op, name: str, call: Call, out: Sequence[int], shape: Sequence[int]) -> list[_Term]:
    """What an operator's steps give back to an input of a shape."""
    own = _Axes(shape)
    known = {**call.arguments, op.outputs[0].name: _Axes(out).tensor(), name: own.tensor()}
    told = Call(op, known, call.product)
    found: list[_Term] = []
    places: list[int] = []  # that were written to, of few
    for step in op.steps(told):
        if step.axes:
            raise ValueError("it reduces what it reads")
        (written,) = step.writes
        assert written is not None
        reads = {one: part for one, part in step.reads.items() if part is not None}
        positions = {one: part for one, part in reads.items() if part.tensor == POSITIONS}
        others = [one for one in reads if one not in positions]
        if any(told.used[reads[one].tensor].label != name for one in others):
            raise ValueError("its formula is about parts of several tensors")
        if others and product_of(out) <= _TRIED:
            places += _offsets(written.view)
        if (found and not others) or len({*places}) < len(places):
            raise ValueError("it overwrites what it moved")
        for one in others if written.view.numel else ():
            formula = _pulled_back(step.formula or op.formula, one)
            for box in _boxes({**positions, _GRAD: written, one: reads[one]}, one, own):
                read, sizes = box.pop(one).view, box[_GRAD].view.shape
                found.append(_Term(formula, box, sizes, *_spans(read, sizes, own)))
    return found


def _boxes(parts: Mapping[str, Part], read: str, own: _Axes) -> Iterator[dict[str, Part]]:
    """The same in as few pieces as it takes for each to read a box: where two dimensions go along
    one of the input's, as a window's elements and the places where it stands do, one piece for each
    index of the shorter."""
    view = parts[read].view
    rank, shorter = len(view.shape), []
    along: dict[tuple[int, ...], int] = {}
    for dim in sorted(range(rank), key=lambda dim: -view.shape[dim]):
        far = own.apart(view.strides[dim]) if view.shape[dim] > 1 else ()
        axes = tuple(axis for axis, step in enumerate(far) if step)
        if axes and along.setdefault(axes, dim) != dim:
            shorter.append(dim)
    for at in product(*(range(view.shape[dim]) for dim in shorter)):
        found = dict(parts)
        for dim, index in zip(shorter, at, strict=True):
            for name, part in found.items():
                place = dim - rank + len(part.view.shape)
                if place >= 0 and part.view.shape[place] > 1:
                    found[name] = Part(part.tensor, narrowed(part.view, place, index, 1))
        yield found


def _offsets(whole: View) -> list[int]:
    each = product(*map(range, whole.shape))
    return [sum(map(mul, at, whole.strides)) + whole.offset for at in each]


def _spans(
    read: View, sizes: tuple[int, ...], own: _Axes
) -> tuple[tuple[_Span, ...], tuple[int, ...]]:
    """The box that a view of the input is, and the dimensions along which it is one for all."""
    missing = len(sizes) - len(read.shape)
    dims = [(1, 0)] * missing + list(zip(read.shape, read.strides, strict=True))
    spans, summed = [_Span(start) for start in own.apart(read.offset)], []
    for dim, (count, stride) in enumerate(dims):
        far = own.apart(stride) if count > 1 else ()
        axes = [axis for axis, step in enumerate(far) if step]
        if not axes:
            summed += [dim] * (sizes[dim] > 1)
        elif len(axes) > 1 or spans[axes[0]].dim is not None:
            raise ValueError("what it reads is no box")
        else:
            (axis,) = axes
            spans[axis] = _Span(spans[axis].start, far[axis], count, dim)
    return tuple(spans), tuple(summed)


def _pieces(spans: Sequence[_Span]) -> list[tuple[range, frozenset[int]]]:
    """A dimension cut into pieces whose elements are in the same spans, by their numbers; what is
    in none is left out.

    >>> for piece in _pieces([_Span(0, 1, 4), _Span(5, -2, 3)]):
    ...     print(*piece)
    range(0, 1) frozenset({0})
    range(1, 4, 2) frozenset({0, 1})
    range(2, 4, 2) frozenset({0})
    range(5, 6, 2) frozenset({1})
    """
    found = []
    for first, end in pairwise(sorted({end for span in spans for end in span.ends})):
        inside = [k for k, one in enumerate(spans) if one.ends[0] <= first and end <= one.ends[1]]
        step = math.lcm(*(abs(spans[k].step) for k in inside))
        starts: set[int] = set()
        for span in (spans[k] for k in inside):
            start, every = first + (span.start - first) % abs(span.step), abs(span.step)
            starts |= {*range(start, min(first + step, end), every)}
        for start in sorted(starts):
            those = (k for k in inside if (start - spans[k].start) % spans[k].step == 0)
            found.append((range(start, end, step), frozenset(those)))
    return found


def _cell(whole: View, ranges: Sequence[range]) -> View:
    dims = [
        (len(chosen), stride * chosen.step)
        for chosen, stride in zip(ranges, whole.strides, strict=True)
    ]
    starts = zip(ranges, whole.strides, strict=True)
    return _seen(whole, dims, whole.offset + sum(r.start * stride for r, stride in starts))


def _summed(
    terms: Sequence[_Term], ranges: Sequence[range]
) -> tuple[Callable[..., Any], dict[str, Part], tuple[int, ...]]:
    """What the terms make together: a formula, its parts, and the dimensions that it folds."""
    first, *more = terms
    folded = len(first.summed)
    plain = all(term.formula is _passed for term in terms)
    if not more and not (plain and folded):
        parts = {name: first.over(part, ranges) for name, part in first.parts.items()}
        formula = _added(first.formula) if folded else first.formula
        return formula, parts, tuple(range(folded))
    grads = [term.over(term.parts[_GRAD], ranges) for term in terms]
    views = sorted((part.view for part in grads), key=lambda one: one.offset)
    if not plain or len({one.shape for one in views}) > 1:
        raise ValueError("it reads an element in several ways")
    tensor, count = grads[0].tensor, len(views) * product_of(views[0].shape[:folded])
    if count <= _FEW:
        views, folded = [each for one in views for each in _apart(one, folded)], 0
    grid = _grid([one.offset for one in views])
    if count > _FEW and grid is not None and len({one.strides for one in views}) == 1:
        dims = [*grid, *zip(views[0].shape, views[0].strides, strict=True)]
        part = Part(tensor, _seen(views[0], dims, views[0].offset))
        return _added(_passed), {_GRAD: part}, tuple(range(len(grid) + folded))
    which = position(_seen(views[0], [(len(views), 0), *[(1, 0)] * len(views[0].shape)], 0), 0)
    each = {f"{_GRAD}_{k}": Part(tensor, one) for k, one in enumerate(views)}
    return _one_of(len(views)), {_WHICH: which, **each}, tuple(range(1 + folded))


def _apart(whole: View, dims: int) -> list[View]:
    """A view for every index of the first dimensions."""
    rest = list(zip(whole.shape, whole.strides, strict=True))[dims:]
    return [
        _seen(whole, rest, whole.offset + sum(map(mul, at, whole.strides)))
        for at in product(*map(range, whole.shape[:dims]))
    ]


def _grid(numbers: Sequence[int]) -> list[tuple[int, int]] | None:
    """Numbers in order as all sums of multiples, how many and of what; None where they are not.

    >>> _grid([3, 4, 13, 14, 23, 24]), _grid([7]), _grid([1, 2, 4])
    ([(3, 10), (2, 1)], [], None)
    """
    if len(numbers) == 1:
        return []
    step = numbers[1] - numbers[0]
    run = 2
    while run < len(numbers) and numbers[run] == numbers[0] + run * step:
        run += 1
    rows = [numbers[k : k + run] for k in range(0, len(numbers), run)]
    if any(list(row) != [row[0] + k * step for k in range(run)] for row in rows):
        return None
    outer = _grid([row[0] for row in rows])
    return None if outer is None else [*outer, (run, step)]


@cache
def _pulled_back(formula: Callable[..., Any], along: str) -> Callable[..., Any]:
    """What a step's formula gives back to one of its parameters."""
    if formula is copied:
        return _passed
    others = [name for name in inspect.signature(formula).parameters if name != along]

    def back(**given: Any) -> Expr:
        gradient = given.pop(_GRAD)
        found = pullback(constant(formula(**given, **{along: tensor(along)})), along, gradient)
        if along in inputs_of(found):
            raise ValueError("its formula is about parts of tensors")
        return found

    return with_parameters(back, [_GRAD, *others])


@cache
def _added(formula: Callable[..., Any]) -> Callable[..., Any]:
    def together(**given: Any) -> Expr:
        return fold(formula(**given), "add", over=STEP)

    return with_parameters(together, list(inspect.signature(formula).parameters))


@cache
def _one_of(count: int) -> Callable[..., Any]:
    """The sum of so many parts, each of which has its turn."""
    names = [f"{_GRAD}_{k}" for k in range(count)]

    def together(**given: Any) -> Expr:
        found = given[names[-1]]
        for k in reversed(range(count - 1)):
            found = where(equal(given[_WHICH], k), given[names[k]], found)
        return fold(found, "add", over=STEP)

    return with_parameters(together, [_WHICH, *names])


def with_parameters(formula: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """A function of keywords as one of these parameters."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    formula.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(one, kind) for one in dict.fromkeys(names)]
    )
    return formula
