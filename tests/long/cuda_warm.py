"""Compiles what the tests of engines/cuda launch, on all cores: they start sooner after it."""

from __future__ import annotations

import itertools
import operator
from unittest.mock import patch

import numpy as np

import cases
from openaclnn.base import settings
from openaclnn.base.tensors import Tensor
from openaclnn.calls import two_phase
from openaclnn.engines.cuda import tiling
from openaclnn.engines.cuda.compile import Program, program_of
from openaclnn.engines.cuda.passes import kernels_of, passes_of
from openaclnn.engines.cuda.precompile import compile_all


def programs(arch: int) -> set[Program]:
    found = set()
    random = np.random.default_rng(0)
    for op in cases.operators():
        types = [*cases.same_types(op), *cases.mixed_types(op)]
        for kinds, layout, level in itertools.product(types, cases.LAYOUTS, settings.LEVELS):
            made = cases.tensors(op, kinds, layout, random)
            used = [Tensor(facts, data.ctypes.data) for facts, data in made]
            with settings.using(math=level, product="Ascend950"):
                executor = two_phase.prepare(op, cases.arguments(op, used))
            plan = executor.ready.plan
            for one in passes_of(plan):
                starts = zip(one.loop.starts, one.sizes, strict=True)
                placed = [*(start * size % 16 == 0 for start, size in starts), True]
                for kernel, operands in kernels_of(one, arch):
                    here = [placed[operand] for operand in operands]
                    aligned = map(operator.and_, kernel.alignable, here)
                    found.add(program_of(kernel, tuple(aligned)))
    return found


if __name__ == "__main__":
    import openaclnn.runtime.cuda as runtime

    arch = runtime.architecture(0)
    with patch.object(tiling, "FEW", 0):
        wanted = programs(arch)
    done = sum(1 for _ in compile_all(wanted | programs(arch)))
    print(f"{done} kernels are ready")
