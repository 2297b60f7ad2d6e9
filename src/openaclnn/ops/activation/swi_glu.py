"""swiglu(x) = silu(a)·b, where a and b are the first and the second half of x along a dimension."""

from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import sigmoid
from openaclnn.spec.gates import gated
from openaclnn.spec.op import exact_product

OP = gated(
    "swi_glu",
    formula=lambda first_half, second_half: first_half * second_half * sigmoid(first_half),
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
