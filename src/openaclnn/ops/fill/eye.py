"""1 on the diagonal of a matrix of n rows and m columns, 0 elsewhere."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, float_unless_given
from openaclnn.spec.formula import Expr, equal, where
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, Op, Out, never
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative, ResultShape
from openaclnn.spec.steps import Step, parts, position


def results(call: Call) -> tuple[Meta, ...]:
    return (Meta((call["n"], call["m"]), float_unless_given(call)),)


def steps(call: Call) -> tuple[Step, ...]:
    out = parts(call)["out"]
    row, column = (position(out.view, dim) for dim in range(2))
    return (Step({"row": row, "column": column}, (out,)),)


def formula(row: Expr, column: Expr) -> Expr:
    return where(equal(row, column), 1, 0)


OP = Op(
    name="eye",
    en="Identity matrix",
    zh="对角线为 1 的矩阵",
    arguments=(
        Attr("n", "rows", "行数", INT64, usual=30),
        Attr("m", "columns", "列数", INT64, usual=40),
        Out("out", "the matrix", "矩阵"),
    ),
    rules=(
        Dtypes(("out",), ALL),
        NotNegative("n"),
        NotNegative("m"),
        MaxDims(("out",)),
        ResultShape(),
    ),
    source="signature: op-plugin; values: PyTorch's eye",
    formula=formula,
    promotes=float_unless_given,
    results=results,
    steps=steps,
    wide=never,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.eye(2, 3)
array([[1., 0., 0.],
       [0., 1., 0.]], dtype=float32)
""",
)
