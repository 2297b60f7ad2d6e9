"""The slope of x·σ(beta·x) is σ·(1 + beta·x·(1 − σ)); without a beta it is 1."""

from openaclnn.spec.families import ALL, FLOATS, activation_backward, sigmoid_product_slope
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, exact_level
from openaclnn.spec.rules import Dtypes


def formula(grad_output: Expr, self: Expr, beta: Expr) -> Expr:
    return grad_output * sigmoid_product_slope(self * beta)


OP = activation_backward(
    "swish_backward",
    formula=formula,
    dtypes=FLOATS,
    of="swish",
    attributes=(
        Attr("beta", "a factor inside, 1 where it is null", "内部系数，为空时取 1", SCALAR,
             default=1.0, optional=True),
    ),
    rules=(Dtypes(("beta",), ALL),),
    wide=exact_level,
    source="signature: DIOPI; values: mathematics (the derivative of x·σ(beta·x))",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.swish_backward(np.float32(2), np.array([-1, 0, 1], np.float32))
array([0.14465898, 1.        , 1.8553411 ], dtype=float32)
""",
)  # fmt: skip
