"""The logarithm of softmax: x − max − log Σ e^(x − max), along a dimension."""

from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, exp, fold, log
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out, exact_level
from openaclnn.spec.results import Like
from openaclnn.spec.rules import Castable, DimOf, Dtypes, MaxDims, Promotable, SameShape


def formula(self: Expr) -> Expr:
    below = self - fold(self, "max", over="dim")
    return below - log(fold(exp(below), "add", over="dim"))


def backward(grad_output: Expr, output: Expr) -> Expr:
    """g − softmax·Σ g, where the output is the logarithm of softmax."""
    return grad_output - exp(output) * fold(grad_output, "add", over="dim")


DIM = Attr("dim", "the dimension along which the exponentials sum to 1", "归一化的维度", INT64)

OPS = (
    Op(
        "log_softmax",
        "Log-softmax along a dimension",
        "对数 Softmax",
        (In("self", "the input", "输入"), DIM, Out("out", "the result", "结果")),
        (
            Dtypes(("self",), FLOATS),
            DimOf("dim", "self"),
            Castable(),
            MaxDims(("self", "out")),
            SameShape(("self",)),
        ),
        formula,
        """
>>> import numpy as np, openaclnn
>>> openaclnn.log_softmax(np.array([0, 0], np.float32), dim=0)
array([-0.6931472, -0.6931472], dtype=float32)
""",
        source="signature: op-plugin; values: PyTorch's log_softmax",
        header="aclnn_logsoftmax.h",
        wide=exact_level,
        results=Like("self"),
        torch="log_softmax",
    ),
    Op(
        "log_softmax_backward",
        "Gradient of log-softmax",
        "对数 Softmax 的反向传播",
        (
            In("grad_output", "gradient with respect to the result", "结果的梯度"),
            In("output", "the result", "结果"),
            DIM,
            Out("out", "gradient with respect to the input", "输入的梯度"),
        ),
        (
            Dtypes(("grad_output", "output"), FLOATS),
            DimOf("dim", "output"),
            Promotable(),
            Castable(),
            MaxDims(("grad_output", "output")),
            SameShape(("grad_output", "output")),
        ),
        backward,
        """
>>> import numpy as np, openaclnn
>>> g, y = np.array([1, 0], np.float32), np.log(np.array([0.5, 0.5], np.float32))
>>> openaclnn.log_softmax_backward(g, y, dim=0)
array([ 0.5, -0.5], dtype=float32)
""",
        source="signature: op-plugin; values: PyTorch's _log_softmax_backward_data",
        wide=exact_level,
        torch="ops.aten._log_softmax_backward_data",
    ),
)
