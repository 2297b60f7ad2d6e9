"""Random operators' CUDA kernels, compiled for a GPU that need not be there."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from openaclnn import ops
from openaclnn.base.dtypes import by_name
from openaclnn.engines.cuda.choose_tiling import tiling_of
from openaclnn.engines.cuda.compile import binary, program_of
from openaclnn.engines.cuda.kernel import kernel_of
from openaclnn.engines.cuda.tile_table import weight
from openaclnn.plan import make_plan
from openaclnn.spec import describe
from openaclnn.spec.sample import sample_call
from random_operators.calls import Call


def compiled(call: Call, rng: Random) -> Iterator[str]:
    op = ops.find(call.operator.name)
    allowed = describe.dtypes(op)
    dtype, tried = by_name(call.promoted), dict(*op.proof.attributes[:1])
    sample = sample_call(
        op, (dtype if dtype in allowed else allowed[0],), (1 << 10, 1 << 10), attributes=tried
    )
    for one in make_plan(sample, "exact").passes:
        kernel = kernel_of(one.body, tiling_of(one.loop, one.body.sizes, weight(one.body)), 90)
        if binary(program_of(kernel, kernel.alignable)).cubin[:4] != b"\x7fELF":
            yield f"{dtype}: this is no cubin"


CHECKS = (compiled,)
