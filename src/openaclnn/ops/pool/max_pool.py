"""Max pooling: along each dimension, output k is the maximum of
input[k·stride − padding + i·dilation] for 0 ≤ i < kernel_size, and `indices` says which element of
the image it is: the first of equal ones, the last NaN. The gradient goes to that element."""

from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Any

from openaclnn.base.dtypes import INT32
from openaclnn.base.dtypes import INT64 as LONG
from openaclnn.ops.pool.avg_pool import CEIL, WINDOWS, pooled, settings, spatial_of, wrong_windows
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
from openaclnn.spec.host import INT64, INT_ARRAY
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Step, parts
from openaclnn.spec.windows import at_end, growing, image, inputs, names, numbers, several

_FAR = -(2.0**60)  # below all places


@cache
def forward(spatial: int, indices: bool) -> Any:
    def formula(self: Expr) -> Any:
        places = dict(zip(names(spatial), inputs("at", spatial), strict=True))
        inside = self.has(**places)
        x = where(inside, self.at(**places), -inf)
        largest = fold(x, "max", over="window")
        if not indices:
            return largest
        place: Expr = constant(0)
        for axis, at in places.items():
            place = place * self.size(axis) + at
        number, none = as_number(place), not_equal(largest, largest)
        hit = where(none, not_equal(x, x), equal(x, largest)) & inside
        key = fold(where(hit, where(none, number, -number), _FAR), "max", over="window")
        return largest, where(none, key, -key)

    return formula


@cache
def backward(spatial: int) -> Any:
    def formula(grad_output: Expr, indices: Expr, place: Expr) -> Expr:
        ahead, steps = inputs("ahead", spatial), inputs("step", spatial)
        at = [floor_div(one, step) for one, step in zip(ahead, steps, strict=True)]
        where_to = dict(zip(names(spatial), at, strict=True))
        own = place
        hit = equal(indices.at(**where_to), own) & grad_output.has(**where_to)
        for one, step, from_ in zip(at, steps, ahead, strict=True):
            hit = hit & equal(one * step, from_)
        return fold(where(among_integers(hit), grad_output.at(**where_to), 0), "add", over="window")

    return formula


def apart(call: Call, spatial: int) -> tuple[int, ...]:
    name = "dilations" if "dilations" in call.arguments else "dilation"
    return several(call, name, spatial, (1,) * spatial)


def sizes_of(call: Call, shape: tuple[int, ...]) -> tuple[int, ...]:
    spatial, window, step, padding = settings(call)
    rows = zip(shape[-spatial:], window, step, padding, apart(call, spatial), strict=True)
    return tuple(pooled(n, w, s, p, d, bool(call["ceil_mode"])) for n, w, s, p, d in rows)


def steps(call: Call) -> tuple[Step, ...]:
    known, (spatial, window, step, padding) = parts(call), settings(call)
    whole, far = known["self"], apart(call, spatial)
    outer = len(whole.view.shape) - spatial
    rank, made = outer + 2 * spatial, [known[a.name] for a in call.op.outputs]
    outs = made[0].view.shape[-spatial:]
    reads = image("self", whole, spatial, rank)
    for k in range(spatial):
        one, inner = (outer + k, outs[k], step[k]), (outer + spatial + k, window[k], far[k])
        reads[f"at {k}"] = growing(rank, (one, inner), -padding[k])
    axes = {"window": tuple(range(outer + spatial, rank))}
    writes = tuple(at_end(one, rank) for one in made)
    return (Step(reads, writes, forward(spatial, len(made) > 1), axes),)


def steps_back(call: Call) -> tuple[Step, ...]:
    known, (spatial, window, step, padding) = parts(call), settings(call)
    grad, made, far = known["grad_output"], known["grad_input"], apart(call, spatial)
    sizes, outer = made.view.shape[-spatial:], len(made.view.shape) - spatial
    rank, stride, dims = outer + 2 * spatial, 1, []
    reads = image("grad_output", grad, spatial, rank)
    reads |= image("indices", known["indices"], spatial, rank)
    for k in range(spatial):
        one, inner = (outer + k, sizes[k], 1), (outer + spatial + k, window[k], -far[k])
        reads[f"ahead {k}"] = growing(rank, (one, inner), padding[k])
    for k in reversed(range(spatial)):
        dims.append((outer + k, sizes[k], stride))
        stride *= sizes[k]
    reads |= {"place": growing(rank, dims), **numbers("step", step)}
    axes = {"window": tuple(range(outer + spatial, rank))}
    return (Step(reads, (at_end(made, rank),), backward(spatial), axes),)


def wrong(call: Call) -> str | None:
    fault = wrong_windows(call)
    if fault is None and min(sizes_of(call, call["self"].shape)) < 1:
        return "the window stands at no place; expected at least 1"
    return fault


def result(call: Call) -> tuple[int, ...]:
    shape, spatial = call["self"].shape, spatial_of(call)
    return (*shape[: len(shape) - spatial], *sizes_of(call, shape))


def fits(call: Call) -> str | None:
    fault = wrong(call)
    if fault:
        return fault
    shape = result(call)
    return shape_fault(call, **dict.fromkeys((a.name for a in call.op.outputs), shape))


def fits_back(call: Call) -> str | None:
    fault = wrong(call)
    if fault:
        return fault
    shape = result(call)
    return shape_fault(call, grad_output=shape, indices=shape, grad_input=call["self"].shape)


