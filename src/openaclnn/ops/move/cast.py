"""The same values in another dtype. Floats become integers by cutting towards 0, saturated, NaN as
0; integers that do not fit wrap; whatever is not 0 is true."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, unary
from openaclnn.spec.host import DATA_TYPE
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import ResultDtype
from openaclnn.spec.steps import copied


def results(call: Call) -> tuple[Meta, ...]:
    return (Meta(call["self"].shape, call["dtype"]),)


OPS = unary(
    "cast",
    formula=copied,
    dtypes=ALL,
    attributes=(Attr("dtype", "of the result", "结果的数据类型", DATA_TYPE),),
    rules=(ResultDtype(ALL),),
    cast=False,
    en="Conversion to another dtype",
    zh="数据类型转换",
    results=results,
    wide=never,
    torch="Tensor.to",
    source="signature: op-plugin, llama.cpp; values: PyTorch's to, C's conversions",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.cast(np.array([-1.7, 300.5, np.nan], np.float32), "int8")
array([ -1, 127,   0], dtype=int8)
""",
)
