"""Engines that run the CUDA engine's kernels on host memory, so that any test can use them.

`CopyingEngine` takes the data to the GPU and back. `InterpretedEngine` needs no GPU: Triton's
interpreter runs the same kernels (in a process that was started with TRITON_INTERPRET=1).
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from openaclnn.engines.cuda import compile as cuda_compile
from openaclnn.engines.cuda.body import INTERPRETER
from openaclnn.engines.cuda.kernel import kernel_of
from openaclnn.engines.cuda.layout import layout_of
from openaclnn.engines.cuda.shapes import weight
from openaclnn.plan import WORKSPACE, Plan
from openaclnn.plan.loop import Loop


def region(loop: Loop, operand: int) -> tuple[int, int]:
    """The lowest element that a loop touches of an operand, and how many lie up to the highest."""
    spans = [(n - 1) * s for n, s in zip(loop.sizes, loop.strides[operand], strict=True)]
    low = loop.starts[operand] + sum(span for span in spans if span < 0)
    high = loop.starts[operand] + sum(span for span in spans if span > 0)
    return low, high - low + 1


class CopyingEngine:
    """The CUDA engine on copies of host memory."""

    def prepare(self, plan: Plan) -> CopyingLauncher:
        return CopyingLauncher(plan)

    def allocate(self, size: int) -> tuple[int, object]:
        buffer = ctypes.create_string_buffer(size)
        return ctypes.addressof(buffer), buffer


class CopyingLauncher:
    def __init__(self, plan: Plan) -> None:
        from openaclnn.engines.cuda import CudaEngine

        self.plan = plan
        self.inner = CudaEngine().prepare(plan)
        self.bytes, self.written = touched(plan)

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return list(addresses)

    def launch(self, packed: Any, stream: int | None) -> None:
        import openaclnn.runtime.cuda as runtime

        there, owned = list(packed), []
        for tensor, (first, end) in self.bytes.items():
            begin = packed[tensor] + first
            memory = runtime.malloc(end - first + 16)
            owned.append(memory)
            place = memory + begin % 16  # as far from 16-byte alignment as on the host
            runtime.memcpy(place, begin, end - first, 1)
            there[tensor] = place - first
        workspace = runtime.malloc(max(self.plan.workspace_size, 1))
        owned.append(workspace)
        self.inner.launch(self.inner.pack(there, workspace), None)
        for tensor in self.written:
            first, end = self.bytes[tensor]
            runtime.memcpy(packed[tensor] + first, there[tensor] + first, end - first, 2)
        for memory in owned:
            runtime.free(memory)


def touched(plan: Plan) -> tuple[dict[int, tuple[int, int]], set[int]]:
    """The bytes of every used tensor, counted from its address, between the first and the last that
    a plan touches; and which tensors it writes."""
    spans: dict[int, tuple[int, int]] = {}
    written = set()
    for one in plan.passes:
        for operand, (place, size) in enumerate(zip(one.places, one.body.sizes, strict=True)):
            if place.tensor == WORKSPACE or 0 in one.loop.sizes:
                continue
            low, count = region(one.loop, operand)
            first, end = spans.get(place.tensor, (low * size, low * size))
            spans[place.tensor] = min(first, low * size), max(end, (low + count) * size)
            if operand in one.written:
                written.add(place.tensor)
    return spans, written


class InterpretedEngine(CopyingEngine):
    """The kernels under Triton's interpreter."""

    def prepare(self, plan: Plan) -> InterpretedLauncher:  # type: ignore[override]
        return InterpretedLauncher(plan)


_TORCH = {"*fp32": "float32", "*fp64": "float64", "*i8": "int8", "*i16": "int16",
          "*i32": "int32", "*i64": "int64"}  # fmt: skip


class InterpretedLauncher:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def pack(self, addresses: Sequence[int], workspace: int) -> object:
        return [
            [place.address(addresses, workspace) for place in one.places]
            for one in self.plan.passes
        ]

    def launch(self, packed: Any, stream: int | None) -> None:
        for one, addresses in zip(self.plan.passes, packed, strict=True):
            if 0 not in one.loop.sizes:
                interpret(one.body, one.loop, one.uniforms, addresses)


def interpret(body: Any, loop: Loop, uniforms: Sequence[float], addresses: Sequence[int]) -> None:
    """One kernel over one loop, in Triton's interpreter."""
    kernel = kernel_of(body, layout_of(loop, body.sizes, weight(body)), INTERPRETER)
    arguments: list[Any] = []
    sizes = body.sizes
    for operand, (type, address) in enumerate(zip(kernel.pointers, addresses, strict=True)):
        arguments.append(_memory(type, address, sizes[operand], loop, operand))
    arguments += struct.unpack(f"{len(uniforms)}q", body.packed(uniforms))
    arguments += [parameter.number for parameter in kernel.parameters]
    mend_interpreter()
    with np.errstate(all="ignore"):
        cuda_compile.function(kernel.source)[(kernel.programs,)](*arguments)


def _memory(type: str, address: int, size: int, loop: Loop, operand: int) -> Any:
    """A torch tensor whose data begins where an operand does."""
    import torch

    low, count = region(loop, operand)
    buffer = (ctypes.c_char * (count * size)).from_address(address + low * size)
    elements = np.frombuffer(buffer, _TORCH[type[0:]])
    words = size // elements.itemsize  # a complex128 is two
    return torch.from_numpy(elements)[(loop.starts[operand] - low) * words :]


def mend_interpreter() -> None:
    """Older interpreters round an fma twice; the kernels' promise is about fused steps. And where
    scalars are compared they take the answer for a number of the scalars' type."""
    from triton.runtime import interpreter

    libm = ctypes.CDLL("libm.so.6")
    for name, type in (("fma", ctypes.c_double), ("fmaf", ctypes.c_float)):
        getattr(libm, name).argtypes, getattr(libm, name).restype = [type] * 3, type
    fused = {
        np.dtype("f8"): np.frompyfunc(libm.fma, 3, 1),
        np.dtype("f4"): np.frompyfunc(libm.fmaf, 3, 1),
    }

    def create_fma(self: Any, x: Any, y: Any, z: Any) -> Any:
        dtype = z.data.dtype
        result = np.asarray(fused[dtype](x.data, y.data, z.data)).astype(dtype)
        return interpreter.TensorHandle(result, z.dtype.scalar)

    def create_splat(self: Any, type: Any, scalar: Any) -> Any:
        value = np.full(type.shape, scalar.data, scalar.data.dtype)
        return interpreter.TensorHandle(value, scalar.dtype.scalar)

    interpreter.InterpreterBuilder.create_fma = create_fma
    interpreter.InterpreterBuilder.create_splat = create_splat
