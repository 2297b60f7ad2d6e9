"""The acl runtime's meaning on NVIDIA's devices: memory, streams and events through the driver.

Every device has its one primary context, which PyTorch, CuPy and JAX share. A thread that never
chose a device works on the one that the process chose last.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from cuda.bindings import driver

from openaclnn.base.acl_codes import Code
from openaclnn.runtime.interface import AclError, DeviceAttribute, MemcpyKind

_Result = driver.CUresult
_CODES = {
    _Result.CUDA_ERROR_INVALID_VALUE: Code.RT_PARAM_INVALID,
    _Result.CUDA_ERROR_OUT_OF_MEMORY: Code.RT_MEMORY_ALLOCATION,
    _Result.CUDA_ERROR_INVALID_DEVICE: Code.RT_INVALID_DEVICEID,
    _Result.CUDA_ERROR_INVALID_CONTEXT: Code.RT_CONTEXT_NULL,
    _Result.CUDA_ERROR_INVALID_HANDLE: Code.RT_INVALID_HANDLE,
    _Result.CUDA_ERROR_NOT_READY: Code.RT_EVENT_NOT_COMPLETE,
    _Result.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: Code.RT_STREAM_CAPTURED,
    _Result.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED: Code.RT_STREAM_CAPTURE_INVALIDATED,
    _Result.CUDA_ERROR_STREAM_CAPTURE_MERGE: Code.STREAM_CAPTURE_CONFLICT,
    _Result.CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: Code.RT_STREAM_CAPTURE_UNMATCHED,
    _Result.CUDA_ERROR_STREAM_CAPTURE_UNJOINED: Code.RT_STREAM_UNJOINED,
    _Result.CUDA_ERROR_STREAM_CAPTURE_ISOLATION: Code.RT_CAPTURE_DEPENDENCY,
    _Result.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: Code.RT_STREAM_CAPTURE_IMPLICIT,
    _Result.CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: Code.RT_STREAM_CAPTURE_UNMATCHED,
    _Result.CUDA_ERROR_CAPTURED_EVENT: Code.RT_EVENT_CAPTURED,
}
_Memory = driver.CUmemorytype
_MEMORY_TYPES = {  # of the source and of the target
    MemcpyKind.HOST_TO_DEVICE: (_Memory.CU_MEMORYTYPE_HOST, _Memory.CU_MEMORYTYPE_DEVICE),
    MemcpyKind.DEVICE_TO_HOST: (_Memory.CU_MEMORYTYPE_DEVICE, _Memory.CU_MEMORYTYPE_HOST),
    MemcpyKind.DEVICE_TO_DEVICE: (_Memory.CU_MEMORYTYPE_DEVICE, _Memory.CU_MEMORYTYPE_DEVICE),
    MemcpyKind.DEFAULT: (_Memory.CU_MEMORYTYPE_UNIFIED, _Memory.CU_MEMORYTYPE_UNIFIED),
}
_POLL = 20e-6  # seconds between two looks at a stream that is waited for with a limit

_default = 0
_started_in = 0  # the process in which the driver was started
_thread = threading.local()


def check(answer: tuple[Any, ...], doing: str = "") -> Any:
    """The values of a driver's answer, or AclError."""
    result, *values = answer
    if result != _Result.CUDA_SUCCESS:
        message = f"{doing or 'CUDA'}: {_text(result)}"
        if os.getpid() != _started_in:
            message += "; a process that was forked after CUDA had started cannot use it"
        raise AclError(_CODES.get(result, Code.RT_DRV_INTERNAL_ERROR), message)
    return values[0] if len(values) == 1 else tuple(values)


def _text(result: Any) -> str:
    code, text = driver.cuGetErrorString(result)
    return text.decode() if code == _Result.CUDA_SUCCESS and text else str(result)


@cache
def _initialise() -> None:
    global _started_in
    _started_in = os.getpid()
    try:
        answer = driver.cuInit(0)
    except Exception as error:  # the driver's library is missing or too old
        message = f"the NVIDIA driver cannot be used: {error}"
        raise AclError(Code.RT_DRV_INTERNAL_ERROR, message) from error
    check(answer, "starting the NVIDIA driver")


@cache
def get_device_count() -> int:
    """How many NVIDIA devices there are."""
    _initialise()
    return int(check(driver.cuDeviceGetCount()))


