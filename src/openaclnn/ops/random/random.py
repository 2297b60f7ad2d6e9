"""Random integers from one number up to below another, each as likely."""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import INT64, DType
from openaclnn.spec.call import Call
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr, equal, remainder, where
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, InOut, Op, never
from openaclnn.spec.random import STREAM, drawing, numbers, steps
from openaclnn.spec.rules import Dtypes, MaxDims

LEAST = -(2**63)


def ordered(call: Call) -> str | None:
    low, high = call["low"], call["high"]
    return None if low < high else f"from is {low} and to is {high}; expected from below to"


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    found = numbers(attributes, numel, promoted)
    span = attributes["high"] - attributes["low"]
    wide = span >= 2**63  # an integer has no sign for it
    return {**found, "span": span - 2**64 * wide, "wide": int(wide)}


def formula(integer: Expr, another: Expr, low: Expr, high: Expr, span: Expr, wide: Expr) -> Expr:
    """A remainder of 63 random bits; or of 64: the number itself, or the span away from it."""
    any_number = integer + remainder(another, 2) * LEAST
    inside = where(any_number < low, any_number + span, any_number)
    inside = where(any_number < high, inside, any_number - span)
    return where(equal(wide, 1), inside, low + remainder(integer, where(equal(wide, 1), 1, span)))


OP = Op(
    "inplace_random",
    "Fill with random integers",
    "以随机整数填充",
    (
        InOut("self", "what is overwritten", "被覆盖的张量", read=False),
        Attr("low", "the least", "最小值", INTEGER, default=0),
        Attr("high", "above the largest", "上界（不含）", INTEGER, usual=100),
        *STREAM,
    ),
    (
        Dtypes(("self",), NUMBERS),
        Sound(ordered, "from is below to", "from 小于 to"),
        MaxDims(("self",)),
    ),
    drawing(formula),
    promotes=lambda call: INT64,
    uniforms=uniforms,
    steps=steps,
    wide=never,
    source="signature: op-plugin; values: openaclnn's own stream",
    example="""
>>> import numpy as np, openaclnn
>>> x = openaclnn.inplace_random(np.empty(1000, np.int32), low=3, high=6, seed=42, offset=0)
>>> np.unique(x)
array([3, 4, 5], dtype=int32)
""",
)
