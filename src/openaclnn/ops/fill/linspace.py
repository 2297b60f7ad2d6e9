"""Numbers at equal distances from start to end, both among them: (start·(n − i) + end·i)/n, where n
steps lead from the first to the last; one alone is start."""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DOUBLE, DType
from openaclnn.ops.fill.arange import along
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS, float_unless_given
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import INT64, SCALAR
from openaclnn.spec.op import Attr, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative, ResultShape
from openaclnn.spec.steps import Step, parts, position


def results(call: Call) -> tuple[Meta, ...]:
    return (Meta((max(call["steps"], 0),), float_unless_given(call)),)


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    return {**attributes, "last": max(attributes["steps"] - 1, 1)}


def steps(call: Call) -> tuple[Step, ...]:
    out = parts(call)["out"]
    dim = along(out.view.shape)
    assert dim is not None  # as the rules have it
    return (Step({"position": position(out.view, dim)}, (out,)),)


def formula(position: Expr, start: Expr, end: Expr, last: Expr) -> Expr:
    return (start * (last - position) + end * position) / last


OP = Op(
    name="linspace",
    en="Numbers at equal distances between two",
    zh="区间内的等差数列",
    arguments=(
        Attr("start", "the first number", "起始值", SCALAR, usual=-1),
        Attr("end", "the last number", "终止值", SCALAR, usual=1),
        Attr("steps", "how many there are", "个数", INT64, usual=1000),
        Out("out", "the numbers", "结果"),
    ),
    rules=(
        Dtypes(("out",), (*FLOATS, DOUBLE)),
        NotNegative("steps"),
        MaxDims(("out",)),
        ResultShape(),
    ),
    source="signature: op-plugin; values: PyTorch's linspace",
    formula=formula,
    promotes=float_unless_given,
    results=results,
    uniforms=uniforms,
    steps=steps,
    wide=always,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.linspace(0, 1, 5)
array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
""",
)
