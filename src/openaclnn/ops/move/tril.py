"""What is below a diagonal, 0 above it, as in triu."""

from openaclnn.ops.move.triu import triangle
from openaclnn.spec.formula import Expr, where


def below(self: Expr, row: Expr, column: Expr, diagonal: Expr) -> Expr:
    return where(column - row <= diagonal, self, 0)


OPS = triangle(
    "tril",
    "Lower triangle",
    "下三角",
    below,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.tril(np.array([[1, 2], [3, 4]]))
array([[1, 0],
       [3, 4]])
""",
)
