"""Temporaries on the device, freed in the order of the stream that used them."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

from cuda.bindings import driver

import openaclnn.runtime.cuda as runtime
from openaclnn.base.status import AclnnError, Status
from openaclnn.runtime.interface import AclError, MemcpyKind

_KEPT = 1 << 30  # bytes of the pool


class Temporary:
    """Device memory that one stream uses; dropping it frees it when that stream comes there."""

    def __init__(self, size: int, stream: int) -> None:
        self.stream = stream
        try:
            _keep_what_is_freed(runtime.current_device())
            doing = f"a temporary of {size} bytes"
            self.address = int(runtime.check(driver.cuMemAllocAsync(size, stream), doing))
        except AclError as error:
            raise AclnnError(Status.RUNTIME_ERROR, error.message) from error

    def __del__(self) -> None:
        if hasattr(self, "address"):
            driver.cuMemFreeAsync(self.address, self.stream)


@cache
def _keep_what_is_freed(device: int) -> None:
    """Tell the driver to keep so much of what was freed when somebody waits: it gives everything
    back otherwise, and getting 64 MB takes longer than many a kernel."""
    pool = runtime.check(driver.cuDeviceGetDefaultMemPool(device), "finding the memory pool")
    threshold = driver.CUmemPool_attribute.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
    size = driver.cuuint64_t(_KEPT)
    runtime.check(driver.cuMemPoolSetAttribute(pool, threshold, size), "setting up the memory pool")


def capturing() -> bool:
    """Whether PyTorch captures what its current stream does."""
    torch = sys.modules.get("torch")
    return torch is not None and bool(torch.cuda.is_current_stream_capturing())


def recorded(size: int) -> tuple[int, object]:
    """A temporary of a graph that PyTorch captures: the graph keeps it when it was dropped."""
    block = sys.modules["torch"].empty(size, dtype=sys.modules["torch"].uint8, device="cuda")
    return block.data_ptr(), block


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
