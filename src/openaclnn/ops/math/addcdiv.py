"""self + value·tensor1/tensor2, as if rounded once for numbers up to FLOAT: pairs of float64 have
the quotient, and the sum what it leaves. At level fast every step is rounded."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import FLOATS, ternary
from openaclnn.spec.formula import Expr, equal, known_as, not_equal, where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, In, exact_level
from openaclnn.spec.proof import Proof


def formula(self: Expr, tensor1: Expr, tensor2: Expr, value: Expr) -> Expr:
    over = tensor1 * value
    quotient = over / tensor2
    left = (-quotient * tensor2 + over) / tensor2  # fused: what the quotient was rounded by
    total = self + quotient
    part = total - self
    rest = (self - (total - part)) + (quotient - part) + left
    unchanged = equal(rest, 0) | not_equal(rest - rest, 0)  # a zero keeps its sign, or no number
    exact = where(unchanged, total, total + rest)
    return known_as("self + value·tensor1 / tensor2", exact)


def in_float32(self: Expr, tensor1: Expr, tensor2: Expr, value: Expr) -> Expr:
    return self + tensor1 * value / tensor2


OPS = ternary(
    "addcdiv",
    formula=formula,
    in_float32=in_float32,
    dtypes=(*FLOATS, DOUBLE),
    others=(
        In("tensor1", "the dividend", "被除数"),
        In("tensor2", "the divisor", "除数"),
    ),
    attributes=(Attr("value", "a factor of the quotient", "商的系数", SCALAR, default=1.0),),
    en="Sum with a quotient",
    zh="加上商",
    wide=exact_level,
    proof=Proof(meaning=lambda self, tensor1, tensor2, value: self + value * tensor1 / tensor2),
    torch="addcdiv",
    source="signatures: op-plugin; promotion and values: PyTorch's addcdiv",
    example="""
>>> import numpy as np, openaclnn
>>> ones = np.ones(2, np.float32)
>>> openaclnn.addcdiv(ones, np.array([2, 3], np.float32), np.array([4, 5], np.float32))
array([1.5, 1.6], dtype=float32)
""",
)
