"""elu(x) = scale·x where x > 0, else scale·alpha·(e^(input_scale·x) − 1)."""

from openaclnn.spec.families import FLOATS, NUMBERS, unary
from openaclnn.spec.formula import expm1, where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, exact_beyond
from openaclnn.spec.rules import Dtypes

_ORDINARY = 2.0**-10, 2.0**5


def formula(self, alpha, scale, input_scale):  # type: ignore[no-untyped-def]
    return where(self <= 0, expm1(self * input_scale) * (alpha * scale), self * scale)


OPS = unary(
    "elu",
    formula=formula,
    dtypes=FLOATS,
    attributes=(
        Attr(
            "alpha",
            "what is approached far below 0, times -scale",
            "负半轴系数",
            SCALAR,
            1.0,
            by_place=True,
        ),
        Attr("scale", "a factor of the result", "结果的系数", SCALAR, default=1.0),
        Attr("input_scale", "a factor of the input below 0", "负半轴输入的系数", SCALAR, 1.0),
    ),
    rules=(Dtypes(("alpha", "scale", "input_scale"), NUMBERS),),
    en="ELU",
    zh="ELU 激活函数",
    in_place=True,
    wide=exact_beyond(alpha=_ORDINARY, scale=_ORDINARY, input_scale=_ORDINARY),
    torch="nn.functional.elu",
    source="signatures: op-plugin, llama.cpp; values: PyTorch's elu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.elu(np.array([-1, 0, 2], np.float32), alpha=2)
array([-1.2642411,  0.       ,  2.       ], dtype=float32)
""",
)
