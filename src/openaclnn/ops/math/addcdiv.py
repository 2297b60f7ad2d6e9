"""self + value·tensor1/tensor2, as if rounded once: two or three float64 together have the product
and the quotient, and the sum what they leave. At level fast every step is rounded. Of DOUBLE what
leaves float64's range on the way is lost."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.error_free import once, once_of_three, two_product, two_sum
from openaclnn.spec.families import FLOATS, ternary
from openaclnn.spec.formula import Expr, equal, for_double, known_as
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, In, exact_level
from openaclnn.spec.proof import Bound, Proof


def formula(self: Expr, tensor1: Expr, tensor2: Expr, value: Expr) -> Expr:
    over, lost = two_product(tensor1, value)
    quotient = over / tensor2
    undivided = -quotient * tensor2 + over  # fused: what the quotient was rounded by
    total, rest = two_sum(self, quotient)
    short = once(total, rest + (undivided + lost) / tensor2)
    # where self takes away the quotient, what is left of it needs as many digits once more
    undivided, lost = two_sum(undivided, lost)
    second = undivided / tensor2
    third = ((-second * tensor2 + undivided) + lost) / tensor2
    long = once_of_three(self, quotient, second, third)
    return known_as("self + value·tensor1 / tensor2", for_double(long, short))


def in_float32(self: Expr, tensor1: Expr, tensor2: Expr, value: Expr) -> Expr:
    return self + tensor1 * value / tensor2


def inside(self: Expr, tensor1: Expr, tensor2: Expr, value: Expr) -> Expr:
    """Whether neither product nor quotient of numbers is infinite, or too small to know what it was
    rounded by."""
    over, quotient = tensor1 * value, tensor1 * value / tensor2
    zero = equal(tensor1, 0) | equal(tensor2, 0) | equal(value, 0)
    numbers = equal(tensor1 - tensor1, 0) & equal(tensor2 - tensor2, 0) & equal(value - value, 0)
    large = (abs(over) >= 2.0**-900) & (abs(quotient) >= 2.0**-900)
    ordinary = equal(over - over, 0) & equal(quotient - quotient, 0)
    return zero | ~numbers | (large & ordinary)


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
    en="Addition of a scaled quotient",
    zh="加上商",
    wide=exact_level,
    proof=Proof(
        meaning=lambda self, tensor1, tensor2, value: self + value * tensor1 / tensor2,
        exact={DOUBLE: Bound(0.51, "product, quotient are 0 or in 2⁻⁹⁰⁰…2¹⁰²⁴", inside)},
    ),
    torch="addcdiv",
    source="signatures: op-plugin; promotion and values: PyTorch's addcdiv",
    example="""
>>> import numpy as np, openaclnn
>>> ones = np.ones(2, np.float32)
>>> openaclnn.addcdiv(ones, np.array([2, 3], np.float32), np.array([4, 5], np.float32))
array([1.5, 1.6], dtype=float32)
""",
)
