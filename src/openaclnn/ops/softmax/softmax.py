"""softmax(x) = e^x divided by the sum of e^x along a dimension. No larger number than the largest x
is needed for it, and where that is -inf or inf, or one of them is NaN, all are NaN."""

from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, exp, fold
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.results import Like
from openaclnn.spec.rules import Castable, DimOf, Dtypes, MaxDims, SameShape


def formula(self: Expr) -> Expr:
    power = exp(self - fold(self, "max", over="dim"))
    return power / fold(power, "add", over="dim")


OP = Op(
    name="softmax",
    en="Softmax along a dimension",
    zh="沿维度的 Softmax",
    arguments=(
        In("self", "the input", "输入"),
        Attr("dim", "the dimension along which they sum to 1", "和为 1 的维度", INT64),
        Out("out", "the result", "结果"),
    ),
    rules=(
        Dtypes(("self",), FLOATS),
        DimOf("dim", "self"),
        Castable(),
        MaxDims(("self", "out")),
        SameShape(("self",)),
    ),
    source="signature: llama.cpp, op-plugin; values: PyTorch's softmax",
    formula=formula,
    results=Like("self"),
    torch="softmax",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.softmax(np.array([[0, 0], [0, 100]], np.float32), dim=1)
array([[5.0e-01, 5.0e-01],
       [3.8e-44, 1.0e+00]], dtype=float32)
""",
)
