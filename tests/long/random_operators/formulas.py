"""Draws formulas, as source. Every argument of an operator takes part, and rounding stays small:
what would cancel (a difference of numbers that were rounded), overflow or come near a division by 0
is not drawn, so that a result is as exact as its arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

WORDS = ("where", "minimum", "maximum", "clamp", "equal", "not_equal", "known_as",
         "exp", "expm1", "log1p", "sigmoid")  # fmt: skip
_LARGEST = 2000.0  # what float16 has room for
_STEPS, _FUNCTIONS = 12.0, 2.0  # the most of a term
_CONDITIONS = ("{0} < {1}", "{0} <= {1}", "{0} > {1}", "{0} >= {1}", "equal({0}, {1})",
               "not_equal({0}, {1})")  # fmt: skip


@dataclass(frozen=True)
class Term:
    """A part of a formula and what is known of it: between which numbers it lies, and how many
    roundings (`steps`) and functions' errors (`functions`) its relative error is made of."""

    text: str
    low: float
    high: float
    steps: float = 0.0
    functions: float = 0.0
    symbol: bool = True  # False where Python meets a plain number

    @property
    def size(self) -> float:
        return max(abs(self.low), abs(self.high))

    @property
    def sign(self) -> int:
        """1 where it is never negative, -1 where it is never positive, else 0."""
        return 1 if self.low >= 0 else -1 if self.high <= 0 else 0

    @property
    def exact(self) -> bool:
        return self.steps == 0


def constant(value: float) -> Term:
    return Term(repr(value), value, value, symbol=False)


def _sum(a: Term, operation: str, b: Term) -> Term:
    low, high = (b.low, b.high) if operation == "+" else (-b.high, -b.low)
    return Term(
        f"({a.text} {operation} {b.text})", a.low + low, a.high + high,
        max(a.steps, b.steps) + 1, max(a.functions, b.functions), a.symbol or b.symbol,
    )  # fmt: skip


