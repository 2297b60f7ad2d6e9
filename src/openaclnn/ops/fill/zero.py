"""Every element becomes 0."""

from openaclnn.spec.families import filling

OP = filling(
    "zero",
    formula=lambda: 0,
    en="Fill with zeros",
    zh="置零",
    torch="Tensor.zero_",
    source="signature: op-plugin, llama.cpp",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.inplace_zero(np.ones(2, np.int32))
array([0, 0], dtype=int32)
""",
)
