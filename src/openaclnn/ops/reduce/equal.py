"""Whether two tensors have one shape and equal elements throughout; NaN equals nothing."""

from openaclnn.base.dtypes import BOOL
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, equal, fold, not_equal, where
from openaclnn.spec.op import In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims, Promotable, ResultShape
from openaclnn.spec.steps import Step, parts


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    if known["self"].view.shape != known["other"].view.shape:
        return (Step({}, (known["out"],), never_equal),)
    return (Step({"self": known["self"], "other": known["other"]}, (known["out"],)),)


def never_equal() -> Expr:
    return where(equal(0, 1), 1, 0)  # type: ignore[arg-type]


def formula(self: Expr, other: Expr) -> Expr:
    return equal(fold(where(not_equal(self, other), 1, 0), "add"), 0)


OP = Op(
    "equal",
    "Whether two tensors are equal",
    "两个张量是否相等",
    (
        In("self", "the first input", "第一个输入"),
        In("other", "the second input", "第二个输入"),
        Out("out", "whether they are", "是否相等"),
    ),
    (
        Dtypes(("self", "other"), ALL, lacks_complex=True),
        Dtypes(("out",), (BOOL,)),
        Promotable(),
        MaxDims(("self", "other", "out")),
        ResultShape(or_one=True),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.equal(np.array([1, 2]), np.array([1, 2]))
array(True)
""",
    results=lambda call: (Meta((), BOOL),),
    steps=steps,
    wide=always,
    torch="equal",
    source="signature: op-plugin; values: PyTorch's equal",
)
