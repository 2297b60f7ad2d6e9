"""Powers of every tensor of a list: to those of another list, to a number; and of a number."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach, one_number, scalars

TO_NUMBER = find("pow_tensor_scalar")

OPS = (
    foreach("foreach_pow_list", find("pow_tensor_tensor"), self="x", exponent="y", out="out"),
    foreach(
        "foreach_pow_scalar", TO_NUMBER, (one_number("scalar"),),
        self="x", exponent="scalar", out="out",
    ),
    foreach(
        "foreach_pow_scalar_v2", TO_NUMBER, self="x", exponent="scalar", out="out",
        example="""
>>> import numpy as np, openaclnn
>>> x = np.array([1, 2], np.float32)
>>> openaclnn.foreach_pow_scalar_v2([x, np.array([3])], scalar=2)
[array([1., 4.], dtype=float32), array([9])]
""",
    ),
    foreach(
        "foreach_pow_scalar_list", TO_NUMBER, (scalars("scalars"),),
        self="x", exponent="scalars", out="out",
    ),
    foreach(
        "foreach_pow_scalar_and_tensor", find("pow_scalar_tensor"),
        self="scalar", exponent="x", out="out",
    ),
)  # fmt: skip
