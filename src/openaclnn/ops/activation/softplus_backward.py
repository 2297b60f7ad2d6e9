"""The slope of softplus is σ(beta·x), and 1 where beta·x is above the threshold."""

from openaclnn.ops.activation.softplus import is_linear
from openaclnn.spec.families import ALL, FLOATS, activation_backward
from openaclnn.spec.formula import sigmoid, where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, exact_product
from openaclnn.spec.rules import Dtypes

OP = activation_backward(
    "softplus_backward",
    formula=lambda grad_output, self, beta, threshold: where(
        is_linear(self, beta, threshold), grad_output, grad_output * sigmoid(self * beta)
    ),
    dtypes=FLOATS,
    of="softplus",
    attributes=(
        Attr("beta", "a factor inside", "内部系数", SCALAR, default=1.0, by_place=True),
        Attr(
            "threshold",
            "where it becomes linear",
            "转为线性的阈值",
            SCALAR,
            default=20.0,
            by_place=True,
        ),
    ),
    rules=(Dtypes(("beta", "threshold"), ALL),),
    wide=exact_product,
    torch="ops.aten.softplus_backward",
    source="signature: op-plugin; values: PyTorch's softplus_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.softplus_backward(np.float32(2), np.array([0, 30, -200], np.float32))
array([1., 2., 0.], dtype=float32)
""",
)
