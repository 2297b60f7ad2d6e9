"""The sum over dimensions: exact, and rounded once, whatever the order."""

from openaclnn.spec.families import ALL, NUMBERS, reduction

OP = reduction(
    "reduce_sum",
    "add",
    dtypes=ALL,
    typed=NUMBERS,
    names=("dims", "keep_dims"),
    en="Sum over dimensions",
    zh="沿维度求和",
    torch="sum",
    source="signature: llama.cpp, op-plugin; values: PyTorch's sum (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.reduce_sum(np.array([[1e8, 1], [-1e8, 1]], np.float32))
array(2., dtype=float32)
""",
)
