"""smooth L1 of d = x − target is d²/(2·beta) where |d| < beta, else |d| − beta/2.

So its slope is d/beta, but no further from 0 than 1, divided by the number of elements for
reduction "mean". Nothing is reduced here: a gradient of a sum or mean is broadcast like any other
operand. beta = 0 leaves the sign of d everywhere, and sign(0) is 0. A NaN d gives NaN.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16, DType
from openaclnn.base.settings import EXACT
from openaclnn.spec.families import REDUCTION, REDUCTIONS
from openaclnn.spec.formula import Expr, clamp, constant, known_as, where
from openaclnn.spec.host import FLOAT32
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.proof import Bound, Proof
from openaclnn.spec.rules import (
    Broadcast,
    Castable,
    Dtypes,
    MaxDims,
    NotNegative,
    OneOf,
    Promotable,
)

BETAS = (0.0, 2.0**-149, 1e-40, 1e-3, 0.3, 1.0, 3.0, 1e4, 1e30, 3.4e38, math.inf)
WHERE = "d = 0 or |d|/beta ≥ 2⁻¹²⁶"  # below it float32 loses digits of the quotient


def formula(
    grad_out: Expr, self: Expr, target: Expr, inverse: Expr, rest: Expr, k: Expr, zero: Expr
) -> Expr:
    ratio = (self - target) * inverse * rest + zero
    return grad_out * k * clamp(known_as("(self − target) / beta", ratio), -1, 1)


def with_slope_of_one(grad_out: Expr, self: Expr, target: Expr) -> Expr:
    return grad_out * clamp(self - target, -1, 1)


def shorter(promoted: DType, attributes: Mapping[str, Any]) -> Callable[..., Expr] | None:
    """Where nothing is divided; results of 16 bits have the general one as fast."""
    plain = attributes["beta"] == 1 and attributes["reduction"] != REDUCTIONS["mean"]
    return with_slope_of_one if plain and promoted is FLOAT else None


def meaning(
    grad_out: Expr, self: Expr, target: Expr, reduction: int, beta: Expr, numel: Expr
) -> Expr:
    d, count = self - target, numel if reduction == REDUCTIONS["mean"] else constant(1)
    sign = where(d > 0, 1, where(d < 0, -1, where(d <= 0, 0, d)))  # +0 of either zero, NaN of NaN
    return where(abs(d) < beta, grad_out * d / (beta * count), grad_out * sign / count)


def has_digits(self: Expr, target: Expr, beta: Expr) -> Expr:
    d = abs(self - target)
    return ~((d > 0) & (d < beta * 2.0**-126))


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, float]:
    beta, mean = attributes["beta"], attributes["reduction"] == REDUCTIONS["mean"]
    # no difference but 0 is smaller than the smallest float32, and 0 divides by it
    divisor = max(beta, 2.0**-149)
    # of an infinite beta: two steps take any d to 0 but leave an infinite one
    steps = (1 / divisor, 1.0) if not math.isinf(divisor) else (2.0**-1000, 2.0**-1000)
    return {
        "inverse": steps[0],
        "rest": steps[1],
        "k": 1 / max(numel, 1) if mean else 1.0,
        # 0 + -0 is 0, of either sign; for beta = 0 the sign of either is +0
        "zero": -0.0 if beta else 0.0,
    }


def wide(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    """FLOAT at level exact; a beta whose inverse float32 has not; and BF16 where d/beta may lie
    below float32's range and a large gradient lifts it back: the difference of two BF16 has no bit
    below 2⁻¹³³, float32 goes on to 2⁻¹⁴⁹, so a beta up to 2 leaves enough of them."""
    beta = attributes["beta"]
    if not 2.0**-100 <= beta <= 2.0**100:
        return True
    return level == EXACT and (promoted is FLOAT or (promoted is BF16 and beta > 2))


OP = Op(
    name="smooth_l1_loss_backward",
    en="Gradient of the smooth L1 loss",
    zh="smooth L1 损失的反向传播",
    arguments=(
        In("grad_out", "gradient with respect to the loss", "损失的梯度"),
        In("self", "the prediction", "预测值"),
        In("target", "what was to be predicted", "目标值"),
        REDUCTION,
        Attr(
            "beta",
            "where the loss turns from quadratic to linear",
            "L2 与 L1 之间的分界",
            host=FLOAT32,
            default=1.0,
        ),
        Out("grad_input", "gradient with respect to self", "self 的梯度"),
    ),
    rules=(
        Dtypes(("grad_out", "self", "target", "grad_input"), (FLOAT16, FLOAT, BF16)),
        MaxDims(("grad_out", "self", "target")),
        OneOf("reduction"),
        NotNegative("beta"),
        Promotable(),
        Castable(),
        Broadcast(("grad_out", "self", "target")),
    ),
    source="the document of aclnnSmoothL1LossBackward",
    formula=formula,
    example="""
>>> import numpy as np, openaclnn
>>> x, target = np.array([[0.25, 3.0], [-2.0, 1.0]], np.float32), np.ones(2, np.float32)
>>> openaclnn.smooth_l1_loss_backward(np.float32(1), x, target, reduction="sum")
array([[-0.75,  1.  ],
       [-1.  ,  0.  ]], dtype=float32)
""",
    uniforms=uniforms,
    shorter=shorter,
    wide=wide,
    torch="ops.aten.smooth_l1_loss_backward",
    by_default=True,
    proof=Proof(
        meaning=meaning,
        edges=(-1.0, 1.0, 0.0),
        distance="beta",
        attributes=tuple({"beta": beta} for beta in BETAS),
        swept={"reduction": "none", "beta": 1.5},
        fast={FLOAT: Bound(6.01, WHERE, has_digits), BF16: Bound(0.51, WHERE, has_digits)},
    ),
)
