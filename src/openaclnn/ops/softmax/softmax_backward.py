"""The gradient of y = softmax(x) is y·(g − Σ g·y), with the sum along the softmax's dimension.

At level exact the sum is exact but for its rounding to float64: 0.51 ULP, or where the difference
cancels nearly all its digits, 2⁻⁵² of its larger term.
"""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.base.settings import EXACT
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, fold
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.rules import Castable, DimOf, Dtypes, MaxDims, Promotable, SameShape


def formula(grad_output: Expr, output: Expr) -> Expr:
    return output * (grad_output - fold(grad_output * output, "add", over="dim"))


def wide(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    """The difference cancels digits, which float32 has none of to spare."""
    return level == EXACT


OP = Op(
    name="softmax_backward",
    en="Gradient of the softmax",
    zh="Softmax 的反向传播",
    arguments=(
        In("grad_output", "gradient with respect to the softmax's result", "Softmax 结果的梯度"),
        In("output", "the softmax's result", "Softmax 的结果"),
        Attr("dim", "the softmax's dimension", "Softmax 的维度", INT64),
        Out("grad_input", "gradient with respect to the softmax's input", "Softmax 输入的梯度"),
    ),
    rules=(
        Dtypes(("grad_output", "output"), FLOATS),
        DimOf("dim", "output"),
        Promotable(),
        Castable(),
        MaxDims(("grad_output", "output")),
        SameShape(("grad_output", "output")),
    ),
    source="signature: op-plugin; values: PyTorch's _softmax_backward_data",
    formula=formula,
    wide=wide,
    torch="ops.aten._softmax_backward_data",
    example="""
>>> import numpy as np, openaclnn
>>> g, y = np.array([1, 0], np.float32), np.array([0.5, 0.5], np.float32)
>>> openaclnn.softmax_backward(g, y, dim=0)
array([ 0.25, -0.25], dtype=float32)
""",
)
