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


def _pack(*tensors: Array, N: int, axis: int) -> Array:
    return np.stack(tensors, axis)


FUNCTIONS: dict[str, Callable[..., Array]] = {
    "Pack": _pack,
    "ReduceMax": _reduced(np.max),
    "ReduceMin": _reduced(np.min),
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
