"""x + alpha·y for every pair of tensors of two lists, and x + number for those of one."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach, one_number, scalars

ADD, ADDS = find("add"), find("adds")
NUMBER = (one_number("scalar"),)

OPS = (
    foreach("foreach_add_list", ADD, NUMBER, self="x", other="y", alpha="scalar", out="out"),
    foreach(
        "foreach_add_list_v2", ADD, self="x", other="y", alpha="scalar", out="out",
        example="""
>>> import numpy as np, openaclnn
>>> x, y = [np.array([1, 2], np.float32)], [np.array([10, 20], np.float32)]
>>> openaclnn.foreach_add_list_v2(x, y, scalar=0.5)
[array([ 6., 12.], dtype=float32)]
""",
    ),
    foreach("foreach_add_scalar", ADDS, NUMBER, self="self", other="scalar", alpha=1, out="out"),
    foreach("foreach_add_scalar_v2", ADDS, self="x", other="scalar", alpha=1, out="out"),
    foreach(
        "foreach_add_scalar_list", ADDS, (scalars("scalars"),),
        self="x", other="scalars", alpha=1, out="out",
    ),
)  # fmt: skip
