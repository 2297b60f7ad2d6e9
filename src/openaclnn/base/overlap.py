"""Whether two views overlap in memory, or one view overlaps itself.

NumPy's solver of bounded Diophantine equations does the hard cases; it never reads the memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from openaclnn.base.tensors import Tensor, View
from openaclnn.base.trace import TracedView, all_of, any_of, equal, in_order, less

if TYPE_CHECKING:
    import numpy as np

_Span = TypeVar("_Span", bound=tuple[Any, ...])

_MAX_WORK = 100_000  # steps of the solver, some 10 ms; past it, overlap is assumed
_FEW_PAIRS = 16  # of spans that are compared one by one
_SOMEWHERE = 1 << 60  # an address for what has none: nothing is read there


class _Memory:
    """What NumPy calls an array, without any memory behind it."""

    def __init__(self, address: int, shape: list[int], strides: list[int], itemsize: int) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": tuple(shape),
            "strides": tuple(strides),
            "typestr": f"|V{itemsize}",
            "version": 3,
        }


def _array(
    address: int, shape: list[int], strides: list[int], itemsize: int
) -> np.ndarray[Any, Any]:
    import numpy as np

    return np.asarray(_Memory(address, shape, strides, itemsize))


def _shared(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    import numpy as np

    try:
        return np.shares_memory(a, b, max_work=_MAX_WORK)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def touching(ours: Sequence[_Span], theirs: Sequence[_Span]) -> Iterator[tuple[_Span, _Span]]:
    """Every span of ours with every one of theirs that it has a number in common with; a span has
    its first number, its end, and whatever belongs to it. Each pair takes the same time, and those
    that do not touch take none: all of this is sorting.

    >>> [*touching([(0, 4, "a"), (6, 9, "b")], [(3, 7, "c"), (9, 9, "d")])]
    [((0, 4, 'a'), (3, 7, 'c')), ((6, 9, 'b'), (3, 7, 'c'))]
    """
    if len(ours) * len(theirs) <= _FEW_PAIRS:
        pairs = ((a, b) for a in ours for b in theirs)
        apart = (any_of(less(a[1] - 1, b[0]), less(b[1] - 1, a[0])) for a, b in pairs)
        if all_of(1, *apart):  # which decides nothing about their order
            return
    starts = [(span[0], False, span) for span in ours] + [(span[0], True, span) for span in theirs]
    starts.sort(key=itemgetter(0))
    open_ours: list[_Span] = []
    open_theirs: list[_Span] = []
    for start, of_theirs, span in starts:
        if of_theirs:
            open_ours = [other for other in open_ours if other[1] > start]
            yield from ((other, span) for other in open_ours)
            open_theirs.append(span)
        else:
            open_theirs = [other for other in open_theirs if other[1] > start]
            yield from ((span, other) for other in open_theirs)
            open_ours.append(span)


def same_view(a: Tensor, b: Tensor) -> bool:
    """Whether both name the same elements in the same order, so that writing one as the other is
    read goes well."""
    return (
        a.device == b.device
        and a.view.dtype is b.view.dtype
        and a.view.shape == b.view.shape
        and a.view.strides == b.view.strides
        and a.first == b.first
    )


def overlapping(output: Tensor, source: Tensor) -> bool:
    """Whether writing the output could change an element of `source` that is still to be read.

    A tensor without an address overlaps nothing: it has no elements yet.
    """
    if output.view.numel == 0 or source.view.numel == 0:
        return False
    if not output.address or not source.address:
        return False
    if output.end <= source.first or source.end <= output.first or same_view(output, source):
        return False
    return _meet(output, source)


def sharing(a: Tensor, b: Tensor) -> bool:
    """Whether both have an element's bytes in common."""
    if 0 in (a.view.numel, b.view.numel, a.address, b.address):
        return False
    return a.end > b.first and b.end > a.first and _meet(a, b)


def _meet(a: Tensor, b: Tensor) -> bool:
    """Of elements smaller than a byte, all bytes between the first and the last one count."""
    return 0 in (a.dtype.itemsize, b.dtype.itemsize) or _shared(_of(a), _of(b))


def _of(tensor: Tensor) -> np.ndarray[Any, Any]:
    view, size = tensor.view, tensor.view.dtype.itemsize
    # NumPy has 64 dimensions at most; of those longer than 1 no view has more
    dims = [(n, s * size) for n, s in zip(view.shape, view.strides, strict=True) if n > 1]
    address = tensor.address + view.offset * size
    return _array(address, [n for n, _ in dims], [s for _, s in dims], size)


def onto_itself(view: View) -> bool:
    """Whether two indices of the view mean one element."""
    if isinstance(view, TracedView):
        return not view.surely_contiguous and _meets_itself(view)
    return _kept(view)


@lru_cache(maxsize=4096)
def _kept(view: View) -> bool:
    return view.numel > 1 and not view.contiguous and _meets_itself(view)


def _meets_itself(view: View) -> bool:
    dims = [(abs(stride), size) for size, stride in zip(view.shape, view.strides, strict=True)]
    apart: Any = 1
    reach: Any = 0
    # the nearest first; where each step leads beyond all before it, no two indices meet
    for stride, size in reversed(in_order(dims, lambda dim: dim)):
        apart = all_of(apart, any_of(equal(size, 1), less(reach, stride)))
        reach = reach + stride * (size - 1)
    if apart:
        return False
    return _collides(sorted((stride, size) for stride, size in dims if size > 1))


def _collides(dims: list[tuple[int, int]]) -> bool:
    """Two indices collide if they first differ in some dimension: the one ahead there, and the
    one that is not, are two views with a common element."""
    for position, (stride, size) in enumerate(dims):
        rest = dims[position + 1 :]
        strides, sizes = [s for s, _ in rest], [n for _, n in rest]
        ahead = _array(_SOMEWHERE + stride, [size - 1, *sizes], [stride, *strides], 1)
        behind = _array(_SOMEWHERE, sizes, strides, 1)
        if _shared(ahead, behind):
            return True
    return False
