"""self where a condition holds, else other."""

from openaclnn.base.dtypes import BOOL, UINT8, DType, promote
from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import where
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.rules import Broadcast, Castable, Dtypes, MaxDims, Promotable

TENSORS = ("condition", "self", "other")


def promotes(call: Call) -> DType | None:
    """The condition takes no part."""
    return promote(call["self"].dtype, call["other"].dtype)


OP = Op(
    name="s_where",
    en="Selection by a condition",
    zh="按条件选择",
    arguments=(
        In("condition", "whether to take self", "条件"),
        In("self", "what is taken where it holds", "条件为真时的取值"),
        In("other", "what is taken elsewhere", "条件为假时的取值"),
        Out("out", "the result", "结果"),
    ),
    rules=(
        Dtypes(("condition",), (BOOL, UINT8)),
        Dtypes(("self", "other"), ALL, lacks_complex=True),
        Promotable(),
        Castable(),
        MaxDims((*TENSORS, "out")),
        Broadcast(TENSORS),
    ),
    source="signature: op-plugin; promotion and values: PyTorch's where",
    formula=lambda condition, self, other: where(condition, self, other),
    promotes=promotes,
    wide=never,
    torch="where",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.s_where(np.array([True, False]), np.array([1, 2]), np.array([3, 4]))
array([1, 4])
""",
)
