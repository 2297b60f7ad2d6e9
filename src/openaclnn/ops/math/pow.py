"""self^exponent, with the signs and ends that IEEE 754 gives it. Integers wrap; a negative power of
them is 0 unless it is whole."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from openaclnn.base.dtypes import DOUBLE, FLOAT, DType
from openaclnn.spec.families import NUMBERS, binary, number_first
from openaclnn.spec.formula import Expr, equal, pow, rsqrt, sqrt, where
from openaclnn.spec.op import RoundedFirst
from openaclnn.spec.proof import Bound, Proof


def _root(self: Expr) -> Expr:
    return where(equal(self, -math.inf), math.inf, sqrt(self) + 0.0)  # of -0 it is 0


def _inverse_root(self: Expr) -> Expr:
    return where(equal(self, -math.inf), 0.0, rsqrt(self + 0.0))


PRODUCTS = {
    1: lambda self: self,
    2: lambda self: self * self,
    3: lambda self: self * self * self,
}


def _cube(self: Expr) -> Expr:
    """The cube in one rounding, nearly: what the square was rounded by takes part."""
    square = self * self
    lost = self * self + -square
    return where(abs(square) < math.inf, square * self + lost * self, square * self)


QUOTIENTS = {-1: lambda self: 1 / self, 0.5: _root, -0.5: _inverse_root}


def shorter(promoted: DType, attributes: Mapping[str, Any]) -> Callable[..., Expr] | None:
    """Of exponents that are common."""
    exponent = attributes["exponent"].value
    if promoted is DOUBLE and exponent == 3:
        return _cube
    found = PRODUCTS.get(exponent)
    return found if found or promoted.kind != "float" else QUOTIENTS.get(exponent)


FACTS: dict[str, Any] = {
    "formula": lambda self, exponent: pow(self, exponent),
    "dtypes": NUMBERS,
    "other": "exponent",
    "en": "Power",
    "zh": "幂",
    "uniforms": RoundedFirst(("self", "exponent")),
    "proof": Proof(fast={FLOAT: Bound(4.0)}, exact={DOUBLE: Bound(1.0)}),
    "torch": "pow",
    "source": "signatures: op-plugin, llama.cpp; promotion and values: PyTorch's pow",
}

_PAIRS = binary(
    "pow_tensor_tensor",
    scalar="pow_tensor_scalar",
    aliases=("power",),
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
    *(
        replace(op, header="aclnn_pow.h", shorter=shorter) if "scalar" in op.name else op
        for op in _PAIRS
    ),
    number_first("pow_scalar_tensor", header="aclnn_pow.h", **FACTS),
)
