"""hardshrink(x) = 0 where |x| ≤ lambd, else x. A NaN stays NaN."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, unary
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, RoundedFirst, never
from openaclnn.spec.rules import Dtypes

OPS = unary(
    "hardshrink",
    formula=lambda self, lambd: where((self >= -lambd) & (self <= lambd), 0, self),
    dtypes=(*FLOATS, DOUBLE),
    attributes=(
        Attr("lambd", "up to which magnitude", "阈值", SCALAR, default=0.5, by_place=True),
    ),
    en="Hardshrink",
    zh="hardshrink 激活函数",
    wide=never,
    uniforms=RoundedFirst(("lambd",)),
    rules=(Dtypes(("lambd",), ALL),),
    torch="nn.functional.hardshrink",
    source="signature: op-plugin; values: PyTorch's hardshrink",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.hardshrink(np.array([-2, 0.5, 3], np.float32))
array([-2.,  0.,  3.], dtype=float32)
""",
)
