"""Adaptive pooling: along each dimension, output k of `count` is the mean or the maximum of
input[i] for ⌊k·size/count⌋ ≤ i < ⌈(k + 1)·size/count⌉. And the gradients of the means."""

from dataclasses import replace
from functools import cache
from math import inf, prod
from typing import Any

from openaclnn.base.dtypes import INT64 as LONG
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import (
    Expr,
    among_integers,
    as_number,
    constant,
    equal,
    floor_div,
    fold,
    not_equal,
    where,
)
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Step, parts
from openaclnn.spec.windows import at_end, growing, image, inputs, names, numbers

_FAR = -(2.0**60)  # below all places


def seen(x: Expr, spatial: int) -> tuple[dict[str, Expr], Expr]:
    """Where a window's element is, and whether the window has so many."""
    places, inside = {}, None
    rows = (inputs(one, spatial) for one in ("begin", "end", "inner", "count"))
    for axis, begin, end, inner, count in zip(names(spatial), *rows, strict=True):
        places[axis] = floor_div(begin, count) + inner
        there = places[axis] < floor_div(end, count)
        inside = there if inside is None else inside & there
    assert inside is not None
    return places, among_integers(inside)


@cache
def means(spatial: int) -> Any:
    def formula(self: Expr) -> Expr:
        places, inside = seen(self, spatial)
        total = fold(where(inside, self.at(**places), 0), "add", over="window")
        return total / fold(where(inside, 1.0, 0.0), "add", over="window")

    return formula


@cache
def largest(spatial: int) -> Any:
    def formula(self: Expr) -> tuple[Expr, Expr]:
        places, inside = seen(self, spatial)
        x = where(inside, self.at(**places), -inf)
        found = fold(x, "max", over="window")
        place: Expr = constant(0)
        for axis, at in places.items():
            place = place * self.size(axis) + at
        number, none = as_number(place), not_equal(found, found)
        hit = where(none, not_equal(x, x), equal(x, found)) & inside
        key = fold(where(hit, where(none, number, -number), _FAR), "max", over="window")
        return found, where(none, key, -key)

    return formula


@cache
def backward(spatial: int) -> Any:
    def formula(grad_output: Expr) -> Expr:
        at, inside, share = {}, None, None
        rows = (inputs(one, spatial) for one in ("ahead", "inner", "place", "size"))
        for axis, ahead, inner, place, size in zip(names(spatial), *rows, strict=True):
            count = grad_output.size(axis)
            one = at[axis] = floor_div(ahead, size) + inner
            begin = floor_div(one * size, count)
            end = floor_div(one * size + size + count - 1, count)
            there = (begin <= place) & (place < end) & (one < count)
            inside = there if inside is None else inside & there
            length = as_number(end - begin)
            share = length if share is None else share * length
        assert inside is not None
        assert share is not None
        term = where(among_integers(inside), grad_output.at(**at) / share, 0)
        return fold(term, "add", over="window")

    return formula


def spatial_of(call: Call) -> int:
    return 3 if "3d" in call.op.name else 2


