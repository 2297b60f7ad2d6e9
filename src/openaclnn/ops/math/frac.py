"""x − trunc(x): what is behind the point, with the sign of x; of infinity NaN."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import trunc
from openaclnn.spec.op import never

OPS = unary(
    "frac",
    formula=lambda self: self - trunc(self),
    dtypes=(*FLOATS, DOUBLE),
    en="Fractional part",
    zh="小数部分",
    in_place=True,
    wide=never,
    torch="frac",
    source="signatures: op-plugin; values: PyTorch's frac",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.frac(np.array([-1.5, 0.5, 2.5], np.float32))
array([-0.5,  0.5,  0.5], dtype=float32)
""",
)
