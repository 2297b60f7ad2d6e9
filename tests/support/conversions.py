"""What conversions between dtypes mean, one value by hand, and the values where they differ."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from interpreter import Array, nearest
from openaclnn.arithmetic.conversion import stored_as
from openaclnn.base.dtypes import (
    BF16,
    BOOL,
    DOUBLE,
    FLOAT,
    FLOAT16,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    DType,
)
from openaclnn.spec.formula import tensor, trace

INTEGERS = (INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64)
FLOATS = (FLOAT16, BF16, FLOAT, DOUBLE)
REAL = (*INTEGERS, *FLOATS, BOOL)
PRECISIONS = {
    FLOAT16: (11, -14, 65504),
    BF16: (8, -126, (2 - 2**-7) * 2.0**127),
    FLOAT: (24, -126, (2 - 2**-23) * 2.0**127),
    DOUBLE: (53, -1022, math.inf),
}
SAME = trace(lambda x: x, {"x": tensor("x")})


def limits(dtype: DType) -> tuple[int, int]:
    if dtype.name.startswith("U"):
        return 0, 2**dtype.bits - 1
    return -(2 ** (dtype.bits - 1)), 2 ** (dtype.bits - 1) - 1


def compute_of(dtype: DType) -> str:
    if dtype.kind == "float":
        return "f64" if dtype is DOUBLE else "f32"
    return "i64" if dtype in (INT64, UINT32, UINT64) else "i32"


def edges(dtype: DType) -> Array:
    """Values of a dtype at and beside powers of two, ties, limits and specials."""
    if dtype is BOOL:
        return np.array([0, 1, 2, 128, 255], np.uint8)
    numbers = {0, 1, 2, 3}
    for power in (*range(7, 12), 15, 16, 23, 24, 25, 30, 31, 32, 33, 40, 52, 53, 54, 62, 63, 64):
        for step in (0, 1, 2**power >> 8, 2**power >> 9, 2**power >> 11, 2**power >> 24):
            numbers |= {2**power + sign * (step + more) for sign in (1, -1) for more in (0, 1, -1)}
    numbers |= {-number for number in numbers}
    if dtype.kind == "int":
        low, high = limits(dtype)
        inside = sorted({*filter(lambda n: low <= n <= high, numbers), low, high})
        return np.array(inside, dtype.numpy)
    halves = [number + sign * 0.5 for number in numbers for sign in (0, 1, -1)]
    special = [
        0.0,
        -0.0,
        math.inf,
        -math.inf,
        math.nan,
        1e-45,
        -1e-8,
        0.1,
        -0.9,
        1e30,
        -3e38,
        1e300,
    ]
    with np.errstate(over="ignore"):
        return np.array([*halves, *special], np.float64).astype(dtype.numpy)


def number(value: object, dtype: DType) -> float | int:
    return int(value) if dtype.kind != "float" else float(value)  # type: ignore[call-overload,no-any-return,arg-type]


def model(value: float | int, source: DType, target: DType) -> float | int | bool:
    """One value by hand."""
    if source is BOOL:
        value = int(value != 0)
    if target is BOOL:
        return value != 0
    if target.kind == "int":
        if source.kind == "float":
            low, high = limits(target)
            if math.isnan(value):
                return 0
            return int(value) if low <= value <= high else low if value < 0 else high
        return (int(value) - limits(target)[0]) % 2**target.bits + limits(target)[0]
    if not math.isfinite(value) or value == 0:
        return float(value)
    precision, lowest, largest = PRECISIONS[target]
    found = nearest(Fraction(value), precision, lowest)
    found = math.copysign(found, value)
    return found if abs(found) <= largest else math.copysign(math.inf, value)


def expected(values: Array, source: DType, target: DType) -> Array:
    results = [model(number(value, source), source, target) for value in values]
    if target.kind == "float":
        return np.array(results, np.float64).astype(target.numpy)
    return np.array(results, target.numpy)


def same(found: Array, wanted: Array) -> bool:
    nan = np.isnan(found) if found.dtype.kind not in "iub" else np.zeros(found.shape, bool)
    size = f"u{found.itemsize}"
    patterns = found.view(size), wanted.view(size)
    unequal = (patterns[0] != patterns[1]) & ~(nan & np.isnan(wanted.astype(np.float64)))
    return not unequal.any()


def as_loaded(values: Array, dtype: DType) -> Array:
    kind = stored_as(dtype)
    return values.view(f"u{dtype.itemsize}" if kind[0] == "i" else dtype.numpy)
