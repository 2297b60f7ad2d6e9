"""Engines turn a plan into a kernel once, keep it, and run it on addresses and a stream."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol

from openaclnn.base.status import AclnnError, Status
from openaclnn.plan import Plan


class Launcher(Protocol):
    """A plan made ready by an engine."""

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        """What `launch` needs for these storage addresses (inputs that are read, then output)."""

    def launch(self, packed: object, stream: int | None) -> None:
        """Run once. On the CPU the work is done when this returns."""


class Engine(Protocol):
    """One kind of device."""

    def prepare(self, plan: Plan) -> Launcher: ...

    def allocate(self, size: int) -> tuple[int, object]:
        """Memory for a temporary: its address, and the object that keeps it."""


@cache
def engine_for(device: str) -> Engine:
    """The engine that works on memory of this device."""
    if device == "cpu":
        from openaclnn.engines.cpu import CpuEngine

        return CpuEngine()
    if device == "cuda":
        try:
            from openaclnn.engines.cuda import CudaEngine
        except ImportError as error:
            raise AclnnError(
                Status.INNER_FIND_KERNEL_ERROR,
                f"tensors on cuda need more: {error}; pip install triton cuda-bindings",
            ) from error
        return CudaEngine()
    raise AclnnError(Status.INNER_FIND_KERNEL_ERROR, f"no engine works on device {device!r}")
