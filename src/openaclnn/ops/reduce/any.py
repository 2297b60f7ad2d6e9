"""Whether some element over dimensions, or each, is not 0; NaN is not. Of no elements none is, and
each."""

from collections.abc import Callable
from dataclasses import replace

from openaclnn.base.dtypes import BOOL, UINT8
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, reduction
from openaclnn.spec.formula import Expr, equal, fold, not_equal, where
from openaclnn.spec.op import Op
from openaclnn.spec.results import OverDims
from openaclnn.spec.rules import DimsOf, Dtypes, MaxDims, ResultShape

RULES = (
    Dtypes(("self",), ALL, lacks_complex=True),
    Dtypes(("out",), (BOOL, UINT8)),
    DimsOf("dim", "self"),
    MaxDims(("self", "out")),
    ResultShape(),
)


def results(call: Call) -> tuple[Meta, ...]:
    return tuple(Meta(meta.shape, BOOL) for meta in OverDims("dim", "keep_dim")(call))


def some(self: Expr) -> Expr:
    return fold(where(not_equal(self, 0), 1, 0), "add", "dim") > 0


def each(self: Expr) -> Expr:
    return equal(fold(where(equal(self, 0), 1, 0), "add", "dim"), 0)


def over_dims(name: str, formula: Callable[..., Expr], en: str, zh: str, example: str) -> Op:
    found = reduction(
        name,
        "add",
        ALL,
        en,
        zh,
        example,
        formula=formula,
        results=results,
        torch=name,
        source=f"signature: op-plugin; values: PyTorch's {name}",
    )
    return replace(found, rules=RULES)


OPS = (
    over_dims("any", some, "Whether any element is nonzero, over dimensions",
              "沿维度是否有非零元素",
              """
>>> import numpy as np, openaclnn
>>> openaclnn.any(np.array([[1, 0], [3, 0]], np.float32), dim=[0])
array([ True, False])
"""),
    over_dims("all", each, "Whether all elements are nonzero, over dimensions",
              "沿维度是否全部非零", """
>>> import numpy as np, openaclnn
>>> openaclnn.all(np.array([[1, 0], [3, 0]], np.float32), dim=[0])
array([ True, False])
"""),
)  # fmt: skip
