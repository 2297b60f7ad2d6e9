"""The smaller of x and a limit; NaN where one of them is."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.formula import minimum
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Integral

OPS = unary(
    "clamp_max",
    formula=lambda self, clip_value_max: minimum(self, clip_value_max),
    dtypes=NUMBERS,
    attributes=(Attr("clip_value_max", "the upper limit", "上限", SCALAR, promotes=True),),
    rules=(Integral(("clip_value_max",)),),
    header="aclnn_clamp.h",
    en="Clamp from above",
    zh="截断上限",
    in_place=True,
    wide=never,
    torch="clamp_max",
    source="signatures: op-plugin, llama.cpp; promotion and values: PyTorch's clamp_max",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.clamp_max(np.array([-2, 0, 3], np.float32), 0)
array([-2.,  0.,  0.], dtype=float32)
""",
)
