"""Numbers at equal distances from start to end, both among them: (start·(n − i) + end·i)/n, where n
steps lead from the first to the last; one alone is start. As INT32 they are cut towards 0."""

import math
from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DOUBLE, INT32, DType
from openaclnn.ops.fill.arange import along
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.error_free import two_product, two_sum
from openaclnn.spec.families import FLOATS, float_unless_given
from openaclnn.spec.formula import Expr, for_double, known_as
from openaclnn.spec.host import INT64, SCALAR
from openaclnn.spec.op import Attr, Op, Out, always, number_of
from openaclnn.spec.proof import Bound, Proof
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative, ResultShape
from openaclnn.spec.steps import Step, parts, position


def results(call: Call) -> tuple[Meta, ...]:
    return (Meta((max(call["steps"], 0),), float_unless_given(call)),)


def computed(call: Call) -> DType:
    """DOUBLE where integers are made: FLOAT would round up to the next one."""
    found = float_unless_given(call)
    return DOUBLE if found is INT32 else found


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    """Of DOUBLE both ends in a unit that leaves room for their products, above and below."""
    unit, last = 1.0, max(attributes["steps"] - 1, 1)
    if promoted is not DOUBLE:
        return {**attributes, "last": last, "unit": unit}
    ends = {name: number_of(attributes[name], DOUBLE) for name in ("start", "end")}
    size = max(map(abs, ends.values()))
    if math.isfinite(size) and size > 2.0**900:
        unit = 2.0**100
    elif 0 < size < 2.0**-800:
        unit = 2.0**-200
    return {name: value / unit for name, value in ends.items()} | {"last": last, "unit": unit}


def steps(call: Call) -> tuple[Step, ...]:
    out = parts(call)["out"]
    dim = along(out.view.shape)
    assert dim is not None  # as the rules have it
    return (Step({"position": position(out.view, dim)}, (out,)),)


def short(position: Expr, start: Expr, end: Expr, last: Expr) -> Expr:
    return (start * (last - position) + end * position) / last


def in_pairs(position: Expr, start: Expr, end: Expr, last: Expr, unit: Expr) -> Expr:
    """The same in float64 as exact as a pair: what each product, the sum and the quotient were
    rounded by takes part."""
    from_start, left = two_product(start, last - position)
    from_end, more = two_product(end, position)
    total, lost = two_sum(from_start, from_end)
    high, low = two_sum(total, lost + (left + more))
    quotient = high / last
    rest = (-quotient * last + high) + low
    return (quotient + rest / last) * unit


def meaning(position: Expr, start: Expr, end: Expr, last: Expr, unit: Expr) -> Expr:
    return short(position, start, end, last) * unit


def formula(position: Expr, start: Expr, end: Expr, last: Expr, unit: Expr) -> Expr:
    long = in_pairs(position, start, end, last, unit)
    found = for_double(long, short(position, start, end, last))
    return known_as("(start·(last − position) + end·position) / last", found)


OP = Op(
    name="linspace",
    en="Evenly spaced numbers between two ends",
    zh="区间内的等差数列",
    arguments=(
        Attr("start", "the first number", "起始值", SCALAR, usual=-1),
        Attr("end", "the last number", "终止值", SCALAR, usual=1),
        Attr("steps", "how many there are", "个数", INT64, usual=1000),
        Out("out", "the numbers", "结果"),
    ),
    rules=(
        Dtypes(("out",), (*FLOATS, DOUBLE, INT32)),
        NotNegative("steps"),
        MaxDims(("out",)),
        ResultShape(),
    ),
    source="signature: op-plugin; values: PyTorch's linspace",
    formula=formula,
    proof=Proof(exact={DOUBLE: Bound(1.0)}, meaning=meaning),
    promotes=computed,
    results=results,
    uniforms=uniforms,
    steps=steps,
    wide=always,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.linspace(0, 1, 5)
array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
""",
)
