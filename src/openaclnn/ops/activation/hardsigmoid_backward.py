"""hardsigmoid(x) = min(max(x/6 + 1/2, 0), 1): its slope is 1/6 between -3 and 3, else 0.

A NaN x is not between them, so it gives 0.
"""

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16
from openaclnn.spec.formula import Expr, where
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.proof import Proof
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, SameShape


def formula(grad_output: Expr, self: Expr) -> Expr:
    return where(abs(self) < 3, grad_output / 6, 0)


OP = Op(
    name="hardsigmoid_backward",
    en="Gradient of hardsigmoid",
    zh="hardsigmoid 的反向传播",
    arguments=(
        In(
            "grad_output", "gradient with respect to hardsigmoid's result", "hardsigmoid 结果的梯度"
        ),
        In("self", "the input of hardsigmoid", "hardsigmoid 的输入"),
        Out("out", "gradient with respect to self", "self 的梯度"),
    ),
    rules=(
        Dtypes(("grad_output", "self"), (FLOAT16, FLOAT, BF16)),
        Castable(),
        MaxDims(("grad_output", "self", "out")),
        SameShape(("grad_output", "self")),
    ),
    source="the document of aclnnHardsigmoidBackward",
    formula=formula,
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([-4.0, 0.0, 2.5, 3.0], np.float32)
>>> openaclnn.hardsigmoid_backward(np.full_like(x, 6), x)
array([0., 1., 1., 0.], dtype=float32)
""",
    wide=never,
    torch="ops.aten.hardsigmoid_backward",
    by_default=True,
    proof=Proof(edges=(-3.0, 3.0, 0.0)),
)
