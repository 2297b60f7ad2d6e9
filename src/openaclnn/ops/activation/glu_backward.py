"""The gradient of a·σ(b): of a it is g·σ(b), of b g·a·σ(b)·(1 − σ(b)), each in its half."""

from collections.abc import Mapping
from typing import Any

from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, sigmoid
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out, exact_product
from openaclnn.spec.results import Like
from openaclnn.spec.rules import DimOf, Dtypes, Halved, MaxDims, ResultShape, SameDtype
from openaclnn.spec.steps import Step, halves, parts


def formula(grad_out: Expr, first_half: Expr, second_half: Expr) -> tuple[Expr, Expr]:
    gate = sigmoid(second_half)
    return grad_out * gate, grad_out * first_half * gate * sigmoid(-second_half)


def steps(call: Call) -> tuple[Step, ...]:
    known, dim = parts(call), call["dim"]
    first, second = halves(known["self"], dim)
    reads = {"grad_out": known["grad_out"], "first_half": first, "second_half": second}
    return (Step({**reads}, halves(known["out"], dim)),)


def shapes(shape: tuple[int, ...], attributes: Mapping[str, Any]) -> Mapping[str, tuple[int, ...]]:
    halved = list(shape)
    halved[attributes["dim"]] //= 2
    return {"grad_out": tuple(halved)}


OP = Op(
    name="glu_backward",
    en="Gradient of the gated linear unit",
    zh="门控线性单元的反向传播",
    arguments=(
        In("grad_out", "gradient with respect to glu's result", "glu 结果的梯度"),
        In("self", "the input of glu", "glu 的输入"),
        Attr(
            "dim",
            "the dimension that is halved",
            "被对半切分的维度",
            INT64,
            default=-1,
            by_place=True,
        ),
        Out("out", "gradient with respect to self", "self 的梯度"),
    ),
    rules=(
        Dtypes(("grad_out", "self"), FLOATS),
        SameDtype(("grad_out", "self")),
        DimOf("dim", "self"),
        MaxDims(("grad_out", "self", "out")),
        Halved("self", "dim", halves=("grad_out",)),
        ResultShape(),
    ),
    source="signature and result's shape: op-plugin; values: PyTorch's glu_backward",
    formula=formula,
    results=Like("self"),
    steps=steps,
    shapes=shapes,
    wide=exact_product,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.glu_backward(np.array([[8]], np.float32), np.array([[3, 0]], np.float32))
array([[4., 6.]], dtype=float32)
""",
)
