"""Conversion between true values and the elements of tensors of any dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import BOOL, COMPLEX64, COMPLEX128, DOUBLE, FLOAT, DType, integers
from openaclnn.truth.double_double import Pair, two_sum
from openaclnn.truth.ulp import round_to

Truth = Pair | NDArray[Any]  # numbers to 106 bits; or integers or conditions, exactly

_PART_OF = {COMPLEX64: FLOAT, COMPLEX128: DOUBLE}


def worth(array: NDArray[Any]) -> Pair:
    """The exact values of elements of any real dtype."""
    with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN like any other
        if array.dtype.kind not in "iu" or array.dtype.itemsize < 8:
            return Pair(array.astype(np.float64), np.float64(0.0))
    upper = (array >> 32).astype(np.float64) * 2.0**32
    return two_sum(upper, (array & 0xFFFFFFFF).astype(np.float64))


def stored(truth: Truth, promoted: DType, out: DType) -> NDArray[Any]:
    """A true value as a kernel writes it that makes no error: as one of the promoted dtype, that
    converted to the output's."""
    part = _PART_OF.get(out, out)
    if isinstance(truth, Pair):
        found = _converted(round_to(promoted, truth), part)
    else:
        found = _converted(truth, part)
    return found if part is out else found.astype(out.numpy)


def _converted(array: NDArray[Any], out: DType) -> NDArray[Any]:
    """Integers wrap in narrower ones; floats are truncated to integers, to the nearest there is
    where that is out of range, and NaN to 0; all but 0 is true."""
    if array.dtype == out.numpy:
        return array
    if out is BOOL:
        return np.asarray(array != 0)
    if out.kind == "float":
        return round_to(out, worth(array))
    if array.dtype.kind in "iub":
        return array.astype(out.numpy)
    return _truncated(array.astype(np.float64), out)


def _truncated(values: NDArray[Any], out: DType) -> NDArray[Any]:
    held = integers(out)
    with np.errstate(invalid="ignore"):
        whole = np.trunc(np.where(np.isnan(values), 0.0, values))
        found = whole.astype(out.numpy)
        found = np.where(whole <= held[0], held[0], found)
        # the largest one may be no float64: what follows it is
        return np.where(whole >= float(held[-1]) + 1, held[-1], found).astype(out.numpy)
