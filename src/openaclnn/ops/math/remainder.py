"""What floor division leaves of self, with the sign of other; of an integer divided by 0 all."""

from openaclnn.spec.families import NUMBERS, binary, number_first
from openaclnn.spec.formula import remainder
from openaclnn.spec.op import RoundedFirst, always

OPS = binary(
    "remainder_tensor_tensor",
    formula=lambda self, other: remainder(self, other),
    dtypes=NUMBERS,
    scalar="remainder_tensor_scalar",
    en="Remainder with the sign of the divisor",
    zh="取余（符号同除数）",
    wide=always,
    uniforms=RoundedFirst(("other",)),
    torch="remainder",
    source="signatures: op-plugin; promotion and values: PyTorch's remainder",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.remainder_tensor_tensor(np.array([7, -7], np.int32), np.array([3, 3], np.int32))
array([1, 2], dtype=int32)
""",
)
OPS += (
    number_first(
        "remainder_scalar_tensor",
        formula=OPS[0].formula,
        dtypes=NUMBERS,
        en=OPS[0].en,
        zh=OPS[0].zh,
        wide=always,
        uniforms=RoundedFirst(("self",)),
        torch="remainder",
        source=OPS[0].source,
    ),
)
