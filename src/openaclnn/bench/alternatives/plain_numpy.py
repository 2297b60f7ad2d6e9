"""NumPy as people write it: an expression, a temporary for each of its operations, one thread."""

from __future__ import annotations

from typing import Any

import numpy as np

from openaclnn.bench.alternatives import Prepared
from openaclnn.bench.alternatives.formulas import FORMULAS
from openaclnn.bench.operands import Operands

VERSION_OF = "numpy"
TITLE = "NumPy"
MEANING = "the formula as people write it, with temporaries, on one thread"


def prepare(operands: Operands, threads: int) -> Prepared | str:
    make = FORMULAS.get(operands.op.name)
    if make is None:
        return "nobody has written the formula down"
    formula = make(np, operands.attributes)
    inputs = [operand.array for operand in operands.inputs]
    out = operands.output.array

    def call() -> Any:
        with np.errstate(over="ignore"):
            out[...] = formula(*inputs)
        return out

    return Prepared(call, lambda result: result.astype(np.float32))
