"""self + value·tensor1·tensor2, as if rounded once: two or three float64 together have the product,
and the sum what it leaves; at level fast the last step alone is rounded once. Of DOUBLE products
that leave float64's range are lost. Integers wrap."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.error_free import once, once_of_three, two_product, two_sum
from openaclnn.spec.families import NUMBERS, ternary
from openaclnn.spec.formula import Expr, equal, for_double, known_as
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, In, exact_level
from openaclnn.spec.proof import Bound, Proof


def formula(self: Expr, tensor1: Expr, tensor2: Expr, value: Expr) -> Expr:
    both, lost = two_product(tensor1, tensor2)
    product, left = two_product(both, value)
    total, rest = two_sum(self, product)
    short = once(total, rest + (lost * value + left))
    # three factors of 53 bits have more digits than a pair of float64
    beside, least = two_product(lost, value)
    second, third = two_sum(left, beside)
    long = once_of_three(self, product, second, third + least)
    return known_as("self + value·tensor1·tensor2", for_double(long, short))


def in_float32(self: Expr, tensor1: Expr, tensor2: Expr, value: Expr) -> Expr:
    return tensor1 * value * tensor2 + self


def inside(self: Expr, tensor1: Expr, tensor2: Expr, value: Expr) -> Expr:
    """Whether no product of numbers is infinite, or too small to know what it was rounded by."""
    both, product = tensor1 * tensor2, tensor1 * tensor2 * value
    zero = equal(tensor1, 0) | equal(tensor2, 0) | equal(value, 0)
    numbers = equal(tensor1 - tensor1, 0) & equal(tensor2 - tensor2, 0) & equal(value - value, 0)
    large = (abs(both) >= 2.0**-900) & (abs(product) >= 2.0**-900)
    return zero | ~numbers | (large & equal(product - product, 0))


OPS = ternary(
    "addcmul",
    formula=formula,
    in_float32=in_float32,
    dtypes=NUMBERS,
    others=(
        In("tensor1", "the first factor", "第一个因子"),
        In("tensor2", "the second factor", "第二个因子"),
    ),
    attributes=(Attr("value", "a third factor", "乘积的系数", SCALAR, default=1),),
    en="Addition of a scaled product",
    zh="加上乘积",
    wide=exact_level,
    proof=Proof(
        meaning=lambda self, tensor1, tensor2, value: self + value * (tensor1 * tensor2),
        exact={DOUBLE: Bound(0.51, "products are 0 or in 2⁻⁹⁰⁰…2¹⁰²⁴", inside)},
    ),
    torch="addcmul",
    source="signatures: op-plugin; promotion and values: PyTorch's addcmul",
    example="""
>>> import numpy as np, openaclnn
>>> a, b = np.array([2, 3], np.float32), np.array([4, 5], np.float32)
>>> openaclnn.addcmul(np.ones(2, np.float32), a, b, value=0.5)
array([5. , 8.5], dtype=float32)
""",
)
