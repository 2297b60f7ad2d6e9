"""softplus(x) = log(1 + e^(beta·x))/beta, and x itself where beta·x is above a threshold."""

from openaclnn.spec.families import FLOATS, NUMBERS, unary
from openaclnn.spec.formula import Expr, exp, known_as, log1p, where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, exact_beyond
from openaclnn.spec.rules import Dtypes


def is_linear(self: Expr, beta: Expr, threshold: Expr) -> Expr:
    """Whether self·beta is above the threshold, before anything is rounded: the sign of their
    difference, which is rounded once, tells."""
    return known_as("self·beta > threshold", self * beta + -threshold > 0)


def formula(self, beta, threshold):  # type: ignore[no-untyped-def]
    scaled = self * beta
    logarithm = where(scaled > 0, scaled, 0) + log1p(exp(-abs(scaled)))
    return where(is_linear(self, beta, threshold), self, logarithm / beta)


OPS = unary(
    "softplus",
    formula=formula,
    dtypes=FLOATS,
    attributes=(
        Attr("beta", "a factor inside", "内部系数", SCALAR, default=1.0, by_place=True),
        Attr(
            "threshold",
            "where it becomes linear",
            "转为线性的阈值",
            SCALAR,
            default=20.0,
            by_place=True,
        ),
    ),
    rules=(Dtypes(("beta", "threshold"), NUMBERS),),
    wide=exact_beyond(beta=(2.0**-8, 2.0**10)),
    en="Softplus",
    zh="softplus 激活函数",
    torch="nn.functional.softplus",
    source="signature: op-plugin, llama.cpp; values: PyTorch's softplus",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.softplus(np.array([-1, 0, 30], np.float32))
array([ 0.3132617,  0.6931472, 30.       ], dtype=float32)
""",
)
