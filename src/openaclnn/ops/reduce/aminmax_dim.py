"""The smallest and the largest number along a dimension; NaN where there is one."""

from openaclnn.spec import extremes
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.extremes import DIM, SOME
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import FLAG
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.results import OverDims
from openaclnn.spec.rules import Castable, DimOf, Dtypes, MaxDims, ResultShape

KEEP = Attr("keepdim", "whether it stays, of size 1", "是否保留该维（大小为 1）", FLAG, False,
            by_place=True)  # fmt: skip


def formula(self: Expr) -> tuple[Expr, Expr]:
    return extremes.smallest(self, "dim"), extremes.largest(self, "dim")


def of_integers(self: Expr) -> tuple[Expr, Expr]:
    return extremes.smallest_integer(self, "dim"), extremes.largest(self, "dim")


def results(call: Call) -> tuple[Meta, ...]:
    return OverDims("dim", "keepdim")(call)


OP = Op(
    name="aminmax_dim",
    en="Minimum and maximum along a dimension",
    zh="沿维度求最小值与最大值",
    arguments=(
        In("self", "the input", "输入"),
        DIM,
        KEEP,
        Out("out0", "the smallest", "最小值"),
        Out("out1", "the largest", "最大值"),
    ),
    rules=(
        Dtypes(("self", "out0", "out1"), ALL, lacks_complex=True),
        DimOf("dim", "self"),
        SOME,
        MaxDims(("self", "out0", "out1")),
        ResultShape(),
        Castable(),
    ),
    formula=formula,
    shorter=extremes.for_integers(of_integers),
    results=results,
    wide=never,
    source="signature: op-plugin; values: PyTorch's aminmax",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.aminmax_dim(np.array([[1, 7], [3, 6]], np.float32), 1)
(array([1., 3.], dtype=float32), array([7., 6.], dtype=float32))
""",
)
