"""log(e^self + e^other). Near 0 both terms cancel: there pairs of float64 have
e^self + e^other − 1 to 2⁻¹⁰³, which leaves DOUBLE enough digits where the result is 2⁻⁴⁸ and
more."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import FLOATS, binary
from openaclnn.spec.formula import Expr, logaddexp
from openaclnn.spec.op import exact_level
from openaclnn.spec.proof import Bound, Proof


def sizable(self: Expr, other: Expr) -> Expr:
    return abs(logaddexp(self, other)) >= 2.0**-30


OPS = binary(
    "log_add_exp",
    formula=lambda self, other: logaddexp(self, other),
    dtypes=(*FLOATS, DOUBLE),
    in_place=False,
    en="Log-sum-exp of two tensors",
    zh="指数之和的对数",
    wide=exact_level,
    header="aclnn_logaddexp.h",
    proof=Proof(exact={DOUBLE: Bound(1.0, "|out| ≥ 2⁻³⁰", sizable)}),
    torch="logaddexp",
    source="signatures: op-plugin, asnumpy; promotion and values: PyTorch's logaddexp",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log_add_exp(np.array([0, 800], np.float32), np.array([0, 801], np.float32))
array([6.9314718e-01, 8.0131323e+02], dtype=float32)
""",
)
