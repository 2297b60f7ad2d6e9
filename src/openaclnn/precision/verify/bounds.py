"""What is promised: the largest error in ULP, for every finite input. The only place that says so.

At level exact it is one number. At level fast it is what was measured over all inputs, rounded up
(of smooth L1, with its three inputs, what six roundings to float32 allow). `openaclnn verify`
fails where a kernel exceeds it, so a bound never drifts away from the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import BF16, FLOAT, DType
from openaclnn.base.settings import EXACT
from openaclnn.precision.double_double import Floats
from openaclnn.spec.op import Op

EXACT_BOUND = 0.51

Holds = Callable[[Sequence[Floats], Mapping[str, Any]], NDArray[np.bool_]]


@dataclass(frozen=True)
class Bound:
    """The largest error; `where` says for which inputs where it is not all of them."""

    ulp: float
    where: str = ""
    holds: Holds | None = None  # the same as a function of input values and attributes


def _normal_quotient(inputs: Sequence[Floats], attributes: Mapping[str, Any]) -> NDArray[np.bool_]:
    beta = max(attributes["beta"], 2.0**-149)
    with np.errstate(all="ignore"):
        distance = np.abs(inputs[1] - inputs[2])
        below = (distance < beta * 2.0**-126) & (distance > 0)
        return np.asarray(~below)


_IN_FLOAT32 = "d = 0 or |d|/beta ≥ 2⁻¹²⁶"

_FAST: dict[tuple[str, DType], Bound] = {
    ("log_sigmoid_backward", FLOAT): Bound(5.0),
    ("silu_backward", FLOAT): Bound(15.0),
    ("smooth_l1_loss_backward", FLOAT): Bound(6.01, _IN_FLOAT32, _normal_quotient),
    ("smooth_l1_loss_backward", BF16): Bound(EXACT_BOUND, _IN_FLOAT32, _normal_quotient),
}


def bound(op: Op, dtype: DType, level: str) -> Bound:
    """What is promised of an operator's results in a dtype."""
    exact = Bound(EXACT_BOUND)
    return exact if level == EXACT else _FAST.get((op.name, dtype), exact)
