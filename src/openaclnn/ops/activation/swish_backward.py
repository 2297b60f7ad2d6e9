"""The slope of x·σ(beta·x) is σ·(1 + beta·x·(1 − σ)); without a beta it is 1."""

from openaclnn.spec.families import ALL, FLOATS, activation_backward
from openaclnn.spec.formula import Expr, Taylor, near, sigmoid
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, exact_level
from openaclnn.spec.rules import Dtypes

ROOT = Taylor(
    root=-1.2784645427610737,
    root_low=-1.0946994183093437e-16,
    coefficients=(
        0.2178117057198001, 0.1466487969969469, 0.018874814223782312,
        -0.015222655223188032, -0.006606589138356696, 0.000126627410081122,
        0.0007985218818397998, 0.00018570724361186496, -4.090534237428612e-05,
        -2.9733542213263917e-05, -2.942631888842464e-06, 2.346029682463866e-06,
        8.599695028268575e-07, -3.051244750055421e-08,
    ),
)  # fmt: skip


def formula(grad_output: Expr, self: Expr, beta: Expr) -> Expr:
    scaled = self * beta
    return grad_output * near(scaled, ROOT, sigmoid(scaled) * (1 + scaled * sigmoid(-scaled)))


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
    source="signature: DIOPI; values: the derivative of x·σ(beta·x)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.swish_backward(np.float32(2), np.array([-1, 0, 1], np.float32))
array([0.14465898, 1.        , 1.8553411 ], dtype=float32)
""",
)  # fmt: skip
