"""The mean over dimensions: the exact sum, divided and rounded once. Of nothing it is NaN."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import FLOATS, reduction

OP = reduction(
    "mean",
    "mean",
    dtypes=(*FLOATS, DOUBLE),
    typed=(*FLOATS, DOUBLE),
    en="Mean over dimensions",
    zh="沿维度求均值",
    torch="mean",
    source="signature: llama.cpp, op-plugin; values: PyTorch's mean (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.mean(np.array([[1, 2], [3, 6]], np.float32), dim=[1])
array([1.5, 4.5], dtype=float32)
""",
)
