"""Distinct elements, in order; or the first of each run of equal neighbours.
-0 and 0 are equal, NaN is equal to nothing. Beside them where each element is found among them, and
how many there are of each. Sorted ones are in order whether that is asked for or not."""

from collections.abc import Callable, Sequence
from typing import Any

from openaclnn.base.dtypes import INT64
from openaclnn.base.tensors import product_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import (
    Expr,
    as_number,
    constant,
    described,
    floor_div,
    fold,
    not_equal,
    where,
)
from openaclnn.spec.host import FLAG
from openaclnn.spec.host import INT64 as INTEGER
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims
from openaclnn.spec.scans import Scan
from openaclnn.spec.scatters import scattered, spread
from openaclnn.spec.selections import (
    counted,
    flags,
    found_among,
    has_room,
    looking_up,
    lying,
    promotes,
)
from openaclnn.spec.sorts import Sort
from openaclnn.spec.steps import (
    Part,
    Step,
    copied,
    count,
    integer,
    narrowed,
    parts,
    places,
    scratch,
    zeros,
)

NO_DIM = 1000  # what torch_npu says where no dimension is meant
Y = Out("y", "the elements", "互不相同的元素")
INVERSE = Out("y_inverse", "where each element is found among them", "各元素在结果中的位置")
COUNTS = Out("y_counts", "how many there are of each", "各元素的个数")


def one() -> Expr:
    return constant(1)


def differs(self: Expr, before: Expr) -> Expr:
    return where(not_equal(self, before), 1, 0)


def slice_differs(self: Expr, before: Expr) -> Expr:
    return fold(differs(self, before), "max", over="slice")


def slices(at: Expr, count: Expr, places: Expr, values: Expr, inner: Expr, size: Expr) -> Expr:
    """The element of a result by its place, of slices that each have so many behind them."""
    row = floor_div(at, inner)
    outer = floor_div(row, count)
    place = places.at(n=counted(row - outer * count, row + 1))
    return values.at(n=(outer * size + place) * inner + (at - row * inner))


def times(at: Expr, count: Expr, places: Expr, size: Expr) -> Expr:
    """How far it is from one place to the next."""
    after = where(at + 1 < count, places.at(n=at + 1), size)
    return as_number(where(at < count, after - places.at(n=at), 0))


def less_one(number: Expr) -> Expr:
    return as_number(number - 1)


def dim_of(call: Call) -> int | None:
    """The dimension whose slices are compared, if there is one."""
    dim = call.attributes.get("dim", NO_DIM)
    shape = call["self"].shape
    flat = call["y"] is not None and len(call["y"].shape) == 1 != len(shape)
    return None if dim == NO_DIM or flat or not shape else dim % len(shape)


def size_of(call: Call) -> int:
    dim = dim_of(call)
    shape = call["self"].shape
    found: int = product_of(shape) if dim is None else shape[dim]
    return found


def wants(call: Call, name: str) -> bool:
    return name in call.arguments and bool(call[f"return_{name.removeprefix('y_')}"])


def largest(call: Call) -> list[tuple[int, ...] | None]:
    whole, size = call["self"].shape, size_of(call)
    flat = dim_of(call) is None
    inverse = whole if flat and call["y_inverse"] is not None else (size,)
    if call["y_inverse"] is not None and len(call["y_inverse"].shape) == 1:
        inverse = (size,)
    found = {"y": (size,) if flat else whole, "y_inverse": inverse, "y_counts": (size,)}
    return [
        found[out.name] if out is Y or wants(call, out.name) else None for out in call.op.outputs
    ]


def results(call: Call) -> tuple[Meta, ...]:
    whole, size = call["self"].shape, size_of(call)
    flat = dim_of(call) is None
    shapes = {"y": (size,) if flat else whole, "y_inverse": whole if flat else (size,),
              "y_counts": (size,)}  # fmt: skip
    found = [Meta(shapes["y"], call["self"].dtype)]
    for out in call.op.outputs[1:]:
        found.append(Meta(shapes[out.name] if wants(call, out.name) else (0,), INT64))
    return tuple(found)


def sized(call: Call, found: int) -> Sequence[tuple[int, ...] | None]:
    dim, shape = dim_of(call), [*call["self"].shape]
    if dim is not None:
        shape[dim] = found
    else:
        shape = [found]
    each: dict[str, tuple[int, ...] | None] = {"y": tuple(shape), "y_inverse": None}
    each["y_counts"] = (found,) if wants(call, "y_counts") else None
    return [each[out.name] for out in call.op.outputs]


