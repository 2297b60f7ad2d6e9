"""A tensor's elements in another format of memory. There is one format here, so it is a copy."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.rules import Dtypes, MaxDims, ResultDtype, ResultShape


def copy(src: Expr) -> Expr:
    return src


def results(call: Call) -> tuple[Meta, ...]:
    return (Meta(call["src"].shape, call["src"].dtype),)


OP = Op(
    name="npu_format_cast",
    en="Conversion to another memory format",
    zh="转换内存格式",
    arguments=(
        In("src", "the input", "输入"),
        Out("dst", "the same elements; its format is not looked at", "相同的元素；不检查其格式"),
    ),
    rules=(Dtypes(("src",), ALL), MaxDims(("src",)), ResultShape(), ResultDtype(ALL)),
    formula=copy,
    results=results,
    wide=never,
    source="signature: torch_npu; values: mathematics (the elements stay as they are)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.npu_format_cast(np.array([[1, 2]], np.float16))
array([[1., 2.]], dtype=float16)
""",
)
