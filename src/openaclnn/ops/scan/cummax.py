"""The largest or the smallest of all elements up to each along a dimension, and where it stands:
the last of several. From the first NaN on it is NaN."""

from openaclnn.base.dtypes import INT32, INT64
from openaclnn.ops.sort.sort import PLACES, SAME, VALUES, dim_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.rules import DimOf, Dtypes, MaxDims, ResultShape
from openaclnn.spec.scans import RunningExtremes
from openaclnn.spec.steps import Step, parts


def results(call: Call) -> tuple[Meta, ...]:
    given = call["self"]
    return Meta(given.shape, given.dtype), Meta(given.shape, INT64)


def running(name: str, largest: bool, en: str, zh: str, example: str) -> Op:
    def steps(call: Call) -> tuple[Step, ...]:
        known = parts(call)
        routine = RunningExtremes(dim_of(call), largest)
        writes = known["values"], known["indices"]
        return (Step({"self": known["self"]}, writes, routine=routine),)

    def formula(self: Expr) -> tuple[Expr, Expr]:
        return (
            described(f"the cumulative {en} of self along dim", self),
            described("the index of that element", self),
        )

    return Op(
        name,
        f"Cumulative {en} along a dimension",
        f"沿维度的累积{zh}",
        (
            In("self", "the input", "输入"),
            Attr("dim", "the dimension", "维度", INTEGER, by_place=True),
            VALUES,
            Out("indices", "their indices", "位置"),
        ),
        (
            Dtypes(("self", "values"), ALL, lacks_complex=True),
            Dtypes((PLACES.name,), (INT64, INT32)),
            DimOf("dim", "self"),
            MaxDims(("self", "values", "indices")),
            SAME,
            ResultShape(),
        ),
        formula,
        example,
        results=results,
        steps=steps,
        wide=never,
        torch=name,
        source=f"signature: op-plugin, candle; values: PyTorch's {name}",
    )


OPS = (
    running("cummax", True, "maximum", "最大值", """
>>> import numpy as np, openaclnn
>>> openaclnn.cummax(np.array([1, 3, 2, 3], np.float32), 0)
(array([1., 3., 3., 3.], dtype=float32), array([0, 1, 1, 3]))
"""),
    running("cummin", False, "minimum", "最小值", ""),
)  # fmt: skip
