"""The slope of gelu: Φ(x) + x·φ(x), where φ is the normal distribution's density (approximate
"none"), or by tanh, as in gelu_backward ("tanh"). At ±inf that is 0·inf, NaN."""

import math

from openaclnn.ops.activation.gelu_backward import settled, slope_by_tanh
from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.formula import Expr, Taylor, erfc, exp, known_as, near
from openaclnn.spec.host import TEXT
from openaclnn.spec.op import Attr, exact_level
from openaclnn.spec.rules import OneOf

ROOT = Taylor(
    root=-0.7517915246935645,
    root_low=1.4956759177009883e-17,
    coefficients=(
        0.4314939923140469, 0.388284982990552, -0.018199676398671087,
        -0.1140082332972217, -0.014771522148244337, 0.019421679838189067,
        0.004539228379125415, -0.002239538068073497, -0.0007448268386746817,
        0.00018633974623233514, 8.615947861116571e-05, -1.121438018842664e-05,
        -7.74846130700372e-06, 4.3284506257392273e-07,
    ),
)  # fmt: skip


def slope_by_erf(x: Expr) -> Expr:
    share = erfc(x * -math.sqrt(0.5)) * 0.5
    density = exp(x * x * -0.5) * (1 / math.sqrt(2 * math.pi))
    slope = near(x, ROOT, share + x * density)
    return known_as("gelu′(self)", settled(x, 22, slope))


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
