"""x − alpha·y for every pair of tensors of two lists, and x − number for those of one."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach, one_number, scalars

SUB, SUBS = find("sub"), find("subs")
NUMBER = (one_number("scalar"),)

OPS = (
    foreach("foreach_sub_list", SUB, NUMBER, self="x", other="y", alpha="scalar", out="out"),
    foreach(
        "foreach_sub_list_v2", SUB, self="x", other="y", alpha="alpha", out="out",
        example="""
>>> import numpy as np, openaclnn
>>> x = np.array([1, 2], np.float32)
>>> openaclnn.foreach_sub_list_v2([x], [4 * x], alpha=0.5)
[array([-1., -2.], dtype=float32)]
""",
    ),
    foreach("foreach_sub_scalar", SUBS, NUMBER, self="self", other="scalar", alpha=1, out="out"),
    foreach("foreach_sub_scalar_v2", SUBS, self="x", other="scalar", alpha=1, out="out"),
    foreach(
        "foreach_sub_scalar_list", SUBS, (scalars("scalars"),),
        self="x", other="scalars", alpha=1, out="out",
    ),
)  # fmt: skip
