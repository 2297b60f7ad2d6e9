"""A weight is made ready for products. Memory has one format here, so it stays as it is."""

from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.op import InOut, Op, never
from openaclnn.spec.rules import Dtypes, MaxDims
from openaclnn.spec.steps import Step

NAME = "mm_weight"


def steps(call: Call) -> tuple[Step, ...]:
    return ()


def formula(mm_weight: Expr) -> Expr:
    return described("mm_weight as it is", mm_weight)


OP = Op(
    name="trans_matmul_weight",
    en="Preparation of a weight for matrix products",
    zh="为矩阵乘积准备权重",
    arguments=(InOut(NAME, "the weight, which stays as it is", "权重，保持不变"),),
    rules=(Dtypes((NAME,), FLOATS), MaxDims((NAME,), 6)),
    formula=formula,
    steps=steps,
    wide=never,
    source="signature: llama.cpp; values: mathematics (the elements stay as they are)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.trans_matmul_weight(np.array([[1, 2]], np.float16))
array([[1., 2.]], dtype=float16)
""",
)
