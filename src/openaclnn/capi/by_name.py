"""Operators that exist only by name (aclop) and select elements. They store elements unchanged, so
NumPy gives the same bits as any device. Frameworks need them to print a tensor."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from openaclnn.base import dtypes

Array = np.ndarray[Any, np.dtype[Any]]


def _reduced(by: Callable[..., Any]) -> Callable[..., Array]:
    def reduced(self: Array, axes: Array, keep_dims: bool = False) -> Array:
        found = tuple(axes.ravel().tolist()) or tuple(range(self.ndim))
        return np.asarray(by(self, axis=found, keepdims=keep_dims))

    return reduced


def _one_hot(x: Array, on: Array, off: Array, depth: int, axis: int = -1) -> Array:
    chosen = np.arange(depth) == x[..., None]
    found = np.where(chosen, on.ravel()[0], off.ravel()[0]).astype(on.dtype)
    return np.ascontiguousarray(np.moveaxis(found, -1, axis))


def _pack(*tensors: Array, N: int, axis: int) -> Array:
    return np.stack(tensors, axis)


def _fill(dims: Array, value: Array) -> Array:
    return np.full(tuple(dims.ravel().tolist()), value.ravel()[0], value.dtype)


def _strided_slice(
    self: Array,
    begin: Array,
    end: Array,
    strides: Array,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Array:
    """A bit of a mask says that its dimension has no begin, no end, stands for all that are not
    named, is a new one, or is an index."""
    key: list[Any] = []
    for k, (first, last, step) in enumerate(
        zip(*(one.ravel().tolist() for one in (begin, end, strides)), strict=True)
    ):
        bit = 1 << k
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(first)
        else:
            bounds = None if begin_mask & bit else first, None if end_mask & bit else last
            key.append(slice(*bounds, step))
    found: Array = np.ascontiguousarray(self[tuple(key)])
    return found


def _scatter_nd_update(
    var: Array, indices: Array, updates: Array, use_locking: bool = False
) -> Array:
    found: Array = var.copy()
    found[tuple(np.moveaxis(indices, -1, 0))] = updates
    return found


FUNCTIONS: dict[str, Callable[..., Array]] = {
    "Fill": _fill,
    "OneHotD": _one_hot,
    "Pack": _pack,
    "ReduceMax": _reduced(np.max),
    "ReduceMin": _reduced(np.min),
    "ScatterNdUpdate": _scatter_nd_update,
    "StridedSlice": _strided_slice,
}


def compute(name: str, arrays: list[Array], attributes: dict[str, Any]) -> Array:
    """The result of an operator by its name.

    >>> compute("ReduceMax", [np.arange(6).reshape(2, 3), np.array([1])], {"keep_dims": True})
    array([[2],
           [5]])
    """
    return FUNCTIONS[name](*arrays, **attributes)


def array_at(code: int, shape: Sequence[int], address: int) -> Array:
    """Memory of the host as an array of a dtype by its code."""
    dtype = dtypes.by_code(code).numpy
    size = math.prod(shape) * dtype.itemsize
    if not size:
        return np.empty(tuple(shape), dtype)
    memory = memoryview((ctypes.c_char * size).from_address(address)).cast("B")
    return np.frombuffer(memory, dtype).reshape(tuple(shape))
