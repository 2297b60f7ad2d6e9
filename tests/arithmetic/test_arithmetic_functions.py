"""The functions of formulas: how far from the truth they are, for all inputs of 16 bits and a
million of float32, and what they make of zeros, infinities and NaN."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import mpmath
import numpy as np
import pytest
import torch

from bodies import on_cpu
from interpreter import Array, evaluate
from openaclnn.arithmetic.lower import Body, lower
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.spec import formula
from openaclnn.spec.formula import (
    Expr,
    clamp,
    exp,
    expm1,
    log1p,
    minimum,
    sigmoid,
    tensor,
    trace,
    uniform,
    where,
)

MILLION = 1 << 20
# of the largest error in ULP: FLOAT in float32, at level fast; elsewhere it is 0.51
FAST = {
    "exp": 1.75, "expm1": 2.75, "log1p": 1.75, "sigmoid": 2.25, "log": 1.0, "sqrt": 0.5,
    "rsqrt": 1.5, "sin": 1.75, "cos": 1.75, "tanh": 3.0, "erf": 3.0,
    "exp2": 1.0, "log2": 2.5, "log10": 2.75, "tan": 4.0, "asin": 2.5, "acos": 1.5, "atan": 2.75,
    "sinh": 3.0, "cosh": 3.0, "asinh": 2.5, "acosh": 2.5, "atanh": 3.0, "erfc": 5.5,
    "erfinv": 3.0,
}  # fmt: skip
WAYS = [(FLOAT, "f32"), (FLOAT, "f64"), (FLOAT16, "f32"), (BF16, "f32")]
IDS = [f"{dtype}-{compute}" for dtype, compute in WAYS]
PRECISIONS = {FLOAT: (24, -126), FLOAT16: (11, -14), BF16: (8, -126)}
VOCABULARY: dict[str, Callable[[Any], Expr]] = {name: getattr(formula, name) for name in FAST}


def _sigmoid(x: Array) -> Array:
    e = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1, e) / (1 + e))


TRUE: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp, "expm1": np.expm1, "log1p": np.log1p, "sigmoid": _sigmoid, "log": np.log,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "sin": np.sin, "cos": np.cos,
    "tanh": np.tanh, "exp2": np.exp2, "log2": np.log2, "log10": np.log10, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}  # fmt: skip
TRUE |= {
    name: lambda x, name=name: getattr(torch, name)(torch.from_numpy(x)).numpy()  # type: ignore[misc]
    for name in ("erf", "erfc", "erfinv")
}
EXACTLY: dict[str, Callable[[Any], Any]] = {
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "log2": lambda x: mpmath.log(x, 2),
}
DOMAINS = {
    "log1p": (-1.0, math.inf), "acosh": (1.0, math.inf),
    **dict.fromkeys(("log", "log2", "log10", "sqrt", "rsqrt"), (0.0, math.inf)),
    **dict.fromkeys(("asin", "acos", "atanh", "erfinv"), (-1.0, 1.0)),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with np.errstate(all="ignore"):
        yield


def body_of(function: Callable[..., Expr], dtype: DType, compute: str, *names: str) -> Body:
    tensors = {name: tensor(name) for name in names if name.islower()}
    traced = trace(function, tensors | {name: uniform(name) for name in names if name.isupper()})
    return lower(traced, (dtype,) * len(tensors), dtype, (dtype,), compute)


@cache
def patterns(dtype: DType) -> Array:
    """Every pattern of 16 bits. Of float32, a third anywhere, a third where functions change, the
    rest close to 0 and to ±1; and zeros, infinities and a NaN."""
    if dtype is not FLOAT:
        return np.arange(1 << 16, dtype=np.uint16).view(dtype.numpy)
    rng = np.random.default_rng(7)
    third = MILLION // 3
    special = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-45, -1e-45, -1.0, 1.0]
    return np.concatenate([
        rng.integers(0, 1 << 32, third, np.uint32).view(np.float32),
        rng.uniform(-105, 90, third).astype(np.float32),
        (rng.choice([-1.0, 1.0], third) * 2.0 ** rng.uniform(-30, 1, third)).astype(np.float32),
        (np.arange(1 - 2000, 2000) * (math.pi / 2)).astype(np.float32),
        np.nextafter(np.float32(-1), np.float32(0), dtype=np.float32) + np.zeros(1, np.float32),
        np.array(special * 2, np.float32),
    ])  # fmt: skip


def errors(found: Array, true: Array, dtype: DType) -> Array:
    """In ULP of the dtype; of what is infinite, NaN or overflows, 0 or infinity."""
    precision, lowest = PRECISIONS[dtype]
    _, exponent = np.frexp(true)
    spacing = np.ldexp(1.0, np.maximum(exponent - 1, lowest) - precision + 1)
    wide = found.astype(np.float64)
    overflows = np.abs(true) >= (2 - 2.0**-precision) * 2.0 ** (1 - lowest)
    result = np.abs(wide - true) / spacing
    special = ~np.isfinite(true) | overflows | ~np.isfinite(wide)
    agree = np.where(overflows, np.copysign(np.inf, true), true)
    same = (wide == agree) | (np.isnan(wide) & np.isnan(true))
    return np.where(special, np.where(same, 0.0, np.inf), result)


def worst(found: Array, true: Array, dtype: DType, *inputs: Array) -> tuple[float, Any]:
    found_errors = errors(found, true, dtype)
    at = int(np.argmax(found_errors))
    return float(found_errors[at]), [float(values[at]) for values in inputs]


@pytest.mark.parametrize(("dtype", "compute"), WAYS, ids=IDS)
@pytest.mark.parametrize("name", VOCABULARY)
def test_largest_error(name: str, dtype: DType, compute: str) -> None:
    x = patterns(dtype)
    found = on_cpu(body_of(lambda x: VOCABULARY[name](x), dtype, compute, "x"), [x], dtype)
    error, place = worst(found, TRUE[name](x.astype(np.float64)), dtype, x)
    bound = FAST[name] if (dtype, compute) == (FLOAT, "f32") else 0.51
    print(f"{name} {dtype} {compute}: {error:.4f} ULP at {place[0]!r}")
    assert error <= bound, place


@pytest.mark.parametrize("name", VOCABULARY)
def test_the_references_are_better_than_they_need_be(name: str) -> None:
    """NumPy's float64 functions against many digits: 2⁻²⁰ ULP of float32 and better."""
    rng = np.random.default_rng(8)
    x = np.concatenate([rng.choice(patterns(FLOAT), 500), rng.uniform(-80, 80, 500)])
    x = x[np.isfinite(x) & (np.abs(x) < 700)].astype(np.float64)
    low, high = DOMAINS.get(name, (-math.inf, math.inf))
    x = x[(x > low) & (x < high)]
    if name == "erfc":
        x = x[x < 26]
    with mpmath.workprec(300):
        exact = EXACTLY.get(name) or getattr(mpmath, name)
        for value, found in zip(x.tolist(), TRUE[name](x).tolist(), strict=True):
            true = exact(mpmath.mpf(value))
            assert abs(found - true) <= abs(true) * 2.0**-48, value


