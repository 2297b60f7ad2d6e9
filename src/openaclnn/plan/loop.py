"""The nests of loops behind a call: few dimensions, the output's fastest innermost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import gt, index
from typing import Any, NamedTuple

from openaclnn.base.tensors import View, contiguous_strides, product_of
from openaclnn.base.trace import all_same, are_same, equal, in_order, is_traced, least, same

Dim = tuple[int, ...]  # a size, then every operand's stride


class Loop(NamedTuple):
    """Sizes, outermost first; for each operand its strides and where it starts, in elements."""

    sizes: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]

    def dimension(self, dim: int | None) -> tuple[int, list[int]]:
        """Size and strides of a dimension; None is one of size 1."""
        if dim is None:
            return 1, [0] * len(self.strides)
        return self.sizes[dim], [strides[dim] for strides in self.strides]

    def with_contiguous(self, operand: int) -> Loop:
        """The same loop with one operand replaced by a contiguous one of its own."""
        strides, starts = list(self.strides), list(self.starts)
        strides[operand], starts[operand] = contiguous_strides(self.sizes), 0
        return Loop(self.sizes, tuple(strides), tuple(starts))


def back_from_workspace(loop: Loop, operand: int, itemsize: int) -> tuple[Loop, int]:
    """The loop that copies an operand of a loop from a contiguous place, word by word. The second
    value is a word's bytes: an element of 16 is two words."""
    sizes, start = loop.sizes, loop.starts[operand]
    strides = (contiguous_strides(sizes), loop.strides[operand])
    if itemsize <= 8:
        return Loop(sizes, strides, (0, start)), itemsize
    halves = tuple((*(2 * stride for stride in one), 1) for one in strides)
    return Loop((*sizes, 2), halves, (0, 2 * start)), 8


def nest(views: Sequence[View]) -> Loop:
    """The loop over views that broadcast to the last one, an output; others are of its shape."""
    shape = views[-1].shape
    strides = [spread(shape, view.shape, view.strides) for view in views]
    return nest_over(shape, strides, [view.offset for view in views])


def nest_over(
    shape: Sequence[int], strides: Sequence[Sequence[int]], starts: Sequence[int]
) -> Loop:
    """The same from a shape, and of every operand its strides along it and where it starts."""
    flat = contiguous_strides(shape)
    if same([s for some in strides for s in some], flat * len(strides)):
        numel, count = product_of(shape), len(strides)
        if numel == 1:
            return Loop((), ((),) * count, tuple(starts))
        return Loop((numel,), ((1,),) * count, tuple(starts))
    return _walk([*zip(shape, *strides, strict=True)], starts, lead=-1)


def nests(views: Sequence[View], folded: Sequence[int]) -> tuple[Loop, Loop]:
    """The loop over the dimensions that are kept, as `nest` makes it, and the one over those that
    are folded for each of its elements, the first operand's fastest innermost. Where that one
    starts is part of the first."""
    shape = views[-1].shape
    strides = [spread(shape, view.shape, view.strides) for view in views]
    dims = [*zip(shape, *strides, strict=True)]
    inner = _walk([dims[dim] for dim in sorted(folded)], [view.offset for view in views], lead=1)
    kept = [dim for number, dim in enumerate(dims) if number not in folded]
    outer = _walk(kept, inner.starts, lead=-1)
    return outer, Loop(inner.sizes, inner.strides, (0,) * len(views))


def spread(shape: Sequence[int], own: Sequence[int], strides: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of what broadcasts to a shape along that: 0 where it is repeated."""
    if len(own) == len(shape) and are_same(own, shape):
        return strides
    moving = [stride * (1 - equal(size, 1)) for size, stride in zip(own, strides, strict=True)]
    return (0,) * (len(shape) - len(own)) + tuple(moving)


def _walk(dims: list[Dim], starts: Sequence[int], lead: int) -> Loop:
    """The loop over some dimensions. The operand that leads (1 is the first, -1 the last) is walked
    upwards, its fastest dimension innermost."""
    dims = _without(dims, [equal(dim[0], 1) for dim in dims])
    if not dims:
        return Loop((), ((),) * len(starts), tuple(starts))
    if reduce(least, [dim[lead] for dim in dims]) < 0:
        dims, starts = _upwards(dims, starts, lead)
    leads = [dim[lead] for dim in dims]
    if any(map(is_traced, leads)) or not all(map(gt, leads, leads[1:])):
        dims.reverse()  # of equals the later one is outside
        dims = in_order(dims, lambda dim: (dim[lead], sum(map(abs, dim[1:]))))
    sizes, *strides = zip(*_merged(dims), strict=True)
    return Loop(sizes, tuple(strides), tuple(starts))


def _upwards(dims: list[Dim], starts: Sequence[int], lead: int) -> tuple[list[Dim], Sequence[int]]:
    """Dimensions along which the leading operand walks downwards, walked from their ends."""
    found = []
    for size, *strides in dims:
        if strides[lead if lead < 0 else lead - 1] < 0:
            starts = [start + (size - 1) * s for start, s in zip(starts, strides, strict=True)]
            strides = [-stride for stride in strides]
        found.append((size, *strides))
    return found, starts


def _merged(dims: list[Dim]) -> list[Dim]:
    """Neighbours that every operand walks as if they were one become one."""
    result: list[Dim] = dims[:1]
    gone: list[Any] = []
    for size, *strides in dims[1:]:
        before, *outer = result[-1]
        goes_on = all_same(outer, [stride * size for stride in strides])
        gone.append(goes_on)
        result.append((size * (1 + goes_on * (before - 1)), *strides))
    return _without(result, [*gone, 0])


def _without(dims: list[Dim], gone: Sequence[int]) -> list[Dim]:
    """Dimensions but for those that are gone; how many these are is all that is decided."""
    count = index(sum(gone))
    if not count:
        return dims
    flagged = [(flag, *dim) for flag, dim in zip(gone, dims, strict=True)]
    return [dim[1:] for dim in in_order(flagged, lambda dim: (dim[0], 0))[count:]]
