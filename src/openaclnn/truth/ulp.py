"""Units in the last place: the spacing of a float type at the true value, errors counted in it,
and the rounding of a reference to a type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base import dtypes
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.records import dataclass
from openaclnn.truth.double_double import Floats, Pair, power_of_two


@dataclass(frozen=True)
class Format:
    """A binary float type: significand bits and the exponents of its normal numbers."""

    bits: int
    lowest: int
    highest: int
    infinite_from: float = 0.0  # what rounds to infinity; 0: half a unit beyond the largest

    @property
    def largest(self) -> float:
        return (2.0 - 2.0 ** (1 - self.bits)) * 2.0**self.highest

    @property
    def overflow(self) -> float:
        return self.infinite_from or self.largest + 2.0 ** (self.highest - self.bits)


# What becomes of numbers that are rounded twice, to both types of 16 bits: one has fewer bits, the
# other a smaller range, with 2^-24 for its smallest number.
BF16_FLOAT16 = DType("FLOAT16 of BF16", -2, 16, "float", "float32")
FLOAT16_BF16 = DType("BF16 of FLOAT16", -3, 16, "float", "float32")
TWICE_ROUNDED = (BF16_FLOAT16, FLOAT16_BF16)

FORMATS: dict[DType, Format] = {
    FLOAT16: Format(11, -14, 15),
    BF16: Format(8, -126, 127),
    FLOAT: Format(24, -126, 127),
    DOUBLE: Format(53, -1022, 1023),
    BF16_FLOAT16: Format(8, -17, 15),
    FLOAT16_BF16: Format(8, -17, 16, infinite_from=65520.0),
}


def format_of(dtype: DType) -> Format:
    try:
        return FORMATS[dtype]
    except KeyError:
        known = ", ".join(str(d) for d in FORMATS if d.short)
        raise ValueError(
            f"{dtype} has no unit in the last place; expected one of {known}"
        ) from None


def spacing(high: Floats, low: Floats | float, dtype: DType) -> Floats:
    """The ULP of `dtype` in the binade of high + low: constant over the subnormals and below,
    that of the largest number beyond the range."""
    f = format_of(dtype)
    bits = np.ascontiguousarray(high, np.float64).view(np.int64).reshape(np.shape(high))
    exponent = (bits >> 52) & 0x7FF
    # a power of two with something taken off lies in the binade below
    short = ((bits & ((1 << 52) - 1)) == 0) & (np.signbit(high) != np.signbit(low)) & (low != 0)
    exponent = np.clip(exponent - 1023 - short, f.lowest, f.highest)
    return power_of_two(np.asarray(exponent, np.int64)) * 2.0 ** (1 - f.bits)


def ulp_error(actual: NDArray[Any], dtype: DType | str, reference: Pair) -> Floats:
    """How far results are from the true values, in ULP of the true value's binade.

    `actual` has the NumPy dtype of `dtype`, or is its bit patterns as unsigned integers. The
    error is never negative. Infinity is right (0) from the largest number plus half an ULP on,
    where rounding gives it; where the true value is smaller it counts as the power of two after
    the largest number. NaN for NaN is 0, and one without the other is infinite, as is a finite
    value for a truly infinite one. Signs of zeros are not looked at: see `wrong_zeros`.

    >>> true = Pair(np.array([1.0, 1e6]), np.array([2.0**-26, 0.0]))
    >>> ulp_error(np.array([1.0, np.nan], np.float32), "f32", true).tolist()
    [0.125, inf]
    >>> ulp_error(np.array([0x3C00, 0x7C00], np.uint16), "f16", true).tolist()
    [1.52587890625e-05, 0.0]
    """
    dtype = dtypes.by_name(dtype) if isinstance(dtype, str) else dtype
    a, high, low = np.broadcast_arrays(as_float64(actual, dtype), *reference)
    with np.errstate(all="ignore"):
        ulp = spacing(high, low, dtype)
        error = np.asarray(np.abs((a - high) - low) / ulp)
        special = ~(np.isfinite(a) & np.isfinite(high))
        if special.any():
            true = Pair(high[special], low[special])
            error[special] = special_errors(a[special], true, ulp[special], format_of(dtype))
    return error


def special_errors(a: Floats, true: Pair, ulp: Floats, f: Format) -> Floats:
    """Errors where the result or the true value is NaN or infinite."""
    high, low = true
    beyond = 2 * 2.0**f.highest if f.highest < 1023 else np.inf  # what infinity stands for
    short = np.copysign(beyond, a) - high - low
    past = np.abs(high) - (beyond - ulp / 2)
    overflown = (past > 0) | ((past == 0) & (np.where(high < 0, -low, low) >= 0)) | np.isinf(high)
    error = np.where(overflown, 0.0, np.abs(short) / ulp)
    wrong = ~np.isinf(a) | np.isnan(high) | (np.sign(a) != np.sign(high))
    error = np.where(wrong, np.inf, error)
    return np.where(np.isnan(a) & np.isnan(high), 0.0, error)


def wrong_zeros(actual: NDArray[Any], dtype: DType, reference: Pair) -> NDArray[np.bool_]:
    """Where a result is a zero of the other sign than the true value has."""
    a = as_float64(actual, dtype)
    differ = np.signbit(a) != np.signbit(reference.high)
    return np.asarray((a == 0) & differ & ~np.isnan(reference.high))


def round_to(dtype: DType, value: Pair) -> NDArray[Any]:
    """The numbers of `dtype` nearest to the pairs, ties to even, overflow to infinity; every NaN
    is the type's one quiet NaN.

    >>> round_to(BF16, Pair(np.array([1 + 2.0**-8]), np.array([2.0**-80]))).tolist()
    [1.0078125]
    """
    f = format_of(dtype)
    high, low = np.asarray(value.high, np.float64), np.asarray(value.low, np.float64)
    if dtype is DOUBLE:
        result = high.copy()
    else:
        with np.errstate(all="ignore"):
            sticky = _to_odd(high, low)
            ulp = spacing(sticky, 0.0, dtype)
            result = np.copysign(np.rint(sticky / ulp) * ulp, high)
            over = np.abs(sticky) >= f.overflow
            result = np.where(over, np.copysign(np.inf, high), result)
    result = np.where(np.isnan(high), np.nan, result)
    with np.errstate(all="ignore"):
        return result.astype(dtype.numpy)


def _to_odd(high: Floats, low: Floats) -> Floats:
    """high + low cut to 53 bits with the last one set if anything was cut: a rounding to fewer
    bits then goes as it would for the sum itself."""
    bits = np.ascontiguousarray(high).view(np.int64).reshape(high.shape)
    outward = np.signbit(high) == np.signbit(low)
    even = (bits & 1) == 0
    step = np.where((low != 0) & even & np.isfinite(high) & (high != 0), 2 * outward - 1, 0)
    return np.ascontiguousarray(bits + step).view(np.float64).reshape(high.shape)


def as_float64(array: NDArray[Any], dtype: DType) -> Floats:
    """The exact values of elements of `dtype`, also where they come as bit patterns."""
    array = np.asarray(array)
    if array.dtype != dtype.numpy:
        if array.dtype.kind not in "uiV" or array.dtype.itemsize != dtype.itemsize:
            raise TypeError(f"the results have dtype {array.dtype}; expected {dtype} or its bits")
        array = np.ascontiguousarray(array).view(dtype.numpy).reshape(array.shape)
    with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN like any other
        return array.astype(np.float64)