INF, NAN = math.inf, math.nan
SPECIAL: dict[str, list[tuple[float, float]]] = {
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (89.0, INF), (-104.0, 0.0)],
    "expm1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (1e-45, 1e-45), (3e38, INF),
              (-1e-45, -1e-45), (-3e38, -1.0)],
    "log1p": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1.0, -INF), (-1.5, NAN), (-INF, NAN),
              (1e-45, 1e-45), (-1e-45, -1e-45)],
    "sigmoid": [(0.0, 0.5), (INF, 1.0), (-INF, 0.0), (3e38, 1.0), (-3e38, 0.0), (-104.0, 0.0)],
    "log": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1e-45, NAN), (-INF, NAN),
            (1e-45, -103.2789299019278), (2.0, math.log(2))],
    "sqrt": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-1e-45, NAN), (-INF, NAN), (9.0, 3.0),
             (2.0**-148, 2.0**-74)],
    "rsqrt": [(0.0, INF), (-0.0, -INF), (INF, 0.0), (-1e-45, NAN), (-INF, NAN), (4.0, 0.5),
              (2.0**-148, 2.0**74)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (1e-45, 1e-45), (-1e-45, -1e-45)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (1e-45, 1.0)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (1e-45, 1e-45), (3e38, 1.0),
             (-1e-45, -1e-45), (-3e38, -1.0)],
    "exp2": [(0.0, 1.0), (10.0, 1024.0), (-149.0, 2.0**-149), (INF, INF), (-INF, 0.0), (128.0, INF),
             (-151.0, 0.0)],
    "log2": [(0.0, -INF), (1.0, 0.0), (2.0**-149, -149.0), (2.0**127, 127.0), (INF, INF),
             (-1e-45, NAN)],
    "log10": [(0.0, -INF), (1.0, 0.0), (1000.0, 3.0), (INF, INF), (-1e-45, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (1e-45, 1e-45)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.0, math.pi / 2), (-1.0, -math.pi / 2), (1.0000001, NAN),
             (INF, NAN), (1e-45, 1e-45)],
    "acos": [(1.0, 0.0), (-1.0, math.pi), (0.0, math.pi / 2), (-0.0, math.pi / 2),
             (-1.0000001, NAN), (INF, NAN), (1e-45, math.pi / 2)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INF, math.pi / 2), (-INF, -math.pi / 2), (1e-45, 1e-45),
             (1.0, math.pi / 4)],
    "sinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (1e-45, 1e-45), (3e38, INF)],
    "cosh": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (3e38, INF)],
    "asinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (1e-45, 1e-45)],
    "acosh": [(1.0, 0.0), (INF, INF), (0.9999999, NAN), (-INF, NAN), (-3e38, NAN), (-1.0, NAN)],
    "atanh": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.0000001, NAN), (INF, NAN)],
    "erfc": [(0.0, 1.0), (INF, 0.0), (-INF, 2.0), (3e38, 0.0), (-3e38, 2.0), (1e-45, 1.0)],
    "erfinv": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.0000001, NAN), (INF, NAN)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (1e-45, 1e-45), (3e38, 1.0),
            (-1e-45, -1e-45), (-3e38, -1.0)],
}  # fmt: skip


