"""Tensors as aclnn sees them: a data address, and a view of the storage that it begins."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from operator import index
from typing import Any

from openaclnn.base import formats
from openaclnn.base.bounded import Bounded
from openaclnn.base.dtypes import DType
from openaclnn.base.status import AclnnError, Status

_INT64 = range(-(2**63), 2**63)


class View:
    """Which elements of a storage a tensor has: dtype, shape, strides and offset in elements.

    Views are interned: equal ones are usually the same object, so that a cache keyed by views
    costs a few pointer hashes. Make them with `view` or `strided_view`.
    """

    __slots__ = (
        "dtype", "end_byte", "first_byte", "format", "high", "low", "numel", "offset", "shape",
        "storage_shape", "strides",
    )  # fmt: skip

    def __init__(
        self,
        dtype: DType,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int,
        format: int,
        storage_shape: tuple[int, ...],
    ) -> None:
        self.dtype = dtype
        self.shape = shape
        self.strides = strides
        self.offset = offset
        self.format = format
        self.storage_shape = storage_shape
        self.numel = product_of(shape)
        # the lowest and the highest element of the storage that the view touches: no bytes if empty
        low = high = offset
        for size, stride in zip(shape, strides, strict=True):
            if stride < 0:
                low += (size - 1) * stride
            else:
                high += (size - 1) * stride
        self.low, self.high = (low, high) if self.numel else (offset, offset - 1)
        self.first_byte = self.low * dtype.bits // 8
        self.end_byte = -(-(self.high + 1) * dtype.bits // 8)

    @property
    def storage_numel(self) -> int:
        return product_of(self.storage_shape)

    @property
    def inside_storage(self) -> bool:
        """Whether every element lies in the storage; an empty view always does."""
        return self.numel == 0 or (self.low >= 0 and self.high < self.storage_numel)

    @property
    def contiguous(self) -> bool:
        return self.strides == contiguous_strides(self.shape)

    def seen(
        self, shape: Sequence[int], strides: Sequence[int], offset: int, dtype: DType | None = None
    ) -> View:
        """The same storage by other sizes and strides."""
        return view(dtype or self.dtype, shape, strides, offset, self.format, self.storage_shape)

    def __repr__(self) -> str:
        text = f"View({self.dtype}, shape={list(self.shape)}"
        if not self.contiguous:
            text += f", strides={list(self.strides)}"
        if self.offset:
            text += f", offset={self.offset}"
        return text + ")"


_serials = count()


class Tensor:
    """A view and the address where its storage begins, in the memory of `device`.

    `owner` keeps the memory alive for as long as the tensor, or an executor made from it, lives.
    """

    __slots__ = (
        "address", "device", "end", "first", "key", "owner", "read_only", "recent", "serial",
        "view",
    )  # fmt: skip

    def __init__(
        self,
        view: View,
        address: int,
        device: str = "cpu",
        owner: Any = None,
        read_only: bool = False,
    ) -> None:
        self.view = view
        self.address = address
        self.device = device
        self.owner = owner
        self.read_only = read_only
        # all but the address, hashable
        self.key = view if device == "cpu" and not read_only else (view, device, read_only)
        self.serial = next(_serials)  # an id may come again, this does not
        self.recent: Any = None  # what the latest call that wrote here can hand to the next
        self.first = address + view.first_byte  # the bytes that the view spans …
        self.end = address + view.end_byte  # … up to here

    def move_to(self, address: int) -> None:
        """Begin the storage at another address; executors keep the one that they know."""
        Tensor.__init__(self, self.view, address, self.device, self.owner, self.read_only)

    @property
    def dtype(self) -> DType:
        return self.view.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.view.shape

    @property
    def strides(self) -> tuple[int, ...]:
        return self.view.strides

    def __repr__(self) -> str:
        return f"Tensor({self.view!r} at {self.address:#x} on {self.device})"


def product_of(sizes: Sequence[int]) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


def contiguous_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """Row-major strides, in elements.

    >>> contiguous_strides((2, 3, 4))
    (12, 4, 1)
    """
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))


_interned: Bounded[tuple[Any, ...], View] = Bounded(1 << 13)  # older ones stay valid, not shared


def view(
    dtype: DType,
    shape: Sequence[int],
    strides: Sequence[int] | None = None,
    offset: int = 0,
    format: int = formats.ND,
    storage_shape: Sequence[int] | None = None,
) -> View:
    """The view of these facts. No strides means contiguous, no storage shape the view's own.

    Only what is no view at all is refused here (a negative size, numbers that 64 bits cannot
    hold); whether the view lies inside its storage is the operators' check.
    """
    shape = tuple(shape)
    if strides is None:
        strides = contiguous_strides([*map(_exact, shape)])  # NumPy's integers would wrap
    else:
        strides = tuple(strides)
    storage_shape = shape if storage_shape is None else tuple(storage_shape)
    key = (dtype, shape, strides, offset, format, storage_shape)
    try:
        found = _interned.get(key)
    except TypeError:  # numbers that are traced (base/trace.py) have no hash
        numbers: Any = (*shape, *strides, offset)
        traced = next((number for number in numbers if hasattr(number, "traced_view")), None)
        if traced is None:
            raise
        made: View = traced.traced_view(*key)
        return made
    if found is None:
        # for the same reason; and a float that equals an integer is none
        shape, strides = tuple(map(index, shape)), tuple(map(index, strides))
        storage_shape = tuple(map(index, storage_shape))
        offset = index(offset)
        key = (dtype, shape, strides, offset, format, storage_shape)
        _refuse_impossible(shape, strides, storage_shape)
        found = View(dtype, shape, strides, offset, format, storage_shape)
        bounds = (found.numel, found.low, found.high, found.storage_numel, offset)
        size = max(1, dtype.itemsize)
        if max(bounds) * size not in _INT64 or min(bounds) * size not in _INT64:
            raise AclnnError(
                Status.PARAM_INVALID,
                f"the view shape={list(shape)} strides={list(strides)} offset={offset} of a "
                f"storage {list(storage_shape)} does not fit into 64-bit addresses",
            )
        _interned[key] = found
    return found


def _exact(size: int) -> int:
    """A size as Python's own integer; a traced one (base/trace.py) stays what it is."""
    return size if hasattr(size, "traced_view") else index(size)