@cache
def _primary_context(device: int) -> Any:
    """A device's context, kept for the life of the process."""
    if not 0 <= device < get_device_count():
        raise AclError(
            Code.RT_INVALID_DEVICEID,
            f"there is no device {device}; expected 0 to {get_device_count() - 1}",
        )
    handle = check(driver.cuDeviceGet(device))
    return check(driver.cuDevicePrimaryCtxRetain(handle), f"starting device {device}")


def set_device(device: int) -> None:
    """Let the calling thread work on this device."""
    global _default
    check(driver.cuCtxSetCurrent(_primary_context(device)))
    _default = device
    _thread.entered = True


def enter() -> None:
    """See that the calling thread has a device; one that another library chose stays."""
    if getattr(_thread, "entered", False):
        return
    _initialise()
    if int(check(driver.cuCtxGetCurrent())) == 0:
        check(driver.cuCtxSetCurrent(_primary_context(_default)))
    _thread.entered = True


def reenter() -> None:
    """The same where another library has taken the context away since."""
    _thread.entered = False
    enter()


def current_device() -> int:
    """The device of the calling thread."""
    enter()
    return int(check(driver.cuCtxGetDevice()))


@cache
def architecture(device: int) -> int:
    """The compute capability as Triton counts it: 90 is 9.0."""
    _initialise()
    attribute = driver.CUdevice_attribute
    major, minor = (
        check(driver.cuDeviceGetAttribute(name, check(driver.cuDeviceGet(device))))
        for name in (
            attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        )
    )
    return int(major) * 10 + int(minor)


def device_of(address: int) -> int:
    """The device whose memory an address belongs to."""
    if get_device_count() == 1:
        return 0
    enter()
    name = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    return int(check(driver.cuPointerGetAttribute(name, address), f"the address {address:#x}"))


def reaches(address: int) -> bool:
    """Whether kernels of the thread's device can use the memory at an address."""
    enter()
    name = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_POINTER
    result, _ = driver.cuPointerGetAttribute(name, address)
    return result == _Result.CUDA_SUCCESS or _reaches_everything(current_device())


@cache
def _reaches_everything(device: int) -> bool:
    """Whether a device pages the host's memory in by itself."""
    name = driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS
    return bool(check(driver.cuDeviceGetAttribute(name, check(driver.cuDeviceGet(device)))))


@contextmanager
def working_on(device: int) -> Iterator[None]:
    """Let the calling thread work on a device for a while."""
    check(driver.cuCtxPushCurrent(_primary_context(device)))
    try:
        yield
    finally:
        check(driver.cuCtxPopCurrent())


def synchronize_device(timeout_ms: int = -1) -> None:
    """Wait for everything that was started on the device, for so long at most where told."""
    enter()
    if timeout_ms < 0:
        check(driver.cuCtxSynchronize(), "waiting for the device")
        return
    device, answers = current_device(), []

    def wait() -> None:  # the driver cannot stop waiting, a thread can be left alone with it
        with working_on(device):
            answers.append(driver.cuCtxSynchronize())

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(timeout_ms / 1000)
    if not answers:
        message = f"the device was not done after {timeout_ms} ms"
        raise AclError(Code.RT_STREAM_SYNC_TIMEOUT, message)
    check(answers[0], "waiting for the device")


def get_mem_info() -> tuple[int, int]:
    """Free and total bytes of the device."""
    enter()
    free_bytes, total = check(driver.cuMemGetInfo())
    return int(free_bytes), int(total)


def get_device_info(device: int, attribute: int) -> int:
    """A fact about a device: what `attribute`, a DeviceAttribute, names."""
    _initialise()
    handle = check(driver.cuDeviceGet(device))
    if attribute == DeviceAttribute.TOTAL_GLOBAL_MEM_SIZE:
        return int(check(driver.cuDeviceTotalMem(handle)))
    names = driver.CUdevice_attribute
    asked = {
        DeviceAttribute.VECTOR_CORE_NUM: names.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        DeviceAttribute.L2_CACHE_SIZE: names.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE,
    }
    return int(check(driver.cuDeviceGetAttribute(asked[DeviceAttribute(attribute)], handle)))


def device_can_access_peer(device: int, peer: int) -> bool:
    """Whether a device can read another's memory."""
    handles = [check(driver.cuDeviceGet(number)) for number in (device, peer)]
    return bool(check(driver.cuDeviceCanAccessPeer(*handles)))


