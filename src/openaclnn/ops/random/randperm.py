"""The numbers from 0 up to below n in a random order: that of random keys, one for each."""

from openaclnn.base.dtypes import INT64
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.op import Attr, Op, Out, never
from openaclnn.spec.random import STREAM, drawing, numbered, numbers
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative, ResultShape
from openaclnn.spec.sorts import Sort
from openaclnn.spec.steps import Step, copied, parts, scratch


def results(call: Call) -> tuple[Meta, ...]:
    out = call["out"]
    return (Meta((call["n"],), INT64 if out is None else out.dtype),)


@drawing
def keys(integer: Expr) -> Expr:
    return integer


def steps(call: Call) -> tuple[Step, ...]:
    out = parts(call)["out"]
    drawn, order = (scratch(k, INT64, (call["n"],)) for k in (0, 1))
    return (
        Step({"position": numbered(drawn.view)}, (drawn,), keys),
        Step({"self": drawn}, (order,), routine=Sort(0, values=False)),
        Step({"self": order}, (out,), copied),
    )


def formula() -> Expr:
    return described("the numbers below n in a random order")


OP = Op(
    "randperm",
    "Random permutation",
    "随机排列",
    (
        Attr("n", "how many", "个数", INTEGER, usual=70),
        *STREAM,
        Out("out", "the numbers", "结果"),
    ),
    (
        Dtypes(("out",), NUMBERS),
        NotNegative("n"),
        MaxDims(("out",)),
        ResultShape(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> sorted(openaclnn.randperm(5, seed=42, offset=0).tolist())
[0, 1, 2, 3, 4]
""",
    promotes=lambda call: INT64,
    results=results,
    uniforms=numbers,
    steps=steps,
    wide=never,
    source="signature: op-plugin, candle; values: openaclnn's own stream",
)
