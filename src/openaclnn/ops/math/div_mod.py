"""self/other: as it is (mode 0), without its fraction (1), or rounded down (2). An integer divided
by 0 is 0; what keeps its fraction is divided as floats. The exact quotient loses its fraction:
1/0.33333334 is 2, where PyTorch, which rounds the quotient first, has 3."""

from openaclnn.base.dtypes import DType
from openaclnn.spec.call import Call, promoted_inputs
from openaclnn.spec.families import NUMBERS, binary, floating
from openaclnn.spec.formula import Expr, floor_div, trunc_div
from openaclnn.spec.host import INT32
from openaclnn.spec.op import Attr, always
from openaclnn.spec.rules import OneOf

TRUE, TRUNC, FLOOR = 0, 1, 2


def formula(self: Expr, other: Expr, mode: int) -> Expr:
    if mode == TRUE:
        return self / other
    return trunc_div(self, other) if mode == TRUNC else floor_div(self, other)


def promotes(call: Call) -> DType | None:
    return floating(call) if call["mode"] == TRUE else promoted_inputs(call)


OPS = binary(
    "div_mod",
    formula=formula,
    dtypes=NUMBERS,
    attributes=(
        Attr("mode", "what becomes of the fraction", "取整方式", INT32, default="trunc",
             choices={"trunc": TRUNC, "floor": FLOOR, "none": TRUE}),
    ),
    rules=(OneOf("mode"),),
    scalar="div_mods",
    header="aclnn_div.h",
    promotes=promotes,
    en="Division with a rounding mode",
    zh="带取整方式的除法",
    wide=always,
    source="signatures and modes: op-plugin; promotion and values: PyTorch's div",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.div_mod(np.array([7, -7], np.int32), np.array([2, 2], np.int32), mode="floor")
array([ 3, -4], dtype=int32)
""",
)  # fmt: skip
