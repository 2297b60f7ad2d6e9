"""hardtanh has slope 1 between its limits, else 0; a NaN x is not between them."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, activation_backward
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Dtypes

OP = activation_backward(
    "hardtanh_backward",
    formula=lambda grad_output, self, min, max: where((self > min) & (self < max), grad_output, 0),
    dtypes=(*FLOATS, DOUBLE),
    of="hardtanh",
    attributes=(
        Attr("min", "the lower limit", "下限", SCALAR, default=-1.0, by_place=True),
        Attr("max", "the upper limit", "上限", SCALAR, default=1.0, by_place=True),
    ),
    rules=(Dtypes(("min", "max"), ALL),),
    out="out",
    wide=never,
    torch="ops.aten.hardtanh_backward",
    source="signature: op-plugin; values: PyTorch's hardtanh_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.hardtanh_backward(np.float32(2), np.array([-1, 0.5, 3], np.float32))
array([0., 2., 0.], dtype=float32)
""",
)
