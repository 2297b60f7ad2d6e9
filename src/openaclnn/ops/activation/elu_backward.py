"""elu's slope is scale above 0. Below, of x it is scale·alpha·input_scale·e^(input_scale·x), and of
elu's result y it is input_scale·(y + scale·alpha)."""

from openaclnn.spec.families import ALL, FLOATS, activation_backward
from openaclnn.spec.formula import Expr, exp, where
from openaclnn.spec.host import FLAG, SCALAR
from openaclnn.spec.op import Attr, exact_level
from openaclnn.spec.rules import Dtypes, NotNegative


def formula(
    grad_output: Expr,
    alpha: Expr,
    scale: Expr,
    input_scale: Expr,
    is_result: bool,
    self_or_result: Expr,
) -> Expr:
    x, low = self_or_result, alpha * scale
    below = x + low if is_result else exp(x * input_scale) * low
    return where(x > 0, grad_output * scale, grad_output * input_scale * below)


OP = activation_backward(
    "elu_backward",
    formula=formula,
    dtypes=FLOATS,
    of="ELU",
    second="self_or_result",
    between=(
        Attr("alpha", "what is approached far below 0, times -scale", "负半轴系数", SCALAR, 1.0),
        Attr("scale", "a factor of the result", "结果的系数", SCALAR, default=1.0),
        Attr("input_scale", "a factor of the input below 0", "负半轴输入的系数", SCALAR, 1.0),
        Attr("is_result", "whether ELU's result is given", "给出的是否为结果", FLAG, default=False),
    ),
    rules=(
        Dtypes(("alpha", "scale", "input_scale"), ALL),
        NotNegative("alpha", when="is_result"),
    ),
    wide=exact_level,
    torch="ops.aten.elu_backward",
    source="signature: op-plugin; values: PyTorch's elu_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.elu_backward(np.ones(3, np.float32), np.array([-1, 0, 2], np.float32), alpha=2)
array([0.7357589, 2.       , 1.       ], dtype=float32)
""",
)  # fmt: skip
