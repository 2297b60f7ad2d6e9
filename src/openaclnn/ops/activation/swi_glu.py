"""swiglu(x) = silu(a)·b, where a and b are the first and the second half of x along a dimension."""

from openaclnn.spec.families import FLOATS, sigmoid_product_slope
from openaclnn.spec.formula import Expr, sigmoid, with_slope
from openaclnn.spec.gates import gated
from openaclnn.spec.op import exact_product


def formula(first_half: Expr, second_half: Expr) -> Expr:
    return with_slope(
        first_half,
        first_half * second_half * sigmoid(first_half),
        lambda x: second_half * sigmoid_product_slope(x),
    )


OP = gated(
    "swi_glu",
    formula=formula,
    dtypes=FLOATS,
    en="SwiGLU",
    zh="SwiGLU 门控单元",
    wide=exact_product,
    source="signature and which half is activated: op-plugin, llama.cpp; values: PyTorch's silu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.swi_glu(np.array([[0, 100, 4, 8]], np.float32))
array([[  0., 800.]], dtype=float32)
""",
)
