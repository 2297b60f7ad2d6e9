"""beta · self + alpha · (mat1 · mat2), exact and rounded once: with beta 0 self is not read."""

from openaclnn.spec.products import ALPHA, BETA, CUBE, product

_TEXTS = ("Matrix product, added to a tensor", "矩阵乘积与张量之和")
_SOURCE = "signature: op-plugin, candle; values: PyTorch's addmm (rounded once)"
_SAYS = "beta * self + alpha * the matrix product of mat1 and mat2"

OPS = (
    product(
        "addmm",
        "mk,kn->mn",
        ("mat1", "mat2"),
        _TEXTS,
        _SAYS,
        added="self",
        attributes=(BETA, ALPHA, CUBE),
        torch="addmm",
        source=_SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> ones = np.ones((2, 2), np.float32)
>>> openaclnn.addmm(ones, ones, ones, beta=0.5, alpha=2)
array([[4.5, 4.5],
       [4.5, 4.5]], dtype=float32)
""",
    ),
    product(
        "inplace_addmm",
        "mk,kn->mn",
        ("mat1", "mat2"),
        _TEXTS,
        _SAYS,
        added="self",
        attributes=(BETA, ALPHA, CUBE),
        in_place=True,
        source=_SOURCE,
        example="",
    ),
)
