"""The nest of loops behind a call: few dimensions, the output's fastest innermost."""

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

    def with_last_contiguous(self) -> Loop:
        """The same loop with its last operand replaced by a contiguous one of its own."""
        return Loop(
            self.sizes, (*self.strides[:-1], contiguous_strides(self.sizes)), (*self.starts[:-1], 0)
        )


def through_workspace(loop: Loop, itemsize: int) -> tuple[Loop, Loop, int]:
    """The loops of a staged call: into a contiguous workspace, and from there to the output, word
    by word. The third value is a word's bytes: an element of 16 is two words."""
    into = loop.with_last_contiguous()
    sizes, strides, starts = loop.sizes, (into.strides[-1], loop.strides[-1]), (0, loop.starts[-1])
    if itemsize <= 8:
        return into, Loop(sizes, strides, starts), itemsize
    halves = tuple((*(2 * stride for stride in one), 1) for one in strides)
    return into, Loop((*sizes, 2), halves, tuple(2 * start for start in starts)), 8


def nest(views: Sequence[View]) -> Loop:
    """The loop over views that broadcast to the last one, the output."""
    shape = views[-1].shape
    starts = [view.offset for view in views]
    dims = []  # (size, strides of every operand)
    for position in range(1, len(shape) + 1):
        size = shape[-position]
        if size == 1:
            continue
        strides = [_stride(view, position) for view in views]
        if strides[-1] < 0:  # walk the output upwards
            starts = [start + (size - 1) * s for start, s in zip(starts, strides, strict=True)]
            strides = [-stride for stride in strides]
        dims.append((size, strides))
    dims.sort(key=lambda dim: (dim[1][-1], sum(map(abs, dim[1]))), reverse=True)
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
