"""out = 3 · self; in place, too, in one header."""

from openaclnn.spec.families import FLOATS, unary

OPS = unary(
    "triple",
    lambda self: 3 * self,
    FLOATS,
    "Three times",
    "三倍",
    """
>>> import numpy as np, openaclnn
>>> openaclnn.triple(np.float32([1, 2])).tolist()
[3.0, 6.0]
""",
    in_place=True,
)
