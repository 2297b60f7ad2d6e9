"""Every element of one vector times every one of another: out[m, n] = self[m] · vec2[n]."""

from openaclnn.spec.products import product

OP = product(
    "ger",
    "m,n->mn",
    ("self", "vec2"),
    ("Outer product of two vectors", "两个向量的外积"),
    "the outer product of self and vec2",
    torch="ger",
    aliases=("outer",),
    source="signature: candle, mindnlp; values: PyTorch's ger (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.ger(np.array([1, 2], np.float32), np.array([3, 4], np.float32))
array([[3., 4.],
       [6., 8.]], dtype=float32)
""",
)
