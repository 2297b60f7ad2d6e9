"""Every pair of tensors of two lists, divided; and every tensor of one list by a number."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach, one_number, scalars

PAIR, NUMBERED = find("div"), find("divs")

OPS = (
    foreach("foreach_div_list", PAIR, self="x", other="y", out="out"),
    foreach(
        "foreach_div_scalar", NUMBERED, (one_number("scalar"),),
        self="self", other="scalar", out="out",
    ),
    foreach("foreach_div_scalar_v2", NUMBERED, self="x", other="scalar", out="out"),
    foreach(
        "foreach_div_scalar_list", NUMBERED, (scalars("scalars"),),
        self="x", other="scalars", out="out",
        example="""
>>> import numpy as np, openaclnn
>>> openaclnn.foreach_div_scalar_list([np.array([1, 2], np.float32), np.array([3])], [2, 4])
[array([0.5, 1. ], dtype=float32), array([0.75], dtype=float32)]
""",
    ),
)  # fmt: skip
