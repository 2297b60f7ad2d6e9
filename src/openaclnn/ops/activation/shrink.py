"""shrink(x) = x + bias below -lambd, x − bias above lambd, else 0."""

from openaclnn.spec.families import ALL, FLOATS, unary
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Dtypes

OPS = unary(
    "shrink",
    formula=lambda self, lambd, bias: where(
        self < -lambd, self + bias, where(self > lambd, self - bias, self * 0)
    ),
    dtypes=FLOATS,
    attributes=(
        Attr("lambd", "up to which magnitude", "阈值", SCALAR, default=0.5),
        Attr("bias", "what is taken away", "偏移", SCALAR, default=0.0),
    ),
    en="Shrink",
    zh="shrink 激活函数",
    wide=never,
    rules=(Dtypes(("lambd", "bias"), ALL),),
    source="signature: op-plugin; values: PyTorch's softshrink (with another bias)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.shrink(np.array([-2, 0.5, 3], np.float32), bias=0.25)
array([-1.75,  0.  ,  2.75], dtype=float32)
""",
)
