"""The larger of x and a limit; NaN where one of them is."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.formula import maximum
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Integral

OPS = unary(
    "clamp_min",
    formula=lambda self, clip_value_min: maximum(self, clip_value_min),
    dtypes=NUMBERS,
    attributes=(Attr("clip_value_min", "the lower limit", "下限", SCALAR, promotes=True),),
    rules=(Integral(("clip_value_min",)),),
    header="aclnn_clamp.h",
    en="Clamp from below",
    zh="截断下限",
    in_place=True,
    wide=never,
    torch="clamp_min",
    source="signatures: op-plugin, llama.cpp; promotion and values: PyTorch's clamp_min",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.clamp_min(np.array([-2, 0, 3], np.float32), 0)
array([0., 0., 3.], dtype=float32)
""",
)
