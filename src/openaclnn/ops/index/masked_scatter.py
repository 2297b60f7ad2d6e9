"""Elements where a mask holds become those of another tensor, one after the other in the order of
rows; it has as many, or more."""

from openaclnn.base.dtypes import BOOL, INT64, UINT8
from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, described, where
from openaclnn.spec.op import In, InOut, Op, never
from openaclnn.spec.rules import Dtypes, Into, MaxDims, SameDtype
from openaclnn.spec.scans import Scan
from openaclnn.spec.selections import flags, looking_up, lying, set_
from openaclnn.spec.steps import Limit, Part, Step, copied, parts, scratch


def placed(self: Expr, mask: Expr, number: Expr, source: Expr) -> Expr:
    return where(mask, source.at(n=number - 1), self)


def steps(call: Call) -> tuple[Step, ...]:
    known, shape = parts(call), call["self"].shape
    self, source, numel = known["self"], known["source"], call["self"].view.numel
    if not numel:
        return ()
    copy = scratch(0, call["source"].dtype, source.view.shape)
    up_to = scratch(1, INT64, (numel,))
    number = Part(up_to.tensor, scratch(1, INT64, shape).view)
    last = Part(up_to.tensor, up_to.view.seen((), (), numel - 1))
    enough = Limit(last, 0, source.view.numel, called="the elements where mask holds are")
    mask = Step({"self": known["mask"]}, (flags(shape),), set_)
    reads = {"self": self, "mask": flags(shape), "number": number}
    return (
        mask,
        Step({"self": flags((numel,))}, (up_to,), routine=Scan("add", 0)),
        Step({"self": source}, (copy,), copied),
        Step({**reads, **looking_up("source", lying(copy))}, (self,), placed, limits=(enough,)),
    )


def formula(self: Expr, mask: Expr, source: Expr) -> Expr:
    return described("the next element of source where mask holds, else self", self, mask, source)


OP = Op(
    "inplace_masked_scatter",
    "Elements where a mask holds become those of another tensor",
    "按掩码依次赋值（原地）",
    (
        InOut("self", "the tensor", "被修改的张量"),
        In("mask", "which elements", "要替换的元素"),
        In("source", "what they become", "新元素"),
    ),
    (
        Dtypes(("self", "source"), ALL, lacks_complex=True),
        Dtypes(("mask",), (BOOL, UINT8)),
        SameDtype(("self", "source")),
        MaxDims(("self", "mask", "source")),
        Into(("mask",), "self"),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> x = np.array([1, 2, 3])
>>> openaclnn.inplace_masked_scatter(x, np.array([True, False, True]), np.array([7, 8, 9]))
array([7, 2, 8])
""",
    promotes=lambda call: call["self"].dtype,
    steps=steps,
    wide=never,
    torch="Tensor.masked_scatter_",
    source="signature: op-plugin, candle; values: PyTorch's masked_scatter_",
)
