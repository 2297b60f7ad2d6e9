"""|x − target|, its mean or its sum."""

from openaclnn.spec.families import FLOATS, loss

OP = loss(
    "l1_loss",
    formula=lambda self, target: abs(self - target),
    dtypes=FLOATS,
    en="L1 loss",
    zh="L1 损失",
    torch="nn.functional.l1_loss",
    source="signature: op-plugin; values: PyTorch's l1_loss (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.l1_loss(np.array([1, 2], np.float32), np.array([4, 2], np.float32))
array(1.5, dtype=float32)
""",
)
