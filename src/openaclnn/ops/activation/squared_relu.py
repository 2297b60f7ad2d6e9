"""max(x, 0)². A NaN stays NaN."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import where
from openaclnn.spec.op import never

OPS = unary(
    "squared_relu",
    formula=lambda self: where(self <= 0, 0, self * self),
    dtypes=FLOATS,
    en="Squared ReLU",
    zh="平方 ReLU 激活函数",
    wide=never,
    source="signature: op-plugin; values: PyTorch's relu (squared)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.squared_relu(np.array([-2, 0, 3], np.float32))
array([0., 0., 9.], dtype=float32)
""",
)
