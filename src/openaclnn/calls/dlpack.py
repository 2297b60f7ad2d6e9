"""Reading DLPack capsules: the exchange format of array libraries, all dtypes and devices."""

from __future__ import annotations

import ctypes
from typing import Any

from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType
from openaclnn.base.status import OpenaclnnError
from openaclnn.base.tensors import Tensor, contiguous_strides, strided_view


class UnusableError(OpenaclnnError):
    """An array that cannot be a tensor; the text says why, as the rest of a sentence about it."""


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_KINDS = {0: "s", 1: "u", 2: "f", 4: "bf", 5: "c", 6: "bool"}
_DEVICES = {1: "cpu", 2: "cuda", 3: "cpu", 11: "cpu", 13: "cuda"}

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def as_tensor(array: Any, written: bool) -> Tensor:
    """The tensor behind an object with `__dlpack__`.

    The capsule is kept, never consumed: while it lives, so does the memory.
    """
    try:
        capsule = array.__dlpack__()
    except (BufferError, TypeError) as error:
        raise UnusableError(f"cannot be shared: {error}") from None
    facts = _DLTensor.from_address(_pointer(capsule, b"dltensor"))
    device = _DEVICES.get(facts.device_type)
    dtype = _dtype(facts)
    if device is None or dtype is None:
        raise UnusableError(
            f"has DLPack type ({facts.code}, {facts.bits} bits, {facts.lanes} lanes) on device "
            f"type {facts.device_type}; expected an aclnn dtype on a CPU or CUDA device"
        )
    if written:
        if type(array).__module__.startswith("jax"):
            raise UnusableError(
                "is a JAX array, which cannot be changed; use the result that a call without out= "
                "and not in place returns"
            )
        raise UnusableError(
            f"is a {type(array).__name__}, which shares its memory for reading only"
        )
    shape = facts.shape[: facts.ndim]
    strides = facts.strides[: facts.ndim] if facts.strides else contiguous_strides(shape)
    view = strided_view(dtype, shape, strides)
    address = (facts.data or 0) + facts.byte_offset - view.offset * dtype.itemsize
    return Tensor(view, address, device, (array, capsule))


def _dtype(facts: Any) -> DType | None:
    kind = _KINDS.get(facts.code)
    if kind is None or facts.lanes != 1:
        return None
    try:
        return dtypes.by_name("bool" if kind == "bool" else f"{kind}{facts.bits}")
    except ValueError:
        return None
