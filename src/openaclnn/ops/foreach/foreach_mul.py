"""Every pair of tensors of two lists, multiplied; and every tensor of one list by a number."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach, one_number, scalars

PAIR, NUMBERED = find("mul"), find("muls")

OPS = (
    foreach("foreach_mul_list", PAIR, self="x", other="y", out="out"),
    foreach(
        "foreach_mul_scalar", NUMBERED, (one_number("scalar"),),
        self="self", other="scalar", out="out",
    ),
    foreach(
        "foreach_mul_scalar_v2", NUMBERED, self="x", other="scalar", out="out",
        example="""
>>> import numpy as np, openaclnn
>>> openaclnn.foreach_mul_scalar_v2([np.array([1, 2], np.float32), np.array([3])], scalar=2)
[array([2., 4.], dtype=float32), array([6])]
""",
    ),
    foreach(
        "foreach_mul_scalar_list", NUMBERED, (scalars("scalars"),),
        self="x", other="scalars", out="out",
    ),
)  # fmt: skip
