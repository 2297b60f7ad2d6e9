"""The sum of the products of two vectors' elements, exact and rounded once."""

from openaclnn.spec.products import product

OP = product(
    "dot",
    "k,k->",
    ("self", "tensor"),
    ("Dot product of two vectors", "两个向量的点积"),
    "the dot product of self and tensor",
    torch="dot",
    source="signature: op-plugin, candle; values: PyTorch's dot (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.dot(np.array([1e8, 1, -1e8], np.float32), np.ones(3, np.float32))
array(1., dtype=float32)
""",
)
