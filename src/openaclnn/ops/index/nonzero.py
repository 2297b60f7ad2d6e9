"""The places of the elements that are not 0, in the order of rows; NaN is not 0. A place has a row,
or (V2) a column, of as many integers as the tensor has dimensions."""

from functools import cache
from typing import Any

from openaclnn.base.dtypes import INT64
from openaclnn.base.tensors import product_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, as_number, constant, floor_div, where
from openaclnn.spec.op import In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims
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
from openaclnn.spec.steps import Step, count, parts, places


def apart(place: Expr, number: Expr, shape: tuple[int, ...]) -> Expr:
    """What a place in the order of rows is along the dimension of a number."""
    stride, along = 1, constant(0)
    for dim in reversed(range(len(shape))):
        part = floor_div(place, constant(stride))
        own = part - floor_div(part, constant(shape[dim])) * shape[dim]
        along = where(number < dim + 1, where(number < dim, along, own), along)
        stride *= shape[dim]
    return along


@cache
def written(shape: tuple[int, ...], columns: bool) -> Any:
    """The formula of a number by its place in the result."""

    def formula(at: Expr, count: Expr, places: Expr) -> Expr:
        each = count if columns else constant(len(shape))
        row = floor_div(at, each)
        rest = at - row * each
        place, number = (rest, row) if columns else (row, rest)
        return as_number(apart(places.at(n=counted(place, count)), number, shape))

    return formula


def nonzero(name: str, columns: bool, example: str) -> Op:
    def largest(call: Call) -> list[tuple[int, ...]]:
        shape = call["self"].shape
        numel, rank = product_of(shape), len(shape)
        return [(rank, numel) if columns else (numel, rank)]

    def steps(call: Call) -> tuple[Step, ...]:
        known = parts(call)
        whole, out = known["self"], lying(known["out"])
        find, found = found_among(whole.view.numel)
        first = Step({"self": whole}, (flags(whole.view.shape),), set_)
        reads = {
            "at": places(out.view.shape, (1,)),
            "count": count(),
            **looking_up("places", found),
        }
        formula = written(whole.view.shape, columns)
        return first, find, Step(reads, (out,), formula)

    def sized(call: Call, found: int) -> list[tuple[int, ...]]:
        rank = len(call["self"].shape)
        return [(rank, found) if columns else (found, rank)]

    return Op(
        name,
        "Indices of nonzero elements" + ", a column each" * columns,
        "非零元素的位置" + "，每列一个" * columns,
        (In("self", "the input", "输入"), Out("out", "the places", "位置")),
        (Dtypes(("self",), ALL, lacks_complex=True), Dtypes(("out",), (INT64,)),
         MaxDims(("self",)), has_room(largest)),
        set_,
        example,
        results=lambda call: (Meta(largest(call)[0], INT64),),
        promotes=promotes,
        steps=steps,
        sized=sized,
        wide=always,
        torch="" if columns else "nonzero",
        source="signature: op-plugin, candle; values: PyTorch's nonzero",
    )  # fmt: skip


HEAD = "\n>>> import numpy as np, openaclnn\n>>> x = np.array([[0, 3, 0], [5, 0, 7]])\n"
OPS = (
    nonzero("nonzero", False, f"""{HEAD}>>> openaclnn.nonzero(x)
array([[0, 1],
       [1, 0],
       [1, 2]])
"""),
    nonzero("nonzero_v2", True, f"""{HEAD}>>> openaclnn.nonzero_v2(x)
array([[0, 1, 1],
       [1, 0, 2]])
"""),
)  # fmt: skip
