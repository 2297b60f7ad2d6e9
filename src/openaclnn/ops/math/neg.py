"""-x. Integers wrap."""

from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.op import never

OPS = unary(
    "neg",
    formula=lambda self: -self,
    dtypes=NUMBERS,
    en="Negation",
    zh="取负",
    in_place=True,
    wide=never,
    torch="neg",
    source="signatures: op-plugin, llama.cpp; values: PyTorch's neg",
    aliases=("negative",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.neg(np.array([-2, 0, 3], np.float32))
array([ 2., -0., -3.], dtype=float32)
""",
)