def most(size: int, count: int) -> int:
    """Of how many elements the longest window is."""
    return max((-(-(k + 1) * size // count) - k * size // count for k in range(count)), default=0)


def steps(call: Call) -> tuple[Step, ...]:
    known, spatial = parts(call), spatial_of(call)
    whole, made = known["self"], [known[a.name] for a in call.op.outputs]
    sizes, outer = whole.view.shape[-spatial:], len(whole.view.shape) - spatial
    outs, rank = made[0].view.shape[-spatial:], outer + 2 * spatial
    reads = {**image("self", whole, spatial, rank), **numbers("count", outs)}
    for k, (size, count) in enumerate(zip(sizes, outs, strict=True)):
        reads[f"begin {k}"] = growing(rank, [(outer + k, count, size)])
        reads[f"end {k}"] = growing(rank, [(outer + k, count, size)], size + count - 1)
        reads[f"inner {k}"] = growing(rank, [(outer + spatial + k, most(size, count), 1)])
    formula = (means if len(made) == 1 else largest)(spatial)
    axes = {"window": tuple(range(outer + spatial, rank))}
    return (Step(reads, tuple(at_end(one, rank) for one in made), formula, axes),)


def steps_back(call: Call) -> tuple[Step, ...]:
    known, spatial = parts(call), spatial_of(call)
    grad, made = known["grad_output"], known["out"]
    sizes, outer = made.view.shape[-spatial:], len(made.view.shape) - spatial
    counts, rank = grad.view.shape[-spatial:], outer + 2 * spatial
    reads = {**image("grad_output", grad, spatial, rank), **numbers("size", sizes)}
    for k, (size, count) in enumerate(zip(sizes, counts, strict=True)):
        reads[f"ahead {k}"] = growing(rank, [(outer + k, size, count)])
        reads[f"place {k}"] = growing(rank, [(outer + k, size, 1)])
        windows = -(-count // max(size, 1)) + 2
        reads[f"inner {k}"] = growing(rank, [(outer + spatial + k, windows, 1)], -1)
    axes = {"window": tuple(range(outer + spatial, rank))}
    return (Step(reads, (at_end(made, rank),), backward(spatial), axes),)


def result(call: Call) -> tuple[int, ...]:
    shape, spatial = call["self"].shape, spatial_of(call)
    return (*shape[: len(shape) - spatial], *call["output_size"])


def fits(call: Call) -> str | None:
    shape, spatial = call["self"].shape, spatial_of(call)
    if len(shape) not in (spatial + 1, spatial + 2):
        return f"self has {len(shape)} dimensions; expected {spatial + 1} or {spatial + 2}"
    if "output_size" not in call.arguments:
        grad = call["grad_output"].shape
        if grad[:-spatial] != shape[:-spatial] or len(grad) != len(shape):
            return (
                f"grad_output has shape {list(grad)}; expected {list(shape)}, as self has, but for "
                "the spatial dimensions"
            )
        return shape_fault(call, out=shape)
    asked = call["output_size"]
    if len(asked) != spatial or min(asked) < 1 or prod(shape[-spatial:]) == 0:
        return f"output_size is {list(asked)}; expected {spatial} numbers, at least 1"
    return shape_fault(call, **dict.fromkeys((a.name for a in call.op.outputs), result(call)))


TEXTS = (
    "self has its spatial dimensions last, behind one or two others; output_size is one number for "
    "each of them, at least 1; results have these sizes there",
    "self 的最后各维为空间维，其前有一或两维；output_size 每个空间维一个数，不小于 1；"
    "结果在空间维上的大小与之相同",
)
X = In("self", "the image", "输入")
SIZES = Attr("output_size", "how many windows along each axis", "输出大小", INT_ARRAY, usual=(2, 2))
SOURCE = "signature: op-plugin; values: PyTorch's adaptive pools"


def of_each(spatial: int) -> tuple[Op, ...]:
    sizes = replace(SIZES, usual=(2,) * spatial)
    shape, ones = (2, *(5,) * spatial), "1, " * (spatial - 1)
    head = (
        f"\n>>> import numpy as np, openaclnn\n>>> x = np.float32([1, 2, 6]).reshape(1, {ones}3)\n"
    )
    asked = f"[{ones}2]"
    image_shapes: Any = lambda _shape, attributes: {"self": shape}  # noqa: E731
    return (
        shaped(
            f"adaptive_avg_pool{spatial}d", (X, sizes, Out("out", "the means", "均值")),
            means(spatial), steps, lambda call: [result(call)], fits, TEXTS,
            f"Adaptive average pooling, {spatial}-dimensional", f"{spatial} 维自适应平均池化",
            source=SOURCE, shapes=image_shapes, backward=f"adaptive_avg_pool{spatial}d_backward",
            example=f"{head}>>> openaclnn.adaptive_avg_pool{spatial}d(x, {asked}).ravel()\n"
            "array([1.5, 4. ], dtype=float32)\n",
        ),
        shaped(
            f"adaptive_avg_pool{spatial}d_backward",
            (In("grad_output", "gradient with respect to the means", "均值的梯度"),
             In("self", "the image", "输入", read=False),
             Out("out", "gradient with respect to the image", "输入的梯度")),
            backward(spatial), steps_back, lambda call: [call["self"].shape], fits, TEXTS,
            f"Gradient of adaptive average pooling, {spatial}-dimensional", "自适应平均池化反向",
            given=("grad_output",), source=SOURCE,
            shapes=lambda _shape, attributes: {
                "self": shape, "grad_output": (2, *(2,) * spatial)},
            example=f"{head}>>> g = np.ones((1, {ones}2), np.float32)\n"
            f">>> openaclnn.adaptive_avg_pool{spatial}d_backward(g, self=x).ravel()\n"
            "array([0.5, 1. , 0.5], dtype=float32)\n",
        ),
        shaped(
            f"adaptive_max_pool{spatial}d",
            (X, sizes, Out("out", "the largest", "最大值"), Out("indices", "where", "位置")),
            largest(spatial), steps,
            lambda call: [result(call), Meta(result(call), LONG)], fits, TEXTS,
            f"Adaptive max pooling, {spatial}-dimensional",
            f"{spatial} 维自适应最大池化", wide=always, source=SOURCE, shapes=image_shapes,
            example=f"{head}>>> openaclnn.adaptive_max_pool{spatial}d(x, {asked})[1].ravel()\n"
            "array([1, 2])\n",
        ),
    )  # fmt: skip


OPS = (*of_each(2), *of_each(3))
