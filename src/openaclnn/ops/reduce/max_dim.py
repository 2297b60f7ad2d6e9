"""The largest or the smallest number along a dimension and where it stands: the first of several,
the first NaN where there is one."""

from collections.abc import Callable

from openaclnn.base.dtypes import INT32, INT64
from openaclnn.spec import extremes
from openaclnn.spec.extremes import DIM, KEEP, SOME
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import In, Op, Out, always
from openaclnn.spec.rules import Castable, DimOf, Dtypes, MaxDims, ResultShape


def with_place(
    name: str, extreme: Callable[..., Expr], whole: Callable[..., Expr], en: str, zh: str,
    example: str,
) -> Op:  # fmt: skip
    return Op(
        name,
        f"{en.capitalize()} along a dimension, and its index",
        f"沿维度的{zh}及其位置",
        (
            In("self", "the input", "输入"),
            DIM,
            KEEP,
            Out("output", f"the {en}", zh),
            Out("indices", "their indices", "位置"),
        ),
        (
            Dtypes(("self", "output"), ALL, lacks_complex=True),
            Dtypes(("indices",), (INT64, INT32)),
            DimOf("dim", "self"),
            SOME,
            MaxDims(("self", "output", "indices")),
            ResultShape(),
            Castable(),
        ),
        extremes.placed(extreme),
        example,
        shorter=extremes.for_integers(extremes.placed(whole)),
        promotes=extremes.promotes,
        results=extremes.results,
        steps=extremes.steps,
        wide=always,
        source="signature: op-plugin, candle; values: PyTorch's max and min",
    )


OPS = (
    with_place("max_dim", extremes.largest, extremes.largest, "maximum", "最大值", """
>>> import numpy as np, openaclnn
>>> openaclnn.max_dim(np.array([[1, 7, 7], [3, 6, 2]], np.float32), 1)
(array([7., 6.], dtype=float32), array([1, 1]))
"""),
    with_place("min_dim", extremes.smallest, extremes.smallest_integer, "minimum", "最小值", """
>>> import numpy as np, openaclnn
>>> openaclnn.min_dim(np.array([[1, 7, 1], [3, 6, 2]]), 1)
(array([1, 2]), array([0, 2]))
"""),
)  # fmt: skip
