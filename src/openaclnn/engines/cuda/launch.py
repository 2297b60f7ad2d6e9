"""A plan on a GPU: which kernel, with which arguments, on how many programs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import openaclnn.runtime.cuda as runtime
from openaclnn.arithmetic.lower import Body, copying, lower
from openaclnn.base.status import AclnnError, Status
from openaclnn.engines.cuda import memory
from openaclnn.engines.cuda.compile import binary, program_of
from openaclnn.engines.cuda.kernel import itemsizes, kernel_of
from openaclnn.engines.cuda.layout import layout_of
from openaclnn.engines.cuda.module import Function, Launch, LaunchOn, function
from openaclnn.engines.cuda.shapes import weight
from openaclnn.plan import Plan
from openaclnn.plan.loop import Loop, through_workspace
from openaclnn.runtime.interface import AclError

_MOST_PROGRAMS = 2**31 - 1


class _Pass:
    """One kernel over one loop."""

    def __init__(self, body: Body, loop: Loop, uniforms: Sequence[float]) -> None:
        sizes = itemsizes(body)
        self.body, self.layout = body, layout_of(loop, sizes, weight(body))
        if self.layout.programs > _MOST_PROGRAMS:
            raise AclnnError(Status.RUNTIME_ERROR, f"{loop} is too large for one launch")
        self.starts = [start * size for start, size in zip(loop.starts, sizes, strict=True)]
        packed = struct.pack(f"{len(uniforms)}d", *uniforms)
        self.uniforms = struct.unpack(f"{len(uniforms)}Q", packed)
        self.ready: dict[int, _OnDevice] = {}

    def pack(self, addresses: Sequence[int]) -> Launch | LaunchOn:
        pointers = list(map(int.__add__, addresses, self.starts))
        device = runtime.device_of(addresses[-1])
        ready = self.ready.get(device)
        if ready is None:
            ready = self.ready[device] = _OnDevice(self, runtime.architecture(device))
        launch = ready.launch(pointers)
        return launch if runtime.get_device_count() == 1 else LaunchOn(device, launch)


class _OnDevice:
    """A pass on the devices of one architecture: its kernels by which operands are aligned."""

    def __init__(self, of: _Pass, arch: int) -> None:
        self.kernel = kernel_of(of.body, of.layout, arch)
        numbers = (parameter.number for parameter in self.kernel.parameters)
        self.words = [word & 0xFFFF_FFFF_FFFF_FFFF for word in (*of.uniforms, *numbers)]
        self.functions: dict[tuple[bool, ...], Function] = {}

    def launch(self, pointers: list[int]) -> Launch:
        aligned = self.kernel.alignable
        together = 0
        for pointer in pointers:
            together |= pointer
        if together % 16:
            aligned = tuple(
                can and pointer % 16 == 0 for can, pointer in zip(aligned, pointers, strict=True)
            )
        chosen = self.functions.get(aligned)
        if chosen is None:
            chosen = self.functions[aligned] = function(binary(program_of(self.kernel, aligned)))
        return Launch(chosen, self.kernel.programs, pointers + self.words)


class CudaLauncher:
    """A plan's kernel with its loop."""

    def __init__(self, plan: Plan) -> None:
        body = lower(
            plan.op.traced_in(plan.compute), plan.inputs, plan.promoted, (plan.out,), plan.compute
        )
        self.one = _Pass(body, plan.loop, plan.uniforms)

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return _packed(self.one, addresses)

    def launch(self, packed: Any, stream: int | None) -> None:
        packed.run(stream or 0)


class StagedLauncher:
    """A plan whose output overlaps an input: computes into the workspace and copies."""

    def __init__(self, plan: Plan) -> None:
        body = lower(
            plan.op.traced_in(plan.compute), plan.inputs, plan.promoted, (plan.out,), plan.compute
        )
        into, back, word = through_workspace(plan.loop, plan.out.itemsize)
        self.into = _Pass(body, into, plan.uniforms)
        self.back = _Pass(copying(word), back, ())

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        *inputs, out = addresses
        first = _packed(self.into, [*inputs, workspace])
        return first, _packed(self.back, [workspace, out]), workspace

    def launch(self, packed: Any, stream: int | None) -> None:
        first, second, workspace = packed
        first.run(stream or 0)
        second.run(stream or 0)
        memory.used(workspace, stream or 0)


def _packed(one: _Pass, addresses: Sequence[int]) -> Launch | LaunchOn:
    try:
        return one.pack(addresses)
    except AclError as error:  # inside an operator a failing device is 361001
        raise AclnnError(Status.RUNTIME_ERROR, error.message) from error


class CudaEngine:
    """Runs plans on the memory of NVIDIA's devices."""

    def prepare(self, plan: Plan) -> CudaLauncher | StagedLauncher:
        return StagedLauncher(plan) if plan.staged else CudaLauncher(plan)

    def allocate(self, size: int) -> tuple[int, object]:
        temporary = memory.Temporary(size)
        return temporary.address, temporary
