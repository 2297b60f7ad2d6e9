"""The p-norm over dimensions: (Σ |x|^p)^(1/p); the largest |x| for inf, the smallest for -inf, how
many are not 0 for 0. And slices of a tensor that are shrunk to a largest norm."""

from functools import cache
from math import inf
from typing import Any

from openaclnn.base.dtypes import DT_UNDEFINED, DType
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, equal, fold, pow, sqrt, where
from openaclnn.spec.host import DATA_TYPE, FLAG, INT64, INT_ARRAY, SCALAR
from openaclnn.spec.op import Attr, In, InOut, Op, Out, exact_level
from openaclnn.spec.results import Like, OverDims
from openaclnn.spec.rules import (
    AskedDtype,
    Castable,
    DimOf,
    DimsOf,
    Dtypes,
    MaxDims,
    ResultShape,
    SameShape,
)
from openaclnn.spec.steps import Step, parts

LARGE = 6.0  # beyond it the powers of some FLOAT leave float64's range
ABOVE, BELOW = "above", "below"


def norm(x: Expr, p: Expr | float, special: float | str | None) -> Expr:
    """`special`: the exponent, where it is one of those that have a formula of their own; or on
    which side of 0 a large one lies."""
    size = abs(x)
    if special == 2:
        return sqrt(fold(x * x, "add", over="row"))
    if special == 1:
        return fold(size, "add", over="row")
    if special == 0:
        return fold(where(equal(x, 0), 0.0, 1.0), "add", over="row")
    if special == inf:
        return fold(size, "max", over="row")
    if special == -inf:
        return -fold(-size, "max", over="row")
    if special is None:
        return pow(fold(pow(size, p), "add", over="row"), 1 / p)
    most = fold(size, "max", over="row") if special == ABOVE else -fold(-size, "max", over="row")
    unit = where((most > 0) & (most < inf), most, 1.0)
    return unit * pow(fold(pow(size / unit, p), "add", over="row"), 1 / p)


@cache
def formula_of(special: float | str | None, exponent: str) -> Any:
    """The formula for an exponent, which an attribute has."""
    if exponent == "ord":
        return lambda self, ord: norm(self, ord, special)
    return lambda self, p_scalar: norm(self, p_scalar, special)


def special_of(found: float) -> float | str | None:
    if LARGE < abs(found) < inf:
        return ABOVE if found > 0 else BELOW
    return next((one for one in (2.0, 1.0, 0.0, inf, -inf) if found == one), None)


def steps(call: Call) -> tuple[Step, ...]:
    known, name = parts(call), "ord" if "ord" in call.arguments else "p_scalar"
    rank = len(call["self"].shape)
    dims = tuple(sorted({dim % max(rank, 1) for dim in call["dim"]})) or tuple(range(rank))
    formula = formula_of(special_of(float(call.attributes[name].value)), name)
    row = dims if rank else ()
    return (Step({"self": known["self"]}, (known["out"],), formula, {"row": row}),)


def asked(call: Call) -> DType | None:
    """The dtype that is asked for; undefined: self's."""
    found: DType = call.attributes["dtype"]
    return call["self"].dtype if found is DT_UNDEFINED else found


X, OUT = In("self", "the input", "输入"), Out("out", "the result", "结果")
DIM = Attr(
    "dim",
    "the dimensions that go; none means all",
    "被归约的维度，为空表示全部",
    INT_ARRAY,
    (),
    by_place=True,
)


def keep(name: str) -> Attr:
    return Attr(
        name,
        "whether they stay, of size 1",
        "是否保留这些维度（大小为 1）",
        FLAG,
        False,
        by_place=True,
    )


def shrunk(special: float | str | None) -> Any:
    def formula(self: Expr, p: Expr, max_norm: Expr) -> Expr:
        found = norm(self, p, special)
        return where(found > max_norm, self * (max_norm / (found + 1e-7)), self)

    return formula


_shrunk = cache(shrunk)


