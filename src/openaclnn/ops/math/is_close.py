"""Whether |self − other| is at most atol + rtol·|other|, or both are equal; two NaN are close where
that is said. Integers are compared as numbers with a fraction. Within 2⁻⁴⁰ of the limit a rounding
decides, as in PyTorch."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, binary, floating
from openaclnn.spec.formula import Expr, equal, not_equal
from openaclnn.spec.host import FLAG, FLOAT64
from openaclnn.spec.op import Attr, always
from openaclnn.spec.proof import Bound, Proof
from openaclnn.spec.results import compared
from openaclnn.spec.rules import NotNegative


def formula(self: Expr, other: Expr, rtol: Expr, atol: Expr, equal_nan: bool) -> Expr:
    far = abs(self - other)
    close = equal(far - far, 0) & (far <= atol + rtol * abs(other))
    found = equal(self, other) | close
    return found | (not_equal(self, self) & not_equal(other, other)) if equal_nan else found


def clear(self: Expr, other: Expr, rtol: Expr, atol: Expr) -> Expr:
    """Not so close to the limit that a rounding decides, as in PyTorch."""
    far, limit = abs(self - other), atol + rtol * abs(other)
    return ~(abs(far - limit) <= 2.0**-40 * (far + limit))


CLEAR = Bound(0.51, "not within 2⁻⁴⁰ of the limit", clear)

OPS = binary(
    "is_close",
    formula=formula,
    dtypes=ALL,
    attributes=(
        Attr("rtol", "how far, beside other", "相对误差", FLOAT64, default=1e-5, by_place=True),
        Attr("atol", "how far, in any case", "绝对误差", FLOAT64, default=1e-8, by_place=True),
        Attr(
            "equal_nan",
            "whether NaN is close to NaN",
            "NaN 是否视为相等",
            FLAG,
            default=False,
            by_place=True,
        ),
    ),
    rules=(NotNegative("rtol"), NotNegative("atol")),
    in_place=False,
    promotes=floating,
    results=compared,
    en="Whether elements are close",
    zh="近似相等",
    wide=always,
    proof=Proof(exact=dict.fromkeys((*FLOATS, DOUBLE), CLEAR)),
    torch="isclose",
    source="signature: op-plugin; values: PyTorch's isclose",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.is_close(np.array([1, 2], np.float32), np.array([1.000001, 2.1], np.float32))
array([ True, False])
""",
)
