"""geglu(x) = a·gelu(b), where a and b are the first and the second half of x along a dimension, or
the other way round where the left one is activated. What gelu gives is a result, too."""

from openaclnn.ops.activation.gelu import by_erf, by_tanh
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr
from openaclnn.spec.gates import gated
from openaclnn.spec.host import FLAG, INT64
from openaclnn.spec.op import Attr, Out, exact_product
from openaclnn.spec.rules import OneOf

TANH, NONE = 0, 1


def formula(
    first_half: Expr, second_half: Expr, approximate: int, activate_left: bool
) -> tuple[Expr, Expr]:
    gate, other = (first_half, second_half) if activate_left else (second_half, first_half)
    gelu = by_tanh if approximate == TANH else by_erf
    return other * gelu(gate), gelu(gate)


OP = gated(
    "ge_glu_v3",
    formula=formula,
    dtypes=FLOATS,
    attributes=(
        Attr("approximate", "by which formula", "近似方式", INT64, default="tanh",
             choices={"tanh": TANH, "none": NONE}),
        Attr("activate_left", "whether the first half is activated", "是否激活前一半", FLAG, False),
    ),
    rules=(OneOf("approximate"),),
    also=(Out("out_gelu", "what gelu gives", "gelu 的结果"),),
    en="GeGLU",
    zh="GeGLU 门控单元",
    header="aclnn_geglu.h",
    wide=exact_product,
    source="signature, choices and results: op-plugin, llama.cpp; values: PyTorch's gelu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.ge_glu_v3(np.array([[2, 3, 100, 0]], np.float32))
(array([[200.,   0.]], dtype=float32), array([[100.,   0.]], dtype=float32))
""",
)  # fmt: skip
