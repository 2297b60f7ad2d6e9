"""beta · self + alpha · (mat · vec), exact and rounded once: with beta 0 self is not read."""

from openaclnn.spec.products import ALPHA, BETA, CUBE, product

OP = product(
    "addmv",
    "mk,k->m",
    ("mat", "vec"),
    ("Matrix-vector product, added to a tensor", "矩阵与向量的乘积与张量之和"),
    "beta * self + alpha * the product of mat and vec",
    added="self",
    attributes=(ALPHA, BETA, CUBE),
    torch="addmv",
    source="signature: op-plugin; values: PyTorch's addmv (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.addmv(np.ones(2, np.float32), np.eye(2, dtype=np.float32), np.ones(2, np.float32))
array([2., 2.], dtype=float32)
""",
)
