"""Compiled kernels in the driver: loaded once for all devices, launched by one call."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

from cuda.bindings import driver

import openaclnn.runtime.cuda as runtime
from openaclnn.base.status import AclnnError, Status
from openaclnn.engines import Compiled
from openaclnn.engines.cuda.compile import Binary
from openaclnn.runtime.interface import AclError

_INVALID_CONTEXT = driver.CUresult.CUDA_ERROR_INVALID_CONTEXT
_NULL = 0
_SHARED_FOR_ALL = 48 << 10  # bytes of shared memory that a kernel gets without asking


class Function:
    """A kernel that the driver has loaded; usable in every context."""

    def __init__(self, binary: Binary) -> None:
        runtime.enter()
        library = _checked(
            driver.cuLibraryLoadData(binary.cubin, [], [], 0, [], [], 0), "loading a kernel"
        )
        kernel = _checked(driver.cuLibraryGetKernel(library, binary.name.encode()))
        if binary.shared > _SHARED_FOR_ALL:
            for device in range(runtime.get_device_count()):
                _checked(
                    driver.cuKernelSetAttribute(
                        driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        binary.shared, kernel, _checked(driver.cuDeviceGet(device)),
                    ),
                    f"{binary.shared} bytes of shared memory",
                )  # fmt: skip
        self.library, self.cubin = library, binary.cubin
        self.handle = driver.CUfunction(int(kernel))
        self.threads = 32 * binary.warps
        self.shared = binary.shared


class Launch:
    """A kernel with its arguments. The driver reads them where they are, so they are kept."""

    __slots__ = ("arguments", "block", "function", "operands", "shape")

    def __init__(
        self, function: Function, programs: int, words: list[int], operands: Sequence[int] = ()
    ) -> None:
        """The first words are the addresses of these operands."""
        self.function, self.operands = function, operands
        self.shape = (
            function.handle, programs, 1, 1, function.threads, 1, 1, function.shared,
        )  # fmt: skip
        # after the kernel's own, Triton's two pointers to scratch memory, of which there is none
        count = len(words) + 2
        self.block = (ctypes.c_uint64 * (2 * count))()
        start = ctypes.addressof(self.block)
        self.arguments = start + 8 * count
        self.block[:] = [*words, _NULL, _NULL, *range(start, start + 8 * count, 8)]

    def run(self, stream: int) -> None:
        answer = driver.cuLaunchKernel(*self.shape, stream, self.arguments, _NULL)
        if answer[0]:
            self._run_again(answer, stream)

    def compiled(self) -> Compiled:
        handle, programs, _, _, threads, _, _, shared = self.shape
        words = bytes(self.block)[: len(self.block) * 4]  # the second half says where they are
        pointers = tuple(enumerate(self.operands))
        shape = programs, threads, shared
        return Compiled(int(handle), words, pointers, launch=launch_kernel(), shape=shape)

    def _run_again(self, answer: tuple[Any, ...], stream: int) -> None:
        if answer[0] == _INVALID_CONTEXT:  # a thread that never worked with CUDA
            runtime.reenter()
            answer = driver.cuLaunchKernel(*self.shape, stream, self.arguments, _NULL)
        _checked(answer, "launching a kernel")


@cache
def launch_kernel() -> int:
    """The address of the driver's cuLaunchKernel."""
    found = ctypes.CDLL("libcuda.so.1").cuLaunchKernel
    return ctypes.cast(found, ctypes.c_void_p).value or 0


class LaunchOn:
    """A launch where there are several devices: the memory's decides, not the thread's."""

    __slots__ = ("device", "launch")

    def __init__(self, device: int, launch: Launch) -> None:
        self.device, self.launch = device, launch

    def run(self, stream: int) -> None:
        with runtime.working_on(self.device):
            self.launch.run(stream)


def _checked(answer: tuple[Any, ...], doing: str = "CUDA") -> Any:
    """The driver's answer to an operator: its failures are 361001 there."""
    try:
        return runtime.check(answer, doing)
    except AclError as error:
        raise AclnnError(Status.RUNTIME_ERROR, error.message) from error


_functions: dict[Binary, Function] = {}
_lock = threading.Lock()


def function(binary: Binary) -> Function:
    """The loaded kernel of a binary."""
    with _lock:
        found = _functions.get(binary)
        if found is None:
            found = _functions[binary] = Function(binary)
        return found
