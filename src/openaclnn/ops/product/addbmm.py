"""beta · self + alpha · Σ over b of batch1[b] · batch2[b], one exact sum rounded once: with beta 0
self is not read."""

from openaclnn.spec.products import ALPHA, BETA, CUBE, product

OP = product(
    "addbmm",
    "bmk,bkn->mn",
    ("batch1", "batch2"),
    ("Sum of a batch of matrix products, added to a tensor", "成批矩阵乘积之和与张量之和"),
    "beta * self + alpha * the sum of the matrix products of batch1 and batch2",
    added="self",
    attributes=(BETA, ALPHA, CUBE),
    torch="addbmm",
    source="signature: op-plugin; values: PyTorch's addbmm (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> ones = np.ones((2, 1, 1), np.float32)
>>> openaclnn.addbmm(ones[0], ones, ones)
array([[3.]], dtype=float32)
""",
)
