"""Engines that run the CUDA engine's kernels on host memory, so that any test can use them.

`CopyingEngine` takes the data to the GPU and back. `InterpretedEngine` needs no GPU: Triton's
interpreter runs the same kernels (in a process that was started with TRITON_INTERPRET=1).
"""

from __future__ import annotations

import ctypes
import inspect
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from assembly import interpret_assembly
from openaclnn.arithmetic.folding import SPECIAL
from openaclnn.engines.cuda import compile as cuda_compile
from openaclnn.engines.cuda.body import INTERPRETER
from openaclnn.engines.cuda.kernel import Kernel, kernel_of
from openaclnn.engines.cuda.passes import (
    kernels_of,
    many_at_odd_addresses,
    passes_of,
    tiling_for,
    workspace_of,
)
from openaclnn.engines.cuda.routines import routine_room
from openaclnn.engines.cuda.tiling import Tiling
from openaclnn.plan import Pass, Plan, RoutinePass
from openaclnn.plan.folds import Fold, Rows


def region(one: Pass | RoutinePass | Rows, operand: int) -> tuple[int, int]:
    """The lowest element that a pass touches of an operand, and how many lie up to the highest."""
    if isinstance(one, RoutinePass):
        view = one.views[operand]
        return view.low, view.high - view.low + 1
    fold = one if isinstance(one, Rows) else one.fold
    loops = [one.loop] if fold is None else [one.loop, fold.folded]
    dims = [dim for loop in loops for dim in zip(loop.sizes, loop.strides[operand], strict=True)]
    spans = [max(size - 1, 0) * stride for size, stride in dims]
    low = one.loop.starts[operand] + sum(span for span in spans if span < 0)
    high = one.loop.starts[operand] + sum(span for span in spans if span > 0)
    written = isinstance(one, Pass) and operand == one.written.start
    if isinstance(fold, Fold) and fold.how.kind == "digits" and written:
        high += SPECIAL + fold.how.left - 1
    return low, high - low + 1


class CopyingEngine:
    """The CUDA engine on copies of host memory."""

    def prepare(self, plan: Plan) -> CopyingLauncher:
        return CopyingLauncher(plan)

    def workspace_size(self, plan: Plan) -> int:
        return workspace_of(plan)

    def allocate(self, size: int, stream: int | None = None) -> tuple[int, object]:
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
        workspace = runtime.malloc(max(workspace_of(self.plan), 1))
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
        for operand, (place, size) in enumerate(zip(one.places, one.sizes, strict=True)):
            if place.tensor < 0 or one.empty:  # the workspace, or positions
                continue
            low, count = region(one, operand)
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
            ([place.address(addresses, workspace) for place in one.places], workspace + one.state)
            for one in passes_of(self.plan)
        ]

    def launch(self, packed: Any, stream: int | None) -> None:
        for one, (addresses, state) in zip(passes_of(self.plan), packed, strict=True):
            interpret(one, addresses, state)


