"""leakyrelu(x) = x where x > 0, else negative_slope·x. A NaN x takes the second branch."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import FLOATS, NUMBERS, unary
from openaclnn.spec.formula import where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Dtypes

OPS = unary(
    "leaky_relu",
    formula=lambda self, negative_slope: where(self > 0, self, self * negative_slope),
    dtypes=(*FLOATS, DOUBLE),
    attributes=(
        Attr(
            "negative_slope",
            "the slope below 0",
            "负半轴的斜率",
            SCALAR,
            default=0.01,
            by_place=True,
        ),
    ),
    rules=(Dtypes(("negative_slope",), NUMBERS),),
    en="Leaky ReLU",
    zh="leaky ReLU 激活函数",
    in_place=True,
    wide=never,
    torch="nn.functional.leaky_relu",
    source="signatures: op-plugin, llama.cpp; values: PyTorch's leaky_relu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.leaky_relu(np.array([-2, 0, 3], np.float32), negative_slope=0.5)
array([-1.,  0.,  3.], dtype=float32)
""",
)
