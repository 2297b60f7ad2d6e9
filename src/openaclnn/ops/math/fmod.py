"""What truncated division leaves of self, exactly, with its sign; of an integer by 0 all."""

from openaclnn.spec.families import NUMBERS, binary
from openaclnn.spec.formula import fmod
from openaclnn.spec.op import RoundedFirst, always

OPS = binary(
    "fmod_tensor",
    formula=lambda self, other: fmod(self, other),
    dtypes=NUMBERS,
    scalar="fmod_scalar",
    en="Remainder with the sign of the dividend",
    zh="取余（符号同被除数）",
    wide=always,
    uniforms=RoundedFirst(("other",)),
    torch="fmod",
    source="signatures: op-plugin; promotion and values: PyTorch's fmod",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.fmod(np.array([7, -7, 1e10], np.float32), np.array([3, 3, 7], np.float32))
array([ 1., -1.,  4.], dtype=float32)
""",
)
