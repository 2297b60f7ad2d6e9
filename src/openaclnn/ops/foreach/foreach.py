"""Functions of every tensor of a list: each derives from the operator that it repeats."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach

NAMES = (
    "abs", "acos", "asin", "atan", "cos", "cosh", "erf", "erfc", "exp", "expm1", "log", "log10",
    "log1p", "log2", "neg", "reciprocal", "sigmoid", "sign", "sin", "sinh", "sqrt", "tan", "tanh",
)  # fmt: skip

EXAMPLE = """
>>> import numpy as np, openaclnn
>>> x, y = np.array([1, 4], np.float32), np.array([[9]], np.float32)
>>> openaclnn.foreach_sqrt([x, y])
[array([1., 2.], dtype=float32), array([[3.]], dtype=float32)]
"""

OPS = tuple(
    foreach(f"foreach_{name}", find(name), self="x", out="out", example=EXAMPLE * (name == "sqrt"))
    for name in NAMES
)
