"""Functions that float32 is too little for: computed in float64 and rounded once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from openaclnn.arithmetic.nodes import Node, make
from openaclnn.arithmetic.ranges import Ranges
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.widths import F64_FOR_FLOAT


def in_float64(algebra: Algebra, function: Callable[..., Node], *given: Node) -> Ratio:
    """What a function makes of numbers of any width, by way of the one of float64 for FLOAT."""
    width = replace(F64_FOR_FLOAT, guarded=algebra.width.guarded)
    if algebra.width.type == "f64":
        return Ratio(function(algebra, *given))
    wide = replace(algebra, width=width, ranges=Ranges(), usual=Ranges(), sizable=set(), rare=None)
    result = function(wide, *(make("widen", "f64", x) for x in given))
    if wide.rare is not None:
        algebra.seldom(wide.rare)
    return Ratio(make("narrow", "f32", result))