def results(call: Call) -> list[Meta]:
    shape = result(call)
    found = [Meta(shape, call["self"].dtype), Meta(shape, LONG)]
    return found[: len(call.op.outputs)]


TEXTS = (
    "self has its spatial dimensions last, behind one or two others; the windows' numbers are one "
    "or one for each, padding at most half of the window; results have the shape that follows",
    "self 的最后各维为空间维，其前有一或两维；窗口参数为一个数或各维一个，"
    "padding 不超过窗口的一半；结果的 shape 由此决定",
)
APART = "how far a window's elements are apart", "窗口元素的间隔"
DILATION = Attr("dilation", APART[0], APART[1], INT_ARRAY, (1,), by_place=True)
X, SOURCE = In("self", "the image", "输入"), "signature: op-plugin; values: PyTorch's max_pool"
LARGEST, WHERE = ("the largest", "最大值"), ("indices", "where they are", "最大值的位置")
HEAD = "\n>>> import numpy as np, openaclnn\n>>> x = np.float32(np.arange(4).reshape(1, 1, 2, 2))\n"


def spelling(axes: int, name: str) -> Any:
    def called(
        of: Any, input: Any, kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1, ceil_mode: bool = False, return_indices: bool = False,
    ) -> Any:  # fmt: skip
        """The largest of each window, as PyTorch's function has it, and where it is if asked."""
        moves = (() if stride is None else stride, padding, dilation, ceil_mode)
        found = of(name)(input, kernel_size, *moves)
        return found if return_indices else found[0]

    called.__name__ = called.__qualname__ = f"max_pool{axes}d"
    return called


def pool(name: str, spatial: int, out: str, example: str) -> Op:
    return shaped(
        name, (X, *WINDOWS, DILATION, CEIL, Out(out, *LARGEST), Out(*WHERE)),
        forward(spatial, True), steps, results, fits, TEXTS,
        f"Max pooling, {spatial}-dimensional", f"{spatial} 维最大池化",
        wide=always, source=SOURCE, example=example, spellings=(spelling(spatial, name),),
        shapes=lambda shape, attributes: {"self": (2, *(4,) * spatial)},
    )  # fmt: skip


def pool_backward(name: str, spatial: int) -> Op:
    shape = (2, *(2,) * spatial)
    return shaped(
        name,
        (In("grad_output", "gradient with respect to the largest", "最大值的梯度"),
         In("self", "the image", "输入", read=False), In(*WHERE), *WINDOWS, DILATION, CEIL,
         Out("grad_input", "gradient with respect to the image", "输入的梯度")),
        backward(spatial), steps_back, lambda call: [call["self"].shape], fits_back, TEXTS,
        f"Gradient of max pooling, {spatial}-dimensional", f"{spatial} 维最大池化的反向传播",
        given=("grad_output",), rules=(Dtypes(("indices",), (INT32, LONG)),), source=SOURCE,
        promotes=lambda call: call["grad_output"].dtype,
        shapes=lambda _shape, attributes: {
            "self": (2, *(4,) * spatial), "grad_output": shape, "indices": shape},
        example=f"{HEAD}>>> x, ones = x.reshape(*(1,) * {spatial}, 2, 2), (1,) * {spatial + 2}\n"
        ">>> g, indices = np.ones(ones, np.float32), np.full(ones, 3)\n"
        f">>> openaclnn.{name}(g, indices, {[1] * (spatial - 2) + [2, 2]}, self=x).ravel()\n"
        "array([0., 0., 0., 1.], dtype=float32)\n",
    )  # fmt: skip


OPS = (
    pool("max_pool2d_with_indices", 2, "output",
         f"{HEAD}>>> openaclnn.max_pool2d_with_indices(x, [2])[1]\narray([[[[3]]]])\n"),
    pool("max_pool3d_with_argmax", 3, "output",
         f"{HEAD}>>> openaclnn.max_pool3d_with_argmax(x, [1, 2, 2])[1]\narray([[[[3]]]])\n"),
    pool_backward("max_pool2d_with_indices_backward", 2),
    pool_backward("max_pool3d_with_argmax_backward", 3),
    shaped(
        "max_pool",
        (X, Attr("kernel_shape", "the window", "窗口大小", INT_ARRAY, usual=(2, 2)),
         Attr("strides", "from one place to the next", "步长", INT_ARRAY, usual=(1, 1)),
         Attr("auto_pad", "0: pads say it", "0 表示由 pads 指定", INT64, 0, {"pads": 0}),
         Attr("pads", "around the image: one number, one for each axis, or for each side", "填充",
              INT_ARRAY, (0,)),
         Attr("dilations", APART[0], APART[1], INT_ARRAY, (1,)),
         Attr("ceil_mode", "whether a last window may reach beyond", "是否向上取整", INT64, 0),
         Out("out", *LARGEST)),
        forward(2, False), steps, results, fits, TEXTS,
        "Max pooling", "最大池化", wide=always,
        source="signature: llama.cpp, InfiniTensor; values: PyTorch's max_pool2d",
        shapes=lambda shape, attributes: {"self": (2, 4, 4)},
        example=f"{HEAD}>>> openaclnn.max_pool(x, [2, 2], [1, 1])\n"
        "array([[[[3.]]]], dtype=float32)\n",
    ),
)  # fmt: skip
