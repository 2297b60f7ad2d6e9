"""relu(x) = max(x, 0). A NaN stays NaN."""

from openaclnn.spec.families import FLOATS, INTEGERS, unary
from openaclnn.spec.formula import where
from openaclnn.spec.op import never

OPS = unary(
    "relu",
    formula=lambda self: where(self <= 0, 0, self),
    dtypes=(*FLOATS, *INTEGERS),
    en="ReLU",
    zh="ReLU 激活函数",
    in_place=True,
    wide=never,
    torch="relu",
    source="signatures: op-plugin; values and dtypes: PyTorch's relu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.relu(np.array([-2, 0, 3], np.float32))
array([0., 0., 3.], dtype=float32)
""",
)
