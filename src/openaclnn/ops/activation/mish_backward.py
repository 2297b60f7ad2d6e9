"""With e = e^-|x| the slope of x·tanh(log(1 + e^x)) is t + x·s, both rational in e: above 0
t = (1 + 2e)/d and s = 4·e²·(1 + e)/d², where d = 1 + 2e + 2e²; below t = e·(e + 2)/d and
s = 4·e·(1 + e)/d², where d = e·(e + 2) + 2. At ±inf that is 0·inf, NaN. Where both
terms cancel, it is taken from its Taylor series."""

from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.formula import Expr, Taylor, exp, known_as, near, where
from openaclnn.spec.op import exact_level

ROOT = Taylor(
    root=-1.1924312145154952,
    root_low=-4.8484829848031044e-17,
    coefficients=(
        0.2669479140495345, 0.20473126408010586, 0.04190782104360987,
        -0.020271822716684245, -0.01582112656173338, -0.0033606849270232685,
        0.0010924055409445854, 0.0009898181021289196, 0.00025412936386191073,
        -4.1961496031696126e-05, -5.582891567360688e-05, -1.72992708103044e-05,
        9.427361327376651e-07, 2.9088199364912223e-06,
    ),
)  # fmt: skip


def formula(grad_output: Expr, self: Expr) -> Expr:
    e = exp(-abs(self))
    above, below = 1 + 2 * e + 2 * (e * e), 2 + 2 * e + e * e
    d = where(self >= 0, above, below)
    t = where(self >= 0, 1 + 2 * e, e * (e + 2))
    rise = where(self >= 0, 4 * (e * e) * (1 + e), 4 * e * (1 + e))
    slope = (t * d + self * rise) / (d * d)
    return grad_output * known_as("mish′(self)", near(self, ROOT, slope))


OP = activation_backward(
    "mish_backward",
    formula=formula,
    dtypes=FLOATS,
    of="mish",
    wide=exact_level,
    torch="ops.aten.mish_backward",
    source="signature: op-plugin; values: PyTorch's mish_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.mish_backward(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
array([0.05921676, 0.6       , 1.0490363 ], dtype=float32)
""",
)
