"""The smaller of x and a limit, a tensor; NaN where one of them is."""

from openaclnn.spec.families import NUMBERS, binary
from openaclnn.spec.formula import minimum
from openaclnn.spec.op import never

OPS = binary(
    "clamp_max_tensor",
    formula=lambda self, clip_value_max: minimum(self, clip_value_max),
    dtypes=NUMBERS,
    other="clip_value_max",
    header="aclnn_clamp.h",
    en="Clamp from above by a tensor",
    zh="截断上限（张量）",
    wide=never,
    torch="clamp_max",
    source="signatures: op-plugin; promotion and values: PyTorch's clamp_max",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.clamp_max_tensor(np.array([-2, 0, 3], np.float32), np.float32([-1, 1, 1]))
array([-2.,  0.,  1.], dtype=float32)
""",
)