def _product(a: Term, operation: str, b: Term) -> Term:
    """Or a quotient; then b does not come near 0."""
    apply = float.__mul__ if operation == "*" else float.__truediv__
    ends = [apply(float(x), float(y)) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Term(
        f"({a.text} {operation} {b.text})", min(ends), max(ends),
        a.steps + b.steps + 1, a.functions + b.functions, a.symbol or b.symbol,
    )  # fmt: skip


def _negative(a: Term) -> Term:
    return replace(a, text=f"(-{a.text})", low=-a.high, high=-a.low)


def _magnitude(a: Term) -> Term:
    low = 0.0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
    return replace(a, text=f"abs({a.text})", low=low, high=a.size)


def _one_of(text: str, *sides: Term, symbol: bool = True) -> Term:
    """What chooses among its sides adds no error."""
    return Term(
        text.format(*(side.text for side in sides)),
        min(side.low for side in sides), max(side.high for side in sides),
        max(side.steps for side in sides), max(side.functions for side in sides), symbol,
    )  # fmt: skip


_RANGES: dict[str, Callable[[float], float]] = {
    "exp": math.exp, "expm1": math.expm1, "log1p": math.log1p,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
}  # fmt: skip


def _function(name: str, a: Term) -> Term:
    """A relative error of a grows by no more than a's size, or 1."""
    factor = max(1.0, a.size)
    return Term(
        f"{name}({a.text})", _RANGES[name](a.low), _RANGES[name](a.high),
        1 + factor * a.steps, 1 + factor * a.functions,
    )  # fmt: skip


@dataclass
class Drawing:
    """Draws one formula. `whole`: integers can compute it, too; `modular`: nothing else does, so
    that whatever wraps is fine; `functions`: whether there may be any (DOUBLE has none)."""

    rng: Random
    whole: bool
    modular: bool
    functions: bool

    def formula(
        self,
        terms: Sequence[Term],
        optional: Sequence[Term],
        questions: Sequence[str],
        condition: bool = False,
    ) -> Term:
        """One that reads all terms, `optional` ones where they are there; `questions` are asked in
        Python when it runs. `condition`: it tells only what holds."""
        self.asked = [term for term in terms if term.text.isidentifier()]
        if condition and self.asked:
            return Term(self.condition(), 0.0, 1.0)
        parts = self.rng.sample(list(terms), len(terms))
        found = self.perhaps_changed(parts[0]) if parts else constant(self.number())
        for part in parts[1:]:
            found = self.joined(found, self.perhaps_changed(part))
        for term in optional:
            there = self.joined(found, term)
            text = f"({{0}} if {term.text} is not None else {{1}})"
            found = _one_of(text, there, found, symbol=found.symbol)
        for question in questions:
            sides = self.changed(found), self.changed(found)
            text = f"({{0}} if {question} else {{1}})"
            found = _one_of(text, *sides, symbol=all(side.symbol for side in sides))
        return self.perhaps_changed(found)

    def number(self) -> float:
        return self.rng.choice((-3, -1, 0, 1, 2, 3) if self.whole else (-2.5, -1, 0.25, 0.5, 1, 3))

    def joined(self, a: Term, b: Term) -> Term:
        """Both in one term."""
        found = [
            _product(a, "*", b),
            _one_of("minimum({0}, {1})", a, b),
            _one_of("maximum({0}, {1})", a, b),
            _sum(_magnitude(a), "+", _magnitude(b)),
        ]
        anyway = self.modular or (a.exact and b.exact)
        if anyway or a.sign * b.sign > 0:
            found += [_sum(a, "+", b)] * 2
        if anyway or a.sign * b.sign < 0:
            found += [_sum(a, "-", b)] * 2
        if not self.whole:
            found.append(_product(a, "/", _sum(constant(1), "+", _magnitude(b))))
        if self.asked:
            sides = self.rng.sample([a, b], 2)
            found.append(_one_of(f"where({self.condition()}, {{0}}, {{1}})", *sides))
        return self.one_that_fits(found)

    def perhaps_changed(self, term: Term) -> Term:
        return term if self.rng.random() < 0.4 else self.changed(term)

    def changed(self, term: Term) -> Term:
        """Something simple made of it."""
        one, number = constant(1), constant(self.number())
        bounds = map(constant, sorted([self.number(), self.number()]))
        found = [
            _negative(term),
            _magnitude(term),
            _one_of("clamp({0}, {1}, {2})", term, *bounds),
            _product(number, "*", term),
            _sum(_magnitude(term), "+", _magnitude(number)),
        ]
        if term.symbol:
            found.append(replace(term, text=f"known_as('something', {term.text})"))
        if self.asked:
            found.append(_one_of(f"where({self.condition()}, {{0}}, {{1}})", term, number))
            found.append(_product(term, "*", Term(f"({self.condition()})", 0.0, 1.0)))
        if not self.whole:
            found.append(_product(one, "/", _sum(one, "+", _magnitude(term))))
            found.append(_product(term, "/", constant(self.rng.choice([3, 0.5, 7]))))
        if self.functions:
            low, high = (max(-3.0, min(end, 3.0)) for end in (term.low, term.high))
            between = replace(term, text=f"clamp({term.text}, -3, 3)", low=low, high=high)
            found.append(_function("exp", _negative(_magnitude(term))))
            found.append(_function("log1p", _magnitude(term)))
            found += [_function(name, between) for name in ("exp", "expm1", "sigmoid")]
        return self.one_that_fits(found)

    def one_that_fits(self, found: Sequence[Term]) -> Term:
        """Neither too large nor too inexact; what only chooses always fits."""
        return self.rng.choice(
            [
                term
                for term in found
                if self.modular
                or (term.size <= _LARGEST and term.steps <= _STEPS and term.functions <= _FUNCTIONS)
            ]
        )

    def condition(self) -> str:
        """Something that holds or not, whatever is rounded."""
        found = self.comparison()
        if self.rng.random() < 0.3:
            found = f"(({found}) {self.rng.choice('&|^')} ({self.comparison()}))"
        return f"~({found})" if self.rng.random() < 0.2 else found

    def comparison(self) -> str:
        number = repr(self.number())
        left = self.rng.choice(self.asked).text
        right = self.rng.choice([*(term.text for term in self.asked), number, number])
        return self.rng.choice(_CONDITIONS).format(left, right)
