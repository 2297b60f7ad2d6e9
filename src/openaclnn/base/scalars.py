"""aclScalar: one host value with a dtype."""

from __future__ import annotations

import ctypes
import struct
from functools import lru_cache

from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.records import dataclass


@dataclass(frozen=True, eq=False, slots=True)
class Scalar:
    """A value that its dtype holds exactly. Each exists once: `scalar` and `from_bytes` see to it,
    so that a cache can be keyed by them (-0.0 is not 0.0 there, and NaN is itself)."""

    value: bool | int | float | complex
    dtype: DType


# of Python's struct
_FORMATS = {
    dtypes.FLOAT: "f", dtypes.FLOAT16: "e", dtypes.DOUBLE: "d", dtypes.BOOL: "?",
    dtypes.INT8: "b", dtypes.INT16: "h", dtypes.INT32: "i", dtypes.INT64: "q",
    dtypes.UINT8: "B", dtypes.UINT16: "H", dtypes.UINT32: "I", dtypes.UINT64: "Q",
}  # fmt: skip


def scalar(value: object, dtype: DType | None = None) -> Scalar:
    """The scalar nearest to `value` in `dtype` (by default the one Python's type suggests).

    >>> scalar(0.1, dtypes.FLOAT16).value
    0.0999755859375
    >>> scalar(True).dtype, scalar(3).dtype, scalar(0.5).dtype
    (BOOL, INT64, DOUBLE)
    """
    if type(value) is float and dtype in (dtypes.DOUBLE, None):
        return from_bytes(struct.pack("=d", value), dtypes.DOUBLE)
    if type(value) is int and dtype in (dtypes.INT64, None) and -(2**63) <= value < 2**63:
        return from_bytes(struct.pack("=q", value), dtypes.INT64)
    return _nearest(value, dtype)


@plain_arithmetic()
def _nearest(value: object, dtype: DType | None) -> Scalar:
    """The same of any value, which may have to be rounded."""
    if dtype is dtypes.FLOAT and (type(value) is float or _is_double(value)):
        return from_bytes(bytes(ctypes.c_float(value)), dtype)  # type: ignore[arg-type]
    import numpy as np

    array = np.asarray(value)
    if array.ndim:
        raise ValueError(f"a scalar has one value; {array.size} came")
    dtype = dtype or dtypes.from_numpy(array.dtype)
    if dtype is None:
        raise ValueError(f"{value!r} is no number that a scalar can hold")
    if array.dtype.kind == "c" and dtype.kind != "complex":
        raise ValueError(f"{value!r} is complex; expected a real number for {dtype}")
    with np.errstate(all="ignore"):
        converted = array.astype(dtype.numpy)
    if dtype.kind == "int" and converted != array:
        raise ValueError(f"{value!r} does not fit {dtype}")
    return from_bytes(converted.tobytes(), dtype)


def _is_double(value: object) -> bool:
    """Whether a number is an integer that float64 holds, so that rounding it takes one step."""
    return type(value) is int and abs(value) <= 2**53


@plain_arithmetic()
def round_to_float(value: float) -> float:
    """The float32 nearest to a number, as a C compiler would pass it.

    >>> round_to_float(0.1), round_to_float(-1e300)
    (0.10000000149011612, -inf)
    """
    return ctypes.c_float(value).value


@lru_cache(maxsize=4096)
@plain_arithmetic()
def from_bytes(data: bytes, dtype: DType) -> Scalar:
    """The scalar whose memory is `data`, as C programs hand it over."""
    if dtype is dtypes.BF16:  # the upper half of a float32
        return Scalar(struct.unpack("<f", b"\0\0" + data)[0], dtype)
    if dtype in _FORMATS:
        return Scalar(struct.unpack_from(f"={_FORMATS[dtype]}", data)[0], dtype)
    import numpy as np  # not for the usual ones: C programs would wait for it

    return Scalar(_python_value(np.frombuffer(data, dtype.numpy)[0]), dtype)


def _python_value(value: object) -> bool | int | float | complex:
    import numpy as np

    found = np.asarray(value)
    if found.dtype.kind not in "biufc":  # bfloat16 extends NumPy: item() keeps its own type
        found = found.astype(np.float32)
    result: bool | int | float | complex = found.item()
    return result
