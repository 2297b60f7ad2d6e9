"""In and out of storage: reading every dtype exactly, rounding once, one NaN for all.

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

STORED_AS = {FLOAT: "f32", DOUBLE: "f64", FLOAT16: "i16", BF16: "i16"}
WRITTEN_AS = {FLOAT: "i32", DOUBLE: "i64", FLOAT16: "i16", BF16: "i16"}
_QUIET_NAN = {FLOAT: 0x7FC00000, DOUBLE: 0x7FF8 << 48, FLOAT16: 0x7E00, BF16: 0x7FC0}
_PART_OF = {COMPLEX64: FLOAT, COMPLEX128: DOUBLE}


def part_of(dtype: DType) -> DType:
    """The real dtype that is written: a complex output gets it and a zero beside it."""
    return _PART_OF.get(dtype, dtype)


def read(index: int, dtype: DType, compute: str) -> Node:
    """Input number `index` as a number of the compute type, exactly."""
    return _convert(make("load", STORED_AS[dtype], value=index), dtype, compute)


def write(value: Node, promoted: DType, out: DType) -> Node:
    """The bits to store: `value` rounded to the promoted dtype, that converted to the output's."""
    if promoted not in (FLOAT, DOUBLE) and value.type == "f64":
        value = make("narrow", "f32", value)  # 2⁻¹⁷ ULP of the 16 bits that follow
    stored = _round(value, promoted)
    target = part_of(out)
    if target is not promoted:
        stored = _round(_convert(stored, promoted, "f64" if promoted is DOUBLE else "f32"), target)
    if stored.type == "i16":  # _round has seen to its NaNs
        return stored
    # as integers: a compiler may take one NaN for another
    return select(is_nan(stored), _QUIET_NAN[target], bits(stored))


def _convert(stored: Node, dtype: DType, compute: str) -> Node:
    if dtype is FLOAT16:
        stored = make("from_f16", "f32", stored)
    elif dtype is BF16:
        stored = from_bits(make("zext", "i32", stored) << 16)
    if stored.type == "f32" and compute == "f64":
        stored = make("widen", "f64", stored)
    return stored


def _round(value: Node, target: DType) -> Node:
    if target is DOUBLE:
        return make("widen", "f64", value) if value.type == "f32" else value
    if target is FLOAT:
        return make("narrow", "f32", value) if value.type == "f64" else value
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


def widen_f16(stored: Node) -> Node:
    """What from_f16 means, in integers: for engines on hardware that lacks the conversion."""
    wide = make("zext", "i32", stored)
    magnitude = from_bits((wide & 0x7FFF) << 13) * 2.0**112
    special = make("eq", "i1", wide & 0x7C00, const("i32", 0x7C00))
    pattern = select(special, bits(magnitude) | 0x7F800000, bits(magnitude))
    return from_bits(pattern | ((wide & 0x8000) << 16))


def round_to_f16(value: Node) -> Node:
    """What to_f16 means for numbers, in integers: nearest even, subnormals, infinity at 65520."""
    pattern = bits(value)
    magnitude = abs(value)
    half = ((pattern >> 13) & 1) + (0xFFF - (112 << 23))
    normal = ((pattern & 0x7FFFFFFF) + half) >> 13
    # 0.5 has the spacing of float16's subnormals: the addition rounds
    small = bits(magnitude + 0.5) - 0x3F000000
    rounded = select(magnitude < 2.0**-14, small, normal)
    rounded = select(magnitude < 65520.0, rounded, const("i32", 0x7C00))
    return make("trunc", "i16", rounded | ((pattern >> 16) & 0x8000))
