"""threshold has slope 1 above its threshold, else 0; a NaN x counts as above."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, activation_backward
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Dtypes

OP = activation_backward(
    "threshold_backward",
    formula=lambda grad_output, self, threshold: where(self <= threshold, 0, grad_output),
    dtypes=(*FLOATS, DOUBLE),
    of="threshold",
    attributes=(Attr("threshold", "up to which the slope is 0", "阈值", SCALAR),),
    rules=(Dtypes(("threshold",), ALL),),
    out="out",
    wide=never,
    torch="ops.aten.threshold_backward",
    source="signature: op-plugin; values: PyTorch's threshold_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.threshold_backward(np.float32(2), np.array([-1, 0.5, 3], np.float32), 0.5)
array([0., 0., 2.], dtype=float32)
""",
)
