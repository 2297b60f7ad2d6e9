"""Keys by which elements are sorted: integers without a sign in the order of the elements."""

from __future__ import annotations

from functools import lru_cache

from openaclnn.arithmetic import conversion
from openaclnn.arithmetic.nodes import FLOATS, Node, bits, const, equal, is_nan, make, select
from openaclnn.base.dtypes import DType


def key_bits(dtype: DType) -> int:
    """How many bits a key has."""
    if dtype.kind == "float":
        return 64 if dtype.bits == 64 else 32
    return dtype.bits


@lru_cache(maxsize=64)
def sorting_key(dtype: DType, descending: bool) -> Node:
    """The key of an element that is loaded: NaN above all, zeros alike."""
    compute_type = key_bits(dtype)
    value = conversion.read_as_is(0, dtype)
    if value.type in FLOATS:
        number = select(equal(value, 0.0), const(value.type, 0.0), value)
        whole = bits(number)
        lowest = -1 << (compute_type - 1)
        found = select(whole < 0, whole ^ -1, whole ^ lowest)
        found = _long(select(is_nan(value), const(whole.type, -1), found), compute_type)
    elif value.type == "i1":
        found = make("zext", "i64", value)
    else:
        signed = not dtype.name.startswith("UINT")
        whole = make("sext", "i64", value) if value.type != "i64" else value
        found = _low(whole ^ (-1 << (compute_type - 1)) if signed else whole, compute_type)
    return _low(found ^ -1, compute_type) if descending else found


def _long(value: Node, compute_type: int) -> Node:
    return value if compute_type == 64 else make("zext", "i64", value)


def _low(value: Node, compute_type: int) -> Node:
    return value if compute_type == 64 else value & ((1 << compute_type) - 1)


@lru_cache(maxsize=64)
def extreme_key(dtype: DType, largest: bool) -> Node:
    """An integer with a sign that is the larger, the larger or the smaller an element is; that of
    NaN is above all."""
    found = sorting_key(dtype, not largest)
    value = conversion.read_as_is(0, dtype)
    if value.type in FLOATS and not largest:
        found = select(is_nan(value), const("i64", (1 << 63) - 1 | -(key_bits(dtype) == 64)), found)
    return found ^ (-1 << 63) if key_bits(dtype) == 64 else found


@lru_cache(maxsize=64)
def nan_key(dtype: DType, descending: bool) -> int:
    """The key of NaN."""
    return 0 if descending else (1 << key_bits(dtype)) - 1