@pytest.mark.parametrize("compute", ["f32", "f64"])
@pytest.mark.parametrize("name", VOCABULARY)
def test_specials(name: str, compute: str) -> None:
    body = body_of(lambda x: VOCABULARY[name](x), FLOAT, compute, "x")
    for x, expected in [*SPECIAL[name], (NAN, NAN)]:
        (found,) = on_cpu(body, [np.array([x], np.float32)], FLOAT)
        wanted = np.float32(expected)
        assert found.tobytes() == wanted.tobytes() or (np.isnan(found) and np.isnan(wanted)), x


@pytest.mark.parametrize(("dtype", "compute"), WAYS, ids=IDS)
@pytest.mark.parametrize("name", VOCABULARY)
def test_both_ways_have_the_same_bits(name: str, dtype: DType, compute: str) -> None:
    """By the interpreter, so that its results are the kernels' too."""
    body = body_of(lambda x: VOCABULARY[name](x), dtype, compute, "x")
    x = np.random.default_rng(9).choice(patterns(dtype), 5000)
    loads = x if dtype is FLOAT else x.view(np.uint16)
    long = evaluate(body.results[0], loads)
    if body.unguarded is not None:
        assert body.rare is not None
        short, rare = (evaluate(node, loads) for node in (body.unguarded[0], body.rare))
        assert np.array_equal(long[~rare], short[~rare])
    assert long.tobytes() == on_cpu(body, [x], dtype).tobytes()


