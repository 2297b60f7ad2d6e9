"""x·ln y, 0 where x is 0, whatever y is, unless that is NaN."""

from typing import Any

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, binary, floating, number_first
from openaclnn.spec.formula import Expr, equal, log, where
from openaclnn.spec.op import exact_level
from openaclnn.spec.proof import Proof

SOURCE = "signatures: op-plugin; promotion and values: PyTorch's xlogy"
SHARED: dict[str, Any] = {
    "promotes": floating,
    "wide": exact_level,
    "proof": Proof(exact={DOUBLE: None}),
}


def formula(self: Expr, other: Expr) -> Expr:
    return where(equal(self, 0) & equal(other, other), 0, self * log(other))


OPS = (
    *binary(
        "x_log_y_tensor",
        formula,
        ALL,
        "x·log(y)",
        "x·ln y（x 为 0 时为 0）",
        """
>>> import numpy as np, openaclnn
>>> openaclnn.x_log_y_tensor(np.array([0, 2], np.float32), np.array([0, 1], np.float32))
array([0., 0.], dtype=float32)
""",
        scalar="x_log_y_scalar_other",
        torch="xlogy",
        source=SOURCE,
        **SHARED,
    ),
    number_first(
        "x_log_y_scalar_self",
        formula,
        ALL,
        "x·log(y)",
        "x·ln y（x 为 0 时为 0）",
        source=SOURCE,
        **SHARED,
    ),
)
