"""Loads, stores and casts: elements of any dtype to and from the compute types.

On the way the values of a dtype are carried in f32 (FLOAT and the 16-bit floats), f64 (DOUBLE),
i32, i64 (INT64 and the unsigned of 32 and 64 bits, those by wrapping) or i1 (BOOL).
"""

from __future__ import annotations

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.nodes import FLOATS, Node, const, equal, make, select, unequal
from openaclnn.base.dtypes import BOOL, DOUBLE, FLOAT, INT32, INT64, POSITION, UINT64, DType

_COMPUTED = {"f32": FLOAT, "f64": DOUBLE, "i32": INT32, "i64": INT64, "i1": BOOL}


def stored_as(dtype: DType) -> str:
    """The type that elements of a dtype are loaded and stored as."""
    return {FLOAT: "f32", DOUBLE: "f64"}.get(dtype, f"i{dtype.bits}")


def loaded_as(dtype: DType) -> str:
    """What an engine does to get an element of a dtype."""
    return "position" if dtype is POSITION or dtype.element else stored_as(dtype)


def carrier(dtype: DType) -> str:
    """The type that values of a dtype are carried in."""
    if dtype is BOOL:
        return "i1"
    if dtype.kind == "float":
        return "f64" if dtype is DOUBLE else "f32"
    return "i64" if dtype.bits + _unsigned(dtype) > 32 else "i32"


def _unsigned(dtype: DType) -> bool:
    return dtype.name.startswith("UINT")


def read(index: int, dtype: DType, compute: str) -> Node:
    """Input number `index` as a number of the compute type: exactly, or the nearest one."""
    return read_stored(make("load", stored_as(dtype), value=index), dtype, compute)


def read_stored(stored: Node, dtype: DType, compute: str) -> Node:
    """The bits of an element as a number of the compute type."""
    value = _carried(stored, dtype)
    if dtype is BOOL:
        return select(value, const(compute, 1), const(compute, 0))
    if compute not in FLOATS:
        short = (value.type, compute) == ("i64", "i32") and dtype is not POSITION  # which may wrap
        if dtype.kind == "float" or short:
            raise ValueError(f"{dtype} is not computed in {compute}")
        return resized(value, compute)
    if dtype.kind == "float":
        return resized(value, compute)
    return make("from_unsigned" if dtype is UINT64 else "from_int", compute, value)


def read_as_is(index: int, dtype: DType) -> Node:
    """Input number `index` in its own carrier; a byte that is not 0 is true."""
    return _carried(make("load", stored_as(dtype), value=index), dtype)


def _carried(stored: Node, dtype: DType) -> Node:
    """The bits of an element in its dtype's carrier."""
    if dtype is BOOL:
        return unequal(stored, 0)
    if dtype.kind == "float":
        return rounding.widened(stored, dtype)
    return _extended(stored, dtype)


def write(value: Node, promoted: DType, out: DType, unsigned: bool = False) -> Node:
    """The bits to store: `value` as one of the promoted dtype, that converted to the output's.

    A condition is 0 or 1 in any dtype. Integers wrap in narrower ones; floats are truncated to
    integers, to the nearest there is where that is out of range, and NaN to 0; all but 0 is true.
    `unsigned`: a computed i64 is a UINT64.
    """
    target = rounding.part_of(out)
    source = UINT64 if unsigned and value.type == "i64" else _COMPUTED[value.type]
    if source.kind == promoted.kind == target.kind == "float":
        return rounding.write(value, promoted, target)
    if source is not BOOL:
        if source is DOUBLE and promoted.kind == "float" and promoted is not DOUBLE:
            value, source = make("narrow", "f32", value), FLOAT  # as `rounding.write` does
        value, source = converted(value, source, promoted), promoted
    if target.kind == "float":
        return rounding.stored(_as_float(value, source, target), target)
    value = converted(value, source, target)
    type = stored_as(target)
    return make("zext", type, value) if target is BOOL else resized(value, type)


def converted(value: Node, source: DType, target: DType) -> Node:
    """A value of one dtype as one of another, each in its carrier."""
    if source is target:
        return value
    if target is BOOL:
        return unequal(value, 0)
    if target.kind == "float":
        return rounding.rounded(_as_float(value, source, target), target)
    if source is BOOL:
        return make("zext", carrier(target), value)
    if source.kind == "float":
        return _truncated(value, target)
    value = resized(value, carrier(target))
    return _extended(resized(value, stored_as(target)), target)


def _as_float(value: Node, source: DType, target: DType) -> Node:
    """A value as a float that a rounding to the target sees as if it were the value itself."""
    if source.kind == "float":
        return value
    if source is BOOL:
        return select(value, const("f32", 1.0), const("f32", 0.0))
    if source not in (INT64, UINT64):
        return make("from_int", "f64", value)
    if target is DOUBLE:
        return make("from_unsigned" if source is UINT64 else "from_int", "f64", value)
    # beyond 2⁵³ eleven bits are dropped, and the lowest one left tells whether they were all 0
    magnitude = value if source is UINT64 else abs(value)
    lost = make("zext", "i64", unequal(magnitude & 0x7FF, 0))
    large = make("from_int", "f64", (magnitude >> 11) | lost) * 2048.0
    small = make("from_int", "f64", magnitude)
    number = select(equal(magnitude >> 53, 0), small, large)
    return number if source is UINT64 else select(value < 0, -number, number)


def _truncated(x: Node, target: DType) -> Node:
    """The integer that a float is without its fraction, or the nearest there is; NaN is 0."""
    type, bits = carrier(target), target.bits
    low, end = (0, 1 << bits) if _unsigned(target) else (-1 << (bits - 1), 1 << (bits - 1))
    inside = select((x >= low) & (x < end), x, 0.0)
    if target is UINT64:
        upper = inside >= 2.0**63
        inside = select(upper, inside - 2.0**63, inside)
        result = make("to_int", type, inside) + select(upper, const(type, -1 << 63), 0)
    else:
        result = make("to_int", type, inside)
    highest = const(type, -1 if target is UINT64 else end - 1)
    return select(x >= end, highest, select(x < low, const(type, low), result))


def _extended(stored: Node, dtype: DType) -> Node:
    """A stored integer in its carrier."""
    type = carrier(dtype)
    if stored.type == type:
        return stored
    return make("zext" if _unsigned(dtype) else "sext", type, stored)


def resized(value: Node, type: str) -> Node:
    """A number in the other type of its kind: the nearest float, or an integer that wraps."""
    if value.type == type:
        return value
    if value.type in FLOATS:
        return make("widen" if type == "f64" else "narrow", type, value)
    longer = int(type[1:]) > int(value.type[1:])
    return make("sext" if longer else "trunc", type, value)