def _refuse_impossible(
    shape: tuple[int, ...], strides: tuple[int, ...], storage_shape: tuple[int, ...]
) -> None:
    if len(shape) != len(strides):
        raise AclnnError(
            Status.PARAM_INVALID,
            f"{len(shape)} dimensions came with {len(strides)} strides; expected one stride each",
        )
    for name, sizes in (("shape", shape), ("storage shape", storage_shape)):
        if sizes and min(sizes) < 0:
            raise AclnnError(
                Status.PARAM_INVALID, f"the {name} {list(sizes)} has a negative size; expected >= 0"
            )


def _is_dense(found: View) -> bool:
    """Whether the elements follow each other without gaps, in some order of the dimensions."""
    pairs = zip(found.shape, found.strides, strict=True)
    dims = sorted((stride, size) for size, stride in pairs if size != 1)
    return [stride for stride, _ in dims] == [
        product_of([size for _, size in dims[:k]]) for k in range(len(dims))
    ]


def whatever_its_storage(found: View) -> View:
    """A view of memory whose size is known. A dense one, transposed or not, may begin anywhere
    there, beyond its storage's shape too: hardware does not look."""
    if found.inside_storage or found.offset < 0 or not _is_dense(found):
        return found
    reach = (found.high + 1,)
    return view(found.dtype, found.shape, found.strides, found.offset, found.format, reach)


def strided_view(dtype: DType, shape: Sequence[int], strides: Sequence[int]) -> View:
    """The view of an array that knows no storage: as much storage as its elements span.

    Its address is that of the lowest element: the first element's minus `view.offset` elements.
    """
    return _strided_view(dtype, tuple(shape), tuple(strides))


@lru_cache(maxsize=4096)
def _strided_view(dtype: DType, shape: tuple[int, ...], strides: tuple[int, ...]) -> View:
    if 0 in shape:
        return view(dtype, shape, strides, 0, formats.ND, (0,))
    low = high = 0
    for size, stride in zip(shape, strides, strict=True):
        if stride < 0:
            low += (size - 1) * stride
        else:
            high += (size - 1) * stride
    return view(dtype, shape, strides, -low, formats.ND, (high - low + 1,))


def broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape that all of these broadcast to by NumPy's rules, or None.

    >>> broadcast((4, 1), (3,)), broadcast((0,), (1,)), broadcast((2,), (3,))
    ((4, 3), (0,), None)
    """
    traced = next((shape for shape in shapes if hasattr(shape, "broadcast_with")), None)
    if traced is not None:  # base/trace.py
        found_traced: tuple[int, ...] | None = traced.broadcast_with(shapes)
        return found_traced
    first, *others = shapes or ((),)
    # most often so; tuples of unequal lengths compare their items, too, and PyTorch records that
    if all(len(shape) == len(first) and shape == first for shape in others):
        return first
    result: list[int] = []
    for position in range(1, 1 + max((len(shape) for shape in shapes), default=0)):
        found = 1
        for shape in shapes:  # compared, not hashed: PyTorch's symbolic sizes cannot be
            if position <= len(shape) and shape[-position] != 1 and shape[-position] != found:
                if found != 1:
                    return None
                found = shape[-position]
        result.append(found)
    return tuple(reversed(result))
