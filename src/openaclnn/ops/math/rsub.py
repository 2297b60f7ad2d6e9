"""other − alpha·self, rounded once. Integers wrap."""

from openaclnn.spec.families import NUMBERS, binary
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, RoundedFirst, never

OPS = binary(
    "rsub",
    formula=lambda self, other, alpha: -alpha * self + other,
    dtypes=NUMBERS,
    attributes=(Attr("alpha", "a factor of the first", "第一个输入的系数", SCALAR, default=1),),
    scalar="rsubs",
    in_place=False,
    header="aclnn_rsub.h",
    en="Reverse subtraction: other - alpha * self",
    zh="反向减法",
    wide=never,
    uniforms=RoundedFirst(("other", "alpha")),
    torch="rsub",
    source="signatures: op-plugin; promotion and values: PyTorch's rsub",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.rsub(np.array([1, 2], np.float32), 10, alpha=2)
array([8., 6.], dtype=float32)
""",
)
