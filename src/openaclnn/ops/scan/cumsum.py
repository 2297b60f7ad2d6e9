"""The sum of all elements up to each along a dimension: exact and rounded once at every place, in
the dtype that is asked for, which elements are converted to first. DOUBLE is added up in pairs of
float64, one element after the other, and nothing is promised of it: elements may cancel."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, DTYPE, NUMBERS, asked_or_own
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.proof import Proof
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import AskedDtype, DimOf, Dtypes, MaxDims, ResultDtype, ResultShape
from openaclnn.spec.scans import Scan
from openaclnn.spec.steps import Step, parts


def results(call: Call) -> tuple[Meta, ...]:
    return (Meta(call["self"].shape, promoted_dtype(call)),)


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    scan = Scan("add", call["dim"] % max(len(call["self"].shape), 1))
    return (Step({"self": known["self"]}, (known["out"],), routine=scan),)


def formula(self: Expr) -> Expr:
    return described("the sum of self up to each element along dim", self)


OP = Op(
    name="cumsum",
    en="Cumulative sum along a dimension",
    zh="沿维度的累积和",
    arguments=(
        In("self", "the input", "输入"),
        Attr("dim", "the dimension", "维度", INT64),
        DTYPE,
        Out("out", "the sums", "累积和"),
    ),
    rules=(
        Dtypes(("self",), ALL, lacks_complex=True),
        AskedDtype("dtype", NUMBERS, "self"),
        DimOf("dim", "self"),
        MaxDims(("self", "out")),
        ResultDtype(NUMBERS),
        ResultShape(),
    ),
    formula=formula,
    source="signature: op-plugin, Jittor, candle; values: PyTorch's cumsum (rounded once)",
    promotes=asked_or_own,
    results=results,
    steps=steps,
    wide=never,
    proof=Proof(exact={DOUBLE: None}),
    torch="cumsum",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.cumsum(np.array([1e8, 1, -1e8], np.float32), 0)
array([1.e+08, 1.e+08, 1.e+00], dtype=float32)
""",
)
