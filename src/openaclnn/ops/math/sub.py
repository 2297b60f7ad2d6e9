"""self − alpha·other, rounded once. Integers wrap."""

from openaclnn.spec.families import NUMBERS, binary
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, RoundedFirst, never

OPS = binary(
    "sub",
    formula=lambda self, other, alpha: -alpha * other + self,
    dtypes=NUMBERS,
    attributes=(Attr("alpha", "a factor of the second", "第二个输入的系数", SCALAR, default=1),),
    scalar="subs",
    header="aclnn_sub.h",  # of all four
    en="Subtraction",
    zh="减法",
    wide=never,
    uniforms=RoundedFirst(("other", "alpha")),
    torch="sub",
    source="signatures: op-plugin, llama.cpp; promotion and values: PyTorch's sub",
    aliases=("subtract",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.sub(np.array([1, 2], np.float32), np.array([[10], [20]], np.float32), alpha=2)
array([[-19., -18.],
       [-39., -38.]], dtype=float32)
""",
)
