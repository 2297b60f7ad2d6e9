"""swish(x) = x·σ(beta·x); without a beta it is 1."""

from openaclnn.spec.families import FLOATS, NUMBERS, unary
from openaclnn.spec.formula import sigmoid
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import Dtypes

OPS = unary(
    "swish",
    formula=lambda self, beta: self * sigmoid(self * beta),
    dtypes=FLOATS,
    attributes=(
        Attr("beta", "a factor inside, 1 where it is null", "内部系数，为空时取 1", SCALAR,
             default=1.0, optional=True),
    ),
    rules=(Dtypes(("beta",), NUMBERS),),
    en="Swish",
    zh="swish 激活函数",
    source="signature: DIOPI; values: mathematics, PyTorch's silu (for beta 1)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.swish(np.array([-1, 0, 1], np.float32), beta=2)
array([-0.11920292,  0.        ,  0.8807971 ], dtype=float32)
""",
)  # fmt: skip
