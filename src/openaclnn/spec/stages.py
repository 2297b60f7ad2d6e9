"""Splits a formula at its reductions into stages: softmax is a maximum, then a sum, then quotients.
Bounds that follow from a reduction are added to the next stage: no element is above the maximum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from openaclnn.base.records import dataclass
from openaclnn.base.tensors import product_of
from openaclnn.spec.formula import (
    ALL,
    BELOW_ZERO,
    EXTENT,
    Expr,
    Traced,
    distinct,
    known_as,
    tensor,
)
from openaclnn.spec.results import folded_dims


@lru_cache(maxsize=1024)
def folds_of(traced: Traced) -> tuple[Expr, ...]:
    """The folds of a formula, each after those that its terms need."""
    found: dict[int, Expr] = {}
    for expr in distinct(traced.results):
        if expr.op == "fold":
            found[id(expr)] = expr
    return tuple(found.values())


@dataclass(frozen=True)
class Stage:
    """A part of a formula without folds inside: trees over inputs and earlier folds."""

    traced: Traced
    fold: Expr | None  # what is done with the terms, or None: the trees are the results
    name: str = ""  # by which later stages read what the fold gives
    gives: tuple[int, ...] = ()  # the formula's results that it computes, by number

    def part(self, several: tuple[int, ...]) -> Traced:
        """Some of the trees. Equal ones are the same object, since kernels are kept by it."""
        if several == tuple(range(len(self.traced.results))):
            return self.traced
        if several not in self.parts:
            results = (self.traced.results[k] for k in several)
            self.parts[several] = _over(self.traced, *results)
        return self.parts[several]

    @cached_property
    def parts(self) -> dict[tuple[int, ...], Traced]:
        return {}

    @property
    def adds_powers(self) -> bool:
        """Whether it adds up powers of which none is above 1, and one is 1."""
        return self.fold is not None and _sum_of_powers(self.fold)


@lru_cache(maxsize=1024)  # what is made of a stage is kept by it: no kernel is printed twice
def stages_of(traced: Traced) -> tuple[Stage, ...]:
    """A formula with folds, taken apart: one stage for each fold, then the rest. A fold that is a
    result, and is read by nothing else, gives it itself."""
    folds = folds_of(traced)
    given = _given(traced, folds)
    names = {id(expr): f"fold {number}" for number, expr in enumerate(folds)}

    made: dict[int, Expr] = {}

    def without(expr: Expr) -> Expr:
        """The tree with symbols for its folds; what is used twice stays one."""
        if id(expr) not in made:
            made[id(expr)] = replaced(expr)
        return made[id(expr)]

    def replaced(expr: Expr) -> Expr:
        if id(expr) in names:
            symbol = tensor(names[id(expr)])
            return _between(symbol, 1.0, _MOST) if _sum_of_powers(expr) else symbol
        if not expr.args:
            return expr
        args = tuple(map(without, expr.args))
        if expr.op == "exp" and _below_largest(expr.args[0]):
            return _between(replace(expr, args=args), 0.0, 1.0)
        if not _below_largest(expr):
            return replace(expr, args=args)
        x, largest = args  # where that is infinite all are NaN
        return _between(x - (largest + (largest - largest)), *BELOW_ZERO)

    stages = [
        Stage(_over(traced, without(fold.args[0])), fold, names[id(fold)], given.get(id(fold), ()))
        for fold in folds
    ]
    direct = {number for stage in stages for number in stage.gives}
    rest = tuple(number for number in range(len(traced.results)) if number not in direct)
    if not rest:
        return tuple(stages)
    trees = (without(traced.results[number]) for number in rest)
    return (*stages, Stage(_over(traced, *trees), None, gives=rest))


def _given(traced: Traced, folds: Sequence[Expr]) -> dict[int, tuple[int]]:
    """The results that folds give themselves, by identity."""
    read = {id(arg) for expr in distinct(traced.results) for arg in expr.args}
    given: dict[int, tuple[int]] = {}
    for number, result in enumerate(traced.results):
        if result.op == "fold" and id(result) not in read and id(result) not in given:
            given[id(result)] = (number,)
    twice = [id(result) for result in traced.results]
    return {one: numbers for one, numbers in given.items() if twice.count(one) == 1}


_MOST = 2.0**40  # terms


def _below_largest(expr: Expr) -> bool:
    """Whether an expression is a number less the largest of its kind."""
    if expr.op != "sub" or expr.args[1].op != "fold":
        return False
    x, largest = expr.args
    return largest.name == "max" and largest.args[0] is x


def _sum_of_powers(fold: Expr) -> bool:
    """Whether a fold adds up powers of which none is above 1, and one is 1."""
    return fold.name == "add" and fold.args[0].op == "exp" and _below_largest(fold.args[0].args[0])


def _between(expr: Expr, low: float, high: float) -> Expr:
    return known_as("", expr, (low, high))


def _over(traced: Traced, *results: Expr) -> Traced:
    """Trees over those inputs and uniforms that they use."""
    used = {(e.op, e.name): None for e in distinct(results) if not e.args}
    known = {*traced.inputs}
    folds = sorted(name for op, name in used if op == "input" and name not in known)
    return Traced(
        inputs=(*(name for name in traced.inputs if ("input", name) in used), *folds),
        uniforms=tuple(name for name in traced.uniforms if ("uniform", name) in used),
        results=results,
    )


def dims_of(
    over: str, attributes: Mapping[str, Any], rank: int, axes: Mapping[str, tuple[int, ...]]
) -> tuple[int, ...]:
    """The dimensions that a fold is over; `axes` are those that a step tells."""
    if over in axes:
        return axes[over]
    return folded_dims(() if over == ALL else attributes[over], rank)


def extents_of(
    names: Sequence[str],
    attributes: Mapping[str, Any],
    shape: tuple[int, ...],
    axes: Mapping[str, tuple[int, ...]],
) -> dict[str, int]:
    """How many elements there are along the axes that uniforms ask for."""
    asked = [name for name in names if name.startswith(EXTENT)]
    return {
        name: product_of(
            [shape[dim] for dim in dims_of(name[len(EXTENT) :], attributes, len(shape), axes)]
        )
        for name in asked
    }
