"""Classifies an operator's formula for its proof: a gradient times a slope is proven by the slope;
where all inputs but one only select a branch, by all values of that input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY
from functools import cache
from typing import Any

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.lower import lower
from openaclnn.arithmetic.nodes import in_order
from openaclnn.base.dtypes import DOUBLE, FLOAT, DType
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import Scalar
from openaclnn.base.settings import EXACT, FAST
from openaclnn.spec.formula import Expr, inputs_of, walk
from openaclnn.spec.host import FLAG, Real, ScalarValue
from openaclnn.spec.op import Attr, Op, number_of
from openaclnn.spec.sample import sample_call
from openaclnn.spec.steps import elementwise
from openaclnn.truth.reference import complete

_COMPARISONS = ("lt", "le", "gt", "ge", "equal", "not_equal")
_LINES = frozenset(("input", "const", "uniform"))


@dataclass(frozen=True)
class Structure:
    """`linear`: the result is the first input times something that does not depend on it, which
    one or two other inputs have. `gated`: those only decide; `thresholds` are the numbers that
    they are compared with, None where a comparison is of another kind."""

    thresholds: tuple[float, ...] | None = None
    cost: float = 1.0  # of a true value, in arbitrary units
    _: KW_ONLY
    linear: bool
    gated: bool = False


@cache
def form_of(op: Op) -> Structure:
    plain = op.steps is elementwise and len(op.outputs) == 1 and not op.in_place
    plain = plain and all(not (a.optional or a.many) for a in op.inputs)
    tree = op.expressions[0]
    plain = plain and all(expr.op != "fold" for expr in walk(tree))
    cost = 1 + sum(expr.op not in _LINES for expr in walk(tree)) / 3
    if not plain or not 2 <= len(op.reads) <= 3 or not _linear(tree, op.reads[0].name):
        return Structure(linear=False, cost=cost)
    gated = _valued(tree) == {op.reads[0].name}
    return Structure(_thresholds(tree) if gated else None, cost, linear=True, gated=gated)


def _linear(expr: Expr, name: str) -> bool:
    """Whether an expression is some number times an input, or 0."""
    if expr.op == "input":
        return expr.name == name
    if expr.op == "const":
        return expr.value == 0
    free = [name not in inputs_of(arg) for arg in expr.args]
    of = [_linear(arg, name) for arg in expr.args]
    if expr.op in ("neg", "known_as"):
        return of[0]
    if expr.op in ("add", "sub"):
        return all(of)
    if expr.op == "mul":
        return (of[0] and free[1]) or (free[0] and of[1])
    if expr.op == "div":
        return of[0] and free[1]
    return expr.op == "where" and free[0] and of[1] and of[2]


def _valued(expr: Expr) -> set[str]:
    """Inputs that the value depends on other than by a choice."""
    if expr.op == "input":
        return {expr.name}
    args = expr.args[1:] if expr.op == "where" else expr.args
    return set().union(*map(_valued, args)) if args else set()


def _thresholds(expr: Expr) -> tuple[float, ...] | None:
    """What inputs, or their magnitudes, are compared with, where nothing else is."""
    found: list[float] = []
    for one in walk(expr):
        if one.op == "where" and one.args[0].op not in _COMPARISONS:
            return None
        if one.op in _COMPARISONS:
            compared, limit = one.args
            compared = compared.args[0] if compared.op == "abs" else compared
            if compared.op != "input" or limit.op != "const":
                return None
            found += [float(limit.value), -float(limit.value)]
    return tuple(found)


@cache
def shows_its_slope(op: Op) -> bool:
    """Whether float32 results at level exact are gradient times slope in float64, rounded once, so
    that the kernel told that results are float64 shows the slope for a gradient of 1."""
    form = form_of(op)
    if not form.linear or form.gated or len(op.reads) != 2:
        return False
    if op.attributes or op.computes_in(FLOAT, EXACT) != "f64":
        return False
    rounded, wide = (
        lower(op.traced_in("f64"), (FLOAT, FLOAT), dtype, (dtype,), "f64")
        for dtype in (FLOAT, DOUBLE)
    )
    ways = [(*body.results, *(body.unguarded or ())) for body in (rounded, wide)]
    if len(ways[0]) != len(ways[1]):
        return False
    for result, bits in zip(*ways, strict=True):
        if bits.op != "select" or not bits.args[2].args:
            return False
        value = bits.args[2].args[0]  # `bits` is a select between the quiet NaN and the value's
        if value.op != "mul" or result is not rounding.write(value, FLOAT, FLOAT):
            return False
        factors = [[n for n in in_order(arg) if n.op == "load"] for arg in value.args]
        if sorted([n.value for n in nodes] for nodes in factors) != [[0], [1]]:
            return False
    return True


# where results of functions vanish, overflow or meet 1 in some float type
_EDGES_OF = {
    "exp": (16.6, 36.7, 80.0, 87.33, 88.72, 103.97, 340.0, 708.4, 709.8, 745.1),
    "expm1": (16.6, 36.7, 80.0, 88.72, 709.8),
    "sigmoid": (16.6, 36.7, 80.0, 88.72, 103.97, 709.8),
    "log": (1.0,),
    "log1p": (1.0,),
    "sin": (0.79, 1.57, 3.1416),
    "cos": (0.79, 1.57, 3.1416),
    "tan": (0.79, 1.57, 3.1416),
    "asin": (0.5, 1.0),
    "acos": (0.5, 1.0),
    "atan": (0.41, 2.41),
    "sinh": (89.4, 710.4),
    "cosh": (89.4, 710.4),
    "acosh": (1.0,),
    "atanh": (1.0,),
    "exp2": (127.9, 149.0, 1024.0, 1074.0),
    "erfc": (0.5, 9.2, 10.05, 26.5),
    "erfinv": (0.5, 0.9966, 1.0),
    "pow": (1.0, 2.0, 0.5),
    "tanh": (9.02, 19.1),
    "erf": (1.25, 3.92, 5.9),
}


@cache
def edges(op: Op) -> tuple[float, ...]:
    """Inputs at which something happens: what the operator's proof says, else what numbers its
    formula compares with, and where its functions go to their limits."""
    if op.proof.edges:
        return op.proof.edges
    found = [0.0, 1.0]
    for tree in op.expressions:
        for one in walk(tree):
            found += _EDGES_OF.get(one.op, ())
            if one.op in (*_COMPARISONS, "clamp", "minimum", "maximum"):
                found += [float(arg.value) for arg in one.args if arg.op == "const"]
    return tuple(dict.fromkeys(found))  # `near` goes to both signs


def tried(op: Op) -> list[dict[str, Any]]:
    """The attributes to try: what the operator's proof says, else the defaults and, one at a time,
    every other choice and the other value of a flag."""
    if op.proof.attributes:
        return [dict(row) for row in op.proof.attributes]
    rows: list[dict[str, Any]] = [{}]
    for a in op.attributes:
        others = (True, False) if a.host is FLAG else a.choices.values()
        rows += [{a.name: value} for value in others if value != a.plain]
    return rows


def numbers_of(op: Op) -> tuple[Attr, ...]:
    """The attributes that are numbers of any size."""
    return tuple(a for a in op.attributes if isinstance(a.host, (Real, ScalarValue)))


def as_used(op: Op, given: Mapping[str, Any], dtype: DType) -> dict[str, Any]:
    """Attributes in the operator's order, as it uses them beside tensors of a dtype."""
    values = complete(op, given)
    numbers = {n: number_of(v, dtype) for n, v in values.items() if isinstance(v, Scalar)}
    return {n: numbers.get(n, value) for n, value in values.items() if n in given}


def same_kernel(op: Op, dtype: DType) -> bool:
    """Whether both levels compute alike, whatever the attributes."""
    rows = [complete(op, row) for row in ({}, *tried(op))]
    used = promoted(op, dtype)
    return all(op.computes_in(used, EXACT, row) == op.computes_in(used, FAST, row) for row in rows)


@cache
def promoted(op: Op, dtype: DType) -> DType:
    """What an operator computes in where its tensors have a dtype: of integers it may be FLOAT."""
    try:
        return sample_call(op, (dtype,), (2, 2)).promoted or dtype
    except (LookupError, ValueError):  # no call of such tensors can be made up
        return dtype
