"""silu(x) = x·σ(x): its slope is σ(x)·(1 + x·(1 − σ(x))). At ±inf that is 0·inf, NaN.

With e = e^-x the slope is (1 + e·(1 + x))/(1 + e)², which does not overflow in float64. For large
negative x the slope is about x·e^x, and matters down to x = -190 if the gradient is large; that is
below float32's range. With e = e^-|x|, the slope of a negative x is e·(1 + e − |x|)/(1 + e)², and
the slopes of x and -x add up to 1. The bracket has a root at x = -1.278…, where its terms cancel:
near it, a Taylor series is used.
"""

import math

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16
from openaclnn.base.products import ASCEND310P, ASCEND950
from openaclnn.spec.formula import Expr, Taylor, exp, known_as, near, where
from openaclnn.spec.op import EVERY_PRODUCT, In, Op, Out
from openaclnn.spec.proof import Bound, Proof, Slope
from openaclnn.spec.rules import Dtypes, MaxDims, SameDtype, SameShape

_ROOT = -1.2784645427610737  # of 1 + x + e^x
ROOT = Taylor(
    root=_ROOT,
    root_low=-1.0946994183093437e-16,
    coefficients=(-_ROOT, *((-1 - _ROOT) / math.factorial(n) for n in range(2, 9))),
)


def formula(grad_output: Expr, self: Expr) -> Expr:
    e = exp(-self)
    found = (1 + e * (1 + self)) / ((1 + e) * (1 + e))
    return grad_output * known_as("σ(self)·(1 + self·(1 − σ(self)))", found)


def in_float32(grad_output: Expr, self: Expr) -> Expr:
    e = exp(-abs(self))
    below = e * near(self, ROOT, 1 - abs(self) + e) / ((1 + e) * (1 + e))
    return grad_output * where(self >= 0, 1 - below, below)


EDGES = (
    *(0.0, _ROOT, _ROOT - 2.0**-10, _ROOT + 2.0**-10, _ROOT - 0.25, _ROOT + 0.25),
    *(-80.0, 80.0, -87.33, -87.0, -92.0, -103.97, -108.0, -150.0, -197.0, -198.0, -340.0, -700.0),
    *(-708.0, 2.3994, 16.6, 88.0, 340.0, 708.0),
)

OP = Op(
    name="silu_backward",
    en="Gradient of SiLU (swish)",
    zh="SiLU（swish）的反向传播",
    arguments=(
        In("grad_output", "gradient with respect to silu's result", "silu 结果的梯度"),
        In("self", "the input of silu", "silu 的输入"),
        Out("grad_input", "gradient with respect to self", "self 的梯度"),
    ),
    rules=(
        Dtypes(("grad_output", "self", "grad_input"), (FLOAT16, FLOAT, BF16)),
        SameDtype(("grad_output", "self"), mixed_on=(ASCEND950,), mixed_output=FLOAT),
        MaxDims(("grad_output", "self")),
        SameShape(("grad_output", "self"), broadcast_on=(ASCEND950,)),
    ),
    source="the document of aclnnSiluBackward",
    formula=formula,
    in_float32=in_float32,
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([-1.0, 0.0, 1.0], np.float32)
>>> openaclnn.silu_backward(np.ones_like(x), x)
array([0.07232949, 0.5       , 0.92767054], dtype=float32)
""",
    products=tuple(p for p in EVERY_PRODUCT if p is not ASCEND310P),
    torch="ops.aten.silu_backward",
    by_default=True,
    proof=Proof(
        edges=EDGES,
        range=(-205.0, 25.0),
        fast={FLOAT: Bound(15.0)},
        slope=Slope(at=0.5, rise=0.5, below=-0.0, above=1.0),
    ),
)
