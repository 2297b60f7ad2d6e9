"""Streams and events of NVIDIA's devices, and graphs of what streams did."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from cuda.bindings import driver

from openaclnn.base.acl_codes import Code
from openaclnn.runtime.cuda.context import Result, check, current_device, enter
from openaclnn.runtime.cuda.findings import report
from openaclnn.runtime.interface import AclError

_POLL = 20e-6  # seconds between two looks at a stream that is waited for with a limit


def create_stream(priority: int, flags: int) -> int:
    """A stream that waits for no other. acl's priorities begin with 0, the highest."""
    enter()
    least, greatest = check(driver.cuCtxGetStreamPriorityRange())
    urgency = max(greatest, min(least, greatest + priority))
    kind = driver.CUstream_flags.CU_STREAM_NON_BLOCKING
    return int(check(driver.cuStreamCreateWithPriority(kind, urgency), "making a stream"))


def destroy_stream(stream: int, force: bool = False) -> None:
    """End a stream; what was started in it still completes, in any case."""
    enter()
    check(driver.cuStreamDestroy(stream), "destroying a stream")


def synchronize_stream(stream: int, timeout_ms: int = -1) -> None:
    """Wait for what was started in a stream, for so long at most where a limit is given."""
    enter()
    if timeout_ms < 0:
        check(driver.cuStreamSynchronize(stream), "waiting for a stream")
    elif not _came(lambda: stream_query(stream), timeout_ms):
        message = f"a stream was not done after {timeout_ms} ms"
        raise AclError(Code.RT_STREAM_SYNC_TIMEOUT, message)
    report(stream)


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
    answer = driver.CUresult(_launch_host_func()(stream, function, data))
    check((answer,), "launching a function")


@cache
def _launch_host_func() -> Any:
    """The driver's own function. That of cuda.bindings forgets what to call after the first time
    (NVIDIA/cuda-python#790), and a graph calls it whenever it is launched."""
    found = ctypes.CDLL("libcuda.so.1").cuLaunchHostFunc
    found.argtypes = [ctypes.c_void_p] * 3
    return found


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
    if answer[0] == Result.CUDA_ERROR_NOT_READY:
        return False
    check(answer, doing)
    return True
