"""glu(x) = a·σ(b), where a and b are the first and the second half of x along a dimension."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, sigmoid
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.rules import Castable, DimOf, Dtypes, Halved, MaxDims, ResultShape
from openaclnn.spec.steps import Step, halves, parts


def results(call: Call) -> tuple[Meta, ...]:
    shape = list(call["self"].shape) or [1]
    shape[call["dim"]] //= 2
    return (Meta(tuple(shape), call["self"].dtype),)


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    first, second = halves(known["self"], call["dim"])
    return (Step({"first_half": first, "second_half": second}, (known["out"],)),)


def formula(first_half: Expr, second_half: Expr) -> Expr:
    return first_half * sigmoid(second_half)


OP = Op(
    name="glu",
    en="Gated linear unit",
    zh="门控线性单元",
    arguments=(
        In("self", "the input, of even size along dim", "输入，在 dim 上的大小为偶数"),
        Attr("dim", "the dimension that is halved", "被对半切分的维度", INT64, default=-1),
        Out("out", "the result, half as long along dim", "结果，在 dim 上的大小减半"),
    ),
    rules=(
        Dtypes(("self",), FLOATS),
        DimOf("dim", "self"),
        Halved("self", "dim"),
        Castable(),
        MaxDims(("self", "out")),
        ResultShape(),
    ),
    source="signature and result's shape: op-plugin; values: PyTorch's glu",
    formula=formula,
    results=results,
    steps=steps,
    torch="nn.functional.glu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.glu(np.array([[4, 8, 0, 100]], np.float32))
array([[2., 8.]], dtype=float32)
""",
)
