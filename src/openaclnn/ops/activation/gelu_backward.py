"""The slope of gelu, by tanh: with s = σ(y), where y is gelu's argument, s + x·s·(1 − s)·y′. At
±inf that is 0·inf, NaN. Where both terms cancel, it is taken from its Taylor series."""

from openaclnn.ops.activation.gelu import TWICE
from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.formula import Expr, Taylor, equal, known_as, near, sigmoid, where
from openaclnn.spec.op import exact_level

CUBE = TWICE * 0.044715
TAIL = -1e-100  # what any float32 makes a zero of, and an infinity stays
ROOT = Taylor(
    root=-0.7524614220710162,
    root_low=-3.4928381988137035e-17,
    coefficients=(
        0.43040009102485854, 0.38751844613578895, -0.015782853521848012,
        -0.11394448308095902, -0.01661932834305258, 0.019682309459833125,
        0.005261059254921919, -0.0024227318458750974, -0.0009274420230205465,
        0.0002639276405268103, 0.0001242522780263981, -3.495617169443604e-05,
        -1.5950896871645142e-05, 5.91861171089399e-06,
    ),
)  # fmt: skip


def slope_by_tanh(x: Expr) -> Expr:
    square = x * x
    y, rise = x * (TWICE + CUBE * square), TWICE + 3 * (CUBE * square)
    slope = near(x, ROOT, sigmoid(y) * (1 + x * rise * sigmoid(-y)))
    return known_as("gelu′(self), by tanh", settled(x, 14, slope))


def settled(x: Expr, beyond: float, slope: Expr) -> Expr:
    """A slope that is 1 above some x and next to nothing below its opposite; at ±inf it is NaN."""
    limit = where(x > 0, 1, TAIL)
    return where(abs(x) > beyond, where(equal(x - x, 0), limit, x - x), slope)


OP = activation_backward(
    "gelu_backward",
    formula=lambda grad_output, self: grad_output * slope_by_tanh(self),
    dtypes=FLOATS,
    of="gelu",
    wide=exact_level,
    source="signature and which formula: op-plugin; values: PyTorch's gelu_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gelu_backward(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
array([-0.08296409,  0.5       ,  1.0829641 ], dtype=float32)
""",
)