def malloc(size: int) -> int:
    """Device memory."""
    enter()
    return _allocated(driver.cuMemAlloc(size), size, Code.RT_MEMORY_ALLOCATION)


def free(address: int) -> None:
    """Give device memory back, once what uses it is done."""
    enter()
    check(driver.cuMemFree(address), f"freeing {address:#x}")


def malloc_host(size: int) -> int:
    """Pinned host memory, for copies beside the host's work."""
    enter()
    return _allocated(driver.cuMemAllocHost(size), size, Code.BAD_ALLOC)


def _allocated(answer: tuple[Any, ...], size: int, code: Code) -> int:
    if answer[0] == _Result.CUDA_ERROR_OUT_OF_MEMORY:
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
    if answer[0] == _Result.CUDA_ERROR_INVALID_VALUE:
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


@cache
def mem_get_allocation_granularity(device: int) -> int:
    """What sizes and addresses of virtual memory must be multiples of."""
    enter()
    advice = driver.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
    return int(check(driver.cuMemGetAllocationGranularity(_physical_memory(device), advice)))


def _physical_memory(device: int) -> Any:
    """What is to be known of a device's physical memory."""
    wanted = driver.CUmemAllocationProp()
    wanted.type = driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED
    wanted.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    wanted.location.id = device
    return wanted


def reserve_mem_address(size: int, alignment: int, wanted: int) -> int:
    """Addresses for memory to be mapped."""
    enter()
    answer = driver.cuMemAddressReserve(size, alignment, wanted, 0)
    return int(check(answer, f"reserving {size} addresses"))


def release_mem_address(address: int, size: int) -> None:
    """Give addresses back."""
    enter()
    check(driver.cuMemAddressFree(address, size), f"releasing {address:#x}")


def malloc_physical(size: int, device: int) -> int:
    """Memory that has no address yet."""
    enter()
    answer = driver.cuMemCreate(size, _physical_memory(device), 0)
    return _allocated(answer, size, Code.RT_MEMORY_ALLOCATION)


def free_physical(memory: int, size: int) -> None:
    """Give such memory back once it is mapped nowhere any more."""
    enter()
    check(driver.cuMemRelease(memory), f"freeing {size} bytes of physical memory")


def map_mem(address: int, size: int, offset: int, memory: int) -> None:
    """Map such memory, for the thread's device to read and write."""
    enter()
    check(driver.cuMemMap(address, size, offset, memory, 0), f"mapping {size} bytes")
    access = driver.CUmemAccessDesc()
    access.location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    access.location.id = current_device()
    access.flags = driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
    answer = driver.cuMemSetAccess(address, size, [access], 1)
    if answer[0] != _Result.CUDA_SUCCESS:
        driver.cuMemUnmap(address, size)
    check(answer, f"opening {size} bytes to the device")


def unmap_mem(address: int, size: int) -> None:
    """Let memory no longer be at an address."""
    enter()
    check(driver.cuMemUnmap(address, size), f"unmapping {address:#x}")


def create_stream(priority: int, flags: int) -> int:
    """A stream that waits for no other. acl's priorities begin with 0, the highest."""
    enter()
    least, greatest = check(driver.cuCtxGetStreamPriorityRange())
    urgency = max(greatest, min(least, greatest + priority))
    kind = driver.CUstream_flags.CU_STREAM_NON_BLOCKING
    return int(check(driver.cuStreamCreateWithPriority(kind, urgency), "making a stream"))


def destroy_stream(stream: int) -> None:
    """End a stream; what was started in it still completes."""
    enter()
    check(driver.cuStreamDestroy(stream), "destroying a stream")


def synchronize_stream(stream: int, timeout_ms: int = -1) -> None:
    """Wait for what was started in a stream, for so long at most where a limit is given."""
    enter()
    if timeout_ms < 0:
        check(driver.cuStreamSynchronize(stream), "waiting for a stream")
        return
    if not _came(lambda: stream_query(stream), timeout_ms):
        message = f"a stream was not done after {timeout_ms} ms"
        raise AclError(Code.RT_STREAM_SYNC_TIMEOUT, message)


def _came(asked: Callable[[], bool], timeout_ms: int) -> bool:
    """Ask until the answer is yes, for so long at most."""
    end = time.monotonic() + timeout_ms / 1000
    while not asked():
        if time.monotonic() > end:
            return False
        time.sleep(_POLL)
    return True


