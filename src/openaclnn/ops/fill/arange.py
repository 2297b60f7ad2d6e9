"""start, start + step, start + 2·step, … up to and without end, each rounded once."""

import math
from collections.abc import Callable

from openaclnn.base.dtypes import FLOAT, INT64, DType
from openaclnn.base.scalars import round_to_float
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, Op, Out, always
from openaclnn.spec.results import Results
from openaclnn.spec.rules import Dtypes, Integral, LeadsTo, MaxDims, ResultShape
from openaclnn.spec.steps import Step, parts, position

NAMES = ("start", "end", "step")


def promotes(call: Call) -> DType:
    """What the output is, or what the numbers say."""
    if call["out"] is not None:
        found: DType = call["out"].dtype
        return found
    return (
        INT64 if all(value.dtype.kind in ("int", "bool") for _, value in call.of(NAMES)) else FLOAT
    )


def counts(call: Call) -> list[int]:
    """As many as numbers say; a caller that counts in float32 may be right, too."""
    start, end, step = (call[name].value for name in NAMES)
    if all(isinstance(value, int) for value in (start, end, step)):
        return [-((start - end) // step)]
    short = round_to_float(round_to_float(end - start) / step)
    return [math.ceil(number) for number in ((end - start) / step, short) if number < math.inf]


def along(shape: tuple[int, ...]) -> int | None:
    """The one dimension that numbers lie along, the others being 1; None where there are more."""
    long = [dim for dim, size in enumerate(shape) if size != 1] or range(len(shape))[-1:]
    return long[0] if len(long) == 1 else None


def numbered(counts: Callable[[Call], list[int]]) -> Results:
    """Results along one dimension: one of so many, of several counts that are right the first."""

    def results(call: Call) -> tuple[Meta, ...]:
        shape = (counts(call)[0],)
        if call["out"] is not None:
            given = call["out"].shape
            dim = along(given)
            if dim is not None and given[dim] in counts(call):
                shape = given
        return (Meta(shape, promotes(call)),)

    return results


def steps(call: Call) -> tuple[Step, ...]:
    out = parts(call)["out"]
    dim = along(out.view.shape)
    assert dim is not None  # as the rules have it
    return (Step({"position": position(out.view, dim)}, (out,)),)


def formula(position: Expr, start: Expr, step: Expr) -> Expr:
    return position * step + start


OP = Op(
    name="arange",
    en="Evenly spaced numbers",
    zh="等差数列",
    arguments=(
        Attr("start", "the first number", "起始值", SCALAR, default=0, by_place=True),
        Attr("end", "what is not reached", "终止值（不含）", SCALAR, usual=1000),
        Attr("step", "from one to the next", "步长", SCALAR, default=1, by_place=True),
        Out("out", "the numbers, along one dimension", "结果，沿一个维度排列"),
    ),
    rules=(
        Dtypes(("out",), NUMBERS),
        Integral(NAMES),
        LeadsTo(*NAMES),
        MaxDims(("out",)),
        ResultShape(),
    ),
    source="signature: op-plugin, llama.cpp; values: PyTorch's arange",
    formula=formula,
    promotes=promotes,
    results=numbered(counts),
    steps=steps,
    wide=always,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.arange(4)
array([0, 1, 2, 3])
>>> openaclnn.arange(0.0, 1.0, 0.25)
array([0.  , 0.25, 0.5 , 0.75], dtype=float32)
""",
)
