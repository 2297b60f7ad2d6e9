"""The slope of gelu: Φ(x) + x·φ(x), where φ is the normal distribution's density (approximate
"none"), or by tanh, as in gelu_backward ("tanh"). At ±inf that is 0·inf, NaN."""

from openaclnn.ops.activation.gelu import slope_by_erf, slope_by_tanh
from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import TEXT
from openaclnn.spec.op import Attr, exact_level
from openaclnn.spec.rules import OneOf


def formula(grad_output: Expr, self: Expr, approximate: str) -> Expr:
    slope = slope_by_tanh if approximate == "tanh" else slope_by_erf
    return grad_output * slope(self)


OP = activation_backward(
    "gelu_backward_v2",
    formula=formula,
    dtypes=FLOATS,
    of="gelu",
    attributes=(
        Attr("approximate", "by which formula", "近似方式", TEXT, default="none",
             choices={"none": "none", "tanh": "tanh"}),
    ),
    rules=(OneOf("approximate"),),
    wide=exact_level,
    torch="ops.aten.gelu_backward",
    source="signature and choices: op-plugin; values: PyTorch's gelu_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gelu_backward_v2(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
array([-0.08331547,  0.5       ,  1.0833155 ], dtype=float32)
""",
)  # fmt: skip
