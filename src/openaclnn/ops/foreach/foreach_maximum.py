"""The larger of each two elements of every pair of tensors, or of an element and a number."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach, one_number, scalars

PAIR, NUMBERED = find("maximum"), find("clamp_min")

OPS = (
    foreach("foreach_maximum_list", PAIR, self="x", other="y", out="out"),
    foreach(
        "foreach_maximum_scalar", NUMBERED, (one_number("scalar"),),
        self="x", clip_value_min="scalar", out="out",
    ),
    foreach(
        "foreach_maximum_scalar_v2", NUMBERED, self="x", clip_value_min="scalar", out="out",
        example="""
>>> import numpy as np, openaclnn
>>> openaclnn.foreach_maximum_scalar_v2([np.array([1, 5], np.float32), np.array([3])], scalar=4)
[array([4., 5.], dtype=float32), array([4])]
""",
    ),
    foreach(
        "foreach_maximum_scalar_list", NUMBERED, (scalars("scalars"),),
        self="x", clip_value_min="scalars", out="out",
    ),
)  # fmt: skip
