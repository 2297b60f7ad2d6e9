"""Minimum and maximum with their indices: of equal elements the first, and the first NaN before all
numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from openaclnn.base.dtypes import INT64, POSITION, DType
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import ALL, Expr, equal, fold, not_equal, where
from openaclnn.spec.host import FLAG
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr
from openaclnn.spec.results import OverDims
from openaclnn.spec.rules.rule import Rule
from openaclnn.spec.steps import POSITIONS, Part, Step, parts, position

DIM = Attr("dim", "the dimension", "维度", INTEGER, by_place=True)
KEEP = Attr(
    "keep_dim",
    "whether it stays, of size 1",
    "是否保留该维（大小为 1）",
    FLAG,
    False,
    by_place=True,
)
_BEYOND = 2.0**60  # any place

Fold = Callable[..., Expr]


def largest(x: Expr, over: str = ALL) -> Expr:
    return fold(x, "max", over)


def smallest(x: Expr, over: str = ALL) -> Expr:
    """Of floats."""
    return -fold(-x, "max", over)


def smallest_integer(x: Expr, over: str = ALL) -> Expr:
    """−1 − x is an integer of x's dtype, whatever x is; −x is not."""
    return -1 - fold(-1 - x, "max", over)


def for_integers(formula: Callable[..., Any]) -> Callable[[DType, Mapping[str, Any]], Any]:
    """An operator's `shorter`: another formula among integers."""
    return lambda promoted, attributes: None if promoted.kind == "float" else formula


def first_place(hit: Expr, place: Expr) -> Expr:
    """The first place along `dim` where something holds."""
    return -fold(where(hit, -place, -_BEYOND), "max", over="dim")


def placed(extreme: Fold) -> Callable[..., tuple[Expr, Expr]]:
    """The formula of an extreme and its place."""

    def formula(self: Expr, place: Expr) -> tuple[Expr, Expr]:
        found = extreme(self, "dim")
        return found, first_place(equal(self, found) | not_equal(self, self), place)

    return formula


def place_of(extreme: Fold) -> Callable[..., Expr]:
    """The formula of the place alone."""
    return lambda self, place: placed(extreme)(self, place)[1]


def promotes(call: Call) -> DType | None:
    """Places among integers are INT64, whatever these are."""
    dtype: DType = call.reads[0].tensor.dtype
    return dtype if dtype.kind == "float" else INT64


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    given = known[call.op.reads[0].name]
    view = given.view
    if view.shape:
        place = position(view, call["dim"] % len(view.shape))
    else:
        place = Part(POSITIONS, view.seen((), (), 0, POSITION))
    writes = tuple(known.get(output.name) for output in call.op.outputs)
    return (Step({"self": given, "place": place}, writes),)


def results(call: Call) -> tuple[Meta, ...]:
    """A value and its place, or the place alone."""
    keep = next(a.name for a in call.op.attributes if a.host is FLAG)
    (found, *_) = OverDims("dim", keep)(call)
    value = Meta(found.shape, call.reads[0].tensor.dtype)
    place = Meta(found.shape, INT64)
    return (value, place)[-len(call.op.outputs) :]


def some(call: Call) -> str | None:
    given = call.reads[0]
    shape, dim = given.tensor.shape, call["dim"]
    if shape and not shape[dim]:
        return f"{given.label} has size 0 along dimension {dim}; expected at least 1"
    return None


SOME: Rule = Sound(some, "dim is not empty", "dim 维不为空")
