"""The gradient of w·((p·t + 1 − t)·log(1 + e^-x) + (1 − t)·x), where p weighs what is true.

It is w·((1 − t)·σ(x) − p·t·σ(-x)), times the gradient, divided by the number of elements for
reduction "mean". For targets of 0 and 1 one term is 0. For others both may nearly cancel: there the
error is 0.51 ULP of the larger of them.
"""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.ops.loss.binary_cross_entropy import power_of
from openaclnn.spec.families import FLOATS, REDUCTION, REDUCTIONS
from openaclnn.spec.formula import Expr, where
from openaclnn.spec.op import In, Op, Out, exact_product
from openaclnn.spec.proof import Proof
from openaclnn.spec.results import Like
from openaclnn.spec.rules import Castable, Dtypes, Into, MaxDims, OneOf, Promotable, ShapeOf

OPTIONAL = ("weight", "pos_weight")


def formula(
    grad_output: Expr,
    self: Expr,
    target: Expr,
    weight: Expr | None,
    pos_weight: Expr | None,
    k: Expr,
) -> Expr:
    positive = target if pos_weight is None else pos_weight * target
    power = power_of(self)  # σ(|x|) is 1/(1 + e^-|x|), σ(-|x|) is e^-|x|/(1 + e^-|x|)
    false, true = where(self >= 0, 1.0, power), where(self >= 0, power, 1.0)
    slope = ((1 - target) * false - positive * true) / (1 + power)
    scaled = grad_output * k if weight is None else grad_output * k * weight
    return scaled * slope


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, float]:
    return {"k": 1 / max(numel, 1) if attributes["reduction"] == REDUCTIONS["mean"] else 1.0}


OP = Op(
    name="binary_cross_entropy_with_logits_backward",
    en="Gradient of the binary cross entropy with logits",
    zh="带 logits 的二元交叉熵的反向传播",
    arguments=(
        In("grad_output", "gradient with respect to the loss", "损失的梯度"),
        In("self", "the logits", "logits"),
        In("target", "what is true, from 0 to 1", "目标值，0 到 1"),
        In("weight", "weights of the elements", "各元素的权重", optional=True),
        In("pos_weight", "weights of what is true", "正样本的权重", optional=True),
        REDUCTION,
        Out("out", "gradient with respect to self", "self 的梯度"),
    ),
    rules=(
        Dtypes(("grad_output", "self", "target", *OPTIONAL, "out"), FLOATS),
        Promotable(),
        OneOf("reduction"),
        MaxDims(("grad_output", "self", "target", *OPTIONAL)),
        ShapeOf("self", "target"),
        Into(("grad_output", *OPTIONAL), "target"),
        ShapeOf("out", "target"),
        Castable(),
    ),
    source="signature, result's shape and dtype: op-plugin; values: PyTorch's loss",
    formula=formula,
    uniforms=uniforms,
    results=Like("target"),
    wide=exact_product,
    proof=Proof(values={"target": (0.0, 1.0)}),
    example="""
>>> import numpy as np, openaclnn
>>> x, target = np.zeros(2, np.float32), np.array([0, 1], np.float32)
>>> gradient = openaclnn.binary_cross_entropy_with_logits_backward
>>> gradient(np.float32(4), x, target, reduction="sum")
array([ 2., -2.], dtype=float32)
""",
)  # fmt: skip
