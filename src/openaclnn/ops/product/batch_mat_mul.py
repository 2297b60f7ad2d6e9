"""Products of pairs of matrices: out[b] = self[b] · mat2[b], exact and rounded once."""

from openaclnn.spec.products import CUBE, product

OP = product(
    "batch_mat_mul",
    "bmk,bkn->bmn",
    ("self", "mat2"),
    ("Batched matrix product", "成批矩阵的乘积"),
    "the matrix products of self and mat2",
    attributes=(CUBE,),
    header="aclnn_batch_matmul.h",
    torch="bmm",
    source="signature: op-plugin, llama.cpp, candle; values: PyTorch's bmm (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.batch_mat_mul(np.ones((2, 1, 3), np.float32), np.ones((2, 3, 1), np.float32))
array([[[3.]],
<BLANKLINE>
       [[3.]]], dtype=float32)
""",
)