def doubles(name: str) -> Array:
    """Numbers of every size, many where functions change."""
    rng = np.random.default_rng(12)
    return np.concatenate([
        rng.integers(0, 1 << 64, 60, np.uint64).view(np.float64),
        rng.uniform(-740, 740, 30),
        rng.uniform(-2, 2, 60),
        rng.choice([-1.0, 1.0], 60) * 2.0 ** rng.uniform(-70, 5, 60),
        1 - 2.0 ** rng.uniform(-50, -1, 30),
    ])  # fmt: skip


@pytest.mark.parametrize("name", VOCABULARY)
def test_double_is_within_1_ulp(name: str) -> None:
    x = doubles(name)
    low, high = DOMAINS.get(name, (-math.inf, math.inf))
    x = x[(x > low) & (x < high)]
    body = body_of(lambda x: VOCABULARY[name](x), DOUBLE, "f64", "x")
    found = on_cpu(body, [x], DOUBLE)
    with mpmath.workprec(1400 if name in ("sin", "cos", "tan") else 300):
        for value, result in zip(x.tolist(), found.tolist(), strict=True):
            if abs(value) > 800 and name not in ("sin", "cos", "tan", "atan", "asinh", "acosh"):
                continue
            true = (EXACTLY.get(name) or getattr(mpmath, name))(mpmath.mpf(value))
            if not mpmath.mpf(2) ** -1074 < abs(true) < mpmath.mpf(2) ** 1023:
                continue
            spacing = mpmath.ldexp(1, max(mpmath.frexp(true)[1] - 1, -1022) - 52)
            assert abs(result - true) <= spacing, value


@pytest.mark.parametrize("name", VOCABULARY)
def test_double_specials(name: str) -> None:
    body = body_of(lambda x: VOCABULARY[name](x), DOUBLE, "f64", "x")
    x = np.array([0.0, -0.0, INF, -INF, NAN, 5e-324, -5e-324, 1.7e308, -1.7e308, 1.0, -1.0])
    found, wanted = on_cpu(body, [x], DOUBLE), TRUE[name](x)
    np.testing.assert_allclose(found, wanted, rtol=1e-15)
    number = ~np.isnan(wanted)
    assert np.array_equal(np.signbit(found)[number], np.signbit(wanted)[number])
    assert evaluate(body.results[0], x).tobytes() == found.tobytes()


def test_double_powers_and_angles() -> None:
    rng = np.random.default_rng(13)
    x = np.concatenate([2.0 ** rng.uniform(-30, 30, 100), 1 + rng.uniform(-1e-3, 1e-3, 50)])
    y = np.concatenate([rng.uniform(-30, 30, 100), rng.uniform(-1e5, 1e5, 50)])
    for function, true in ((formula.pow, lambda a, b: a**b), (formula.atan2, mpmath.atan2)):
        body = body_of(lambda x, y, f=function: f(x, y), DOUBLE, "f64", "x", "y")
        found = on_cpu(body, [x, y], DOUBLE)
        with mpmath.workprec(300):
            for a, b, result in zip(x.tolist(), y.tolist(), found.tolist(), strict=True):
                right = true(mpmath.mpf(a), mpmath.mpf(b))
                if mpmath.mpf(2) ** -1022 < abs(right) < mpmath.mpf(2) ** 1023:
                    assert abs(result / right - 1) <= 2.0**-52, (a, b)


PAIRS: dict[str, tuple[Callable[..., Expr], Callable[[Array, Array], Array], float]] = {
    "pow": (formula.pow, np.power, 4.0),
    "atan2": (formula.atan2, np.arctan2, 3.0),
}


