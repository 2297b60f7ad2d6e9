"""log(e^self + e^other), and log₂(2^self + 2^other). Near 0 both terms cancel: of the digits that
are left, pairs of float64 have enough."""

from collections.abc import Callable

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import FLOATS, binary
from openaclnn.spec.formula import Expr, logaddexp, logaddexp2
from openaclnn.spec.op import Op, exact_level
from openaclnn.spec.proof import Bound, Proof


def sum_of_powers(
    name: str, word: Callable[..., Expr], en: str, zh: str, example: str
) -> tuple[Op, ...]:
    torch = name.replace("_", "")

    def sizable(self: Expr, other: Expr) -> Expr:
        return abs(word(self, other)) >= 0.125

    return binary(
        name,
        formula=lambda self, other: word(self, other),
        dtypes=(*FLOATS, DOUBLE),
        in_place=False,
        en=en,
        zh=zh,
        wide=exact_level,
        header=f"aclnn_{torch}.h",
        proof=Proof(exact={DOUBLE: Bound(1.0, "|out| ≥ 1/8", sizable)}),
        torch=torch,
        source=f"signatures: op-plugin, asnumpy; promotion and values: PyTorch's {torch}",
        example=example,
    )


OPS = (
    *sum_of_powers(
        "log_add_exp",
        logaddexp,
        "Logarithm of the sum of exponentials",
        "指数之和的对数",
        """
>>> import numpy as np, openaclnn
>>> openaclnn.log_add_exp(np.array([0, 800], np.float32), np.array([0, 801], np.float32))
array([6.9314718e-01, 8.0131323e+02], dtype=float32)
""",
    ),
    *sum_of_powers(
        "log_add_exp2",
        logaddexp2,
        "Logarithm of the sum of powers of two",
        "2 的幂之和的对数（以 2 为底）",
        """
>>> import numpy as np, openaclnn
>>> openaclnn.log_add_exp2(np.array([3, -1], np.float32), np.array([3, -1], np.float32))
array([4., 0.], dtype=float32)
""",
    ),
)
