"""Every element becomes 1."""

from openaclnn.spec.families import filling

OP = filling(
    "one",
    formula=lambda: 1,
    en="Fill with ones",
    zh="置一",
    source="signature: op-plugin",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.inplace_one(np.zeros(2, np.int32))
array([1, 1], dtype=int32)
""",
)
