"""log₂(2^self + 2^other). Near 0 both terms cancel: there pairs of float64 have
2^self + 2^other − 1 to 2⁻¹⁰³, which leaves DOUBLE enough digits where the result is 2⁻⁴⁸ and
more."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import FLOATS, binary
from openaclnn.spec.formula import Expr, logaddexp2
from openaclnn.spec.op import exact_level
from openaclnn.spec.proof import Bound, Proof


def sizable(self: Expr, other: Expr) -> Expr:
    return abs(logaddexp2(self, other)) >= 2.0**-30


OPS = binary(
    "log_add_exp2",
    formula=lambda self, other: logaddexp2(self, other),
    dtypes=(*FLOATS, DOUBLE),
    in_place=False,
    en="Log-sum-exp of two tensors, to base 2",
    zh="2 的幂之和的对数（以 2 为底）",
    wide=exact_level,
    header="aclnn_logaddexp2.h",
    proof=Proof(exact={DOUBLE: Bound(1.0, "|out| ≥ 2⁻³⁰", sizable)}),
    torch="logaddexp2",
    source="signatures: op-plugin, asnumpy; promotion and values: PyTorch's logaddexp2",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log_add_exp2(np.array([3, -1], np.float32), np.array([3, -1], np.float32))
array([4., 0.], dtype=float32)
""",
)
