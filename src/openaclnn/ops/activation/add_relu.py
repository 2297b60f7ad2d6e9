"""max(self + alpha·other, 0), the sum rounded once. A NaN stays NaN; integers wrap before."""

from openaclnn.spec.families import FLOATS, INTEGERS, binary
from openaclnn.spec.formula import Expr, where, wrapped
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, RoundedFirst, never


def formula(self: Expr, other: Expr, alpha: Expr) -> Expr:
    total = wrapped(alpha * other + self)
    return where(total <= 0, 0, total)


OPS = binary(
    "add_relu",
    formula=formula,
    dtypes=(*FLOATS, *INTEGERS),
    attributes=(Attr("alpha", "a factor of the second", "第二个输入的系数", SCALAR, default=1),),
    en="Addition, then ReLU",
    zh="加法后接 ReLU",
    wide=never,
    uniforms=RoundedFirst(("alpha",)),
    torch="ops.aten._add_relu",
    source="signatures: op-plugin; values: PyTorch's _add_relu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.add_relu(np.array([1, -3], np.float32), np.array([1, 2], np.float32), alpha=0.5)
array([1.5, 0. ], dtype=float32)
""",
)
