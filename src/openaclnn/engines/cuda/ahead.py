"""Kernels compiled ahead of their first use, on all cores: for a machine that has no GPU, or no
time when it meets a new call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context

from openaclnn.arithmetic.lower import lower
from openaclnn.base.dtypes import (
    BF16,
    COMPLEX64,
    COMPLEX128,
    DOUBLE,
    FLOAT,
    FLOAT16,
    DType,
    converts,
    promote,
)
from openaclnn.base.settings import LEVELS
from openaclnn.engines.cuda.compile import Program, binary, program_of
from openaclnn.engines.cuda.kernel import itemsizes, kernel_of
from openaclnn.engines.cuda.layout import layout_of
from openaclnn.engines.cuda.shapes import weight
from openaclnn.ops import all_ops
from openaclnn.plan.loop import Loop
from openaclnn.spec.op import Op
from openaclnn.spec.rules import Dtypes, SameDtype

SIDE = 1 << 14


@dataclass(frozen=True)
class Entry:
    """A kernel of the usual set, and what it is for."""

    op: str
    dtypes: tuple[str, ...]  # of the inputs that are read, then the output
    level: str
    layout: str
    program: Program


def usual(arch: int, every_mix: bool = False) -> Iterator[Entry]:
    """Every operator and level, flat and turned: one dtype throughout, or every mix."""
    for op in all_ops().values():
        for dtypes, level in product(_dtypes(op, every_mix), LEVELS):
            *inputs, out = dtypes
            promoted = promote(*inputs)
            assert promoted is not None
            compute = op.computes_in(promoted, level)
            body = lower(op.traced_in(compute), tuple(inputs), promoted, (out,), compute)
            for name, loop in _loops(len(dtypes)).items():
                kernel = kernel_of(body, layout_of(loop, itemsizes(body), weight(body)), arch)
                names = tuple(dtype.short for dtype in dtypes)
                yield Entry(op.name, names, level, name, program_of(kernel, kernel.alignable))


def _loops(operands: int) -> dict[str, Loop]:
    dense, turned = (SIDE, 1), (1, SIDE)
    others = (dense,) * (operands - 2)
    return {
        "flat": Loop((SIDE * SIDE,), ((1,),) * operands, (0,) * operands),
        "turned": Loop((SIDE, SIDE), (dense, turned, *others), (0,) * operands),
    }


def _dtypes(op: Op, every_mix: bool) -> Iterator[tuple[DType, ...]]:
    """What the operator's rules allow for the inputs that are read and the output."""
    names = [argument.name for argument in op.read_inputs]
    allowed = next(rule.allowed for rule in op.rules if isinstance(rule, Dtypes))
    relation = next((rule for rule in op.rules if isinstance(rule, SameDtype)), None)
    if not every_mix or (relation is not None and not relation.mixed_on):
        yield from ((dtype,) * (len(names) + 1) for dtype in allowed)
        return
    limited = any(isinstance(r, Dtypes) and op.output.name in r.of for r in op.rules)
    outputs = allowed if limited else (FLOAT, FLOAT16, BF16, DOUBLE, COMPLEX64, COMPLEX128)
    for inputs in product(allowed, repeat=len(names)):
        promoted = promote(*inputs)
        for out in outputs:
            if relation is not None:
                expected = inputs[0] if len(set(inputs)) == 1 else relation.mixed_output
                fits = out is expected
            else:
                fits = promoted is not None and converts(promoted, out)
            if fits:
                yield (*inputs, out)


def compile_all(programs: Iterable[Program]) -> Iterator[Program]:
    """Compile into the cache what is not there yet; yields each program when it is there."""
    unique = list(dict.fromkeys(programs))
    workers = min(len(unique), os.cpu_count() or 1)
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


def _compile(program: Program) -> None:
    binary(program)  # its result stays on disk
