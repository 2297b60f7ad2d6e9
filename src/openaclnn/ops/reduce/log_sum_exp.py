"""log Σ e^x over dimensions, from the largest x on; of infinities an infinity."""

from math import inf

from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, equal, exp, fold, log, where
from openaclnn.spec.host import FLAG, INT_ARRAY
from openaclnn.spec.op import Attr, In, Op, Out, exact_level
from openaclnn.spec.results import OverDims
from openaclnn.spec.rules import Castable, DimsOf, Dtypes, MaxDims, ResultShape


def formula(self: Expr) -> Expr:
    largest = fold(self, "max", over="dims")
    base = where(equal(abs(largest), inf), 0, largest)
    return base + log(fold(exp(self - base), "add", over="dims"))


OP = Op(
    "log_sum_exp",
    "Log-sum-exp over dimensions",
    "指数和的对数",
    (
        In("self", "the input", "输入"),
        Attr("dims", "the dimensions that go", "被归约的维度", INT_ARRAY, (), by_place=True),
        Attr(
            "keepdim",
            "whether they stay, of size 1",
            "是否保留这些维度",
            FLAG,
            False,
            by_place=True,
        ),
        Out("out", "the result", "结果"),
    ),
    (
        Dtypes(("self",), FLOATS),
        DimsOf("dims", "self", some=True),
        Castable(),
        MaxDims(("self", "out")),
        ResultShape(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.log_sum_exp(np.array([[0, 0], [-np.inf, 1000]], np.float32), [1])
array([6.931472e-01, 1.000000e+03], dtype=float32)
""",
    source="signature: op-plugin; values: PyTorch's logsumexp",
    wide=exact_level,
    results=OverDims("dims", "keepdim"),
    torch="logsumexp",
)
