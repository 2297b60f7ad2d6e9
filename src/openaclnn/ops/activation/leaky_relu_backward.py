"""leakyrelu(x) = x where x > 0, else negative_slope·x. A NaN x takes the second branch.

`self_is_result` says that `self` is leakyrelu's result: with a slope that is not negative it has
the sign of the input, so nothing changes.
"""

from openaclnn.base.dtypes import (
    BF16,
    BOOL,
    DOUBLE,
    FLOAT,
    FLOAT16,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
)
from openaclnn.spec.formula import Expr, where
from openaclnn.spec.host import FLAG, SCALAR
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.proof import Proof
from openaclnn.spec.rules import Broadcast, Castable, Dtypes, MaxDims, NotNegative, Promotable

SCALARS = (FLOAT, FLOAT16, DOUBLE, INT32, INT64, INT8, UINT8, BOOL, INT16, BF16)
SLOPES = (0.01, 1 / 3, -0.5, 0.0, 1.0, 2.0**-149, 3.4e38, -1e-30)


def formula(grad_output: Expr, self: Expr, negative_slope: Expr) -> Expr:
    return where(self > 0, grad_output, grad_output * negative_slope)


OP = Op(
    name="leaky_relu_backward",
    en="Gradient of leaky ReLU",
    zh="leaky ReLU 的反向传播",
    arguments=(
        In("grad_output", "gradient with respect to leaky ReLU's result", "leaky ReLU 结果的梯度"),
        In("self", "the input of leaky ReLU, or its result", "leaky ReLU 的输入或其结果"),
        Attr(
            "negative_slope",
            "the slope where self <= 0",
            "self <= 0 处的斜率",
            host=SCALAR,
            default=0.01,
            by_place=True,
        ),
        Attr(
            "self_is_result",
            "whether self is leaky ReLU's result",
            "self 是否为 leaky ReLU 的结果",
            host=FLAG,
            default=False,
            by_place=True,
        ),
        Out("out", "gradient with respect to self", "self 的梯度"),
    ),
    rules=(
        Dtypes(("grad_output", "self"), (FLOAT16, FLOAT, BF16, DOUBLE)),
        Dtypes(("negative_slope",), SCALARS),
        MaxDims(("grad_output", "self")),
        Broadcast(("grad_output", "self")),
        NotNegative("negative_slope", when="self_is_result"),
        Promotable(),
        Castable(),
    ),
    source="the document of aclnnLeakyReluBackward",
    formula=formula,
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([[-1.0, 2.0], [3.0, -4.0]], np.float32)
>>> openaclnn.leaky_relu_backward(np.float32(8), x, negative_slope=0.125)
array([[1., 8.],
       [8., 1.]], dtype=float32)
""",
    wide=never,
    torch="ops.aten.leaky_relu_backward",
    by_default=True,
    proof=Proof(
        edges=(0.0,),
        attributes=tuple({"negative_slope": slope} for slope in SLOPES),
        swept={"negative_slope": 0.01},
    ),
)
