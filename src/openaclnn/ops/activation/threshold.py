"""threshold(x) = x above a threshold, else another number. A NaN stays NaN."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, INTEGERS, unary
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Dtypes, Integral

OPS = unary(
    "threshold",
    formula=lambda self, threshold, value: where(self <= threshold, value, self),
    dtypes=(*FLOATS, DOUBLE, *INTEGERS),
    attributes=(
        Attr("threshold", "up to which values are replaced", "阈值", SCALAR),
        Attr("value", "what they become", "替换值", SCALAR),
    ),
    rules=(Dtypes(("threshold", "value"), ALL), Integral(("threshold", "value"))),
    en="Threshold",
    zh="threshold 激活函数",
    in_place=True,
    wide=never,
    torch="nn.functional.threshold",
    backward="threshold_backward",
    source="signatures: op-plugin, llama.cpp; values: PyTorch's threshold",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.threshold(np.array([-2, 1, 3], np.float32), 1, 9)
array([9., 9., 3.], dtype=float32)
""",
)
