"""Derivatives of formulas, symbol by symbol: the formula of a gradient from the formula itself.

At an edge a derivative is PyTorch's: |x| has 0 at 0, a clamped x has 1 at its limits, and of two
equal numbers the larger or smaller one takes half from each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from openaclnn.spec.formula import (
    ADDRESS,
    Expr,
    constant,
    cos,
    cosh,
    equal,
    erfinv,
    exp,
    exp2,
    floor_div,
    fold,
    log,
    pow,
    rsqrt,
    sigmoid,
    sin,
    sinh,
    sqrt,
    tensor,
    text,
    trunc_div,
    where,
)

_ZERO, _ONE = constant(0), constant(1)
CONDITIONS = (
    *("lt", "le", "gt", "ge", "equal", "not_equal", "signbit"),
    *("and", "or", "xor", "not"),
)


def derivative(expr: Expr, with_respect_to: str) -> Expr:
    """How an expression changes with an input or a uniform.

    >>> from openaclnn.spec.formula import bit_and
    >>> x, k = tensor("x"), tensor("k")
    >>> text(derivative(k * exp(2 * x) + 3, "x")), text(derivative(k * x, "k"))
    ('k·exp(2·x)·2', 'x')
    >>> derivative(bit_and(x, k), "x")
    Traceback (most recent call last):
    ValueError: bit_and(x, k) has no derivative
    """
    return _Derivative(with_respect_to).of(expr)


def pullback(expr: Expr, with_respect_to: str, gradient: Expr) -> Expr:
    """The gradient of an input, from that of an expression's value: through sums along dimensions,
    too, which every element of a row is in.

    >>> x, g = tensor("x"), tensor("g")
    >>> text(pullback(x * x, "x", g)), text(pullback(x - fold(x * x, "add", over="dim"), "x", g))
    ('g·(x + x)', 'g + (x + x)·sum(g·(−1))')
    """
    folds = list(_outermost_folds(expr))
    names = {id(one): tensor(f"fold {number}") for number, one in enumerate(folds)}
    body = _replaced(expr, names)
    found = _times(gradient, derivative(body, with_respect_to))
    for one in folds:
        slope = derivative(one.args[0], with_respect_to)
        if _is(slope, 0):
            continue
        if one.name != "add":
            raise ValueError(f"{text(one)} has no derivative")
        reaching = _times(gradient, derivative(body, names[id(one)].name))
        found = _plus(found, _times(slope, fold(reaching, "add", over=one.over)))
    return _replaced(found, {names[id(one)].name: one for one in folds})


def _outermost_folds(expr: Expr) -> Iterator[Expr]:
    if expr.op == "fold":
        yield expr
        return
    for arg in expr.args:
        yield from _outermost_folds(arg)


def _replaced(expr: Expr, others: Mapping[Any, Expr]) -> Expr:
    """A tree with others for some of its expressions, by identity or by name."""
    done: dict[int, Expr] = {}

    def of(one: Expr) -> Expr:
        if id(one) not in done:
            other = others.get(id(one), others.get(one.name) if one.op == "input" else None)
            if other is None and one.args:
                args = tuple(map(of, one.args))
                same = all(a is b for a, b in zip(args, one.args, strict=True))
                rises = one.rises and (of(one.rises[0]), one.rises[1])
                other = one if same else replace(one, args=args, rises=rises)
            done[id(one)] = one if other is None else other
        return done[id(one)]

    return of(expr)


class _Derivative:
    def __init__(self, name: str) -> None:
        self.name = name
        self.done: dict[int, Expr] = {}
        self.depending: dict[int, bool] = {}

    def of(self, expr: Expr) -> Expr:
        """The derivative of an expression; what is used twice is derived once."""
        if id(expr) not in self.done:
            self.done[id(expr)] = self.derived(expr) if self.depends(expr) else _ZERO
        return self.done[id(expr)]

    def depends(self, expr: Expr) -> bool:
        if id(expr) not in self.depending:
            if expr.op == "peek" and expr.name == self.name + ADDRESS:
                raise ValueError(f"{text(expr)} has no derivative")
            leaf = expr.op in ("input", "uniform")
            found = expr.name == self.name if leaf else any(map(self.depends, expr.args))
            self.depending[id(expr)] = found
        return self.depending[id(expr)]

    def only_by(self, x: Expr, expr: Expr) -> bool:
        """Whether an expression depends on nothing but x."""
        if expr is x or not self.depends(expr):
            return True
        return bool(expr.args) and all(self.only_by(x, arg) for arg in expr.args)

    def derived(self, expr: Expr) -> Expr:
        if expr.op in ("input", "uniform"):
            return _ONE
        if expr.rises is not None and self.only_by(expr.rises[0], expr.args[0]):
            x, slope = expr.rises
            return _times(slope(x), self.of(x))
        if expr.op not in _RULES:
            raise ValueError(f"{text(expr)} has no derivative")
        return _RULES[expr.op](self.of, *expr.args)


Rule = Callable[..., Expr]  # of the function that derives, and the arguments


def _product_rule(of: Rule, a: Expr, b: Expr) -> Expr:
    return _plus(_times(of(a), b), _times(a, of(b)))


def _quotient_rule(of: Rule, a: Expr, b: Expr) -> Expr:
    if _is(of(b), 0):
        return _over(of(a), b)
    return _over(_minus(of(a), _times(a / b, of(b))), b)


def _power_rule(of: Rule, x: Expr, y: Expr) -> Expr:
    """0^y has no slope in y for a y that is not negative, as PyTorch has it."""
    by_base = _times(where(equal(y, 0), 0, y * pow(x, y - 1)), of(x))
    if _is(of(y), 0):
        return by_base
    slope = where(equal(x, 0) & (y >= 0), 0, pow(x, y) * log(x))
    return _plus(by_base, _times(slope, of(y)))


def _magnitude(of: Rule, x: Expr) -> Expr:
    return where(x > 0, of(x), where(x < 0, _negative(of(x)), _times(x, of(x))))


def _chosen(of: Rule, condition: Expr, yes: Expr, no: Expr) -> Expr:
    return _where(condition, of(yes), of(no))


def _clamped(of: Rule, x: Expr, low: Expr, high: Expr) -> Expr:
    return _where((x >= low) & (x <= high), of(x), _where(x < low, of(low), of(high)))


def _smaller(of: Rule, a: Expr, b: Expr) -> Expr:
    return _of_two(a < b, a > b, of(a), of(b))


def _larger(of: Rule, a: Expr, b: Expr) -> Expr:
    return _of_two(a > b, a < b, of(a), of(b))


def _of_two(first: Expr, second: Expr, a: Expr, b: Expr) -> Expr:
    return _where(first, a, _where(second, b, _times(constant(0.5), _plus(a, b))))


def _shares(of: Rule, a: Expr, b: Expr, unit: float) -> Expr:
    """Each term has the share of its power."""
    first, second = (sigmoid(x if unit == 1 else x * unit) for x in (a - b, b - a))
    return _plus(_times(first, of(a)), _times(second, of(b)))


_RULES: dict[str, Rule] = {
    "add": lambda of, a, b: _plus(of(a), of(b)),
    "sub": lambda of, a, b: _minus(of(a), of(b)),
    "mul": _product_rule,
    "div": _quotient_rule,
    "neg": lambda of, x: _negative(of(x)),
    "abs": _magnitude,
    "where": _chosen,
    "clamp": _clamped,
    "minimum": _smaller,
    "maximum": _larger,
    "known_as": lambda of, x: of(x),
    "near": lambda of, x, value: of(value),
    "exp": lambda of, x: _times(exp(x), of(x)),
    "expm1": lambda of, x: _times(exp(x), of(x)),
    "log1p": lambda of, x: _over(of(x), 1 + x),
    "log": lambda of, x: _over(of(x), x),
    "sqrt": lambda of, x: _over(of(x), 2 * sqrt(x)),
    "rsqrt": lambda of, x: _over(_times(rsqrt(x), _times(constant(-0.5), of(x))), x),
    "sin": lambda of, x: _times(cos(x), of(x)),
    "cos": lambda of, x: _times(-sin(x), of(x)),
    "tanh": lambda of, x: _times(4 * sigmoid(2 * x) * sigmoid(-2 * x), of(x)),
    "erf": lambda of, x: _times(2 / math.sqrt(math.pi) * exp(-x * x), of(x)),
    "exp2": lambda of, x: _times(math.log(2) * exp2(x), of(x)),
    "log2": lambda of, x: _over(of(x), math.log(2) * x),
    "log10": lambda of, x: _over(of(x), math.log(10) * x),
    "tan": lambda of, x: _over(of(x), cos(x) * cos(x)),
    "asin": lambda of, x: _times(rsqrt((1 - x) * (1 + x)), of(x)),
    "acos": lambda of, x: _times(-rsqrt((1 - x) * (1 + x)), of(x)),
    "atan": lambda of, x: _over(of(x), 1 + x * x),
    "atan2": lambda of, y, x: _over(_minus(_times(x, of(y)), _times(y, of(x))), x * x + y * y),
    "sinh": lambda of, x: _times(cosh(x), of(x)),
    "cosh": lambda of, x: _times(sinh(x), of(x)),
    "asinh": lambda of, x: _times(rsqrt(1 + x * x), of(x)),
    "acosh": lambda of, x: _times(rsqrt((x - 1) * (x + 1)), of(x)),
    "atanh": lambda of, x: _over(of(x), (1 - x) * (1 + x)),
    "erfc": lambda of, x: _times(-2 / math.sqrt(math.pi) * exp(-x * x), of(x)),
    "erfinv": lambda of, x: _times(math.sqrt(math.pi) / 2 * exp(erfinv(x) * erfinv(x)), of(x)),
    "pow": _power_rule,
    "logaddexp": lambda of, a, b: _shares(of, a, b, 1),
    "logaddexp2": lambda of, a, b: _shares(of, a, b, math.log(2)),
    "sigmoid": lambda of, x: _times(sigmoid(x) * sigmoid(-x), of(x)),
    # steps: flat between them
    **dict.fromkeys(("floor", "ceil", "trunc", "round"), lambda of, x: _ZERO),
    **dict.fromkeys(("trunc_div", "floor_div"), lambda of, a, b: _ZERO),
    **dict.fromkeys(CONDITIONS, lambda of, *args: _ZERO),
    "fmod": lambda of, a, b: _minus(of(a), _times(trunc_div(a, b), of(b))),
    "remainder": lambda of, a, b: _minus(of(a), _times(floor_div(a, b), of(b))),
}


def _is(expr: Expr, value: float) -> bool:
    return expr.op == "const" and expr.value == value


def _plus(a: Expr, b: Expr) -> Expr:
    if _is(a, 0):
        return b
    return a if _is(b, 0) else a + b


def _minus(a: Expr, b: Expr) -> Expr:
    if _is(b, 0):
        return a
    return _negative(b) if _is(a, 0) else a - b


def _negative(a: Expr) -> Expr:
    if a.op == "const":
        return constant(-a.value) if a.value else a
    return a.args[0] if a.op == "neg" else -a


def _times(a: Expr, b: Expr) -> Expr:
    if _is(a, 0) or _is(b, 0):
        return _ZERO
    if _is(a, 1):
        return b
    return a if _is(b, 1) else a * b


def _over(a: Expr, b: Expr) -> Expr:
    return a if _is(a, 0) or _is(b, 1) else a / b


def _where(condition: Expr, yes: Expr, no: Expr) -> Expr:
    same = yes is no or (yes.op == no.op == "const" and yes.value == no.value)
    return yes if same else where(condition, yes, no)
