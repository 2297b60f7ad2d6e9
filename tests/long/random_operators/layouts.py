"""The same values in memory of other layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from random_operators.dtypes import Array

Layout = Callable[[Array], Array]


def contiguous(array: Array) -> Array:
    return array.copy(order="C")


def turned(array: Array) -> Array:
    """Contiguous along the first dimension."""
    return array.copy(order="F")


def sliced(array: Array) -> Array:
    """Every second element of something larger, not at its begin."""
    whole = np.full([2 * size + 3 for size in array.shape], 3, array.dtype)
    part = whole[(..., *(slice(1, 1 + 2 * size, 2) for size in array.shape))]
    part[...] = array
    return part


def backwards(array: Array) -> Array:
    """Negative strides throughout."""
    back = (..., *(slice(None, None, -1),) * array.ndim)
    return array[back].copy()[back]


LAYOUTS: Sequence[Layout] = (contiguous, turned, sliced, backwards)


def relaid(value: Any, layout: Layout) -> Any:
    """An argument in another layout; what is no array is as it was."""
    if isinstance(value, list):
        return [layout(one) for one in value]
    return layout(value) if isinstance(value, np.ndarray) else value


def storage_of(array: Array) -> tuple[Array, int]:
    """The memory that an array is a view of, and where in it its first element is, in elements."""
    storage = array
    while isinstance(storage.base, np.ndarray):
        storage = storage.base
    offset = array.ctypes.data - storage.ctypes.data if array.size else 0
    return storage, offset // array.itemsize


def same(found: Sequence[Array | None], expected: Sequence[Array]) -> bool:
    """Whether arrays have the same bits; None where nobody wanted one."""
    return len(found) == len(expected) and all(
        one is None
        or (one.shape, one.dtype, one.tobytes()) == (two.shape, two.dtype, two.tobytes())
        for one, two in zip(found, expected, strict=True)
    )
