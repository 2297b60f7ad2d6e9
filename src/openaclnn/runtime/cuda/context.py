"""The driver, devices, and which of them the calling thread works on.

Every device has its one primary context, which PyTorch, CuPy and JAX share. A thread that never
chose a device works on the one that the process chose last.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from cuda.bindings import driver

from openaclnn.base.acl_codes import Code
from openaclnn.runtime.interface import AclError, DeviceAttribute

Result = driver.CUresult
_CODES = {
    Result.CUDA_ERROR_INVALID_VALUE: Code.RT_PARAM_INVALID,
    Result.CUDA_ERROR_OUT_OF_MEMORY: Code.RT_MEMORY_ALLOCATION,
    Result.CUDA_ERROR_INVALID_DEVICE: Code.RT_INVALID_DEVICEID,
    Result.CUDA_ERROR_INVALID_CONTEXT: Code.RT_CONTEXT_NULL,
    Result.CUDA_ERROR_INVALID_HANDLE: Code.RT_INVALID_HANDLE,
    Result.CUDA_ERROR_NOT_READY: Code.RT_EVENT_NOT_COMPLETE,
    Result.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: Code.RT_STREAM_CAPTURED,
    Result.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED: Code.RT_STREAM_CAPTURE_INVALIDATED,
    Result.CUDA_ERROR_STREAM_CAPTURE_MERGE: Code.STREAM_CAPTURE_CONFLICT,
    Result.CUDA_ERROR_STREAM_CAPTURE_UNMATCHED: Code.RT_STREAM_CAPTURE_UNMATCHED,
    Result.CUDA_ERROR_STREAM_CAPTURE_UNJOINED: Code.RT_STREAM_UNJOINED,
    Result.CUDA_ERROR_STREAM_CAPTURE_ISOLATION: Code.RT_CAPTURE_DEPENDENCY,
    Result.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: Code.RT_STREAM_CAPTURE_IMPLICIT,
    Result.CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD: Code.RT_STREAM_CAPTURE_UNMATCHED,
    Result.CUDA_ERROR_CAPTURED_EVENT: Code.RT_EVENT_CAPTURED,
}

_default = 0
_started_in = 0  # the process in which the driver was started
_thread = threading.local()


def check(answer: tuple[Any, ...], doing: str = "") -> Any:
    """The values of a driver's answer, or AclError."""
    result, *values = answer
    if result != Result.CUDA_SUCCESS:
        message = f"{doing or 'CUDA'}: {_text(result)}"
        if os.getpid() != _started_in:
            message += "; a process that was forked after CUDA had started cannot use it"
        raise AclError(_CODES.get(result, Code.RT_DRV_INTERNAL_ERROR), message)
    return values[0] if len(values) == 1 else tuple(values)


def _text(result: Any) -> str:
    code, text = driver.cuGetErrorString(result)
    return text.decode() if code == Result.CUDA_SUCCESS and text else str(result)


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
    return result == Result.CUDA_SUCCESS or reaches_everything(current_device())


@cache
def reaches_everything(device: int) -> bool:
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
    from openaclnn.runtime.cuda.findings import report  # which needs this module

    _wait_for_device(timeout_ms)
    report()


def _wait_for_device(timeout_ms: int) -> None:
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
