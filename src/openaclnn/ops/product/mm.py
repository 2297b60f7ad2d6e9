"""The product of two matrices: out[m, n] = Σ over k of self[m, k] · mat2[k, n], exact and rounded
once to the result's dtype."""

from openaclnn.spec.products import CUBE, product

OP = product(
    "mm",
    "mk,kn->mn",
    ("self", "mat2"),
    ("Matrix product", "两个矩阵的乘积"),
    "the matrix product of self and mat2",
    attributes=(CUBE,),
    torch="mm",
    source="signature: op-plugin, llama.cpp; values: PyTorch's mm (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.mm(np.array([[1e8, 1, -1e8]], np.float32), np.ones((3, 1), np.float32))
array([[1.]], dtype=float32)
""",
)
