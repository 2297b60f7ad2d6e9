"""Errors in ULP and roundings, by hand and against exact integers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.truth.double_double import Pair
from openaclnn.truth.ulp import format_of, round_to, ulp_error, wrong_zeros

INF, NAN = np.inf, np.nan
TINY = 2.0**-149
MAX16, MAX32 = 65504.0, float(np.finfo(np.float32).max)

ROWS = [
    # dtype, actual, high, low, error in ULP
    (FLOAT, 1.0, 1.0, 0.0, 0.0),
    (FLOAT, 1.0, 1.0, 2.0**-54, 2.0**-31),
    (FLOAT, 1.0, 1.0, -(2.0**-54), 2.0**-30),  # the true value lies in the binade below 1
    (FLOAT, 1.0, 1 - 2.0**-25, 0.0, 0.5),
    (FLOAT, -1.5, -1.5 - 2.0**-23, 0.0, 1.0),
    (FLOAT, 0.0, 2.0**-150, 0.0, 0.5),
    (FLOAT, TINY, 2.0**-150, 0.0, 0.5),
    (FLOAT, TINY, -TINY, 0.0, 2.0),
    (FLOAT, 0.0, 0.0, 0.0, 0.0),
    (FLOAT, 2.0**-126, 2.0**-126, -(2.0**-200), 2.0**-51),
    (FLOAT, INF, 2.0**128, 0.0, 0.0),
    (FLOAT, INF, MAX32 + 2.0**103, 0.0, 0.0),  # the tie goes to infinity
    (FLOAT, INF, MAX32 + 2.0**103, -1.0, 0.5 + 2.0**-104),
    (FLOAT, INF, MAX32, 0.0, 1.0),
    (FLOAT, MAX32, MAX32 + 2.0**103, 0.0, 0.5),
    (FLOAT, MAX32, 1e300, 0.0, 1e300 / 2.0**104),
    (FLOAT, -INF, 2.0**128, 0.0, INF),
    (FLOAT, INF, INF, 0.0, 0.0),
    (FLOAT, MAX32, INF, 0.0, INF),
    (FLOAT, NAN, NAN, 0.0, 0.0),
    (FLOAT, NAN, 1.0, 0.0, INF),
    (FLOAT, 1.0, NAN, 0.0, INF),
    (FLOAT16, INF, 65520.0, 0.0, 0.0),
    (FLOAT16, INF, 65519.0, 0.0, (65536 - 65519) / 32),
    (FLOAT16, -INF, -65520.0, 2.0**-40, 0.5 + 2.0**-45),
    (FLOAT16, 1.0, 1.0 + 2.0**-10, 0.0, 1.0),
    (BF16, 1.0, 1.0 + 2.0**-8, 0.0, 0.5),
    (DOUBLE, 1.0, 1.0, 2.0**-54, 0.25),
    (DOUBLE, INF, INF, 0.0, 0.0),
    (DOUBLE, INF, 1.7e308, 0.0, INF),
    (DOUBLE, 5e-324, 0.0, 0.0, 1.0),
]


@pytest.mark.parametrize(("dtype", "actual", "high", "low", "expected"), ROWS)
def test_ulp_error(dtype: DType, actual: float, high: float, low: float, expected: float) -> None:
    values = np.array([actual]).astype(dtype.numpy)
    true = Pair(np.array([high]), np.array([low]))
    np.testing.assert_allclose(ulp_error(values, dtype, true), [expected], rtol=1e-9)
    bits = values.view({2: np.uint16, 4: np.uint32, 8: np.uint64}[dtype.itemsize])
    np.testing.assert_array_equal(ulp_error(bits, dtype, true), ulp_error(values, dtype, true))


def test_rows_together() -> None:
    """In one array, as one by one; a signalling NaN is no trouble."""
    rows = [row for row in ROWS if row[0] is FLOAT]
    actual = np.array([row[1] for row in rows], np.float32).view(np.uint32)
    actual[np.isnan([row[1] for row in rows])] = 0x7F800001
    true = Pair(*(np.array([row[column] for row in rows]) for column in (2, 3)))
    expected = [row[4] for row in rows]
    np.testing.assert_allclose(ulp_error(actual, FLOAT, true), expected, rtol=1e-9)


def test_a_wrong_dtype_is_named() -> None:
    with pytest.raises(TypeError, match="dtype int64; expected FLOAT"):
        ulp_error(np.ones(1, np.int64), FLOAT, Pair(np.ones(1), np.zeros(1)))
    with pytest.raises(ValueError, match="INT8 has no unit"):
        ulp_error(np.ones(1, np.int8), "s8", Pair(np.ones(1), np.zeros(1)))


def test_zeros_of_the_wrong_sign() -> None:
    true = Pair(np.array([-1e-60, -1e-60, 0.0, -0.0, NAN]), np.zeros(5))
    actual = np.array([0.0, -0.0, -0.0, -0.0, 0.0], np.float32)
    assert wrong_zeros(actual, FLOAT, true).tolist() == [True, False, True, False, False]


@pytest.mark.parametrize("dtype", [FLOAT16, BF16, FLOAT])
def test_rounding_is_to_nearest_even(dtype: DType) -> None:
    generator = np.random.default_rng(3)
    f = format_of(dtype)
    exponents = generator.integers(f.lowest - f.bits - 2, f.highest + 2, 400)
    high = generator.uniform(1, 2, 400) * 2.0**exponents
    ties = high[:200].astype(np.float32).astype(dtype.numpy).astype(np.float64)
    finite = np.isfinite(ties)
    high[:200] = np.where(finite, ties + 2.0 ** (np.maximum(exponents[:200], f.lowest) - f.bits), 1)
    low = high * 2.0**-60 * generator.choice([-1, 0, 1], 400)
    sign = generator.choice([-1.0, 1.0], 400)
    rounded = round_to(dtype, Pair(sign * high, sign * low)).astype(np.float64)
    for value, a, b in zip(rounded * sign, high, low, strict=True):
        assert value == _nearest(Fraction(a) + Fraction(b), dtype)


def _nearest(value: Fraction, dtype: DType) -> float:
    f = format_of(dtype)
    exponent = f.lowest
    while value >= Fraction(2) ** (exponent + 1) and exponent < f.highest:
        exponent += 1
    ulp = Fraction(2) ** (exponent - f.bits + 1)
    result = round(value / ulp) * ulp  # Python rounds ties of fractions to even
    return INF if result > Fraction(f.largest) else float(result)


@pytest.mark.parametrize("dtype", [FLOAT16, BF16, FLOAT, DOUBLE])
def test_rounding_of_special_values(dtype: DType) -> None:
    special = np.array([NAN, -NAN, INF, -INF, 0.0, -0.0, -1e-320])
    rounded = round_to(dtype, Pair(special, np.zeros(7)))
    bits = rounded.view({2: np.uint16, 4: np.uint32, 8: np.uint64}[dtype.itemsize])
    assert bits[0] == bits[1] == np.array([NAN]).astype(dtype.numpy).view(bits.dtype)[0]
    assert int(bits[0]) >> (dtype.bits - 1) == 0
    back = rounded.astype(np.float64)
    np.testing.assert_array_equal(np.isinf(back), [0, 0, 1, 1, 0, 0, 0])
    assert np.signbit(back[2:]).tolist() == [False, True, False, True, True]