def pairs(dtype: DType) -> tuple[Array, Array]:
    """Any two numbers; bases around 1 with exponents that make something of them; every two that
    something is special about."""
    rng, count = np.random.default_rng(14), 1 << 16
    special = [0, 1, 0.5, 2, 3, INF, 1e-45, 2.0**-133, 2.0**-60, 1e10, 3e38, 2.0**23 - 1, 2.0**24]
    both = np.array([NAN, *special, *(-x for x in special)], np.float32)
    base = 2.0 ** (rng.choice([1.0, 2.0**-8, 100.0], count) * rng.uniform(-1, 1, count))
    power = rng.uniform(-150, 150, count) / np.log2(base)
    x = [rng.permutation(patterns(dtype))[:count], base, both.repeat(both.size)]
    y = [rng.permutation(patterns(dtype))[:count], power, np.tile(both, both.size)]
    one, other = (np.concatenate([part.astype(dtype.numpy) for part in side]) for side in (x, y))
    return one, other


@pytest.mark.parametrize(("dtype", "compute"), WAYS, ids=IDS)
@pytest.mark.parametrize("name", PAIRS)
def test_powers_and_angles(name: str, dtype: DType, compute: str) -> None:
    function, true, fast = PAIRS[name]
    x, y = pairs(dtype)
    body = body_of(lambda x, y: function(x, y), dtype, compute, "x", "y")
    found = on_cpu(body, [x, y], dtype)
    right = true(x.astype(np.float64), y.astype(np.float64))
    error, place = worst(found, right, dtype, x, y)
    print(f"{name} {dtype} {compute}: {error:.4f} ULP at {place}")
    assert error <= (fast if (dtype, compute) == (FLOAT, "f32") else 0.51), place
    number = ~np.isnan(right)
    assert np.array_equal(np.signbit(found)[number], np.signbit(right)[number])
    loads = [side if dtype is FLOAT else side.view(np.uint16) for side in (x[-2000:], y[-2000:])]
    long = evaluate(body.results[0], *loads)
    assert long.tobytes() == found[-2000:].tobytes()
    if body.unguarded is not None and body.rare is not None:
        short, rare = (evaluate(node, *loads) for node in (body.unguarded[0], body.rare))
        assert np.array_equal(long[~rare], short[~rare])


# What operators make of them, at level exact: in float64 for FLOAT, in float32 for 16 bits.

ALPHA, SCALE, INPUT_SCALE, BETA = 1.6732632, 1.0507009, 0.75, 1.3
SETTINGS = {
    "A": float(np.float32(ALPHA)),
    "S": float(np.float32(SCALE)),
    "I": INPUT_SCALE,
    "B": float(np.float32(BETA)),
}


def _elu(x: Expr, A: Expr, S: Expr, I: Expr) -> Expr:  # noqa: E741
    return where(x > 0, S * x, A * S * expm1(x * I))


UNARY: dict[str, tuple[Callable[..., Expr], Sequence[str], Callable[[Array], Array]]] = {
    "silu": (lambda x: x * sigmoid(x), (), lambda x: x * _sigmoid(x)),
    "swish": (
        lambda x, B: x * sigmoid(B * x),
        ("B",),
        lambda x: x * _sigmoid(SETTINGS["B"] * x),
    ),
    "elu": (
        _elu,
        ("A", "S", "I"),
        lambda x: np.where(
            x > 0,
            SETTINGS["S"] * x,
            SETTINGS["A"] * SETTINGS["S"] * np.expm1(x * SETTINGS["I"]),
        ),
    ),
    "log_sigmoid": (
        lambda x: minimum(x, 0) - log1p(exp(-abs(x))),
        (),
        lambda x: np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))),
    ),
    "softplus": (
        lambda x: where(x > 0, x, 0) + log1p(exp(-abs(x))),
        (),
        lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    ),
    "sigmoid's slope": (
        lambda x: sigmoid(x) * sigmoid(-x),
        (),
        lambda x: _sigmoid(x) * _sigmoid(-x),
    ),
    "loss with logits for 1": (lambda x: -sigmoid(-x), (), lambda x: -_sigmoid(-x)),
}
EXACT = [(FLOAT, "f64"), (FLOAT16, "f32"), (BF16, "f32")]


