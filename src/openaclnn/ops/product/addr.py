"""beta · self + alpha · vec1[m] · vec2[n], exact and rounded once: with beta 0 self is not read."""

from openaclnn.spec.products import ALPHA, BETA, product

_TEXTS = ("Outer product of two vectors, added to a tensor", "两个向量的外积与张量之和")
_SOURCE = "signature: op-plugin; values: PyTorch's addr (rounded once)"
_SAYS = "beta * self + alpha * the outer product of vec1 and vec2"

OPS = (
    product(
        "addr",
        "m,n->mn",
        ("vec1", "vec2"),
        _TEXTS,
        _SAYS,
        added="self",
        attributes=(BETA, ALPHA),
        torch="addr",
        source=_SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> openaclnn.addr(np.ones((1, 2), np.float32), np.ones(1, np.float32), np.ones(2, np.float32))
array([[2., 2.]], dtype=float32)
""",
    ),
    product(
        "inplace_addr",
        "m,n->mn",
        ("vec1", "vec2"),
        _TEXTS,
        _SAYS,
        added="self",
        attributes=(BETA, ALPHA),
        in_place=True,
        source=_SOURCE,
    ),
)
