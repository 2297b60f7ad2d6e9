"""silu(x) = x·σ(x): its slope is σ(x)·(1 + x·(1 − σ(x))).

The bracket is zero at x = -1.278…, where its terms cancel: there the slope is taken from its
Taylor series. Far below zero the slope is about x·e^x, which still counts at x = -190 when the
gradient is large. At ±inf the formula is 0·inf, NaN.
"""

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16
from openaclnn.base.products import ASCEND310P, ASCEND950
from openaclnn.spec.formula import Expr, Taylor, near, sigmoid
from openaclnn.spec.op import EVERY_PRODUCT, In, Op, Out
from openaclnn.spec.rules import Dtypes, MaxDims, SameDtype, SameShape

ROOT = Taylor(
    root=-1.2784645427610737,
    root_low=-1.0946994183093437e-16,
    coefficients=(
        0.21781170571980009878,
        0.14664879699694690018,
        0.018874814223782313407,
        -0.015222655223188031689,
        -0.0066065891383566964363,
        0.00012662741008112199727,
        0.00079852188183979977612,
        0.00018570724361186495653,
    ),
)


def formula(grad_output: Expr, self: Expr) -> Expr:
    slope = sigmoid(self) * (1 + self * sigmoid(-self))
    return grad_output * near(self, ROOT, slope)


OP = Op(
    name="silu_backward",
    en="Gradient of SiLU (swish)",
    zh="SiLU（swish）的反向传播",
    arguments=(
        In("grad_output", "gradient with respect to silu's result", "silu 结果的梯度"),
        In("self", "the input of silu", "silu 的输入"),
        Out("grad_input", "gradient with respect to self", "self 的梯度"),
    ),
    rules=(
        Dtypes(("grad_output", "self", "grad_input"), (FLOAT16, FLOAT, BF16)),
        SameDtype(("grad_output", "self"), mixed_on=(ASCEND950,), mixed_output=FLOAT),
        MaxDims(("grad_output", "self")),
        SameShape(("grad_output", "self"), broadcast_on=(ASCEND950,)),
    ),
    formula=formula,
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([-1.0, 0.0, 1.0], np.float32)
>>> openaclnn.silu_backward(np.ones_like(x), x)
array([0.07232949, 0.5       , 0.92767054], dtype=float32)
""",
    products=tuple(p for p in EVERY_PRODUCT if p is not ASCEND310P),
)
