"""Where the largest or the smallest number along a dimension stands: the first of several, the
first NaN where there is one."""

from collections.abc import Callable
from dataclasses import replace

from openaclnn.base.dtypes import INT32, INT64
from openaclnn.spec import extremes
from openaclnn.spec.extremes import DIM, KEEP, SOME
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import In, Op, Out, always
from openaclnn.spec.rules import DimOf, Dtypes, MaxDims, ResultShape


def place(
    name: str, self: str, keep: str, extreme: Callable[..., Expr], whole: Callable[..., Expr],
    en: str, zh: str, header: str, example: str,
) -> Op:  # fmt: skip
    """The place of an extreme, and that of integers."""
    return Op(
        name,
        f"Index of the {en} along a dimension",
        f"沿维度{zh}的位置",
        (
            In(self, "the input", "输入"),
            DIM,
            replace(KEEP, name=keep),
            Out("out", "the indices", "位置"),
        ),
        (
            Dtypes((self,), ALL, lacks_complex=True),
            Dtypes(("out",), (INT64, INT32)),
            DimOf("dim", self),
            SOME,
            MaxDims((self, "out")),
            ResultShape(),
        ),
        extremes.place_of(extreme),
        example,
        shorter=extremes.for_integers(extremes.place_of(whole)),
        promotes=extremes.promotes,
        results=extremes.results,
        steps=extremes.steps,
        wide=always,
        header=header,
        torch=name.replace("_", ""),
        source="signature: llama.cpp, op-plugin; values: PyTorch's argmax and argmin",
    )


OPS = (
    place("arg_max", "self", "keep_dim", extremes.largest, extremes.largest, "maximum", "最大值",
          "aclnn_argmax.h", """
>>> import numpy as np, openaclnn
>>> openaclnn.arg_max(np.array([[1, 7, 7], [3, 6, 2]], np.float32), 1)
array([1, 1])
"""),
    place("arg_min", "self", "keep_dim", extremes.smallest, extremes.smallest_integer, "smallest",
          "最小值", "", """
>>> import numpy as np, openaclnn
>>> openaclnn.arg_min(np.array([[1, 7, 1], [3, 6, 2]]), 1)
array([0, 2])
"""),
)  # fmt: skip