def stream_query(stream: int) -> bool:
    """Whether all that was started in a stream is done."""
    enter()
    return _done(driver.cuStreamQuery(stream), "asking a stream")


def set_stream_failure_mode(stream: int, mode: int) -> None:
    """Nothing to do: after an error in a kernel CUDA stops every stream."""


def launch_host_func(stream: int, function: int, data: int) -> None:
    """Call a C function in the order of a stream, on a thread of the driver."""
    enter()
    check(driver.cuLaunchHostFunc(stream, driver.CUhostFn(function), data), "launching a function")


def stream_wait_event(stream: int, event: int) -> None:
    """Let a stream wait for an event's last record."""
    enter()
    check(driver.cuStreamWaitEvent(stream, event, 0), "letting a stream wait")


def capture_begin(stream: int, mode: int) -> None:
    """Keep what is asked of a stream instead of doing it. What a capture forbids the C library
    refuses itself; the driver need not, so that kernels can still be loaded."""
    enter()
    relaxed = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
    if capture_get_info(stream)[0]:
        raise AclError(Code.RT_STREAM_CAPTURED, "the stream is captured already")
    check(driver.cuStreamBeginCapture(stream, relaxed), "beginning a capture")


def capture_get_info(stream: int) -> tuple[bool, int]:
    """Whether a stream is captured, and the number of the capture."""
    enter()
    status, number, *_ = check(driver.cuStreamGetCaptureInfo(stream))
    active = status == driver.CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_ACTIVE
    return active, int(number) if active else 0


def capture_end(stream: int) -> int:
    """End a capture: a graph that can be launched."""
    enter()
    if not capture_get_info(stream)[0]:
        raise AclError(Code.RT_STREAM_NOT_CAPTURED, "the stream is not captured")
    graph = check(driver.cuStreamEndCapture(stream), "ending a capture")
    try:
        return int(check(driver.cuGraphInstantiate(graph, 0), "making a graph"))
    finally:
        check(driver.cuGraphDestroy(graph))


def execute_async(model: int, stream: int) -> None:
    """Launch a graph in the order of a stream."""
    enter()
    check(driver.cuGraphLaunch(model, stream), "launching a graph")


def destroy_model(model: int) -> None:
    """End a graph."""
    enter()
    check(driver.cuGraphExecDestroy(model), "destroying a graph")


def create_event(flags: int) -> int:
    """An event that keeps its time."""
    enter()
    kind = driver.CUevent_flags.CU_EVENT_DEFAULT
    return int(check(driver.cuEventCreate(kind), "making an event"))


def destroy_event(event: int) -> None:
    """End an event."""
    enter()
    check(driver.cuEventDestroy(event), "destroying an event")


def record_event(event: int, stream: int) -> None:
    """Mark the place that a stream has reached."""
    enter()
    check(driver.cuEventRecord(event, stream), "recording an event")


def synchronize_event(event: int, timeout_ms: int = -1) -> None:
    """Wait until an event's mark is reached, for so long at most where told."""
    enter()
    if timeout_ms < 0:
        check(driver.cuEventSynchronize(event), "waiting for an event")
    elif not _came(lambda: query_event(event), timeout_ms):
        message = f"an event was not reached after {timeout_ms} ms"
        raise AclError(Code.RT_EVENT_SYNC_TIMEOUT, message)


def query_event(event: int) -> bool:
    """Whether an event's mark is reached."""
    enter()
    return _done(driver.cuEventQuery(event), "asking an event")


@cache
def _first_event(device: int) -> tuple[int, int]:
    """An event of a device that was reached, and when, by the host's clock in nanoseconds."""
    event = create_event(0)
    record_event(event, 0)
    synchronize_event(event)
    return event, time.monotonic_ns()


def event_get_timestamp(event: int) -> int:
    """When an event's mark was reached, in nanoseconds."""
    first, when = _first_event(current_device())
    return when + event_elapsed_time(first, event)


def event_elapsed_time(start: int, end: int) -> int:
    """Nanoseconds between two marks that were reached."""
    enter()
    ms = check(driver.cuEventElapsedTime(start, end), "the time between two events")
    return round(float(ms) * 1e6)


def _done(answer: tuple[Any, ...], doing: str) -> bool:
    if answer[0] == _Result.CUDA_ERROR_NOT_READY:
        return False
    check(answer, doing)
    return True
