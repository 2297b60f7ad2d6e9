"""The dtypes that are drawn: what their elements are, how they meet, how results are judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from mpmath import MPContext

Array = np.ndarray[Any, Any]

mp = MPContext()
mp.prec = 200


@dataclass(frozen=True)
class Kind:
    """A dtype by its short name; `bits` and `lowest` are of a float's significand and exponent."""

    name: str  # in openaclnn.base.dtypes
    numpy: Any
    kind: str
    bits: int
    lowest: int = 0


KINDS = {
    "f16": Kind("FLOAT16", np.float16, "float", 11, -14),
    "bf16": Kind("BF16", ml_dtypes.bfloat16, "float", 8, -126),
    "f32": Kind("FLOAT", np.float32, "float", 24, -126),
    "f64": Kind("DOUBLE", np.float64, "float", 53, -1022),
    "s8": Kind("INT8", np.int8, "int", 8),
    "u8": Kind("UINT8", np.uint8, "int", 8),
    "s16": Kind("INT16", np.int16, "int", 16),
    "s32": Kind("INT32", np.int32, "int", 32),
    "s64": Kind("INT64", np.int64, "int", 64),
    "bool": Kind("BOOL", np.bool_, "bool", 1),
}
FLOATS = ("f16", "bf16", "f32")
INTEGERS = ("s8", "u8", "s16", "s32", "s64")
ALL = tuple(KINDS)


def kind_of(dtype: str) -> str:
    return KINDS[dtype].kind


def short(dtype: Any) -> str:
    """The name of a NumPy dtype."""
    return next(name for name, kind in KINDS.items() if np.dtype(kind.numpy) == np.dtype(dtype))


def promote(dtypes: Sequence[str]) -> str:
    """Where tensors meet: in the largest kind; 16-bit floats that differ in FLOAT, signed and
    unsigned bytes in INT16."""
    for kind in ("float", "int", "bool"):
        found = sorted({d for d in dtypes if kind_of(d) == kind}, key=lambda d: KINDS[d].bits)
        if not found:
            continue
        if set(found) == {"f16", "bf16"}:
            return "f32"
        if set(found) == {"s8", "u8"}:
            return "s16"
        return found[-1]
    raise ValueError("no dtypes")


def promote_number(tensor: str, number: str) -> str:
    """Where a tensor meets a number: in the tensor's dtype, unless the number is of a larger
    kind."""
    order = ("bool", "int", "float")
    if order.index(number) <= order.index(kind_of(tensor)):
        return tensor
    return {"int": "s64", "float": "f32"}[number]


def wrapped(value: int, bits: int, unsigned: bool = False) -> int:
    """An integer as a register of so many bits holds it."""
    value %= 1 << bits
    return value if unsigned or value < 1 << (bits - 1) else value - (1 << bits)


def nearest(value: Any, dtype: str) -> Any:
    """A true value as an element of a dtype: the nearest float, an integer that wraps, or whether
    it is not 0."""
    kind = KINDS[dtype]
    if kind.kind == "bool":
        return np.bool_(value != 0)
    if kind.kind == "int":
        return kind.numpy(wrapped(int(value), kind.bits, dtype == "u8"))
    unit = unit_of(value, dtype)
    return kind.numpy(float(mp.nint(mp.mpf(value) / unit) * unit))  # ties to even


def unit_of(value: Any, dtype: str) -> Any:
    """The distance of a dtype's floats where a value lies."""
    kind = KINDS[dtype]
    exponent = mp.frexp(abs(mp.mpf(value)))[1] - 1 if value else kind.lowest
    return mp.ldexp(1, max(exponent, kind.lowest) - kind.bits + 1)


def units_off(found: Any, true: Any, dtype: str) -> float:
    """How far an element of a float dtype is from the true value, in units in the last place."""
    return float(abs(mp.mpf(float(found)) - true) / unit_of(true, dtype))
