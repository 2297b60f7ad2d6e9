"""hardtanh(x) = min(max(x, low), high). A NaN stays NaN."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, INTEGERS, unary
from openaclnn.spec.formula import maximum, minimum
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Dtypes, Integral

OPS = unary(
    "hardtanh",
    formula=lambda self, clip_value_min, clip_value_max: minimum(
        maximum(self, clip_value_min), clip_value_max
    ),
    dtypes=(*FLOATS, DOUBLE, *INTEGERS),
    attributes=(
        Attr("clip_value_min", "the lower limit", "下限", SCALAR, default=-1, by_place=True),
        Attr("clip_value_max", "the upper limit", "上限", SCALAR, default=1, by_place=True),
    ),
    en="Hardtanh",
    zh="hardtanh 激活函数",
    in_place=True,
    wide=never,
    rules=(
        Dtypes(("clip_value_min", "clip_value_max"), ALL),
        Integral(("clip_value_min", "clip_value_max")),
    ),
    torch="nn.functional.hardtanh",
    source="signatures: op-plugin; values: PyTorch's hardtanh",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.hardtanh(np.array([-2, 0.5, 3], np.float32))
array([-1. ,  0.5,  1. ], dtype=float32)
""",
)
