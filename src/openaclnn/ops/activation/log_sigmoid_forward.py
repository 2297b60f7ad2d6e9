"""logsigmoid(x) = min(x, 0) − log(1 + e^-|x|), and e^-|x| for the gradient.

Who has no use for the second gives an empty tensor for it.
"""

from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, exp, log1p, where
from openaclnn.spec.op import In, Op, Out
from openaclnn.spec.results import Like
from openaclnn.spec.rules import Dtypes, MaxDims, SameDtype, ShapeOf
from openaclnn.spec.steps import Step, elementwise


def formula(self: Expr) -> tuple[Expr, Expr]:
    e = exp(-abs(self))
    return where(self < 0, self, -0.0) - log1p(e), e


def steps(call: Call) -> tuple[Step, ...]:
    (step,) = elementwise(call)
    out, buffer = step.writes
    wanted = buffer is not None and buffer.view.shape == call["self"].shape
    return (Step(step.reads, (out, buffer if wanted else None)),)


OP = Op(
    name="log_sigmoid_forward",
    en="Log sigmoid, with a buffer for its gradient",
    zh="log sigmoid，附带反向计算可用的中间结果",
    arguments=(
        In("self", "the input", "输入"),
        Out("out", "the result", "结果"),
        Out("buffer", "e^-|self|; may be empty", "e^-|self|，可以为空张量"),
    ),
    rules=(
        Dtypes(("self",), FLOATS),
        SameDtype(("self",)),
        MaxDims(("self", "out", "buffer")),
        ShapeOf("out", "self"),
        ShapeOf("buffer", "self", empty=True),
    ),
    source="signature and empty buffer: op-plugin; values: PyTorch's log_sigmoid_forward",
    formula=formula,
    results=Like("self"),
    steps=steps,
    header="aclnn_logsigmoid.h",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.log_sigmoid_forward(np.array([0], np.float32))
(array([-0.6931472], dtype=float32), array([1.], dtype=float32))
""",
)
