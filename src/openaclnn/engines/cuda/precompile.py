"""Kernels compiled ahead of their first use, on all cores: for machines without a GPU, or to make
first calls fast."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from multiprocessing import get_context
from typing import Any, Protocol

from openaclnn.base import settings
from openaclnn.base.dtypes import BF16, COMPLEX64, COMPLEX128, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.records import dataclass
from openaclnn.base.settings import LEVELS
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import View, contiguous_strides, view
from openaclnn.check import verdict
from openaclnn.engines.cuda.compile import Program, binary, program_of
from openaclnn.engines.cuda.kernel import Kernel
from openaclnn.engines.cuda.launch import programs
from openaclnn.engines.cuda.passes import kernels_of, passes_of
from openaclnn.ops import all_ops
from openaclnn.plan import Plan, make_plan, needs_staging, staged
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op
from openaclnn.spec.sample import contiguous, sample_call

SIDE = 1 << 14
_OUTPUTS = (FLOAT, FLOAT16, BF16, DOUBLE, COMPLEX64, COMPLEX128)


class Called(Protocol):
    """A call of an operator, its arguments by name."""

    @property
    def op(self) -> Op: ...

    @property
    def arguments(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Entry:
    """A kernel of the usual set, and what it is for."""

    op: str
    dtypes: tuple[str, ...]  # of the inputs that are read, then the output
    level: str
    layout: str
    program: Program


def usual(arch: int, every_mix: bool = False, ops: Iterable[Op] | None = None) -> Iterator[Entry]:
    """Every operator (or some) and level, flat and turned: one dtype throughout, or every mix."""
    for op in all_ops().values() if ops is None else ops:
        for inputs, out in _dtypes(op, every_mix):
            for level, (name, layout) in product(LEVELS, _LAYOUTS.items()):
                call = sample_call(op, inputs, (SIDE, SIDE), out, layout)
                names = tuple(given.tensor.dtype.short for given in call.used)
                kernels = _kernels(make_plan(call, level), arch)
                # the steps of a sort are one program
                programs = (program_of(kernel, kernel.alignable) for kernel in kernels)
                for program in dict.fromkeys(programs):
                    yield Entry(op.name, names, level, name, program)


def of_calls(calls: Iterable[Called], arch: int) -> Iterator[tuple[Op, Program]]:
    """What calls compile on a GPU, in the settings of the thread. Tensors have addresses."""
    for one in calls:
        call = Call(one.op, one.arguments, settings.current().product)
        if verdict(call) is not None:  # another version accepted it
            continue
        tensors = [given.tensor for given in call.used]
        plan = make_plan(call, settings.current().level)
        if needs_staging(plan, tensors):
            plan = staged(plan)
        try:
            found = [] if plan.empty else programs(plan, [t.address for t in tensors], arch)
        except AclnnError:  # as the call itself will be answered on a GPU
            continue
        for program in found:
            yield one.op, program


def _kernels(plan: Plan, arch: int) -> list[Kernel]:
    """The kernels of a plan; none where the engine says that it has none for a pass."""
    try:
        return [kernel for one in passes_of(plan) for kernel, _ in kernels_of(one, arch)]
    except AclnnError as error:
        if error.status is Status.INNER_FIND_KERNEL_ERROR:
            return []
        raise


def _turned(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
    """The second tensor is transposed, others are not."""
    if number != 1 or len(shape) < 2:
        return view(dtype, shape)
    return view(dtype, shape, contiguous_strides(shape[::-1])[::-1])


_LAYOUTS = {"flat": contiguous, "turned": _turned}


def _dtypes(op: Op, every_mix: bool) -> Iterator[tuple[tuple[DType, ...], tuple[DType, ...]]]:
    """What the operator's rules allow on some product: dtypes of what is read, and of outputs that
    are not the results' own."""
    allowed = describe.dtypes(op)
    mixes = product(allowed, repeat=max(1, len(op.reads))) if every_mix else ((d,) for d in allowed)
    outs: tuple[tuple[DType, ...], ...] = ((),)
    if every_mix and not op.in_place:
        outs = tuple((dtype,) for dtype in _OUTPUTS)
    for inputs, out in product(mixes, outs):
        calls = (sample_call(op, inputs, (2, 2), out, product=p) for p in op.products)
        if any(verdict(call) is None for call in calls):
            yield inputs, out


def compile_all(programs: Iterable[Program]) -> Iterator[Program]:
    """Compile into the cache what is not there yet; yields each program when it is there."""
    unique = list(dict.fromkeys(programs))
    workers = min(len(unique), _cores())
    if workers <= 1:
        for program in unique:
            binary(program)
            yield program
        return
    # spawned: what the host process has loaded (CUDA, threads) does not survive a fork
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_compile, program): program for program in unique}
        for done in as_completed(waiting):
            done.result()
            yield waiting[done]


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _compile(program: Program) -> None:
    binary(program)  # its result stays on disk
