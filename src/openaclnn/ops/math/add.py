"""self + alpha·other, rounded once. Integers wrap; among booleans it is "or"."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, RoundedFirst, never

OPS = binary(
    "add",
    formula=lambda self, other, alpha: alpha * other + self,
    dtypes=ALL,
    attributes=(Attr("alpha", "a factor of the second", "第二个输入的系数", SCALAR, default=1),),
    scalar="adds",
    header="aclnn_add.h",  # of all four
    en="Addition",
    zh="加法",
    wide=never,
    uniforms=RoundedFirst(("other", "alpha")),
    torch="add",
    source="signatures: op-plugin, llama.cpp; promotion and values: PyTorch's add",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.add(np.array([1, 2], np.int32), np.array([[10], [20]], np.int32), alpha=3)
array([[31, 32],
       [61, 62]], dtype=int32)
>>> openaclnn.add(np.array([1, 2], np.float32), 0.5)
array([1.5, 2.5], dtype=float32)
""",
)
