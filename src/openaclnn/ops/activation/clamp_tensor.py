"""The number between two limits, a tensor each, that is nearest to x; the upper one decides where
they cross. NaN where one of the three is. A limit that is null is none."""

from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr, maximum, minimum
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.rules import Broadcast, Castable, Dtypes, MaxDims, Promotable

LOW, HIGH = "clip_value_min", "clip_value_max"
TENSORS = ("self", LOW, HIGH)


def formula(self: Expr, clip_value_min: Expr | None, clip_value_max: Expr | None) -> Expr:
    found = self if clip_value_min is None else maximum(self, clip_value_min)
    return found if clip_value_max is None else minimum(found, clip_value_max)


OP = Op(
    "clamp_tensor",
    "Clamp by tensors",
    "截断到区间（张量）",
    (
        In("self", "the input", "输入"),
        In(LOW, "the lower limits", "下限", optional=True),
        In(HIGH, "the upper limits", "上限", optional=True),
        Out("out", "the result", "结果"),
    ),
    (
        Dtypes(TENSORS, NUMBERS, lacks_complex=True),
        Promotable(),
        Castable(),
        MaxDims((*TENSORS, "out")),
        Broadcast(TENSORS),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> x, low = np.array([-2, 0, 3], np.float32), np.array([-1, 1, 1], np.float32)
>>> openaclnn.clamp_tensor(x, low, np.float32([2]))
array([-1.,  1.,  2.], dtype=float32)
""",
    header="aclnn_clamp.h",
    wide=never,
    torch="clamp",
    source="signature: op-plugin; promotion and values: PyTorch's clamp",
)
