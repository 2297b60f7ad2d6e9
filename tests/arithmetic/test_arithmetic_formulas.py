"""Any formula of the vocabulary, lowered for every compute type, against many digits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from interpreter import Array, evaluate
from openaclnn.arithmetic.lower import Body, lower
from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16, DType
from openaclnn.spec.formula import (
    Expr,
    Traced,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    clamp,
    cos,
    cosh,
    erf,
    erfc,
    erfinv,
    exp,
    exp2,
    expm1,
    log,
    log1p,
    log2,
    log10,
    maximum,
    minimum,
    pow,
    rsqrt,
    sigmoid,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    tensor,
    text,
    trace,
    uniform,
    where,
)
from truth import (
    DOUBLE_FOR_FLOAT,
    SINGLE,
    SINGLE_FOR_BF16,
    SINGLE_FOR_FLOAT16,
    Precision,
    Truth,
    Unknown,
)

WAYS = [
    (FLOAT, "f32", SINGLE),
    (FLOAT16, "f32", SINGLE_FOR_FLOAT16),
    (BF16, "f32", SINGLE_FOR_BF16),
    (FLOAT, "f64", DOUBLE_FOR_FLOAT),
]
IDS = [f"{dtype}-{compute}" for dtype, compute, _ in WAYS]
LIMITS: dict[DType, Any] = {
    FLOAT: np.finfo(np.float32),
    FLOAT16: np.finfo(np.float16),
    BF16: ml_dtypes.finfo(ml_dtypes.bfloat16),
}
G, X, Z, K = tensor("g"), tensor("x"), tensor("z"), uniform("k")


def traced(result: Expr) -> Traced:
    symbols = {symbol.name: symbol for symbol in (G, X, Z, K)}
    return trace(lambda **_: result, symbols)


def computed(
    body: Body, dtype: DType, points: Sequence[Sequence[float]], k: float
) -> tuple[Array, Array]:
    """The results' bits by both ways: where `rare` holds, the first one's are in both."""
    loads = [column.astype(dtype.numpy) for column in np.array(points, np.float64).T]
    if dtype is not FLOAT:
        loads = [load.view(np.uint16) for load in loads]
    shape = len(points)
    long = np.broadcast_to(evaluate(body.results[0], *loads, uniforms=[k]), shape)
    if body.unguarded is None or body.rare is None:
        return long, long
    rare = evaluate(body.rare, *loads, uniforms=[k])
    short = evaluate(body.unguarded[0], *loads, uniforms=[k])
    return long, np.where(rare, long, short)


def allowed(dtype: DType, value: mpf, error: mpf) -> tuple[float, float]:
    """Between which results a rounded one may lie."""
    limits = LIMITS[dtype]
    ends = []
    for end, sign in ((value - error, -1), (value + error, 1)):
        end += sign * (abs(end) * float(limits.eps) * 0.51 + float(limits.smallest_subnormal))
        ends.append(math.copysign(math.inf, end) if abs(end) > float(limits.max) else float(end))
    return ends[0], ends[1]


def rounded(points: Sequence[Sequence[float]], dtype: DType) -> list[list[float]]:
    """The finite numbers of a dtype nearest to these."""
    largest = float(LIMITS[dtype].max)
    found = np.clip(np.array(points), -largest, largest).astype(dtype.numpy).astype(np.float64)
    return found.tolist()  # type: ignore[no-any-return]


def check(
    result: Expr, dtype: DType, compute: str, precision: Precision, points: Any, k: float
) -> int:
    """Both ways against the truth at every point; at how many there is one to compare with."""
    body = lower(traced(result), (dtype,) * 3, dtype, (dtype,), compute)
    points = rounded(points, dtype)
    long, short = computed(body, dtype, points, k)
    assert np.array_equal(long, short), "the unguarded way has other bits"
    values = long.view(dtype.numpy).astype(np.float64)
    compared = 0
    for point, value in zip(points, values.tolist(), strict=True):
        try:
            near = Truth(precision, dict(zip("gxzk", [*point, k], strict=True))).of(result)
        except Unknown:
            continue
        low, high = allowed(dtype, near.value, near.error)
        assert low <= value <= high, (
            f"{text(result)} at g={point[0]!r}, x={point[1]!r}, z={point[2]!r}, k={k!r}: "
            f"{value!r}, true {mp.nstr(near.value, 12)} ± {mp.nstr(near.error, 3)}"
        )
        compared += 1
    return compared


ORDINARY = [(7.0, x, z) for x in (0.0, -0.5, 1.0, -3.0, 20.0, -60.0, 79.0) for z in (1.5, -0.25)]
FAR = [(7.0, x, 0.5) for x in (81.0, -81.0, 86.5, 100.0, -100.0, 150.0, 250.0, -339.0)]
EXTREME = [(2.0, x, z) for x in (3.0, 75.0, 90.0, -95.0) for z in (0.0, 3e38, -3e38, 1e-40)]
POINTS = ORDINARY + FAR + EXTREME

e = exp(-abs(X))
ROWS: list[Expr] = [
    # factors that were dropped
    where(X > 0, G, G * e),
    where(X > 0, G * e, G),
    where(X > 0, G * e, Z * e),
    2 * (G * e),
    1 + G * e,
    G * e + 1,
    G * e + Z,
    Z - G * e,
    (G * e) * (1 / (1 + e)),
    (G * e) / (1 + e),
    (G * e) / 3,
    (G * e) / Z,
    3 / (1 + G * e),
    (G * e) * (Z * e),
    G * e + Z * e,
    G * e - Z * (e / (1 + e)),
    abs(G * e) * -Z,
    Z * (G * e),
    # dividends and divisors of any kind
    G / (1 + e),
    1 / e,
    G / e,
    e / e,
    1 / (e * e),
    (1 + e) / (2 + e),
    1 / where(X > 0, 1 + e, 2 - e),
    e / (e + e * e),
    (e * e) / e,
    # sums of what is small
    e + e * e,
    G * (e + e * e),
    Z + e,
    e - Z,
    abs(Z) + 1 + e,
    1 - e,
    2 - e * e,
    # exponentials of either sign
    exp(X),
    exp(-X),
    1 / (1 + exp(-X)),
    exp(X) / (1 + exp(X)),
    exp(X) / ((1 + exp(X)) * (1 + exp(X))),
    (exp(X) - exp(-X)) / (exp(X) + exp(-X)),
    (exp(2 * X) - 1) / (exp(2 * X) + 1),
    X / (1 + exp(-X)),
    G * where(X > 0, 1, exp(X)),
    where(X > 0, X, exp(X) - 1),
    exp(X) * exp(-X),
    exp(X) * exp(-X * 0.5),
    exp(X * X * -0.5),
    exp(K * X),
    exp(exp(X * 0.01)),
    clamp(exp(X), 0.5, 2),
    where(exp(X) > 2, Z, G * exp(X)),
    # other functions
    log1p(e),
    -log1p(exp(-X)),
    Z * log1p(e * e),
    log1p(expm1(X)),
    expm1(log1p(abs(X))),
    G * sigmoid(X) * sigmoid(-X),
    sigmoid(sigmoid(X)),
    1 / sigmoid(X) - 1,
    sigmoid(X) / (1 + e),
    where(X > 0, X, Z * expm1(K * X)),
    log(abs(X) + 1),
    G * log(1 + e) - log(e + 2),
    sqrt(abs(X)) * Z + sqrt(1 + e),
    G * rsqrt(1 + X * X),
    Z * sin(X) + cos(X * 0.5),
    sin(G * X) / (2 + cos(X)),
    0.5 * X * (1 + tanh(0.797 * (X + 0.0447 * X * X * X))),
    0.5 * X * (1 + erf(X * 0.7071)),
    tanh(e) * erf(e * e),
    0.5 * X * erfc(X * -0.7071),
    Z * atan(X) + asinh(G * X),
    exp2(X * 0.1) + log2(1 + abs(X)) * log10(2 + e),
    sinh(X * 0.1) - cosh(X * 0.05) * tan(Z),
    asin(e * 0.9) + acos(-0.9 * e) + atanh(0.9 * e) * erfinv(0.9 * e),
    acosh(2 + abs(X)) * pow(1 + e, Z),
    G * atan2(Z, X),
]


@pytest.mark.parametrize(("dtype", "compute", "precision"), WAYS, ids=IDS)
@pytest.mark.parametrize("row", ROWS, ids=text)
def test_rows(row: Expr, dtype: DType, compute: str, precision: Precision) -> None:
    assert check(row, dtype, compute, precision, POINTS, -0.75) > 3


T = e / (1 + e)
LIFTED: list[Expr] = [
    G * e,
    e * G,
    (-G) * e,
    G * -e,
    (-G) * T,
    G * abs(T),
    (0.5 * G) * T,
    2 * (G * T),
    (G * T) * 2,
    (G * T) / 3,
    G * (T / 3),
    (G * T) / (1 + e),
    G * (e * T),
    G * (e + T),
    G * (T - e * 0.25),
    G * where(X > 0, T, 1 - T),
    where(X > 0, G * T, G),
    where(X > 0, G * T, Z * e),
    G * exp(-X),
    G / exp(X),
    G / (1 + exp(X)),
    G * (exp(-X) / ((1 + exp(-X)) * (1 + exp(-X)))),
    G * sigmoid(-X),
    G * (sigmoid(X) * sigmoid(-X)),
    -G * (sigmoid(-X) * 0.125),
]
LOWERED: list[Expr] = [
    G * exp(X),
    exp(X) * -G,
    G / exp(-X),
    G * (1 + exp(X)),
    G * (exp(X) - 2),
    G * (exp(X) * exp(0.25 * X)),
    G * (exp(X) + exp(0.5 * X)),
    G * (exp(X) / (1 + e)),
    G * where(X > 0, exp(X), 1 + e),
    where(X > 0, G * exp(X), Z),
]
LARGE = [(g, x, 1.0) for g in (3e38, -1e30) for x in (90.0, 100.0, 130.0, 150.0)]
SMALL = [(g, x, 1.0) for g in (1.2e-38, -1e-30) for x in (60.0, 90.0, 120.0)]
SCALED = [(row, LARGE) for row in LIFTED] + [(row, SMALL) for row in LOWERED]
SCALED.append((abs(X) - 90 + e, [(1.0, 90.0, 1.0)]))  # nothing beside a term that is 0


@pytest.mark.parametrize(("dtype", "compute"), [(FLOAT, "f32"), (FLOAT, "f64"), (BF16, "f32")])
@pytest.mark.parametrize(("row", "points"), SCALED)
def test_factors_bring_back_what_is_outside_the_range(
    row: Expr, points: Any, dtype: DType, compute: str
) -> None:
    """e^-100 is no whole float32, but 3e38 times it is; e^100 is none, but 1e-38 times it is."""
    body = lower(traced(row), (dtype,) * 3, dtype, (dtype,), compute)
    points = rounded(points, dtype)
    long, short = computed(body, dtype, points, 1.0)
    assert np.array_equal(long, short)
    for point, value in zip(points, long.view(dtype.numpy).astype(np.float64), strict=True):
        wide = Precision(0.0, 0.0, math.inf, 0.0, 0.0, math.inf)
        true = Truth(wide, dict(zip("gxz", point, strict=True))).of(row).value
        bound = abs(true) * (2.0**-20 if dtype is FLOAT else 2.0**-8.5)
        bound += 2 * float(LIMITS[dtype].smallest_subnormal)
        if abs(true) > float(LIMITS[dtype].max):
            true, bound = math.copysign(math.inf, true), 0.0
        assert value == true or abs(value - true) <= bound, (point, value, mp.nstr(true))


@pytest.mark.parametrize(("dtype", "compute", "precision"), WAYS, ids=IDS)
def test_specials(dtype: DType, compute: str, precision: Precision) -> None:
    """What IEEE 754 makes of infinities and NaN."""
    inf, nan = math.inf, math.nan
    rows: list[tuple[Expr, float, float]] = [
        (exp(X), inf, inf),
        (exp(X), -inf, 0.0),
        (exp(X), nan, nan),
        (exp(X), 1000.0, inf),
        (exp(X), -1000.0, 0.0),
        (exp(-abs(X)), inf, 0.0),
        (1 / (1 + exp(-X)), inf, 1.0),
        (1 / (1 + exp(-X)), -inf, 0.0),
        (1 / (1 + exp(-X)), -60000.0, 0.0),
        (exp(X) / (1 + exp(X)), 60000.0, 1.0),
        (1 / (1 - exp(-abs(X))), 0.0, inf),
        (1 / exp(X), -inf, inf),
        (X * exp(X), -inf, nan),
    ]
    for row, x, expected in rows:
        body = lower(traced(row), (dtype,) * 3, dtype, (dtype,), compute)
        for bits in computed(body, dtype, [(1.0, x, 1.0)], 1.0):
            found = float(bits.view(dtype.numpy)[0])
            assert found == expected or (math.isnan(found) and math.isnan(expected)), (
                text(row), x, found,
            )  # fmt: skip


LEAVES = st.one_of(
    st.sampled_from([G, X, Z, K, abs(X), exp(-abs(X)), exp(X), 1 + exp(-abs(X)), sigmoid(X)]),
    st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5, 3.0, -6.0, 1e-3, 1e20]).map(
        lambda value: Expr("const", value=value)
    ),
)
BINARY: list[Callable[[Any, Any], Expr]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    minimum,
    maximum,
]
FUNCTIONS: list[Callable[[Any], Expr]] = [
    exp, expm1, log, log1p, sigmoid, sqrt, rsqrt, sin, cos, tanh, erf,
]  # fmt: skip
COMPARISONS: list[Callable[[Any, Any], Expr]] = [
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]


def larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    condition = st.builds(lambda test, a, b: test(a, b), st.sampled_from(COMPARISONS), inner, inner)
    return st.one_of(
        st.builds(lambda operation, a, b: operation(a, b), st.sampled_from(BINARY), inner, inner),
        st.builds(where, condition, inner, inner),
        st.builds(lambda x: clamp(x, -1.5, 2.5), inner),
        inner.map(lambda x: -x),
        inner.map(abs),
        st.builds(lambda function, x: function(x), st.sampled_from(FUNCTIONS), inner),
        inner.map(lambda x: exp(-abs(x))),
    )


FORMULAS = st.recursive(LEAVES, larger, max_leaves=8)
SIZES = [0.0, 0.25, -0.5, 1.0, -1.5, 3.0, -7.0, 30.0, -45.0, 79.5, -85.0, 95.0, -120.0, 300.0]
DRAWN = st.tuples(
    st.sampled_from([*SIZES, 3e38, -1e-30, 1e-40]),
    st.one_of(st.sampled_from(SIZES), st.floats(-130, 130, width=32)),
    st.sampled_from([*SIZES, 1e30, -2e-38]),
)


@settings(max_examples=300, deadline=None)
@given(FORMULAS, st.lists(DRAWN, min_size=4, max_size=12), st.sampled_from([1.0, -0.75, 2.5]))
def test_any_formula(formula: Expr, points: list[tuple[float, float, float]], k: float) -> None:
    for dtype, compute, precision in WAYS:
        check(formula, dtype, compute, precision, points, k)
