"""The nests of loops behind a call: few dimensions, the output's fastest innermost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openaclnn.base.tensors import View, contiguous_strides


@dataclass(frozen=True)
class Loop:
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
    return _walk(views, range(len(views[-1].shape)), [view.offset for view in views], lead=-1)


def nests(views: Sequence[View], folded: Sequence[int]) -> tuple[Loop, Loop]:
    """The loop over the dimensions that are kept, as `nest` makes it, and the one over those that
    are folded for each of its elements, the first operand's fastest innermost. Where that one
    starts is part of the first."""
    starts = [view.offset for view in views]
    inner = _walk(views, folded, starts, lead=0)
    kept = [dim for dim in range(len(views[-1].shape)) if dim not in folded]
    outer = _walk(views, kept, list(inner.starts), lead=-1)
    return outer, Loop(inner.sizes, inner.strides, (0,) * len(views))


def _walk(views: Sequence[View], over: Sequence[int], starts: list[int], lead: int) -> Loop:
    """The loop over some dimensions of the last view. The operand that leads is walked upwards, its
    fastest dimension innermost."""
    shape = views[-1].shape
    dims = []  # (size, strides of every operand)
    for dim in sorted(over, reverse=True):
        size = shape[dim]
        if size == 1:
            continue
        strides = [_stride(view, len(shape) - dim) for view in views]
        if strides[lead] < 0:
            starts = [start + (size - 1) * s for start, s in zip(starts, strides, strict=True)]
            strides = [-stride for stride in strides]
        dims.append((size, strides))
    dims.sort(key=lambda dim: (dim[1][lead], sum(map(abs, dim[1]))), reverse=True)
    dims = _merged(dims)
    return Loop(
        sizes=tuple(size for size, _ in dims),
        strides=tuple(tuple(s[k] for _, s in dims) for k in range(len(views))),
        starts=tuple(starts),
    )


def _stride(view: View, position: int) -> int:
    """The stride of the dimension that is `position`-th from the end; 0 where it is broadcast."""
    if position > len(view.shape) or view.shape[-position] == 1:
        return 0
    return view.strides[-position]


def _merged(dims: list[tuple[int, list[int]]]) -> list[tuple[int, list[int]]]:
    """Neighbours that every operand walks as if they were one become one."""
    result: list[tuple[int, list[int]]] = []
    for size, strides in dims:
        if result:
            outer_size, outer = result[-1]
            if all(o == s * size for o, s in zip(outer, strides, strict=True)):
                result[-1] = (outer_size * size, strides)
                continue
        result.append((size, strides))
    return result
