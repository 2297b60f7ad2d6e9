"""Errors of many results at once, in ULP.

`precision.ulp` says what an error is; this says the same three times as fast for the billions of
finite results of a proof, and hands the others to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import BF16, DOUBLE, DType
from openaclnn.truth.double_double import Floats, Pair
from openaclnn.truth.ulp import as_float64, format_of, ulp_error

Bits = NDArray[Any]  # unsigned integers as wide as the dtype

_EXPONENT = np.int64(0x7FF << 52)


def values(bits: Bits, dtype: DType) -> Floats:
    """The exact values of bit patterns."""
    if dtype is BF16:
        with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN like any other
            return np.asarray((bits.astype(np.uint32) << 16).view(np.float32), np.float64)
    return as_float64(bits, dtype)


def errors(bits: Bits, dtype: DType, truth: Pair) -> Floats:
    """How far results are from the truth, in ULP of the true value.

    A truth within 2⁻⁵³ of a power of two is judged by the finer ULP below it: never too
    leniently, and the right result passes either way.
    """
    if dtype is DOUBLE:  # no float64 has room for that leniency
        return ulp_error(bits, dtype, truth)
    f = format_of(dtype)
    with np.errstate(all="ignore"):
        off = values(bits, dtype)
        off -= truth.high
        off -= truth.low
        np.abs(off, out=off)
        ulp = np.abs(truth.high)
        ulp *= 1 - 2.0**-53  # steps from a power of two into the binade below
        exponents = ulp.view(np.int64)
        exponents &= _EXPONENT
        np.maximum(ulp, 2.0**f.lowest, out=ulp)
        np.minimum(ulp, 2.0**f.highest, out=ulp)
        off /= ulp
        off *= 2.0 ** (f.bits - 1)
        if not np.isfinite(off.sum()):
            _judge_special(off, bits, dtype, truth)
    return off


def _judge_special(off: Floats, bits: Bits, dtype: DType, truth: Pair) -> None:
    """Errors where the result or the truth is no finite number."""
    special = np.flatnonzero(~np.isfinite(off))
    both = np.isnan(truth.high[special]) & np.isnan(values(bits[special], dtype))
    off[special[both]] = 0.0
    rest = special[~both]
    if rest.size:
        off[rest] = ulp_error(bits[rest], dtype, Pair(truth.high[rest], truth.low[rest]))


def relative_errors(actual: Floats, truth: Pair) -> Floats:
    """|actual − truth| / |truth|, and 0 where both are NaN, infinite alike or zero."""
    with np.errstate(all="ignore"):
        error = np.abs(((actual - truth.high) - truth.low) / truth.high)
    alike = (actual == truth.high) | (np.isnan(actual) & np.isnan(truth.high))
    if alike.any():
        error = np.where(alike & ~(np.isfinite(error) & (truth.high != 0)), 0.0, error)
    return np.where(np.isnan(error), np.inf, error)
