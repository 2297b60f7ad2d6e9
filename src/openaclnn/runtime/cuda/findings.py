"""Errors that kernels found asynchronously: indices outside a tensor. Kernels copy a few words to
host memory, which are read when the stream is synchronised."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence

from cuda.bindings import driver

from openaclnn.base.acl_codes import Code
from openaclnn.base.records import dataclass
from openaclnn.runtime.cuda.context import check
from openaclnn.runtime.interface import AclError

Judge = Callable[[Sequence[int]], str | None]
_MANY = 256  # findings from which on those of streams that are done are looked at


@dataclass(frozen=True, eq=False)
class _Finding:
    stream: int
    host: int
    count: int
    judge: Judge

    def fault(self) -> str | None:
        words = (ctypes.c_int64 * self.count).from_address(self.host)
        return self.judge(list(words))

    def forget(self) -> None:
        driver.cuMemFreeHost(self.host)


_lock = threading.Lock()
_open: list[_Finding] = []
_faults: dict[int, str] = {}  # the first of every stream that was looked at, and not waited for


def expect(stream: int, address: int, count: int, judge: Judge) -> None:
    """Look at so many words of the device when a stream comes here, and its owner waits for it."""
    host = int(check(driver.cuMemAllocHost(8 * count), "host memory for findings"))
    check(driver.cuMemcpyDtoHAsync(host, address, 8 * count, stream), "copying findings")
    with _lock:
        _open.append(_Finding(stream, host, count, judge))
        many = len(_open) > _MANY
    if many:
        for one in {finding.stream for finding in _open}:
            if driver.cuStreamQuery(one)[0] == driver.CUresult.CUDA_SUCCESS:
                _look_at(one)


def report(stream: int | None = None) -> None:
    """Raise for the first fault of a stream that has been waited for, or of all."""
    for one in [stream] if stream is not None else _streams():
        _look_at(one)
        message = _faults.pop(one, None)
        if message is not None:
            raise AclError(Code.RT_AICORE_EXCEPTION, message)


def _streams() -> list[int]:
    with _lock:
        return [*dict.fromkeys([*_faults, *(finding.stream for finding in _open)])]


def _look_at(stream: int) -> None:
    """At the findings of a stream that is done."""
    with _lock:
        found = [finding for finding in _open if finding.stream == stream]
        _open[:] = [finding for finding in _open if finding.stream != stream]
    for finding in found:
        fault = finding.fault()
        finding.forget()
        if fault is not None:
            _faults.setdefault(stream, fault)