def steps(call: Call, in_order: bool) -> tuple[Step, ...]:
    known, whole, size, dim = parts(call), call["self"].view, size_of(call), dim_of(call)
    copy = scratch(0, whole.dtype, whole.shape)
    values = lying(copy)
    found = [Step({"self": known["self"]}, (copy,), copied)]
    seen, order = values, None
    if in_order:
        seen, order = scratch(1, whole.dtype, (size,)), scratch(2, INT64, (size,))
        found.append(Step({"self": values}, (seen, order), routine=Sort(0)))
    elif dim is not None:
        seen = copy
    along, others = dim or 0, tuple(k for k in range(len(seen.view.shape)) if k != (dim or 0))
    ones = [1] * len(seen.view.shape)
    ones[along] = size
    set_ = spread(flags((size,)), ones, (along,))
    if size:
        first, later = (Part(set_.tensor, narrowed(set_.view, along, *each))
                        for each in ((0, 1), (1, size - 1)))  # fmt: skip
        before, self = (Part(seen.tensor, narrowed(seen.view, along, start, size - 1))
                        for start in (0, 1))  # fmt: skip
        found.append(Step({}, (first,), one))
        reads: dict[str, Part | None] = {"self": self, "before": before}
        if others:
            found.append(Step(reads, (later,), slice_differs, axes={"slice": others}))
        else:
            found.append(Step(reads, (later,), differs))
    find, firsts = found_among(size)
    out = lying(known["y"])
    inner = 1
    for length in whole.shape[along + 1 :] if dim is not None else ():
        inner *= length
    at = {"at": places(out.view.shape, (1,)), "count": count(), **looking_up("places", firsts)}
    at["size"] = integer(size)
    picked = {**at, "inner": integer(inner), **looking_up("values", lying(seen))}
    found += [find, Step(picked, (out,), slices)]
    if wants(call, "y_counts"):
        counts = lying(known["y_counts"])
        each = {**at, "at": places(counts.view.shape, (1,))}
        found.append(Step(each, (counts,), times))
    if wants(call, "y_inverse") and size:
        inverse, number = lying(known["y_inverse"]), scratch(3, INT64, (size,))
        number_of = scratch(4, INT64, (size,))
        found.append(Step({"self": flags((size,))}, (number,), routine=Scan("add", 0)))
        target = number_of if order is not None else Part(
            inverse.tensor, narrowed(inverse.view, 0, 0, size))  # fmt: skip
        found.append(Step({"number": number}, (target,), less_one))
        if order is not None:
            first = Part(inverse.tensor, narrowed(inverse.view, 0, 0, size))
            found += [Step({}, (first,), zeros),
                      scattered(first, number_of, (order,), (-1,), first)]  # fmt: skip
    return tuple(found)


def unique(
    name: str,
    attributes: tuple[Attr, ...],
    outputs: tuple[Out, ...],
    in_order: bool,
    en: str,
    zh: str,
    example: str,
    rules: tuple[Any, ...] = (),
) -> Op:
    def formula(self: Expr) -> tuple[Expr, ...]:
        return tuple(described(f"{out.en} of {en[0].lower()}{en[1:]}", self) for out in outputs)

    whole: Callable[[Call], tuple[Step, ...]] = lambda call: steps(call, in_order)  # noqa: E731
    return Op(
        name, en, zh, (In("self", "the input", "输入"), *attributes, *outputs),
        (Dtypes(("self", "y"), ALL, lacks_complex=True),
         Dtypes(tuple(out.name for out in outputs[1:]), (INT64,)), MaxDims(("self", "y")),
         *rules, SAME, has_room(largest)),
        formula, example, results=results, promotes=promotes, steps=whole, sized=sized,
        wide=always, source="signature: op-plugin, candle; values: PyTorch's unique",
    )  # fmt: skip


def same(call: Call) -> str | None:
    if call["y"].dtype is call["self"].dtype:
        return None
    return f"y has dtype {call['y'].dtype}; expected {call['self'].dtype}, as self has"


def known_dim(call: Call) -> str | None:
    dim, rank = call["dim"], max(len(call["self"].shape), 1)
    if dim == NO_DIM or -rank <= dim < rank:
        return None
    return f"dim is {dim}; expected {-rank} to {rank - 1}, or {NO_DIM} for no dimension"


SAME = Sound(same, "y has self's dtype", "y 的数据类型与 self 相同")
DIM = Sound(
    known_dim,
    f"dim is one of self's dimensions; {NO_DIM}, or a y of one dimension, means none",
    f"dim 为 self 的维度；{NO_DIM} 或一维的 y 表示不按维度",
)


def flag(name: str, en: str, zh: str, default: bool = False) -> Attr:
    return Attr(name, en, zh, FLAG, default)


SORTED = flag("sorted", "whether they are in order: they are", "是否有序（始终有序）", True)
RETURN_INVERSE = flag("return_inverse", "whether y_inverse is wanted", "是否返回 y_inverse")
RETURN_COUNTS = flag("return_counts", "whether y_counts is wanted", "是否返回 y_counts")
HEAD = "\n>>> import numpy as np, openaclnn\n"
TEXTS = "Distinct elements, in order", "去重并排序"

OPS = (
    unique("unique", (SORTED, RETURN_INVERSE), (Y, INVERSE), True, *TEXTS,
           HEAD + ">>> openaclnn.unique(np.array([3, 1, 3]), return_inverse=True)\n"
           "(array([1, 3]), array([1, 0, 1]))\n"),
    unique("unique2", (SORTED, RETURN_INVERSE, RETURN_COUNTS), (Y, INVERSE, COUNTS), True,
           *TEXTS, HEAD + ">>> openaclnn.unique2(np.array([3, 1, 3]), return_counts=True)[2]\n"
           "array([1, 2])\n"),
    unique("unique_consecutive",
           (RETURN_INVERSE, RETURN_COUNTS,
            Attr("dim", f"whose slices are compared; {NO_DIM}: elements", "比较的维度", INTEGER,
                 NO_DIM)),
           (Y, INVERSE, COUNTS), False, "Elements or slices without consecutive duplicates",
           "相邻去重", HEAD + ">>> openaclnn.unique_consecutive(np.array([3, 3, 1, 3]))[0]\n"
           "array([3, 1, 3])\n", (DIM,)),
)  # fmt: skip
