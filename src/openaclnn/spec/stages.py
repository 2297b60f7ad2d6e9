"""Formulas with folds, taken apart: softmax is the largest, then a sum, then quotients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from openaclnn.spec.formula import ALL, Expr, Traced, tensor
from openaclnn.spec.results import folded_dims


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


def stages_of(traced: Traced) -> tuple[Stage, ...]:
    """A formula with folds, taken apart: one stage for each fold, then the rest. Where the last
    fold is all there is, it is the last stage."""
    folds = folds_of(traced)
    names = {id(expr): f"fold {number}" for number, expr in enumerate(folds)}

    def without(expr: Expr) -> Expr:
        """The tree with symbols for its folds."""
        if id(expr) in names:
            return tensor(names[id(expr)])
        return replace(expr, args=tuple(map(without, expr.args))) if expr.args else expr

    stages = [Stage(_over(traced, without(fold.args[0])), fold, names[id(fold)]) for fold in folds]
    if traced.results == folds[-1:]:
        return tuple(stages)
    return (*stages, Stage(_over(traced, *map(without, traced.results)), None))


def _over(traced: Traced, *results: Expr) -> Traced:
    """Trees over those inputs and uniforms that they use."""
    used = {(e.op, e.name): None for result in results for e in _inner_first(result) if not e.args}
    folds = sorted(name for op, name in used if op == "input" and name not in traced.inputs)
    return Traced(
        inputs=(*(name for name in traced.inputs if ("input", name) in used), *folds),
        uniforms=tuple(name for name in traced.uniforms if ("uniform", name) in used),
        results=results,
    )


def dims_of(stages: Sequence[Stage], attributes: Mapping[str, Any], rank: int) -> tuple[int, ...]:
    """The dimensions that the folds of a formula are over, the same for all."""
    over = {stage.fold.over for stage in stages if stage.fold is not None}
    if len(over) != 1:
        raise ValueError(f"the folds of one formula are over one thing, not {sorted(over)}")
    (name,) = over
    return folded_dims(() if name == ALL else attributes[name], rank)
