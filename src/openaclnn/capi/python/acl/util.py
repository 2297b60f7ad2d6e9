"""acl.util: between addresses and Python's own memory."""

import ctypes
from typing import Any


def ptr_to_bytes(ptr: int, size: int) -> bytes:
    """A copy of host memory."""
    return ctypes.string_at(ptr, size)


def bytes_to_ptr(data: bytes) -> int:
    """The address of the bytes; they must outlive its use."""
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


def numpy_to_ptr(array: Any) -> int:
    """The address of an array's first element; the array must outlive its use."""
    return int(array.ctypes.data)


def ptr_to_numpy(ptr: int, shape: tuple[int, ...], dtype: int) -> Any:
    """Host memory as a NumPy array without a copy; `dtype` is NumPy's own type number."""
    import numpy as np

    kind = next(np.dtype(code) for code in np.typecodes["All"] if np.dtype(code).num == dtype)
    count = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    return np.frombuffer(memoryview((ctypes.c_char * count).from_address(ptr)), kind).reshape(shape)
