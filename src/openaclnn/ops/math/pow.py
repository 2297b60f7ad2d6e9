"""self^exponent, with the signs and ends that IEEE 754 gives it. Integers wrap; a negative power of
them is 0 unless it is whole."""

from dataclasses import replace
from typing import Any

from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.spec.families import NUMBERS, binary, number_first
from openaclnn.spec.formula import pow
from openaclnn.spec.proof import Bound, Proof

FACTS: dict[str, Any] = {
    "formula": lambda self, exponent: pow(self, exponent),
    "dtypes": NUMBERS,
    "other": "exponent",
    "en": "Power",
    "zh": "幂",
    "proof": Proof(fast={FLOAT: Bound(4.0)}, exact={DOUBLE: Bound(1.0)}),
    "torch": "pow",
    "source": "signatures: op-plugin, llama.cpp; promotion and values: PyTorch's pow",
}

_PAIRS = binary(
    "pow_tensor_tensor",
    scalar="pow_tensor_scalar",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.pow(np.array([9, -8], np.float32), np.array([0.5, 3], np.float32))
array([   3., -512.], dtype=float32)
>>> openaclnn.pow(np.array([1, 2, 3]), 2)
array([1, 4, 9])
""",
    **FACTS,
)
OPS = (
    *(replace(op, header="aclnn_pow.h") if "scalar" in op.name else op for op in _PAIRS),
    number_first("pow_scalar_tensor", header="aclnn_pow.h", **FACTS),
)
