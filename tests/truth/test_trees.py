"""Formulas to about 100 bits: every word of the vocabulary against mpmath, and random trees."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from openaclnn.spec import formula
from openaclnn.spec.derivative import derivative
from openaclnn.spec.formula import (
    Expr,
    clamp,
    exp,
    maximum,
    minimum,
    tensor,
    text,
    trace,
    uniform,
    where,
)
from openaclnn.truth import trees
from openaclnn.truth.double_double import Pair

INF, NAN = np.inf, np.nan


def values(result: Expr, *inputs: Any, **numbers: float) -> Any:
    """A tree over inputs x, y and uniforms, at these points."""
    names = ("x", "y")[: len(inputs)]
    symbols = {n: tensor(n) for n in names} | {n: uniform(n) for n in numbers}
    traced = trace(lambda **_: result, symbols)
    arrays = np.broadcast_arrays(*(np.atleast_1d(np.asarray(i, np.float64)) for i in inputs))
    given = {n: Pair(a.copy(), np.float64(0)) for n, a in zip(names, arrays, strict=True)}
    pairs = {n: Pair(np.float64(v), np.float64(0)) for n, v in numbers.items()}
    (found,) = trees.evaluate(traced, given, pairs, arrays[0].size)
    return found


def relative_bits(found: Pair, true: list[mpf]) -> float:
    """The largest relative error, as a power of two."""
    worst = mpf(2) ** -300
    for high, low, t in zip(found.high.tolist(), found.low.tolist(), true, strict=True):
        off = mpf(high) + mpf(low) - t
        worst = max(worst, abs(off / t) if t else abs(off))
    return float(mpmath.log(worst, 2))


def numbers(low: float, high: float, signs: tuple[float, ...] = (1.0, -1.0)) -> np.ndarray:
    rng = np.random.default_rng(11)
    sizes = 2.0 ** rng.uniform(low, high, 300)
    return np.concatenate([sign * sizes for sign in signs])


X, Y, K = tensor("x"), tensor("y"), uniform("k")


def function(name: str) -> Expr:
    return Expr(name, (X,))


FUNCTIONS: list[tuple[str, Callable[[mpf], mpf], np.ndarray]] = [
    ("exp", mpmath.exp, numbers(-30, 9.4)),
    ("expm1", mpmath.expm1, numbers(-900, 9.4)),
    ("log", mpmath.log, numbers(-1000, 1000, (1.0,))),
    ("log", mpmath.log, 1 + numbers(-50, -2)),
    ("log1p", mpmath.log1p, numbers(-900, -1)),
    ("log1p", mpmath.log1p, numbers(-1, 900, (1.0,))),
    ("sigmoid", lambda x: 1 / (1 + mpmath.exp(-x)), numbers(-30, 9.4)),
    ("sqrt", mpmath.sqrt, numbers(-1000, 1000, (1.0,))),
    ("rsqrt", lambda x: 1 / mpmath.sqrt(x), numbers(-1000, 1000, (1.0,))),
    ("sin", mpmath.sin, numbers(-900, 1000)),
    ("sin", mpmath.sin, np.arange(1, 300) * np.pi),
    ("cos", mpmath.cos, numbers(-900, 1000)),
    ("cos", mpmath.cos, np.arange(1, 300) * np.pi / 2),
    ("tanh", mpmath.tanh, numbers(-900, 8)),
    ("erf", mpmath.erf, numbers(-900, 4)),
    ("erf", mpmath.erf, numbers(-4, 2.5)),
    ("exp2", lambda x: mpf(2) ** x, numbers(-30, 9.9)),
    ("log2", lambda x: mpmath.log(x, 2), numbers(-1000, 1000, (1.0,))),
    ("log10", lambda x: mpmath.log(x, 10), numbers(-1000, 1000, (1.0,))),
    ("tan", mpmath.tan, numbers(-900, 1000)),
    ("asin", mpmath.asin, numbers(-900, -0.01)),
    ("acos", mpmath.acos, 1 - numbers(-50, -0.01, (1.0,))),
    ("atan", mpmath.atan, numbers(-900, 900)),
    ("sinh", mpmath.sinh, numbers(-900, 9.4)),
    ("cosh", mpmath.cosh, numbers(-900, 9.4)),
    ("asinh", mpmath.asinh, numbers(-900, 900)),
    ("acosh", mpmath.acosh, 1 + numbers(-50, 900, (1.0,))),
    ("atanh", mpmath.atanh, numbers(-900, -0.01)),
    ("erfc", mpmath.erfc, numbers(-900, 4.6)),
]


def test_erfinv() -> None:
    points = numbers(-300, -0.001)
    found = values(function("erfinv"), points)
    with mpmath.workprec(1400):
        back = [mpmath.erf(mpf(h) + mpf(low)) for h, low in zip(*found, strict=True)]
        true = [mpf(x) for x in points]
        assert max(abs(b / t - 1) for b, t in zip(back, true, strict=True)) < mpf(2) ** -85


TWO: list[tuple[str, Callable[[mpf, mpf], mpf], np.ndarray, np.ndarray]] = [
    ("pow", lambda x, y: x**y, numbers(-5, 5, (1.0,)), numbers(-3, 3, (1.0,))[::-1]),
    ("pow", lambda x, y: x**y, -numbers(-300, 300, (1.0,)), np.resize([1.0, -2, 3], 300)),
    ("atan2", mpmath.atan2, numbers(-200, 200), numbers(-200, 200)[::-1]),
    ("atan2", mpmath.atan2, numbers(-999, -900), numbers(-950, -940)[::-1]),
]


@pytest.mark.parametrize(("name", "true", "x", "y"), TWO)
def test_functions_of_two(name: str, true: Any, x: np.ndarray, y: np.ndarray) -> None:
    with mpmath.workprec(400):
        right = [true(mpf(a), mpf(b)) for a, b in zip(x, y, strict=True)]
        assert relative_bits(values(Expr(name, (X, Y)), x, y), right) < -85


@pytest.mark.parametrize(("name", "true", "points"), FUNCTIONS)
def test_functions(name: str, true: Callable[[mpf], mpf], points: np.ndarray) -> None:
    with mpmath.workprec(1400):
        assert relative_bits(values(function(name), points), [true(mpf(x)) for x in points]) < -85


SPECIAL = [
    (function("exp"), [NAN, INF, -INF, 0.0, -0.0, 1e300, -1e300], [NAN, INF, 0, 1, 1, INF, 0]),
    (function("expm1"), [NAN, INF, -INF, 0.0, -0.0, -1e300], [NAN, INF, -1, 0.0, -0.0, -1]),
    (function("log"), [NAN, INF, -INF, 0.0, -0.0, -1.0, 1.0], [NAN, INF, NAN, -INF, -INF, NAN, 0]),
    (function("log1p"), [NAN, INF, -1.0, 0.0, -0.0, -2.0], [NAN, INF, -INF, 0.0, -0.0, NAN]),
    (function("sigmoid"), [NAN, INF, -INF, -1e300], [NAN, 1, 0, 0]),
    (function("sqrt"), [NAN, INF, -INF, 0.0, -0.0, -1.0], [NAN, INF, NAN, 0.0, -0.0, NAN]),
    (function("rsqrt"), [NAN, INF, -INF, 0.0, -0.0, -1.0], [NAN, 0, NAN, INF, -INF, NAN]),
    (function("sin"), [NAN, INF, -INF, 0.0, -0.0, 1e-320], [NAN, NAN, NAN, 0.0, -0.0, 1e-320]),
    (function("sin"), [1.7976931348623157e308], [0.004961954789184062]),
    (function("cos"), [NAN, INF, -INF, 0.0, -0.0, 1e-320], [NAN, NAN, NAN, 1, 1, 1]),
    (function("tanh"), [NAN, INF, -INF, 0.0, -0.0, 1e300], [NAN, 1, -1, 0.0, -0.0, 1]),
    (function("tan"), [NAN, INF, 0.0, -0.0], [NAN, NAN, 0.0, -0.0]),
    (function("asin"), [NAN, INF, 0.0, -0.0, 1.0, -2.0], [NAN, NAN, 0.0, -0.0, np.pi / 2, NAN]),
    (function("acos"), [NAN, INF, 1.0, -1.0, -2.0], [NAN, NAN, 0.0, np.pi, NAN]),
    (function("atan"), [NAN, INF, 0.0, -0.0, -INF], [NAN, np.pi / 2, 0.0, -0.0, -np.pi / 2]),
    (function("sinh"), [NAN, INF, 0.0, -0.0, -INF], [NAN, INF, 0.0, -0.0, -INF]),
    (function("cosh"), [NAN, INF, 0.0, -0.0, -INF], [NAN, INF, 1, 1, INF]),
    (function("asinh"), [NAN, INF, 0.0, -0.0, -INF], [NAN, INF, 0.0, -0.0, -INF]),
    (function("acosh"), [NAN, INF, 1.0, 0.5, -INF], [NAN, INF, 0.0, NAN, NAN]),
    (function("atanh"), [NAN, INF, 0.0, -0.0, 1.0, -2.0], [NAN, NAN, 0.0, -0.0, INF, NAN]),
    (function("erfc"), [NAN, INF, 0.0, -INF, 1e300, -1e300], [NAN, 0, 1, 2, 0, 2]),
    (function("erfinv"), [NAN, INF, 0.0, -0.0, 1.0, -1.0], [NAN, NAN, 0.0, -0.0, INF, -INF]),
    (Expr("pow", (X, K)), [NAN, INF, 0.0, -0.0, 1.0, -1.0, 0.5], [NAN, INF, 0, 0, 1, 1, 0]),
    (Expr("pow", (X, -X * 0 - 1)), [-0.0, 0.0, -INF], [-INF, INF, NAN]),
    (Expr("atan2", (X, K)), [NAN, INF, 0.0, -0.0, 1.0], [NAN, np.pi / 4, 0.0, -0.0, 0.0]),
    (function("erf"), [NAN, INF, -INF, 0.0, -0.0, 1e300], [NAN, 1, -1, 0.0, -0.0, 1]),
    (abs(X), [NAN, -INF, -0.0], [NAN, INF, 0.0]),
    (-X, [NAN, -INF, 0.0], [NAN, INF, -0.0]),
    (X + K, [NAN, -INF, 0.0, -0.0, 1.0], [NAN, NAN, INF, INF, INF]),
    (X - X, [NAN, INF, 0.0, -0.0, 1.0], [NAN, NAN, 0.0, 0.0, 0.0]),
    (X * K, [NAN, -INF, 0.0, -2.0], [NAN, -INF, NAN, -INF]),
    (X * 0, [NAN, INF, -0.0, -1.0, 1e-300], [NAN, NAN, -0.0, -0.0, 0.0]),
    (X / 0, [NAN, -INF, 0.0, -1.0], [NAN, -INF, NAN, -INF]),
    (X + X * 0, [-0.0, 0.0], [-0.0, 0.0]),
    (1 / X, [0.0, -0.0, INF, -INF], [INF, -INF, 0.0, -0.0]),
    (clamp(X, -1, 1), [NAN, INF, -INF, -0.0, 0.5], [NAN, 1, -1, -0.0, 0.5]),
    (minimum(X, 0), [NAN, INF, -INF], [NAN, 0, -INF]),
    (maximum(X, 0), [NAN, INF, -INF], [NAN, INF, 0]),
    (minimum(0, X), [NAN, INF, -INF], [NAN, 0, -INF]),
    (where(X > 0, 1, 2), [NAN, 0.0, 1e-320], [2, 2, 1]),
    (where(X, 1, 2), [NAN, 0.0, -0.0, 3.0], [1, 2, 2, 1]),
    ((X > 0) + 1, [1.0, -1.0], [2, 1]),
    (exp(X) * exp(-X), [0.0, 1e4, -1e4], [1, 1, 1]),
    (function("log") * 1, [4.9e-324], [float(np.log(4.9e-324))]),
    (X * X, [1e200, 1e-200, -1e-162], [INF, 0.0, 1e-324]),
    (X * X / X, [1e200, -1e-200, 5e-324], [1e200, -1e-200, 5e-324]),
]


@pytest.mark.parametrize(("tree", "points", "expected"), SPECIAL, ids=[text(s[0]) for s in SPECIAL])
def test_special_values(tree: Expr, points: list[float], expected: list[float]) -> None:
    found = values(tree, points, k=INF)
    np.testing.assert_array_equal(found.high, expected)
    number = ~np.isnan(found.high)
    assert np.array_equal(np.signbit(found.high)[number], np.signbit(expected)[number])
    assert (np.abs(found.low) <= 1e-16 * np.abs(found.high))[np.isfinite(found.high)].all()


def test_conditions() -> None:
    x = [NAN, INF, -INF, 0.0, -0.0, 1.0, 1e-320]
    y = [NAN, INF, 1.0, -0.0, 1e-320, 1.0, 1e-319]
    for name, right in [
        ("lt", np.less), ("le", np.less_equal), ("gt", np.greater), ("ge", np.greater_equal),
        ("equal", np.equal), ("not_equal", np.not_equal),
    ]:  # fmt: skip
        found = values(Expr(name, (X, Y)), x, y)
        assert found.tolist() == right(x, y).tolist(), name
    both = values(((X > 0) & (Y > 0)) ^ ~(X < 1) | (Y > 1), x, y)
    a, b = np.array(x), np.array(y)
    assert both.tolist() == (((a > 0) & (b > 0)) ^ ~(a < 1) | (b > 1)).tolist()


def test_the_whole_vocabulary() -> None:
    known = {"known_as", *trees._OF_NUMBERS, *trees._OF_CONDITIONS, *trees._OTHERS}
    vocabulary = set(
        re.findall(r'_(?:apply|of_one|of_two)\(\s*"(\w+)"', inspect.getsource(formula))
    )
    assert len(vocabulary) > 50
    assert vocabulary <= known
    with pytest.raises(LookupError, match="no true values of 'wobble'"):
        values(function("wobble"), [1.0])


def exactly(expr: Expr, at: dict[str, mpf]) -> mpf:
    if expr.op in ("input", "uniform"):
        return at[expr.name]
    if expr.op == "const":
        return mpf(expr.value)
    args = [exactly(arg, at) for arg in expr.args]
    return {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b, "neg": lambda a: -a, "abs": abs, "exp": mpmath.exp,
        "lt": lambda a, b: a < b, "where": lambda c, a, b: a if c else b,
    }[expr.op](*args)  # fmt: skip


LEAVES = st.sampled_from([X, Y, K]) | st.floats(0.01, 100).map(lambda v: Expr("const", value=v))


def grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        # no sums of different signs: what they lose, any arithmetic loses
        pairs.map(lambda p: abs(p[0]) + abs(p[1])),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.map(lambda p: p[0] / (abs(p[1]) + 0.25)),
        st.tuples(inner, inner, inner).map(lambda p: where(p[0] < 1, p[1], -p[2])),
        inner.map(lambda e: exp(clamp_free(e))),
    )


def clamp_free(expr: Expr) -> Expr:
    """Between -900 and 900, smoothly."""
    return 900 * expr / (abs(expr) + 900)


@settings(max_examples=60, deadline=None)
@given(st.recursive(LEAVES, grown, max_leaves=8), st.floats(-700, 700), st.floats(-1e30, 1e30))
def test_random_trees(tree: Expr, x: float, y: float) -> None:
    with mpmath.workprec(3000):
        at = {"x": mpf(x), "y": mpf(y), "k": mpf(3)}
        true = exactly(tree, at)
        if not 1e-290 < abs(true) < 1e290:
            return
        found = values(tree, [x], [y], k=3.0)
        assert relative_bits(found, [true]) < -80, text(tree)


def test_many_chunks_are_one() -> None:
    x = np.linspace(-900, 900, 20_001)
    together = values(exp(X), x)
    for place in (0, 8191, 8192, 20_000):
        alone = values(exp(X), x[place])
        assert (together.high[place], together.low[place]) == (alone.high[0], alone.low[0])


def test_what_is_shared_is_visited_once() -> None:
    """A tree whose parts are used twice each, sixty deep, has sixty operations: not 2⁶⁰."""
    found = tensor("x")
    for _ in range(60):
        found = found * found
    assert values(found, 1.0).high == 1
    assert values(derivative(found, "x"), 1.0).high == 2.0**60
