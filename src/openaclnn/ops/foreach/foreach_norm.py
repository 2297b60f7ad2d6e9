"""The norm of every tensor of a list, over all of its elements."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach

OP = foreach(
    "foreach_norm", find("norm"), self="tensors", p_scalar="scalar", dim=(), keep_dim=False,
    out="out",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.foreach_norm([np.array([3, 4], np.float32), np.array([[-2]], np.float32)])
[array(5., dtype=float32), array(2., dtype=float32)]
""",
)  # fmt: skip
