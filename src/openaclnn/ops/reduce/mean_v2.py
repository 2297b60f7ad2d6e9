"""The mean over dimensions, as ONNX has it: no dimension may mean all of them or none."""

from typing import Any

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, fold
from openaclnn.spec.host import FLAG, INT_ARRAY
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.results import OverDims
from openaclnn.spec.rules import DimsOf, Dtypes, MaxDims, ResultDtype, ResultShape


def stays(given: Any) -> bool:
    """Whether nothing is reduced."""
    return given["dim"] == () and bool(given["no_op_with_empty_axes"])


def formula(self: Expr, dim: tuple[int, ...], no_op_with_empty_axes: bool) -> Expr:
    asked = {"dim": dim, "no_op_with_empty_axes": no_op_with_empty_axes}
    return self if stays(asked) else fold(self, "mean", over="dim")


def results(call: Call) -> tuple[Meta, ...]:
    if stays(call.attributes):
        return (Meta(call["self"].shape, call["self"].dtype),)
    return OverDims("dim", "keep_dim")(call)


OP = Op(
    name="mean_v2",
    header="aclnn_mean.h",
    en="Mean over dimensions; with an empty list, a copy",
    zh="沿维度求均值，也可不归约",
    arguments=(
        In("self", "the input", "输入"),
        Attr("dim", "the dimensions that go", "被归约的维度", INT_ARRAY, ()),
        Attr("keep_dim", "whether they stay, of size 1", "是否保留这些维度", FLAG, False),
        Attr(
            "no_op_with_empty_axes",
            "whether no dimension means none; else all",
            "未给出维度时不归约，否则归约全部",
            FLAG,
            False,
        ),
        Out("out", "the result", "结果"),
    ),
    rules=(
        Dtypes(("self",), (*FLOATS, DOUBLE)),
        DimsOf("dim", "self"),
        ResultDtype((*FLOATS, DOUBLE)),
        MaxDims(("self", "out")),
        ResultShape(),
    ),
    source="signature: InfiniTensor; values: PyTorch's mean, ONNX's ReduceMean",
    formula=formula,
    results=results,
    wide=never,
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([[1, 2], [3, 6]], np.float32)
>>> openaclnn.mean_v2(x, dim=[1]), openaclnn.mean_v2(x, no_op_with_empty_axes=True)
(array([1.5, 4.5], dtype=float32), array([[1., 2.],
       [3., 6.]], dtype=float32))
""",
)
