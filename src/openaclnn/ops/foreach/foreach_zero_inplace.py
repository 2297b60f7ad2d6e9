"""Every tensor of a list becomes zeros."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach

OP = foreach(
    "foreach_zero_inplace",
    find("inplace_zero"),
    self="x",
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([1, 2], np.float32)
>>> openaclnn.foreach_zero_inplace([x])
[array([0., 0.], dtype=float32)]
""",
)
