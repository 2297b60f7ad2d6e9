"""Floats in and out of storage: reading every dtype exactly, rounding once, one NaN for all.

16-bit floats travel as integers, so that no engine's own conversions decide.
"""

from __future__ import annotations

from openaclnn.arithmetic.nodes import (
    Node,
    bits,
    const,
    from_bits,
    is_nan,
    make,
    narrowed,
    select,
)
from openaclnn.base.dtypes import (
    BF16,
    COMPLEX64,
    COMPLEX128,
    DOUBLE,
    FLOAT,
    FLOAT16,
    DType,
)

_QUIET_NAN = {FLOAT: 0x7FC00000, DOUBLE: 0x7FF8 << 48, FLOAT16: 0x7E00, BF16: 0x7FC0}
_PART_OF = {COMPLEX64: FLOAT, COMPLEX128: DOUBLE}


def part_of(dtype: DType) -> DType:
    """The real dtype that is written: a complex output gets it and a zero beside it."""
    return _PART_OF.get(dtype, dtype)


def write(value: Node, promoted: DType, out: DType) -> Node:
    """The bits to store: `value` rounded to the promoted dtype, that to the output's."""
    if promoted not in (FLOAT, DOUBLE) and value.type == "f64":
        value = narrowed(value)  # 2⁻¹⁷ ULP of the 16 bits that follow
    if out is not promoted:
        value = rounded(value, promoted)
    return stored(value, out)


def stored(value: Node, target: DType) -> Node:
    """The bits of the nearest number of a dtype, with one NaN."""
    found = _round(value, target)
    if found.type == "i16":  # _round has seen to its NaNs
        return found
    # as integers: a compiler may take one NaN for another
    return select(is_nan(found), _QUIET_NAN[target], bits(found))


def widened(stored: Node, dtype: DType) -> Node:
    """The number that is stored: a float64 for DOUBLE, a float32 for the others."""
    if dtype is FLOAT16:
        return make("from_f16", "f32", stored)
    if dtype is BF16:
        return from_bits(make("zext", "i32", stored) << 16)
    return stored


def rounded(value: Node, target: DType) -> Node:
    """A number as the nearest one of a dtype, in the type that `widened` gives."""
    return widened(_round(value, target), target)


def _round(value: Node, target: DType) -> Node:
    if target is DOUBLE:
        return make("widen", "f64", value) if value.type == "f32" else value
    if target is FLOAT:
        return narrowed(value) if value.type == "f64" else value
    if value.type == "f64":
        value = _narrow_to_odd(value)
    rounded = make("to_f16", "i16", value) if target is FLOAT16 else to_bf16(value)
    return select(is_nan(value), const("i16", _QUIET_NAN[target]), rounded)


def to_bf16(value: Node) -> Node:
    """The bits of the bfloat16 nearest to a number, in integers."""
    pattern = bits(value)
    half = ((pattern >> 16) & 1) + 0x7FFF
    return make("trunc", "i16", (pattern + half) >> 16)


def _narrow_to_odd(value: Node) -> Node:
    """float64 to float32 so that a second rounding, to 16 bits, sees which side it came from:
    where the conversion is inexact the result is the neighbour with an odd last bit."""
    nearest = make("narrow", "f32", value)
    pattern = bits(nearest)
    back = make("widen", "f64", nearest)
    even = make("eq", "i1", pattern & 1, const("i32", 0))
    toward_zero = abs(back) > abs(value)
    neighbour = select(toward_zero, pattern - 1, pattern + 1)
    moved = select(even, neighbour, pattern)
    exact = make("eq", "i1", back, value)
    odd = from_bits(select(exact, pattern, moved))
    return select(is_nan(nearest), nearest, odd)
