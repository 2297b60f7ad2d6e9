"""beta · self + alpha · (batch1[b] · batch2[b]), exact and rounded once: with beta 0 self is not
read."""

from openaclnn.spec.products import ALPHA, BETA, CUBE, product

_TEXTS = ("Batched matrix product, added to a tensor", "成批矩阵的乘积与张量之和")
_SOURCE = "signature: op-plugin, candle; values: PyTorch's baddbmm (rounded once)"
_SAYS = "beta * self + alpha * the matrix products of batch1 and batch2"

OPS = (
    product(
        "baddbmm",
        "bmk,bkn->bmn",
        ("batch1", "batch2"),
        _TEXTS,
        _SAYS,
        added="self",
        attributes=(BETA, ALPHA, CUBE),
        torch="baddbmm",
        source=_SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> ones = np.ones((1, 1, 1), np.float32)
>>> openaclnn.baddbmm(ones, ones, ones, beta=2)
array([[[3.]]], dtype=float32)
""",
    ),
    product(
        "inplace_baddbmm",
        "bmk,bkn->bmn",
        ("batch1", "batch2"),
        _TEXTS,
        _SAYS,
        added="self",
        attributes=(BETA, ALPHA, CUBE),
        in_place=True,
        source=_SOURCE,
    ),
)
