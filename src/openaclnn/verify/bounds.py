"""What is promised: the largest error in ULP, for every finite input.

At level exact it is one number, unless the operator's proof has another. At level fast it is what
the operator's proof says, which was measured over all inputs and rounded up; `openaclnn verify`
fails where a kernel exceeds it, so a bound never drifts away from the truth. Where nothing is said,
nothing is promised.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import DType
from openaclnn.base.settings import EXACT
from openaclnn.engines import plain
from openaclnn.spec.op import Op
from openaclnn.spec.proof import Bound
from openaclnn.spec.rules import any_of
from openaclnn.truth.double_double import Floats
from openaclnn.truth.reference import complete, numbers
from openaclnn.verify.form import promoted, same_kernel

EXACT_BOUND = 0.51


def bound(op: Op, dtype: DType, level: str) -> Bound | None:
    """What is promised of an operator's results in a dtype."""
    used = promoted(op, dtype)
    if level == EXACT or same_kernel(op, dtype):
        if used in op.proof.exact:
            return op.proof.exact[used]
        named = op.proof.values.items()
        return Bound(EXACT_BOUND, ", ".join(f"{name} is {any_of(of)}" for name, of in named))
    return op.proof.fast.get(used)


def holds(
    op: Op, dtype: DType, promise: Bound, given: Mapping[str, Floats], attributes: Mapping[str, Any]
) -> NDArray[np.bool_]:
    """For which inputs, by element and in C order, a bound is promised."""
    assert promise.holds is not None
    used = complete(op, attributes)
    traced = op.traced(promise.holds, {a.name: a.name in given for a in op.reads}, used)
    first = next(iter(given.values()))
    uniforms = numbers(op, traced.uniforms, used, first.size, dtype)
    (condition,) = traced.results
    found = plain.evaluate(
        condition, {**given}, {n: float(pair.high) for n, pair in uniforms.items()}
    )
    return np.broadcast_to(found, first.shape)
