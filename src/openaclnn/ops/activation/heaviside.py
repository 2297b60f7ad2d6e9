"""1 where x is above 0, `values` where it is 0, and 0 elsewhere, of NaN too."""

from openaclnn.spec.families import ALL, binary
from openaclnn.spec.formula import equal, where
from openaclnn.spec.op import never

OPS = binary(
    "heaviside",
    formula=lambda self, values: where(equal(self, 0), values, where(self > 0, 1, 0)),
    dtypes=ALL,
    other="values",
    in_place=False,
    en="Heaviside step function",
    zh="单位阶跃函数",
    wide=never,
    torch="heaviside",
    source="signature: op-plugin; promotion and values: PyTorch's heaviside",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.heaviside(np.array([-2, 0, 3], np.float32), np.array([0.5], np.float32))
array([0. , 0.5, 1. ], dtype=float32)
""",
)
