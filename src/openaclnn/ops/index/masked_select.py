"""The elements where a mask holds, in the order of rows; tensor and mask broadcast."""

from openaclnn.base.dtypes import BOOL, INT64, UINT8
from openaclnn.base.tensors import broadcast, product_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, described, fold, where
from openaclnn.spec.op import In, Op, Out, always
from openaclnn.spec.rules import Broadcastable, Dtypes, MaxDims, SameDtype
from openaclnn.spec.scans import Scan
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
from openaclnn.spec.shaped import laid
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


def given_back(mask: Expr, number: Expr, grad: Expr) -> Expr:
    return where(mask, grad.at(n=number - 1), 0)


def added_back(mask: Expr, number: Expr, grad: Expr) -> Expr:
    return fold(given_back(mask, number, grad), "add", over="broadcast")


def steps_back(call: Call, name: str) -> tuple[Step, ...]:
    known, shape, ((numel,),) = parts(call), shape_of(call), largest(call)
    if name != "self" or not numel:
        return ()
    into, before = known["grad_input"], len(shape) - len(call["self"].shape)
    own = into.view.shape
    folded = tuple(k for k in range(len(shape)) if k < before or own[k - before] != shape[k])
    reads: dict[str, Part | None] = {"mask": flags(shape), "number": scratch(1, INT64, shape)}
    reads |= looking_up("grad", known["grad_result"])
    target = laid(into, len(shape), range(before, len(shape)))
    last = Step(reads, (target,), added_back, {"broadcast": folded})
    return (
        Step({"self": known["mask"]}, (flags(shape),), set_),
        Step({"self": flags((numel,))}, (scratch(1, INT64, (numel,)),), routine=Scan("add", 0)),
        last if folded else Step(reads, (target,), given_back),
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
    pulled_back=steps_back,
    sized=lambda call, found: [(found,)],
    wide=always,
    torch="masked_select",
    source="signature: op-plugin, candle; values: PyTorch's masked_select",
)
