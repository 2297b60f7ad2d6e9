"""The larger of x and a limit, a tensor; NaN where one of them is."""

from openaclnn.spec.families import NUMBERS, binary
from openaclnn.spec.formula import maximum
from openaclnn.spec.op import never

OPS = binary(
    "clamp_min_tensor",
    formula=lambda self, clip_value_min: maximum(self, clip_value_min),
    dtypes=NUMBERS,
    other="clip_value_min",
    header="aclnn_clamp.h",
    en="Clamp from below by a tensor",
    zh="截断下限（张量）",
    wide=never,
    torch="clamp_min",
    source="signatures: op-plugin; promotion and values: PyTorch's clamp_min",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.clamp_min_tensor(np.array([-2, 0, 3], np.float32), np.float32([-1, 1, 1]))
array([-1.,  1.,  3.], dtype=float32)
""",
)
