"""start, start + step, start + 2·step, … up to and without end, each rounded once."""

import math

from openaclnn.base.dtypes import FLOAT, INT64, DType
from openaclnn.base.scalars import round_to_float
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, Op, Out, always
from openaclnn.spec.rules import Dtypes, Integral, LeadsTo, ResultShape
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


def results(call: Call) -> tuple[Meta, ...]:
    """As many as numbers say; a caller that counts in float32 may be right, too."""
    start, end, step = (call[name].value for name in NAMES)
    whole = all(isinstance(value, int) for value in (start, end, step))
    count = -((start - end) // step) if whole else math.ceil((end - start) / step)
    if call["out"] is not None and not whole:
        short = math.ceil(round_to_float(round_to_float(end - start) / step))
        count = short if call["out"].shape == (short,) else count
    return (Meta((max(0, count),), promotes(call)),)


def steps(call: Call) -> tuple[Step, ...]:
    out = parts(call)["out"]
    return (Step({"position": position(out.view.shape, 0)}, (out,)),)


def formula(position: Expr, start: Expr, step: Expr) -> Expr:
    return position * step + start


OP = Op(
    name="arange",
    en="Numbers at equal distances",
    zh="等差数列",
    arguments=(
        Attr("start", "the first number", "起始值", SCALAR, default=0),
        Attr("end", "what is not reached", "终止值（不含）", SCALAR),
        Attr("step", "from one to the next", "步长", SCALAR, default=1),
        Out("out", "the numbers", "结果"),
    ),
    rules=(
        Dtypes(("out",), NUMBERS),
        Integral(NAMES),
        LeadsTo(*NAMES),
        ResultShape(),
    ),
    source="signature: op-plugin, llama.cpp; values: PyTorch's arange",
    formula=formula,
    promotes=promotes,
    results=results,
    steps=steps,
    wide=always,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.arange(4)
array([0, 1, 2, 3])
>>> openaclnn.arange(1.0, start=0.0, step=0.25)
array([0.  , 0.25, 0.5 , 0.75], dtype=float32)
""",
)
