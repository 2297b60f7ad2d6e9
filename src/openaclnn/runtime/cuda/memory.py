"""Memory of NVIDIA's devices: allocation, copies, fills."""

from __future__ import annotations

import ctypes
from typing import Any

from cuda.bindings import driver

from openaclnn.base.acl_codes import Code
from openaclnn.runtime.cuda.context import Result, check, enter, reaches
from openaclnn.runtime.interface import AclError, MemcpyKind

_Memory = driver.CUmemorytype
_MEMORY_TYPES = {  # of the source and of the target
    MemcpyKind.HOST_TO_DEVICE: (_Memory.CU_MEMORYTYPE_HOST, _Memory.CU_MEMORYTYPE_DEVICE),
    MemcpyKind.DEVICE_TO_HOST: (_Memory.CU_MEMORYTYPE_DEVICE, _Memory.CU_MEMORYTYPE_HOST),
    MemcpyKind.DEVICE_TO_DEVICE: (_Memory.CU_MEMORYTYPE_DEVICE, _Memory.CU_MEMORYTYPE_DEVICE),
    MemcpyKind.DEFAULT: (_Memory.CU_MEMORYTYPE_UNIFIED, _Memory.CU_MEMORYTYPE_UNIFIED),
}


def malloc(size: int) -> int:
    """Device memory."""
    enter()
    return allocated(driver.cuMemAlloc(size), size, Code.RT_MEMORY_ALLOCATION)


def free(address: int) -> None:
    """Give device memory back, once what uses it is done."""
    enter()
    check(driver.cuMemFree(address), f"freeing {address:#x}")


def malloc_host(size: int) -> int:
    """Pinned host memory, for copies beside the host's work."""
    enter()
    return allocated(driver.cuMemAllocHost(size), size, Code.BAD_ALLOC)


def allocated(answer: tuple[Any, ...], size: int, code: Code) -> int:
    """What the driver gave, or AclError: with this code where there is not so much memory."""
    if answer[0] == Result.CUDA_ERROR_OUT_OF_MEMORY:
        raise AclError(code, f"no memory for {size} bytes")
    return int(check(answer, f"allocating {size} bytes"))


def free_host(address: int) -> None:
    """Give pinned host memory back."""
    enter()
    check(driver.cuMemFreeHost(address), f"freeing {address:#x}")


def host_register(address: int, size: int) -> int:
    """Let devices use memory of the program."""
    enter()
    mapped = driver.CU_MEMHOSTREGISTER_DEVICEMAP
    check(driver.cuMemHostRegister(address, size, mapped), f"registering {size} bytes")
    return int(check(driver.cuMemHostGetDevicePointer(address, 0)))


def host_unregister(address: int) -> None:
    """Undo that."""
    enter()
    check(driver.cuMemHostUnregister(address), f"unregistering {address:#x}")


def memcpy(to: int, source: int, count: int, kind: int) -> None:
    """Copy, and return when the bytes are there."""
    memcpy_async(to, source, count, kind, 0)
    if kind != MemcpyKind.HOST_TO_HOST:
        check(driver.cuStreamSynchronize(0), f"copying {count} bytes")


def memcpy_async(to: int, source: int, count: int, kind: int, stream: int) -> None:
    """Copy in the order of a stream."""
    if count == 0:
        return
    enter()
    doing = f"copying {count} bytes"
    if kind == MemcpyKind.HOST_TO_DEVICE:
        _moved(driver.cuMemcpyHtoDAsync(to, source, count, stream), doing, dst=to)
    elif kind == MemcpyKind.DEVICE_TO_HOST:
        _moved(driver.cuMemcpyDtoHAsync(to, source, count, stream), doing, src=source)
    elif kind == MemcpyKind.DEVICE_TO_DEVICE:
        _moved(driver.cuMemcpyDtoDAsync(to, source, count, stream), doing, dst=to, src=source)
    elif kind == MemcpyKind.DEFAULT:
        check(driver.cuMemcpyAsync(to, source, count, stream), doing)
    elif kind == MemcpyKind.HOST_TO_HOST:
        check(driver.cuStreamSynchronize(stream), doing)  # the source may still be written
        ctypes.memmove(to, source, count)
    else:
        raise AclError(Code.RT_PARAM_INVALID, f"{kind} is no kind of copy; expected 0 to 4")


def _moved(answer: tuple[Any, ...], doing: str, **on_device: int) -> None:
    """Check the answer to a copy or a fill, and name the address that is not the device's."""
    if answer[0] == Result.CUDA_ERROR_INVALID_VALUE:
        for name, address in on_device.items():
            if not reaches(address):
                raise AclError(
                    Code.RT_PARAM_INVALID,
                    f"{name} ({address:#x}) is no device memory: aclrtMalloc did not give it, or "
                    "it was freed",
                )
    check(answer, doing)


def memcpy2d(
    to: int, to_pitch: int, source: int, source_pitch: int, width: int, height: int, kind: int
) -> None:
    """Copy rows that lie apart, and return when they are there."""
    memcpy2d_async(to, to_pitch, source, source_pitch, width, height, kind, 0)
    check(driver.cuStreamSynchronize(0), f"copying {height} rows")


def memcpy2d_async(
    to: int, to_pitch: int, source: int, source_pitch: int, width: int, height: int, kind: int,
    stream: int,
) -> None:  # fmt: skip
    """Copy rows that lie apart in the order of a stream."""
    if kind == MemcpyKind.HOST_TO_HOST:
        for row in range(height):
            memcpy_async(to + row * to_pitch, source + row * source_pitch, width, kind, stream)
        return
    enter()
    rows = driver.CUDA_MEMCPY2D()
    rows.srcMemoryType, rows.dstMemoryType = _MEMORY_TYPES[MemcpyKind(kind)]
    rows.srcHost = rows.srcDevice = source
    rows.dstHost = rows.dstDevice = to
    rows.srcPitch, rows.dstPitch, rows.WidthInBytes, rows.Height = (
        source_pitch, to_pitch, width, height,
    )  # fmt: skip
    check(driver.cuMemcpy2DAsync(rows, stream), f"copying {height} rows of {width} bytes")


def memset(to: int, value: int, count: int) -> None:
    """Set bytes, and return when they are set."""
    memset_async(to, value, count, 0)
    check(driver.cuStreamSynchronize(0), f"setting {count} bytes")


def memset_async(to: int, value: int, count: int, stream: int) -> None:
    """Set bytes in the order of a stream."""
    enter()
    if count:
        answer = driver.cuMemsetD8Async(to, value & 0xFF, count, stream)
        _moved(answer, f"setting {count} bytes", devPtr=to)
