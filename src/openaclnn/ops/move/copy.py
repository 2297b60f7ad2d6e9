"""A tensor gets the values of another one, which broadcasts to it, in its own dtype."""

from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import In, InOut, Op, never
from openaclnn.spec.rules import Dtypes, Into, MaxDims


def copy(src: Expr) -> Expr:
    return src


OP = Op(
    name="inplace_copy",
    en="Copy",
    zh="拷贝",
    arguments=(
        InOut("self", "what is overwritten", "被覆盖的张量", read=False),
        In("src", "what is copied", "拷贝的来源"),
    ),
    rules=(
        Dtypes(("self", "src"), ALL),
        MaxDims(("self", "src")),
        Into(("src",), "self"),
    ),
    source="signature: op-plugin, llama.cpp; values: PyTorch's copy_",
    formula=copy,
    wide=never,
    header="aclnn_copy.h",
    torch="Tensor.copy_",
    example="""
>>> import numpy as np, openaclnn
>>> x = np.zeros((2, 2), np.float32)
>>> openaclnn.inplace_copy(x, np.array([1, 2]))
array([[1., 2.],
       [1., 2.]], dtype=float32)
""",
)
