"""Named memory layouts (transposed, sliced, broadcast, …) for tests and benchmarks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from openaclnn.base.dtypes import INT4, DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View, contiguous_strides, view

_OFFSET = 3  # an odd number of elements, so that no vector is aligned

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """How one layout makes a view of a shape; `meaning` is for help and documentation."""

    name: str
    meaning: str
    make: Callable[[DType, Shape], View]


def _contiguous(dtype: DType, shape: Shape) -> View:
    return view(dtype, shape)


def _transposed(dtype: DType, shape: Shape) -> View:
    if len(shape) < 2:
        return view(dtype, shape)
    storage = (*shape[:-2], shape[-1], shape[-2])
    strides = contiguous_strides(storage)
    return view(dtype, shape, (*strides[:-2], strides[-1], strides[-2]), 0, storage_shape=storage)


def _sliced(dtype: DType, shape: Shape) -> View:
    if not shape:
        return view(dtype, shape, storage_shape=(2,))
    storage = (*shape[:-1], 2 * shape[-1])
    strides = contiguous_strides(storage)
    return view(dtype, shape, (*strides[:-1], 2), 0, storage_shape=storage)


def _offset(dtype: DType, shape: Shape) -> View:
    return view(dtype, shape, None, _OFFSET, storage_shape=(math.prod(shape) + _OFFSET,))


def _reversed(dtype: DType, shape: Shape) -> View:
    if not shape or 0 in shape:
        return view(dtype, shape)
    strides = contiguous_strides(shape)
    return view(dtype, shape, (*strides[:-1], -1), shape[-1] - 1, storage_shape=shape)


ALL = {
    layout.name: layout
    for layout in (
        Layout("contiguous", "elements in order, nothing between them", _contiguous),
        Layout("transposed", "the last two dimensions swapped in memory", _transposed),
        Layout("sliced", "every second element of the last dimension", _sliced),
        Layout("offset", f"in order, beginning {_OFFSET} elements into the storage", _offset),
        Layout("reversed", "the last dimension runs backwards", _reversed),
    )
}


def by_name(name: str) -> Layout:
    try:
        return ALL[name]
    except KeyError:
        raise ValueError(f"{name!r} is no layout; expected one of {', '.join(ALL)}") from None


def elements(storage: Any, view: View) -> Any:
    """The tensor that a view shows of its storage, a NumPy array."""
    import numpy as np

    flat = storage.reshape(-1)
    if view.dtype is INT4:
        return unpacked(flat.view(np.uint8), view.shape, view.strides, view.offset)
    size = flat.itemsize
    strides = [stride * size for stride in view.strides]
    return np.lib.stride_tricks.as_strided(flat[view.offset :], view.shape, strides)


def unpacked(memory: Any, shape: Shape, strides: Shape, offset: int) -> Any:
    """Numbers of 4 bits, of which a byte has two, the first in its low half: as INT8."""
    import numpy as np

    indices = np.indices(shape, np.int64)
    along = np.array(strides, np.int64).reshape(-1, *[1] * len(shape))
    places = (indices * along).sum(axis=0) + offset
    if not np.size(places):
        return np.empty(shape, np.int8)
    half = (memory[places >> 1] >> (places & 1) * 4 & 15).astype(np.int8)
    return (half ^ 8) - np.int8(8)
