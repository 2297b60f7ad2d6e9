"""The slope of x·σ(1.702·x) is σ·(1 + 1.702·x·(1 − σ))."""

from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.formula import Expr, Taylor, near, sigmoid
from openaclnn.spec.op import exact_level

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


def formula(grad_output: Expr, self: Expr) -> Expr:
    scaled = self * 1.702
    return grad_output * near(scaled, ROOT, sigmoid(scaled) * (1 + scaled * sigmoid(-scaled)))


OP = activation_backward(
    "fast_gelu_backward",
    formula=formula,
    dtypes=FLOATS,
    of="fast GELU",
    wide=exact_level,
    source="signature: op-plugin; values: the derivative of op-plugin's formula",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.fast_gelu_backward(np.float32(2), np.array([-1, 0, 1], np.float32))
array([-0.13555922,  1.        ,  2.1355593 ], dtype=float32)
""",
)