def interpret(
    one: Pass | RoutinePass | Rows,
    addresses: Sequence[int],
    state: int = 0,
    tiling: Tiling | None = None,
) -> None:
    """The kernels of one pass, in Triton's interpreter; of a tiling that is not the usual one."""
    mend_interpreter()
    kernels = _at_odd_addresses(one, addresses) or kernels_of(one, INTERPRETER)
    if tiling is not None:
        kernel = kernel_of(one.body, tiling, INTERPRETER)
        kernels = [(kernel, tuple(range(len(addresses))))]
    for kernel, operands in kernels:
        arguments: list[Any] = []
        for type, operand in zip(kernel.pointers, operands, strict=True):
            if operand == len(addresses) and isinstance(one, RoutinePass):
                size = one.routine.workspace(one.views[: one.inputs], one.views[one.inputs :])
                size = max(size, routine_room(one))
                arguments.append(_memory(type, state, size))
                continue
            if operand == len(addresses):
                assert isinstance(one, Pass)
                assert one.fold is not None
                states = one.fold.parts * math.prod(one.loop.sizes)
                arguments.append(_memory(type, state, states * one.fold.state_size))
                continue
            size = one.sizes[operand]
            if type == "i64":  # positions begin at a number
                arguments.append(addresses[operand] + one.loop.starts[operand])
                continue
            low, count = region(one, operand)
            if not size:  # numbers of 4 bits, by bytes
                arguments.append(_memory(type, addresses[operand], (count + 1) // 2))
                continue
            memory = _memory(type, addresses[operand] + low * size, count * size)
            words = count * size // (memory.element_size() * count)  # a complex128 is two
            routine = isinstance(one, RoutinePass)
            start = one.views[operand].offset if routine else one.loop.starts[operand]
            arguments.append(memory[(start - low) * words :])
        arguments += struct.unpack(f"{kernel.uniforms}q", one.words[: 8 * kernel.uniforms])
        arguments += [parameter.number for parameter in kernel.parameters]
        with np.errstate(all="ignore"):
            cuda_compile.function(kernel.source)[(kernel.programs,)](*arguments)


def _at_odd_addresses(
    one: Pass | RoutinePass | Rows, addresses: Sequence[int]
) -> list[tuple[Kernel, tuple[int, ...]]]:
    """The kernel of a pass whose operands all begin as many elements after a vector."""
    if isinstance(one, (RoutinePass, Rows)) or one.fold is not None:
        return []
    late = {(a + s * n) % 16 for a, s, n in zip(addresses, one.loop.starts, one.sizes, strict=True)}
    usual = tiling_for(one)
    if late == {0} or len(late) > 1 or len(usual.axes) > 1 or len(usual.axes[0].dims) > 1:
        return []
    tiling = many_at_odd_addresses(one, usual, alike=True)
    if tiling is None:
        return []
    return [(kernel_of(one.body, tiling, INTERPRETER), tuple(range(len(addresses))))]


def _memory(type: str, address: int, size: int) -> Any:
    """A torch tensor on memory."""
    import torch

    buffer = (ctypes.c_char * size).from_address(address)
    return torch.from_numpy(np.frombuffer(buffer, _TORCH[type]))


@cache
def mend_interpreter() -> None:
    """Older interpreters round an fma twice; the kernels' promise is about fused steps. Where
    scalars are compared they take the answer for a number of the scalars' type. The rest saves
    time: what test_interpreted.py compares took 75 s, and takes 51; 27 where the CPU's kernels are
    in the cache."""
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
    interpreter.ReduceOps.generic_reduce = _reduced_in_pairs
    interpreter._get_np_dtype = _known_by_name(interpreter._get_np_dtype)
    interpreter.FunctionRewriter.rewrite_ast = _rewritten_once(interpreter)
    # it looks for overflow in every sum of integers, and tells nobody
    options = interpreter.interpreter_builder.options
    assert not options.debug
    interpreter.interpreter_builder.options = replace(options, sanitize_overflow=False)
    interpret_assembly(interpreter)
    _make_the_language_once(interpreter)
    _make_shapes_once()


def _make_shapes_once() -> None:
    """Types of blocks, and the shapes of tensors of them, which take a quarter of the time."""
    from triton.language import core

    make_type, make_tensor = core.block_type.__init__, core.tensor.__init__
    known: dict[Any, Any] = {}

    def type_made(self: Any, element_ty: Any, shape: Any) -> None:
        key = (element_ty.name, *(getattr(size, "value", size) for size in shape))
        if key not in known:
            make_type(self, element_ty, shape)
            like = core.tensor.__new__(core.tensor)
            make_tensor(like, None, self)
            known[key] = {**vars(self), "of_tensors": (like.shape, like.numel)}
        vars(self).update(known[key], element_ty=element_ty)

    def tensor_made(self: Any, handle: Any, type: Any) -> None:
        if not type.is_block():
            make_tensor(self, handle, type)
            return
        self.handle, self.type, self.dtype = handle, type, type.scalar
        self.shape, self.numel = type.of_tensors

    core.block_type.__init__, core.tensor.__init__ = type_made, tensor_made


def _make_the_language_once(interpreter: Any) -> None:
    """Kernels, and every function that they call, make the language anew, and kernels restore it:
    here nobody needs it as it was."""
    from triton import language

    def all_of_it() -> None: ...

    names = {"tl": language, "core": language.core}
    interpreter._patch_lang(FunctionType(all_of_it.__code__, names))
    made = SimpleNamespace(restore=lambda: None)
    interpreter._patch_lang = lambda function: made


def _rewritten_once(interpreter: Any) -> Callable[[Any], Any]:
    """What the interpreter makes of a function, made once of the same text: many kernels have the
    same functions."""
    known: dict[str, Any] = {}

    def rewrite(self: Any) -> Any:
        lines, first = inspect.getsourcelines(self.fn)
        self.def_lineno = self._find_def(lines)
        self.def_file_lineno = first + self.def_lineno - 1
        text = self._prepare_source(lines)
        if text not in known:
            known[text] = compile(self._transform_ast(text), self.fn.__code__.co_filename, "exec")
        names = self.fn.__globals__
        for name, value in vars(interpreter).items():
            names.setdefault(name, value)
        made: dict[str, Any] = dict(self.kwargs)
        exec(known[text], names, made)
        return made[self.fn.__name__]

    return rewrite


def _known_by_name(dtype_of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The function of a type, asked once for each: it writes the table of all types every time."""
    known: dict[str, Any] = {}

    def found(type: Any) -> Any:
        if type.name not in known:
            known[type.name] = dtype_of(type)
        return known[type.name]

    return found


def _reduced_in_pairs(self: Any, input: tuple[Any, ...]) -> list[Any]:
    """What `tl.reduce` by a function of the kernel's own gives, neighbours in pairs and then pairs
    of those, as wide as they are. The interpreter takes one element after another."""
    input, axis = self.unravel(input, self.axis)
    dtypes = [one.dtype for one in input]
    data = [np.moveaxis(one.handle.data, axis, 0) for one in input]
    while (length := len(data[0])) > 1:
        assert length % 2 == 0  # a block's sizes are powers of two
        halves = [
            self.to_tensor(one[turn::2], t)
            for turn in (0, 1)
            for one, t in zip(data, dtypes, strict=True)
        ]
        both = self.combine_fn.fn(*halves)
        data = [one.handle.data for one in (both if isinstance(both, tuple) else (both,))]
    assert self.axis is not None
    assert not self.keep_dims
    return [self.to_tensor(one[0], t) for one, t in zip(data, dtypes, strict=True)]
