"""Powers of a base whose exponents are at equal distances from start to end, both among them."""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DOUBLE, DType
from openaclnn.ops.fill.linspace import results, steps
from openaclnn.spec.families import FLOATS, float_unless_given
from openaclnn.spec.formula import Expr, pow
from openaclnn.spec.host import FLOAT64, INT64, SCALAR
from openaclnn.spec.op import Attr, Op, Out, always
from openaclnn.spec.proof import Proof
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative, ResultShape


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    return {**attributes, "last": max(attributes["steps"] - 1, 1)}


def formula(position: Expr, start: Expr, end: Expr, base: Expr, last: Expr) -> Expr:
    return pow(base, (start * (last - position) + end * position) / last)


OP = Op(
    name="log_space",
    en="Logarithmically spaced numbers",
    zh="区间内的等比数列",
    arguments=(
        Attr("start", "the first exponent", "起始指数", SCALAR, usual=-1),
        Attr("end", "the last exponent", "终止指数", SCALAR, usual=1),
        Attr("steps", "how many there are", "个数", INT64, usual=1000),
        Attr("base", "whose powers they are", "底数", FLOAT64, default=10.0),
        Out("out", "the powers", "结果"),
    ),
    rules=(
        Dtypes(("out",), (*FLOATS, DOUBLE)),
        NotNegative("steps"),
        MaxDims(("out",)),
        ResultShape(),
    ),
    source="signature: op-plugin; values: PyTorch's logspace",
    formula=formula,
    proof=Proof(exact={DOUBLE: None}),
    promotes=float_unless_given,
    results=results,
    uniforms=uniforms,
    steps=steps,
    wide=always,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log_space(0, 2, 3)
array([  1.,  10., 100.], dtype=float32)
""",
)
