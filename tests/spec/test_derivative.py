"""Derivatives of formulas against those of numbers, and against PyTorch's at every edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from openaclnn.ops import find
from openaclnn.spec.derivative import derivative, pullback
from openaclnn.spec.formula import (
    Expr,
    Taylor,
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bit_and,
    clamp,
    constant,
    cos,
    cosh,
    erf,
    erfc,
    erfinv,
    exp,
    exp2,
    expm1,
    fold,
    known_as,
    log,
    log1p,
    log2,
    log10,
    maximum,
    minimum,
    near,
    pow,
    rsqrt,
    shift_left,
    sigmoid,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    tensor,
    text,
    uniform,
    where,
)
from truth import Precision, Truth, Unknown

X, Y, K = tensor("x"), tensor("y"), uniform("k")
EXACT = Precision(0.0, 0.0, 2.0**200, 0.0, 0.0, 150.0)


def value(expr: Expr, x: Any, y: Any = 0.5, k: Any = 2) -> mpmath.mpf:
    return Truth(EXACT, {"x": x, "y": y, "k": k}).of(expr).value


LEAVES = st.one_of(
    st.sampled_from([X, X, Y, K]),
    st.sampled_from([1.0, -1.0, 0.5, 3.0]).map(constant),
)
OPERATIONS: list[Callable[[Any, Any], Expr]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    minimum,
    maximum,
    lambda a, b: pow(abs(a) + 0.5, b),
    atan2,
]
FUNCTIONS: list[Callable[[Any], Expr]] = [
    exp, expm1, sigmoid, abs, lambda x: -x, lambda x: log1p(abs(x)), sin, cos, tanh, erf,
    lambda x: log(abs(x) + 0.5), lambda x: sqrt(abs(x) + 0.5), lambda x: rsqrt(abs(x) + 0.5),
    tan, atan, sinh, cosh, asinh, erfc, exp2, lambda x: log2(abs(x) + 0.5),
    lambda x: log10(abs(x) + 0.5), lambda x: asin(sin(x) * 0.5), lambda x: acos(sin(x) * 0.5),
    lambda x: atanh(sin(x) * 0.5), lambda x: erfinv(sin(x) * 0.5), lambda x: acosh(abs(x) + 1.5),
    lambda x: clamp(x, -1.5, 2.5), lambda x: known_as("f", x),
]  # fmt: skip


def larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.builds(lambda apply, a, b: apply(a, b), st.sampled_from(OPERATIONS), inner, inner),
        st.builds(lambda apply, a: apply(a), st.sampled_from(FUNCTIONS), inner),
        st.builds(lambda a, b, c: where(a > b, b, c), inner, inner, inner),
    )


@settings(max_examples=200, deadline=None)
@given(st.recursive(LEAVES, larger, max_leaves=6), st.floats(-3, 3), st.sampled_from(["x", "k"]))
def test_any_formula(formula: Expr, x: float, name: str) -> None:
    """Against differences of many digits, on both sides where those agree: elsewhere is an edge."""
    step = mpmath.mpf(2) ** -60

    def at(shift: mpmath.mpf) -> mpmath.mpf:
        point = {"x": mpmath.mpf(x), "y": 0.5, "k": mpmath.mpf(2)}
        return Truth(EXACT, {**point, name: point[name] + shift}).of(formula).value

    try:
        right, left = (at(step) - at(0)) / step, (at(0) - at(-step)) / step
        true = (at(step) - at(-step)) / (2 * step)
        second = abs(right - left) / step  # about the second derivative, but for edges
        found = value(derivative(formula, name), x)
    except (Unknown, ZeroDivisionError):
        return
    if second < 2.0**40:
        assert abs(found - true) <= (1 + abs(true) + second) * 2.0**-50, text(formula)


def test_obvious_terms_are_left_out() -> None:
    rows = [
        (3 * X, "3"),
        (X + 5, "1"),
        (Y * 2, "0"),
        (X * Y, "y"),
        (X / 4, "1 / 4"),
        (-(X * -1), "1"),
        (where(Y > 0, X, X + 1), "1"),
        (where(X > 0, Y, 0), "0"),
        (known_as("f(x)", exp(X)), "exp(x)"),
        (near(X, Taylor(0.0, 0.0, (1.0,)), X * X), "x + x"),
        (X * sigmoid(X), "σ(x) + x·σ(x)·σ(−x)"),
    ]
    assert [text(derivative(formula, "x")) for formula, _ in rows] == [meant for _, meant in rows]


def test_what_has_none_is_refused() -> None:
    for formula in (bit_and(X, Y), 1 + shift_left(X, Y), fold(X, "add")):
        with pytest.raises(ValueError, match=r"has no derivative$"):
            derivative(formula, "x")
    with pytest.raises(ValueError, match=r"max\(x\) has no derivative$"):
        pullback(X - fold(X, "max", over="dim"), "x", Y)


def test_conditions_are_flat() -> None:
    for formula in (X < 1, (X > 0) & (Y > 0), ~(X > 0), (X > 0) - (X < 0)):
        assert text(derivative(formula, "x")) == "0"
    assert text(derivative(X * (X > 0), "x")) == "x > 0"
    assert text(derivative(X * (Y > 0), "x")) == "y > 0"


def test_gradients_through_sums() -> None:
    """Of softmax's gradient, the gradient with respect to what it was given is itself."""
    g, y, v = tensor("g"), tensor("y"), tensor("v")
    formula = y * (g - fold(g * y, "add", over="dim"))
    assert text(pullback(formula, "g", v)) == "v·y + y·sum(v·y·(−1))"


