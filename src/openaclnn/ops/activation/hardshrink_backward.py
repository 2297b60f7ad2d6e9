"""hardshrink has slope 1 where |x| > lambd, else 0, for a NaN x too."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, activation_backward
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, RoundedFirst, never
from openaclnn.spec.rules import Dtypes

OP = activation_backward(
    "hardshrink_backward",
    formula=lambda grad_output, self, lambd: where(
        (self > lambd) | (self < -lambd), grad_output, 0
    ),
    dtypes=(*FLOATS, DOUBLE),
    of="hardshrink",
    attributes=(Attr("lambd", "up to which magnitude", "阈值", SCALAR),),
    rules=(Dtypes(("lambd",), ALL),),
    wide=never,
    uniforms=RoundedFirst(("lambd",)),
    torch="ops.aten.hardshrink_backward",
    source="signature: op-plugin; values: PyTorch's hardshrink_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.hardshrink_backward(np.float32(2), np.array([-1, 0.5, 3], np.float32), 0.5)
array([2., 0., 2.], dtype=float32)
""",
)
