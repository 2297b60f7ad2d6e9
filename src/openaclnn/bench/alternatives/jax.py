"""JAX: the formula compiled by XLA. It makes a new output and has a thread pool of its own, as
large as the machine."""

from __future__ import annotations

from typing import Any

import numpy as np

from openaclnn.bench.alternatives import Prepared
from openaclnn.bench.alternatives.formulas import FORMULAS
from openaclnn.bench.operands import Operands

VERSION_OF = "jax"
TITLE = "JAX"
MEANING = "the formula jit-compiled; a new output, and threads of its own"


def prepare(operands: Operands, threads: int) -> Prepared | str:
    make = FORMULAS.get(operands.op.name)
    if make is None:
        return "nobody has written the formula down"
    if not all(operand.view.contiguous for operand in (*operands.inputs, operands.output)):
        return "an operand is strided: its arrays are not"
    import jax

    dtype = operands.output.view.dtype.numpy
    formula = make(jax.numpy, operands.attributes)
    compiled = jax.jit(lambda *inputs: formula(*inputs).astype(dtype))
    inputs = [jax.numpy.asarray(operand.array) for operand in operands.inputs]

    def call() -> Any:
        return compiled(*inputs).block_until_ready()

    return Prepared(call, lambda result: np.asarray(result, np.float32))
