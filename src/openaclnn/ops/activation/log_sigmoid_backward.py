"""logsigmoid(x) = -log(1 + e^-x): its slope is 1/(1 + e^x) = σ(-x).

float32 has no room for e^x; there it is made of e^-|x|.
`buffer`, what the forward pass left behind, is demanded and never read.
"""

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16
from openaclnn.spec.formula import Expr, exp, known_as, where
from openaclnn.spec.op import In, Op, Out
from openaclnn.spec.proof import Bound, Proof, Slope
from openaclnn.spec.rules import Dtypes, SameDtype, SameShape


def formula(grad_output: Expr, self: Expr) -> Expr:
    return grad_output * known_as("σ(−self)", 1 / (1 + exp(self)))


def in_float32(grad_output: Expr, self: Expr) -> Expr:
    e = exp(-abs(self))
    tail = e / (1 + e)
    return grad_output * where(self <= 0, 1 - tail, tail)


EDGES = (
    *(0.0, 16.6, 80.0, -80.0, 87.33, 88.72, 103.3, 103.97, 104.0, 150.0, 192.0, 340.0, 700.0),
    *(708.0, -87.33, -103.97, -700.0, 1e4),
)

OP = Op(
    name="log_sigmoid_backward",
    en="Gradient of log sigmoid",
    zh="log sigmoid 的反向传播",
    arguments=(
        In(
            "grad_output", "gradient with respect to log sigmoid's result", "log sigmoid 结果的梯度"
        ),
        In("self", "the input of log sigmoid", "log sigmoid 的输入"),
        In(
            "buffer",
            "left by the forward pass; not used",
            "正向计算的中间结果，不使用",
            read=False,
            left=lambda self: exp(-abs(self)),
        ),
        Out("grad_input", "gradient with respect to self", "self 的梯度"),
    ),
    rules=(
        Dtypes(("grad_output", "self", "grad_input"), (FLOAT16, FLOAT, BF16)),
        SameDtype(("grad_output", "self")),
        SameShape(("grad_output", "self")),
    ),
    source="the document of aclnnLogSigmoidBackward",
    formula=formula,
    in_float32=in_float32,
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([-100.0, 0.0, 100.0], np.float32)
>>> openaclnn.log_sigmoid_backward(np.ones_like(x), x)
array([1.0e+00, 5.0e-01, 3.8e-44], dtype=float32)
""",
    header="aclnn_logsigmoid_backward.h",
    torch="ops.aten.log_sigmoid_backward",
    by_default=True,
    proof=Proof(
        edges=EDGES,
        range=(-25.0, 200.0),
        fast={FLOAT: Bound(5.0)},
        slope=Slope(at=0.5, rise=-0.25, below=1.0, above=0.0),
    ),
)