TORCH: dict[str, Callable[..., Any]] = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "neg": torch.neg,
    "abs": torch.abs,
    "gt": torch.gt,
    "ge": torch.ge,
    "lt": torch.lt,
    "le": torch.le,
    "and": torch.logical_and,
    "where": torch.where,
    "clamp": torch.clamp,
    "minimum": torch.minimum,
    "maximum": torch.maximum,
    "exp": torch.exp,
    "expm1": torch.expm1,
    "log1p": torch.log1p,
    "sigmoid": torch.sigmoid,
    "known_as": lambda x: x,
    "near": lambda x, y: y,
}


def in_torch(expr: Expr, known: dict[str, Any]) -> Any:
    if expr.op == "const":
        return torch.full_like(known["x"], float(expr.value))
    if expr.op in ("input", "uniform"):
        return known[expr.name]
    return TORCH[expr.op](*(in_torch(arg, known) for arg in expr.args))


EDGES: list[Expr] = [
    abs(X),
    X * abs(X - 1),
    clamp(X, -1, 2),
    clamp(X * X, 0.25, 1),
    clamp(X, -abs(Y), Y * Y),
    minimum(X, 0),
    maximum(X, Y),
    maximum(X, 2 * X),
    where(X > 0, X, 0.125 * X),
    where(X <= 1, X * X, Y),
    where((X > -1) & (X < 2), exp(X), 0),
    minimum(X, 0) - log1p(exp(-abs(X))),
    where(X > 0, X, expm1(X)),
    X * sigmoid(K * X),
    exp(-X * X) / (1 + X * X),
    log1p(X * X) * clamp(X, 0, 1),
]


@pytest.mark.parametrize("formula", EDGES, ids=text)
def test_edges_like_pytorch(formula: Expr) -> None:
    """At every edge, beside it, and far from it."""
    edges = torch.tensor([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0], dtype=torch.float64)
    x = torch.cat([edges, edges - 2.0**-30, edges + 2.0**-30]).requires_grad_()
    known = {"x": x, "y": torch.full_like(x, 1.5), "k": torch.full_like(x, 1.25)}
    in_torch(formula, known).sum().backward()
    found = in_torch(derivative(formula, "x"), {**known, "x": x.detach()})
    torch.testing.assert_close(found, x.grad, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", ["silu_backward", "log_sigmoid_backward"])
def test_known_gradients(name: str) -> None:
    """The formulas of two gradients are their functions' derivatives."""
    function = {"silu_backward": X * sigmoid(X), "log_sigmoid_backward": -log1p(exp(-X))}[name]
    slope = derivative(function, "x")
    traced = find(name).traced_in("f64")
    gradient = traced.results[0]
    for x in (-3.0, -0.5, 0.0, 1.0, 20.0):
        meant = Truth(EXACT, {"grad_output": 1, "self": x}).of(gradient).value
        assert abs(value(slope, x) - meant) <= abs(meant) * 2.0**-100
