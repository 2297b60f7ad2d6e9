"""Linear interpolation between every pair of tensors of two lists."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach

OPS = (
    foreach("foreach_lerp_list", find("lerp"), self="x", end="y", weight="weight", out="out"),
    foreach(
        "foreach_lerp_scalar",
        find("lerps"),
        self="x",
        end="y",
        weight="weight",
        out="out",
        example="""
>>> import numpy as np, openaclnn
>>> x = np.array([1, 2], np.float32)
>>> openaclnn.foreach_lerp_scalar([x], [4 * x], weight=0.5)
[array([2.5, 5. ], dtype=float32)]
""",
    ),
)
