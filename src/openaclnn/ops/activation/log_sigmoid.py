"""logsigmoid(x) = log(σ(x)) = min(x, 0) − log(1 + e^-|x|)."""

from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import exp, log1p, where

OPS = unary(
    "log_sigmoid",
    formula=lambda self: where(self < 0, self, -0.0) - log1p(exp(-abs(self))),
    dtypes=FLOATS,
    en="Log sigmoid",
    zh="log sigmoid 激活函数",
    header="aclnn_logsigmoid.h",
    torch="nn.functional.logsigmoid",
    source="signature: op-plugin; values: PyTorch's logsigmoid",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log_sigmoid(np.array([-100, 0, 2], np.float32))
array([-100.        ,   -0.6931472 ,   -0.12692802], dtype=float32)
""",
)
