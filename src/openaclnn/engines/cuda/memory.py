"""Temporaries on the device, freed in the order of the stream that used them."""

from __future__ import annotations

import ctypes
import sys
import weakref
from functools import cache
from typing import Any

from cuda.bindings import driver

import openaclnn.runtime.cuda as runtime
from openaclnn.base.status import AclnnError, Status
from openaclnn.runtime.interface import AclError, MemcpyKind


class Temporary:
    """Device memory that any stream may use; dropping it frees it after the last use."""

    def __init__(self, size: int) -> None:
        try:
            stream = _stream(runtime.current_device())
            doing = f"a temporary of {size} bytes"
            self.address = int(runtime.check(driver.cuMemAllocAsync(size, stream), doing))
            runtime.check(driver.cuStreamSynchronize(stream), doing)  # from here on, any stream
        except AclError as error:
            raise AclnnError(Status.RUNTIME_ERROR, error.message) from error
        self.stream = 0
        _alive[self.address] = self

    def __del__(self) -> None:
        if hasattr(self, "address"):
            driver.cuMemFreeAsync(self.address, self.stream)


_alive: weakref.WeakValueDictionary[int, Temporary] = weakref.WeakValueDictionary()


def capturing() -> bool:
    """Whether PyTorch captures what its current stream does."""
    torch = sys.modules.get("torch")
    return torch is not None and bool(torch.cuda.is_current_stream_capturing())


def recorded(size: int) -> tuple[int, object]:
    """A temporary of a graph that PyTorch captures: the graph keeps it when it was dropped."""
    block = sys.modules["torch"].empty(size, dtype=sys.modules["torch"].uint8, device="cuda")
    return block.data_ptr(), block


def used(address: int, stream: int) -> None:
    """Say in which stream the temporary at an address, if it is one, is used last."""
    temporary = _alive.get(address)
    if temporary is not None:
        temporary.stream = stream


def word(address: int, stream: int) -> int:
    """An integer of the device, when a stream has come here."""
    found = ctypes.c_int64()
    doing = "reading how many elements were found"
    try:
        runtime.memcpy_async(ctypes.addressof(found), address, 8, MemcpyKind.DEVICE_TO_HOST, stream)
        runtime.check(driver.cuStreamSynchronize(stream), doing)
    except AclError as error:
        raise AclnnError(Status.RUNTIME_ERROR, error.message) from error
    return found.value


@cache
def _stream(device: int) -> Any:
    return runtime.check(
        driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING), "making a stream"
    )
