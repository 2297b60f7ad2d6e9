"""glu(x) = a·σ(b), where a and b are the first and the second half of x along a dimension."""

from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import sigmoid
from openaclnn.spec.gates import gated

OP = gated(
    "glu",
    formula=lambda first_half, second_half: first_half * sigmoid(second_half),
    dtypes=FLOATS,
    en="Gated linear unit",
    zh="门控线性单元",
    torch="nn.functional.glu",
    source="signature and result's shape: op-plugin; values: PyTorch's glu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.glu(np.array([[4, 8, 0, 100]], np.float32))
array([[2., 8.]], dtype=float32)
""",
)
