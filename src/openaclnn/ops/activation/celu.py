"""celu(x) = x above 0, else alpha·(e^(x/alpha) − 1)."""

from openaclnn.spec.families import ALL, FLOATS, unary
from openaclnn.spec.formula import expm1, where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, exact_beyond
from openaclnn.spec.rules import Dtypes

OPS = unary(
    "celu",
    formula=lambda self, alpha: where(self <= 0, expm1(self / alpha) * alpha, self),
    dtypes=FLOATS,
    attributes=(
        Attr(
            "alpha", "minus its limit far below 0", "负半轴系数", SCALAR, default=1.0, by_place=True
        ),
    ),
    en="CELU",
    zh="CELU 激活函数",
    in_place=True,
    wide=exact_beyond(alpha=(2.0**-30, 2.0**10)),
    rules=(Dtypes(("alpha",), ALL),),
    torch="celu",
    source="signatures: op-plugin; values: PyTorch's celu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.celu(np.array([-1, 0, 2], np.float32), alpha=2)
array([-0.78693867,  0.        ,  2.        ], dtype=float32)
""",
)
