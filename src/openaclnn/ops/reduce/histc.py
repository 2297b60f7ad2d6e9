"""How many elements are in each of so many equal spaces between two numbers; the last has its end,
too. What is outside, and NaN, is in none. Where both numbers are equal they are the least and the
largest element."""

from functools import cache
from typing import Any

from openaclnn.base.dtypes import DOUBLE, INT32, INT64
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import (
    Expr,
    among_numbers,
    as_number,
    constant,
    described,
    equal,
    fold,
    minimum,
    where,
    whole_number,
)
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.host import SCALAR
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims, RealScalars
from openaclnn.spec.scatters import ADD, scattered, spread
from openaclnn.spec.selections import lying
from openaclnn.spec.steps import Part, Step, copied, parts, scratch, zeros


def one() -> Expr:
    return constant(1)


def ends(self: Expr) -> tuple[Expr, Expr]:
    return -fold(-self, "max"), fold(self, "max")


@cache
def space_of(bins: int, of_data: bool) -> Any:
    """The number of an element's space; of those in none, one too many."""

    def formula(self: Expr, low: Expr, high: Expr) -> Expr:
        if of_data:
            alone = equal(low, high)
            low, high = where(alone, low - 1, low), where(alone, high + 1, high)
        inside = among_numbers((self >= low) & (self <= high))
        place = minimum(whole_number((self - low) * bins / (high - low)), constant(bins - 1))
        return as_number(where(inside, place, constant(bins)))

    if of_data:
        return formula
    return lambda self, min, max: formula(self, min, max)


def steps(call: Call) -> tuple[Step, ...]:
    known, bins = parts(call), call["bins"]
    whole, out = known["self"], known["out"]
    shape, numel = whole.view.shape, whole.view.numel
    of_data = float(call["min"].value) == float(call["max"].value)
    space, each = scratch(0, INT64, shape), scratch(1, INT64, (numel,))
    none, counts = scratch(2, INT64, ()), scratch(3, INT64, (bins,))
    reads: dict[str, Part | None] = {"self": whole}
    found: list[Step] = []
    if of_data and numel:
        low, high = scratch(4, DOUBLE, ()), scratch(5, DOUBLE, ())
        found.append(Step({"self": whole}, (low, high), ends))
        reads |= {"low": low, "high": high}
    if numel:
        found.append(Step(reads, (space,), space_of(bins, of_data)))
        found.append(Step({}, (each,), one))
    zero = spread(none, counts.view.shape, ())
    found.append(Step({}, (none,), zeros))
    if numel:
        found.append(scattered(zero, each, (lying(space),), (-1,), counts, ADD))
    else:
        found.append(Step({}, (counts,), zeros))
    return (*found, Step({"self": counts}, (out,), copied))


def sound(call: Call) -> str | None:
    low, high = float(call["min"].value), float(call["max"].value)
    if call["bins"] < 1:
        return f"bins is {call['bins']}; expected at least 1"
    if not low <= high or high - low == float("inf"):
        return f"min is {low:g} and max is {high:g}; expected finite numbers, min at most max"
    if call["out"].shape != (call["bins"],):
        return f"out has shape {list(call['out'].shape)}; expected [{call['bins']}]"
    return None


def formula(self: Expr) -> Expr:
    return described("how many elements of self are in each space", self)


OP = Op(
    "histc",
    "Histogram with bins of equal width",
    "直方图",
    (
        In("self", "the elements", "输入"),
        Attr("bins", "how many spaces", "区间个数", INTEGER, 100),
        Attr("min", "where they begin", "下界", SCALAR, 0),
        Attr("max", "where they end", "上界", SCALAR, 0),
        Out("out", "the counts", "各区间的个数"),
    ),
    (
        Dtypes(("self", "out"), (*FLOATS, DOUBLE, INT32, INT64), lacks_complex=True),
        MaxDims(("self", "out")),
        RealScalars(("min", "max")),
        Sound(sound, "bins is at least 1, min is at most max, both are finite; out has bins "
              "elements", "bins 不小于 1，min 不大于 max 且均有限；out 有 bins 个元素"),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.histc(np.array([1, 2, 1], np.float32), bins=4, max=3)
array([0., 2., 1., 0.], dtype=float32)
""",
    promotes=lambda call: DOUBLE,
    results=lambda call: (Meta((call["bins"],), call["self"].dtype),),
    steps=steps,
    wide=always,
    torch="histc",
    source="signature: op-plugin; values: PyTorch's histc",
)  # fmt: skip
