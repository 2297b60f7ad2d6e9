"""Routines in NumPy and Python's fractions: what the engines' own are compared with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from openaclnn.spec.routine import Routine
from openaclnn.spec.scans import Scan

Array = np.ndarray[Any, Any]
# of every float: bits of a fraction, the exponents of its least and its largest normal number
_FORMS = {
    "float16": (11, -14, 15), "bfloat16": (8, -126, 127), "float32": (24, -126, 127),
    "float64": (53, -1022, 1023),
}  # fmt: skip


def routine_results(
    routine: Routine, inputs: Sequence[Array], outputs: Sequence[Array]
) -> list[Array]:
    """What a routine gives for arrays; of outputs only shapes and dtypes count."""
    return _ROUTINES[type(routine)](routine, inputs, outputs)


def nearest(exact: Fraction, dtype: np.dtype[Any]) -> float:
    """The float of a dtype nearest to a fraction, of two the even one."""
    digits, least, largest = _FORMS[dtype.name]
    if not exact:
        return 0.0
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if abs(exact) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, least) - digits + 1)
    found = round(exact / unit) * unit
    if abs(found) >= Fraction(2) ** (largest + 1):
        return math.copysign(math.inf, found)
    return float(found)


def _scan(routine: Any, inputs: Sequence[Array], outputs: Sequence[Array]) -> list[Array]:
    (out,) = outputs
    with np.errstate(all="ignore"):
        x = inputs[0].astype(out.dtype)
    if not x.ndim:
        return [x]
    if out.dtype.name not in _FORMS:
        return [np.cumsum(x, axis=routine.dim, dtype=out.dtype)]
    return [np.apply_along_axis(_prefix_sums, routine.dim, x, out.dtype).astype(out.dtype)]


def _prefix_sums(row: Array, dtype: np.dtype[Any]) -> Array:
    total, special, found = Fraction(0), 0.0, []
    for x in map(float, row):
        if math.isfinite(x):
            total += Fraction(x)
        else:
            special += x
        found.append(nearest(total, dtype) if special == 0 else special)
        if math.isnan(special):
            found[-1] = math.nan  # the one quiet NaN
    return np.array(found, np.float64)


_ROUTINES: dict[type[Routine], Callable[[Any, Sequence[Array], Sequence[Array]], list[Array]]] = {
    Scan: _scan,
}
