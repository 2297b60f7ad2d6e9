"""The median of all elements, of two the lower one; NaN where there is one."""

from openaclnn.ops.reduce.max import SOME
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.rules import Dtypes, MaxDims, ResultDtype, ResultShape
from openaclnn.spec.sorts import Sort
from openaclnn.spec.steps import Part, Step, copied, parts, scratch


def steps(call: Call) -> tuple[Step, ...]:
    """All elements become one row."""
    known = parts(call)
    view, out = known["self"].view, known["out"]
    lying, row = scratch(0, view.dtype, view.shape), scratch(0, view.dtype, (view.numel,))
    result = Part(out.tensor, out.view.seen((1,), (1,), out.view.offset))
    routine = Sort(0, (view.numel - 1) // 2, places=False, nan_wins=True)
    return (
        Step({"self": known["self"]}, (lying,), copied),
        Step({"self": row}, (result,), routine=routine),
    )


def formula(self: Expr) -> Expr:
    return described("the median of self", self)


OP = Op(
    "median",
    "Median of all elements",
    "全部元素的中位数",
    (In("self", "the input", "输入"), Out("out", "the median", "中位数")),
    (
        Dtypes(("self",), ALL, lacks_complex=True),
        ResultDtype(ALL),
        SOME,
        MaxDims(("self", "out")),
        ResultShape(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.median(np.array([[3, 1], [7, 2]], np.float32))
array(2., dtype=float32)
""",
    results=lambda call: (Meta((), call["self"].dtype),),
    steps=steps,
    wide=never,
    torch="median",
    source="signature: op-plugin, candle; values: PyTorch's median",
)
