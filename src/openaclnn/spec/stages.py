"""Formulas with folds, taken apart: softmax is the largest, then a sum, then quotients. What is
known of numbers beside their folds is said then: none is above the largest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from openaclnn.base.records import dataclass
from openaclnn.spec.formula import ALL, BELOW_ZERO, STEP, Expr, Traced, are_same, known_as, tensor
from openaclnn.spec.results import folded_dims


@lru_cache(maxsize=1024)
def folds_of(traced: Traced) -> tuple[Expr, ...]:
    """The folds of a formula, each after those that its terms need."""
    found: dict[int, Expr] = {}
    for result in traced.results:
        for expr in _inner_first(result):
            if expr.op == "fold":
                found[id(expr)] = expr
    return tuple(found.values())


def _inner_first(expr: Expr) -> Iterator[Expr]:
    for arg in expr.args:
        yield from _inner_first(arg)
    yield expr


@dataclass(frozen=True)
class Stage:
    """A part of a formula without folds inside: trees over inputs and earlier folds."""

    traced: Traced
    fold: Expr | None  # what is done with the terms, or None: the trees are the results
    name: str = ""  # by which later stages read what the fold gives

    @property
    def adds_powers(self) -> bool:
        """Whether it adds up powers of which none is above 1, and one is 1."""
        return self.fold is not None and _sum_of_powers(self.fold)


@lru_cache(maxsize=1024)  # what is made of a stage is kept by it: no kernel is printed twice
def stages_of(traced: Traced) -> tuple[Stage, ...]:
    """A formula with folds, taken apart: one stage for each fold, then the rest. Where the last
    fold is all there is, it is the last stage."""
    folds = folds_of(traced)
    names = {id(expr): f"fold {number}" for number, expr in enumerate(folds)}

    def without(expr: Expr) -> Expr:
        """The tree with symbols for its folds."""
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

    stages = [Stage(_over(traced, without(fold.args[0])), fold, names[id(fold)]) for fold in folds]
    if are_same(traced.results, folds[-1:]):
        return tuple(stages)
    return (*stages, Stage(_over(traced, *map(without, traced.results)), None))


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
    used = {(e.op, e.name): None for result in results for e in _inner_first(result) if not e.args}
    folds = sorted(name for op, name in used if op == "input" and name not in traced.inputs)
    return Traced(
        inputs=(*(name for name in traced.inputs if ("input", name) in used), *folds),
        uniforms=tuple(name for name in traced.uniforms if ("uniform", name) in used),
        results=results,
    )


def dims_of(
    stages: Sequence[Stage], attributes: Mapping[str, Any], rank: int, step: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """The dimensions that the folds of a formula are over, the same for all; `step` are those that
    a step tells."""
    over = {stage.fold.over for stage in stages if stage.fold is not None}
    if len(over) != 1:
        raise ValueError(f"the folds of one formula are over one thing, not {sorted(over)}")
    (name,) = over
    if name == STEP:
        return step
    return folded_dims(() if name == ALL else attributes[name], rank)