@pytest.mark.parametrize(("dtype", "compute"), EXACT, ids=str)
@pytest.mark.parametrize("name", UNARY)
def test_formulas(name: str, dtype: DType, compute: str) -> None:
    function, used, true = UNARY[name]
    x = patterns(dtype)
    body = body_of(function, dtype, compute, "x", *used)
    found = on_cpu(body, [x], dtype, [SETTINGS[name] for name in used])
    error, place = worst(found, true(x.astype(np.float64)), dtype, x)
    print(f"{name} {dtype}: {error:.4f} ULP at {place}")
    assert error <= 0.51, place


BINARY: dict[str, tuple[Callable[..., Expr], Callable[[Array, Array], Array]]] = {
    "glu": (lambda a, x: a * sigmoid(x), lambda a, x: a * _sigmoid(x)),
    "glu's slope": (
        lambda a, x: a * (sigmoid(x) * sigmoid(-x)),
        lambda a, x: a * (_sigmoid(x) * _sigmoid(-x)),
    ),
    # the gradient with logits of labels that are 0 or 1: σ(x) − y without its cancellation
    "loss with logits": (
        lambda y, x: (1 - y) * sigmoid(x) - y * sigmoid(-x),
        lambda y, x: (1 - y) * _sigmoid(x) - y * _sigmoid(-x),
    ),
}


@pytest.mark.parametrize(("dtype", "compute"), EXACT, ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_formulas_of_two(name: str, dtype: DType, compute: str) -> None:
    function, true = BINARY[name]
    x, rng = patterns(dtype), np.random.default_rng(10)
    first = rng.permutation(x)
    # σ of a finite number is never 0 here; in float64 it may be, and an infinity beside it NaN
    first = np.where(np.isinf(first), 1, first).astype(dtype.numpy)
    if "logits" in name:
        first = rng.integers(0, 2, x.size).astype(dtype.numpy)
    names = ("y", "x") if "logits" in name else ("a", "x")
    found = on_cpu(body_of(function, dtype, compute, *names), [first, x], dtype)
    wide = [values.astype(np.float64) for values in (first, x)]
    error, place = worst(found, true(*wide), dtype, first, x)
    print(f"{name} {dtype}: {error:.4f} ULP at {place}")
    assert error <= 0.51, place


def test_products_with_limited_differences() -> None:
    """Half an ULP in any range, zeros with their signs, whoever the neighbours are."""
    tree = trace(lambda g, a, b: g * clamp(a - b, -1, 1), {name: tensor(name) for name in "gab"})
    body = lower(tree, (FLOAT,) * 3, FLOAT, (FLOAT,), "f64")
    rng = np.random.default_rng(9)
    any_bits = rng.integers(0, 2**32, (3, 2048), np.uint32).view(np.float32)
    usual = rng.normal(0, 1, (3, 2048)).astype(np.float32)
    tiny = usual * np.float32([[2.0**-125], [1], [1]])
    special = np.float32([0.0, -0.0, 1.0, -1.0, 0.25, 2.0**-149, 3e38, np.inf, -np.inf, np.nan])
    of_special = np.array(np.meshgrid(special, special, special)).reshape(3, -1)
    g, a, b = np.concatenate([any_bits, usual, tiny, of_special], axis=1)
    found = on_cpu(body, [g, a, b], FLOAT)
    pattern = evaluate(body.results[0], g, a, b)
    assert np.array_equal(found.view(np.uint32), pattern.view(np.uint32))
    with np.errstate(all="ignore"):
        plain = g.astype(np.float64) * np.clip(a.astype(np.float64) - b, -1, 1)
        nearest = plain.astype(np.float32)
    assert np.array_equal(found, nearest, equal_nan=True)  # but for 1 in 10 million
    assert np.array_equal(np.signbit(found), np.signbit(nearest) & ~np.isnan(nearest))
