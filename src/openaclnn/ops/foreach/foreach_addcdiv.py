"""Every tensor of a list and a multiple of a quotient: input + scalar·x/y."""

from openaclnn.ops import find
from openaclnn.spec.foreach import foreach, number_each, one_number

REPEATED = find("addcdiv")

OPS = (
    foreach(
        "foreach_addcdiv_scalar", REPEATED, (one_number("scalar"),),
        self="input", tensor1="x", tensor2="y", value="scalar", out="out",
    ),
    foreach(
        "foreach_addcdiv_scalar_v2", REPEATED,
        self="input", tensor1="x", tensor2="y", value="scalar", out="out",
        example="""
>>> import numpy as np, openaclnn
>>> x = np.array([1, 2], np.float32)
>>> openaclnn.foreach_addcdiv_scalar_v2([x], [2 * x], [4 * x], scalar=2)
[array([2., 3.], dtype=float32)]
""",
    ),
    foreach(
        "foreach_addcdiv_scalar_list", REPEATED, (number_each("scalar"),),
        self="input", tensor1="x", tensor2="y", value="scalar", out="out",
    ),
)  # fmt: skip
