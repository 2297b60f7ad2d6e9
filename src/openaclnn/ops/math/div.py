"""self/other. Integers and booleans are divided as FLOAT."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import ALL, FLOATS, binary, floating
from openaclnn.spec.op import never

OPS = binary(
    "div",
    formula=lambda self, other: self / other,
    dtypes=ALL,
    scalar="divs",
    header="aclnn_div.h",  # of all four
    promotes=floating,
    changed=(*FLOATS, DOUBLE),
    en="Division",
    zh="除法",
    wide=never,
    torch="div",
    source="signatures: op-plugin, llama.cpp; promotion and values: PyTorch's div",
    aliases=("divide", "true_divide"),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.div(np.array([1, 2, 0], np.int32), np.array([2, 0, 0], np.int32))
array([0.5, inf, nan], dtype=float32)
""",
)
