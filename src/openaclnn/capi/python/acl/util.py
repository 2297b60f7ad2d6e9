"""acl.util: between addresses and Python's own memory; threads for callbacks."""

import ctypes
import threading
from collections.abc import Callable
from typing import Any

_INVALID_PARAM = 100000  # ACL_ERROR_INVALID_PARAM
_threads: dict[int, threading.Thread] = {}


def ptr_to_bytes(ptr: int, size: int) -> bytes:
    """A copy of host memory."""
    return ctypes.string_at(ptr, size)


def bytes_to_ptr(data: bytes) -> int:
    """The address of the bytes; they must outlive its use."""
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


def numpy_to_ptr(array: Any) -> int:
    """The address of an array's first element; the array must outlive its use."""
    return int(array.ctypes.data)


def numpy_contiguous_to_ptr(array: Any) -> tuple[int, Any]:
    """The address of an array's elements in a row, and the array that must outlive its use: the
    same one, or a copy where its elements lie apart."""
    import numpy as np

    packed = np.ascontiguousarray(array)
    return int(packed.ctypes.data), packed


def start_thread(func: Callable[[Any], Any], args: Any) -> tuple[int, int]:
    """Call func(args) in a thread of its own; its number, and 0."""
    thread = threading.Thread(target=func, args=(args,), daemon=True)
    thread.start()
    number = thread.ident or 0
    _threads[number] = thread
    return number, 0


def stop_thread(thr_id: int) -> int:
    """Wait until a thread that start_thread started has ended; 100000 where there is none."""
    thread = _threads.pop(thr_id, None)
    if thread is None:
        return _INVALID_PARAM
    thread.join()
    return 0


def ptr_to_numpy(ptr: int, shape: tuple[int, ...], dtype: int) -> Any:
    """Host memory as a NumPy array without a copy; `dtype` is NumPy's own type number."""
    import numpy as np

    kind = next(np.dtype(code) for code in np.typecodes["All"] if np.dtype(code).num == dtype)
    count = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
    return np.frombuffer(memoryview((ctypes.c_char * count).from_address(ptr)), kind).reshape(shape)
