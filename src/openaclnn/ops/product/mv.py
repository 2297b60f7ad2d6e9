"""The product of a matrix and a vector: out[m] = Σ over k of self[m, k] · vec[k], exact and rounded
once."""

from openaclnn.spec.products import CUBE, product

OP = product(
    "mv",
    "mk,k->m",
    ("self", "vec"),
    ("Matrix-vector product", "矩阵与向量的乘积"),
    "the product of self and vec",
    attributes=(CUBE,),
    torch="mv",
    source="signature: op-plugin; values: PyTorch's mv (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.mv(np.array([[1, 2], [3, 4]], np.float32), np.array([1, 10], np.float32))
array([21., 43.], dtype=float32)
""",
)
