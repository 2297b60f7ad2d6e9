"""The elements where a mask holds, in the order of rows; tensor and mask broadcast."""

from openaclnn.base.dtypes import BOOL, UINT8
from openaclnn.base.tensors import broadcast, product_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.op import In, Op, Out, always
from openaclnn.spec.rules import Broadcastable, Dtypes, MaxDims, SameDtype
from openaclnn.spec.selections import (
    counted,
    flags,
    found_among,
    has_room,
    looking_up,
    lying,
    promotes,
    set_,
)
from openaclnn.spec.steps import Part, Step, copied, count, parts, places, scratch


def shape_of(call: Call) -> tuple[int, ...]:
    return broadcast(call["self"].shape, call["mask"].shape) or ()


def largest(call: Call) -> list[tuple[int, ...]]:
    return [(product_of(shape_of(call)),)]


def picked(at: Expr, count: Expr, places: Expr, values: Expr) -> Expr:
    return values.at(n=places.at(n=counted(at, count)))


def steps(call: Call) -> tuple[Step, ...]:
    known, shape, ((numel,),) = parts(call), shape_of(call), largest(call)
    out, copy = lying(known["out"]), scratch(0, call["self"].dtype, shape)
    find, found = found_among(numel)
    reads: dict[str, Part | None] = {"at": places(out.view.shape, (1,)), "count": count()}
    reads |= {**looking_up("places", found), **looking_up("values", lying(copy))}
    return (
        Step({"self": known["mask"]}, (flags(shape),), set_),
        find,
        Step({"self": known["self"]}, (copy,), copied),
        Step(reads, (out,), picked),
    )


def formula(self: Expr, mask: Expr) -> Expr:
    return described("the elements of self where mask holds", self, mask)


OP = Op(
    "masked_select",
    "Elements where a mask holds",
    "按掩码取元素",
    (
        In("self", "the tensor", "被选取的张量"),
        In("mask", "which elements", "要选取的元素"),
        Out("out", "the elements", "选取的元素"),
    ),
    (
        Dtypes(("self",), ALL, lacks_complex=True),
        Dtypes(("mask",), (BOOL, UINT8)),
        SameDtype(("self",)),
        MaxDims(("self", "mask")),
        Broadcastable(("self", "mask")),
        has_room(largest),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.masked_select(np.array([1, 2, 3]), np.array([True, False, True]))
array([1, 3])
""",
    results=lambda call: (Meta(largest(call)[0], call["self"].dtype),),
    promotes=promotes,
    steps=steps,
    sized=lambda call, found: [(found,)],
    wide=always,
    torch="masked_select",
    source="signature: op-plugin, candle; values: PyTorch's masked_select",
)
