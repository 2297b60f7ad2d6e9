"""The nests of loops behind a call: few dimensions, the output's fastest innermost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import gt, index
from typing import NamedTuple

from openaclnn.base.tensors import View, contiguous_strides, product_of
from openaclnn.base.trace import (
    TracedView,
    all_same,
    any_of,
    are_same,
    equal,
    in_order,
    is_traced,
    least,
    less,
    pick,
    same,
)

Dim = tuple[int, ...]  # a size, then every operand's stride


class Loop(NamedTuple):
    """Sizes, outermost first; for each operand its strides and where it starts, in elements. The
    first ones may be 1, with strides of 0: there are as many as the views had."""

    sizes: tuple[int, ...]
    strides: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]

    def dimension(self, dim: int | None) -> tuple[int, list[int]]:
        """Size and strides of a dimension; None is one of size 1."""
        if dim is None:
            return 1, [0] * len(self.strides)
        return self.sizes[dim], [strides[dim] for strides in self.strides]

    def compact(self) -> Loop:
        """The same without dimensions of size 1. How many these are is decided, if it is traced."""
        gone = index(sum(equal(size, 1) for size in self.sizes))
        if not gone:
            return self
        return Loop(self.sizes[gone:], tuple(one[gone:] for one in self.strides), self.starts)

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
    last = views[-1]
    ordered = isinstance(last, TracedView) and last.surely_contiguous
    return nest_over(shape, strides, [view.offset for view in views], ordered)


def nest_over(
    shape: Sequence[int],
    strides: Sequence[Sequence[int]],
    starts: Sequence[int],
    ordered: bool = False,
) -> Loop:
    """The same from a shape, and of every operand its strides along it and where it starts.
    `ordered`: the last one's elements follow each other."""
    flat = contiguous_strides(shape)
    if same([s for some in strides for s in some], flat * len(strides)):
        return Loop((product_of(shape),), ((1,),) * len(strides), tuple(starts))
    return _walk([*zip(shape, *strides, strict=True)], starts, lead=-1, ordered=ordered)


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
    new = len(shape) - len(own)
    alike = map(equal, own, shape[new:])
    return (0,) * new + tuple(stride * one for stride, one in zip(strides, alike, strict=True))


def _walk(dims: list[Dim], starts: Sequence[int], lead: int, ordered: bool = False) -> Loop:
    """The loop over some dimensions. The operand that leads (1 is the first, -1 the last) is walked
    upwards, its fastest dimension innermost: `ordered`, if it has them so already."""
    if not dims:
        return Loop((), ((),) * len(starts), tuple(starts))
    gone = [equal(dim[0], 1) for dim in dims]
    if not ordered:
        dims = [
            (size, *(stride * (1 - one) for stride in strides))
            for (size, *strides), one in zip(dims, gone, strict=True)
        ]
        if reduce(least, [dim[lead] for dim in dims]) < 0:
            dims, starts = _upwards(dims, starts, lead)
        leads = [dim[lead] + one * (1 << 62) for dim, one in zip(dims, gone, strict=True)]
        if any(map(is_traced, leads)) or not all(map(gt, leads, leads[1:])):
            flagged = [*zip(leads, dims, strict=True)]
            flagged.reverse()  # of equals the later one is outside
            tie = [(first, sum(map(abs, dim[1:])), *dim) for first, dim in flagged]
            dims = [dim[2:] for dim in in_order(tie, lambda dim: (dim[0], dim[1]))]
            gone = [equal(dim[0], 1) for dim in dims]
    sizes, *strides = zip(*_merged(dims, gone), strict=True)
    return Loop(sizes, tuple(strides), tuple(starts))


def _upwards(dims: list[Dim], starts: Sequence[int], lead: int) -> tuple[list[Dim], Sequence[int]]:
    """Dimensions along which the leading operand walks downwards, walked from their ends."""
    found = []
    for size, *strides in dims:
        down = less(strides[lead if lead < 0 else lead - 1], 0)
        ends = [(size - 1) * down * stride for stride in strides]
        starts = [start + end for start, end in zip(starts, ends, strict=True)]
        found.append((size, *(stride * (1 - 2 * down) for stride in strides)))
    return found, starts


def _merged(dims: list[Dim], gone: Sequence[int]) -> list[Dim]:
    """Neighbours that every operand walks as if they were one become one, whatever the dimensions
    between them that are gone. Nothing is decided: there are as many dimensions as before, those
    that are left behind the others, which have size 1."""
    none = (1, *((0,) * (len(dims[0]) - 1)))
    current, found, empty = dims[-1], [], []
    its = gone[-1]  # whether nothing but what is gone has been met
    for dim, one in zip(reversed(dims[:-1]), reversed(gone[:-1]), strict=True):
        size, *strides = current
        ends = [stride * size for stride in strides]
        goes_on = any_of(one, its, all_same(dim[1:], ends))
        found.append(_picked(goes_on, current, none))
        empty.append(goes_on)
        stays = goes_on * (1 - its)
        current = (
            dim[0] * pick(goes_on, (1, size)),
            *_picked(stays, dim[1:], strides),
        )
        its = its * one
    found.append((current[0], *(stride * (1 - its) for stride in current[1:])))
    empty.append(its)
    flagged = [(flag, *dim) for flag, dim in zip(reversed(empty), reversed(found), strict=True)]
    return [dim[1:] for dim in in_order(flagged, lambda dim: (dim[0], 0))]


def _picked(which: int, first: Sequence[int], second: Sequence[int]) -> Dim:
    return tuple(pick(which, pair) for pair in zip(first, second, strict=True))