def slices(call: Call) -> tuple[Step, ...]:
    known, rank = parts(call), len(call["self"].shape)
    dim = call["dim"] % max(rank, 1)
    others = tuple(k for k in range(rank) if k != dim)
    formula = _shrunk(special_of(float(call.attributes["p"].value)))
    out = known.get("out", known["self"])
    return (Step({"self": known["self"]}, (out,), formula, {"row": others}),)


LIMITS = (
    Attr("p", "the norm's exponent", "范数的阶", SCALAR, usual=2.0),
    Attr("dim", "the dimension along which slices stand", "切片所在的维度", INT64),
    Attr("max_norm", "the largest norm", "范数的上限", SCALAR, usual=1.0),
)
SOURCE = "signature: op-plugin; values: PyTorch's renorm"

OPS = (
    Op(
        "norm", "Norm over dimensions", "沿维度求范数",
        (X, Attr("p_scalar", "the exponent", "范数的阶", SCALAR, 2.0, by_place=True), DIM,
         keep("keep_dim"), OUT),
        (Dtypes(("self",), FLOATS), DimsOf("dim", "self"), Castable(), MaxDims(("self", "out")),
         ResultShape()),
        formula_of(2.0, "p_scalar"),
        """
>>> import numpy as np, openaclnn
>>> openaclnn.norm(np.array([3, 4], np.float32))
array(5., dtype=float32)
""",
        source="signature: llama.cpp, op-plugin; values: PyTorch's norm (rounded once)",
        wide=exact_level, steps=steps, results=OverDims("dim", "keep_dim"),
    ),
    Op(
        "linalg_vector_norm", "Vector norm over dimensions, computed in a given dtype",
        "沿维度求向量范数",
        (X, Attr("ord", "the exponent", "范数的阶", SCALAR, 2.0, by_place=True), DIM,
         keep("keepdim"),
         Attr("dtype", "of the result; undefined: self's", "结果的数据类型；未定义时与 self 相同",
              DATA_TYPE, DT_UNDEFINED), OUT),
        (Dtypes(("self",), FLOATS), AskedDtype("dtype", FLOATS, "self"), DimsOf("dim", "self"),
         Castable(), MaxDims(("self", "out")), ResultShape()),
        formula_of(2.0, "ord"),
        """
>>> import numpy as np, openaclnn
>>> openaclnn.linalg_vector_norm(np.array([3, -4], np.float32), ord=1)
array(7., dtype=float32)
""",
        source="signature: op-plugin; values: PyTorch's linalg.vector_norm (rounded once)",
        wide=exact_level, steps=steps, promotes=asked, results=OverDims("dim", "keepdim"),
    ),
    Op(
        "renorm", "Scaling of slices to a maximum norm", "限制切片的范数",
        (X, *LIMITS, OUT),
        (Dtypes(("self",), FLOATS), DimOf("dim", "self"), Castable(), MaxDims(("self", "out")),
         SameShape(("self",))),
        _shrunk(2.0),
        """
>>> import numpy as np, openaclnn
>>> x = np.array([[3, 4], [0.25, 0]], np.float32)
>>> openaclnn.renorm(x, p=1, dim=0, max_norm=3.5)
array([[1.5 , 2.  ],
       [0.25, 0.  ]], dtype=float32)
""",
        source=SOURCE, wide=exact_level, steps=slices, results=Like("self"),
    ),
    Op(
        "inplace_renorm", "Scaling of slices to a maximum norm, in place", "原地限制切片的范数",
        (InOut("self", "the tensor", "被修改的张量"), *LIMITS),
        (Dtypes(("self",), FLOATS), DimOf("dim", "self"), MaxDims(("self",))),
        _shrunk(2.0),
        """
>>> import numpy as np, openaclnn
>>> openaclnn.inplace_renorm(np.array([[3, 4]], np.float32), p=1, dim=0, max_norm=3.5)
array([[1.5, 2. ]], dtype=float32)
""",
        steps=slices, results=lambda call: (Meta(call["self"].shape, call["self"].dtype),),
        source=SOURCE, wide=exact_level,
    ),
)  # fmt: skip
