"""The largest number over dimensions; NaN where there is one. Of 0 and -0 it is 0."""

from openaclnn.spec.families import ALL, reduction

OP = reduction(
    "amax",
    "max",
    dtypes=ALL,
    en="Maximum over dimensions",
    zh="沿维度求最大值",
    torch="amax",
    source="signature: op-plugin; values: PyTorch's amax",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.amax(np.array([[1, 7], [3, 6]], np.float32), dim=[0], keep_dim=True)
array([[3., 7.]], dtype=float32)
""",
)
