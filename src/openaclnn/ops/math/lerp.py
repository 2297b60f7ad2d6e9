"""self + weight·(end − self), as if rounded once: where terms cancel, two or three float64 together
have the difference, its product with the weight, and the sum. Of DOUBLE what leaves float64's range
on the way is lost. Infinities go PyTorch's two ways."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.error_free import left_by_sum, once_of_three, two_product, two_sum
from openaclnn.spec.families import FLOATS, ternary
from openaclnn.spec.formula import Expr, equal, for_double, known_as, seldom, where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, In, exact_level
from openaclnn.spec.proof import Bound, Proof

END = In("end", "where weight 1 leads", "终点")
SOURCE = "signatures: op-plugin; promotion and values: PyTorch's lerp"


def formula(self: Expr, end: Expr, weight: Expr) -> Expr:
    way = end - self
    more = left_by_sum(end, -self, way)
    product, left = two_product(way, weight)
    total, rest = two_sum(self, product)
    rest = rest + (left + more * weight)
    far = where(abs(weight) < 0.5, self + weight * way, end - way * (1 - weight))
    exact = where(equal(rest, 0), total, total + rest)  # a zero keeps its sign
    found = where(equal(rest - rest, 0), exact, far)
    # a difference and a weight of 53 bits have more digits than a pair of float64
    beside, least = two_product(more, weight)
    second, third = two_sum(left, beside)
    long = once_of_three(self, product, second, third + least)
    found = for_double(where(equal(long - long, 0), long, far), found)
    plain = way * weight + self
    enough = (abs(self) * 2.0**-20 <= abs(plain)) & equal(plain - plain, 0)
    return known_as("self + weight·(end − self)", seldom(~enough, found, plain))


def in_float32(self: Expr, end: Expr, weight: Expr) -> Expr:
    """From the end that is nearer."""
    way = end - self
    return where(abs(weight) < 0.5, weight * way + self, end - way * (1 - weight))


def meaning(self: Expr, end: Expr, weight: Expr) -> Expr:
    way = end - self
    exact = self + weight * way
    far = where(abs(weight) < 0.5, exact, end - way * (1 - weight))
    return where(equal(way - way, 0), exact, far)


def inside(self: Expr, end: Expr, weight: Expr) -> Expr:
    """Whether neither the difference nor the product of numbers is infinite, nor the product too
    small to know what it was rounded by; nor self so large that a pair does not hold their sum."""
    way = end - self
    product = weight * way
    held = abs(self + product) >= abs(self) * 2.0**-40
    numbers = equal(self - self, 0) & equal(end - end, 0) & equal(weight - weight, 0)
    large = (abs(product) >= 2.0**-900) & equal(product - product, 0)
    return ~numbers | (equal(way - way, 0) & held & (large | equal(way, 0) | equal(weight, 0)))


WHERE = "end − self is finite, the product 0 or in 2⁻⁹⁰⁰…2¹⁰²⁴, |out| ≥ 2⁻⁴⁰·|self|"
PROOF = Proof(meaning=meaning, exact={DOUBLE: Bound(0.51, WHERE, inside)})

OPS = (
    *ternary(
        "lerp",
        formula=formula,
        in_float32=in_float32,
        dtypes=(*FLOATS, DOUBLE),
        others=(END, In("weight", "how far to go", "权重")),
        en="Linear interpolation",
        zh="线性插值",
        wide=exact_level,
        proof=PROOF,
        torch="lerp",
        source=SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> a, b = np.array([0, 1], np.float32), np.array([8, 3], np.float32)
>>> openaclnn.lerp(a, b, np.array([0.25, 0.5], np.float32))
array([2., 2.], dtype=float32)
""",
    ),
    *ternary(
        "lerps",
        formula=formula,
        in_float32=in_float32,
        dtypes=(*FLOATS, DOUBLE),
        others=(END,),
        attributes=(Attr("weight", "how far to go", "权重", SCALAR),),
        header="aclnn_lerp.h",
        en="Linear interpolation by a number",
        zh="线性插值（标量权重）",
        wide=exact_level,
        proof=PROOF,
        torch="lerp",
        source=SOURCE,
        example="",
    ),
)
