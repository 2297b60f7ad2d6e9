"""Every tensor of a list gets the values of one of another list, in its own dtype."""

from openaclnn.spec.families import ALL
from openaclnn.spec.foreach import foreach
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.rules import Dtypes, MaxDims, SameShape
from openaclnn.spec.steps import copied

COPY = Op(
    "copy",
    "Copy",
    "拷贝",
    (In("self", "what is copied", "被拷贝的张量"), Out("out", "where to", "拷贝到的张量")),
    (Dtypes(("self", "out"), ALL), MaxDims(("self", "out")), SameShape(("self",))),
    copied,
    wide=never,
)

OP = foreach(
    "foreach_copy", COPY, self="x", out="out",
    source="signature: op-plugin; values: PyTorch's _foreach_copy_",
    example="""
>>> import numpy as np, openaclnn
>>> there = [np.zeros(2, np.float32)]
>>> openaclnn.foreach_copy([np.array([1, 2])], out=there)
[array([1., 2.], dtype=float32)]
""",
)  # fmt: skip
