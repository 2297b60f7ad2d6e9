"""softshrink(x) = x − lambd above lambd, x + lambd below -lambd, else 0 with the sign of x."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, unary
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Dtypes, NotNegative

OPS = unary(
    "softshrink",
    formula=lambda self, lambd: where(
        self > lambd, self - lambd, where(self < -lambd, self + lambd, self * 0)
    ),
    dtypes=(*FLOATS, DOUBLE),
    attributes=(
        Attr("lambd", "up to which magnitude", "阈值", SCALAR, default=0.5, by_place=True),
    ),
    en="Softshrink",
    zh="softshrink 激活函数",
    wide=never,
    rules=(Dtypes(("lambd",), ALL), NotNegative("lambd")),
    torch="nn.functional.softshrink",
    source="signature: op-plugin; values: PyTorch's softshrink",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.softshrink(np.array([-2, 0.5, 3], np.float32))
array([-1.5,  0. ,  2.5], dtype=float32)
""",
)
