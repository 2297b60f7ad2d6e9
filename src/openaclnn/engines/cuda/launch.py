"""A plan on a GPU: which kernel, with which arguments, on how many programs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import openaclnn.runtime.cuda as runtime
from openaclnn.base.status import AclnnError, Status
from openaclnn.engines.cuda import memory
from openaclnn.engines.cuda.compile import binary, program_of
from openaclnn.engines.cuda.kernel import kernel_of
from openaclnn.engines.cuda.layout import layout_of
from openaclnn.engines.cuda.module import Function, Launch, LaunchOn, function
from openaclnn.engines.cuda.shapes import weight
from openaclnn.plan import Pass, Plan
from openaclnn.runtime.interface import AclError

_MOST_PROGRAMS = 2**31 - 1


class _Pass:
    """One kernel over one loop."""

    def __init__(self, one: Pass, called: str) -> None:
        self.called = called  # the operator, for complaints
        body, loop, uniforms, sizes = one.body, one.loop, one.uniforms, one.body.sizes
        self.body, self.layout = body, layout_of(loop, sizes, weight(body))
        if self.layout.programs > _MOST_PROGRAMS:
            raise AclnnError(Status.RUNTIME_ERROR, f"{loop} is too large for one launch")
        self.starts = [start * size for start, size in zip(loop.starts, sizes, strict=True)]
        self.uniforms = struct.unpack(f"{len(uniforms)}Q", body.packed(uniforms))
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
        self.sizes, self.called = of.body.sizes, of.called
        numbers = (parameter.number for parameter in self.kernel.parameters)
        self.words = [word & 0xFFFF_FFFF_FFFF_FFFF for word in (*of.uniforms, *numbers)]
        self.functions: dict[tuple[bool, ...], Function] = {}

    def launch(self, pointers: list[int]) -> Launch:
        aligned = self.kernel.alignable
        together = 0
        for pointer in pointers:
            together |= pointer
        if together % 16:
            self.refuse_crooked(pointers)
            aligned = tuple(
                can and pointer % 16 == 0 for can, pointer in zip(aligned, pointers, strict=True)
            )
        chosen = self.functions.get(aligned)
        if chosen is None:
            chosen = self.functions[aligned] = function(binary(program_of(self.kernel, aligned)))
        return Launch(chosen, self.kernel.programs, pointers + self.words)

    def refuse_crooked(self, pointers: list[int]) -> None:
        """A GPU reads and writes an element only where its size divides the address."""
        for pointer, size in zip(pointers, self.sizes, strict=True):
            if pointer % min(size, 8):
                raise AclnnError(
                    Status.PARAM_INVALID,
                    f"{self.called}: a tensor whose elements have {size} bytes begins at "
                    f"{pointer:#x}; on cuda expected a multiple of {min(size, 8)}",
                )


class _Passes:
    """A plan's passes, one after the other on a stream."""

    def __init__(self, plan: Plan) -> None:
        passes = [one for one in plan.passes if 0 not in one.loop.sizes]
        self.passes = [(_Pass(one, plan.op.c_name), one.places) for one in passes]
        self.staged = bool(plan.workspace_size)

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        launches = [
            _packed(one, [place.address(addresses, workspace) for place in places])
            for one, places in self.passes
        ]
        return launches, workspace

    def launch(self, packed: Any, stream: int | None) -> None:
        launches, workspace = packed
        for launch in launches:
            launch.run(stream or 0)
        if self.staged:
            memory.used(workspace, stream or 0)


class _Direct:
    """A plan of one pass over the call's tensors as they come: the shortest way."""

    def __init__(self, one: Pass, called: str) -> None:
        self.one = _Pass(one, called)

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return _packed(self.one, addresses)

    def launch(self, packed: Any, stream: int | None) -> None:
        packed.run(stream or 0)


def _packed(one: _Pass, addresses: Sequence[int]) -> Launch | LaunchOn:
    try:
        return one.pack(addresses)
    except AclError as error:  # inside an operator a failing device is 361001
        raise AclnnError(Status.RUNTIME_ERROR, error.message) from error


class CudaEngine:
    """Runs plans on the memory of NVIDIA's devices."""

    def prepare(self, plan: Plan) -> _Passes | _Direct:
        direct = len(plan.passes) == 1 and plan.passes[0].in_order
        return _Direct(plan.passes[0], plan.op.c_name) if direct else _Passes(plan)

    def allocate(self, size: int) -> tuple[int, object]:
        temporary = memory.Temporary(size)
        return temporary.address, temporary
