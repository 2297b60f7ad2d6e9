"""The largest of what a window sees, and a mask that tells where it was: a row for each of the
window's elements and a byte for each place that it stands at, which is 1 where that element is the
largest. Behind the places rows are filled with 0. No public source says what an NPU writes there:
the mask is for the gradient below."""

from math import prod
from typing import Any

from openaclnn.base.dtypes import INT8
from openaclnn.base.dtypes import INT64 as LONG
from openaclnn.ops.pool.avg_pool import CEIL, WINDOWS, settings, wrong_windows
from openaclnn.ops.pool.max_pool import DILATION, LARGEST, TEXTS, X, apart, forward, sizes_of, wrong
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, among_integers, equal, floor_div, fold, tensor, where
from openaclnn.spec.op import In, Out, always
from openaclnn.spec.rules import Dtypes
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Part, Step, mapped, parts, scratch
from openaclnn.spec.windows import at_end, growing, image, inputs, numbers

Shape = tuple[int, ...]
SOURCE = "signature and the mask's shape: op-plugin; values: PyTorch's max_pool2d"


def marked(indices: Expr) -> Expr:
    """The byte of a row: whether the row's element is the one whose index was found there."""
    element, place = tensor("element"), tensor("place")
    across, window = tensor("across"), tensor("window 1")
    step, padding, far = (inputs(name, 2) for name in ("step", "padding", "apart"))
    row, column = floor_div(place, across), floor_div(element, window)
    y = row * step[0] - padding[0] + column * far[0]
    x = (place - row * across) * step[1] - padding[1] + (element - column * window) * far[1]
    width = tensor("width")
    hit = equal(indices.at(o=place), y * width + x) & (x >= 0) & (x < width)
    return where(among_integers(hit & indices.has(o=place)), 1, 0)


def returned(grad_output: Expr, mask: Expr) -> Expr:
    """What an element of the image is given by the places whose largest it was."""
    ahead, steps = inputs("ahead", 2), inputs("step", 2)
    at = [floor_div(one, step) for one, step in zip(ahead, steps, strict=True)]
    hit = grad_output.has(s0=at[0], s1=at[1])
    for one, step, from_ in zip(at, steps, ahead, strict=True):
        hit = hit & equal(one * step, from_)
    place = at[0] * grad_output.size("s1") + at[1]
    hit = hit & equal(mask.at(k=tensor("element"), o=place), 1)
    return fold(
        where(among_integers(hit), grad_output.at(s0=at[0], s1=at[1]), 0), "add", over="window"
    )


def rows_of(part: Part, rank: int) -> dict[str, Part | None]:
    """A mask of which a formula looks up bytes, by element and place."""
    own = part.view
    outer, ones = len(own.shape) - 2, rank - len(own.shape) + 2
    view = own.seen(own.shape[:outer] + (1,) * ones, own.strides[:outer] + (0,) * ones, own.offset)
    axes = zip("ko", zip(own.shape[outer:], own.strides[outer:], strict=True), strict=True)
    return mapped("mask", Part(part.tensor, view), **dict(axes))


def steps(call: Call) -> tuple[Step, ...]:
    known, (_, window, step, padding) = parts(call), settings(call)
    whole, far, mask = known["self"], apart(call, 2), known["indices"]
    outer = len(whole.view.shape) - 2
    down, across = known["out"].view.shape[-2:]
    found = scratch(0, LONG, known["out"].view.shape)
    rank = outer + 4
    reads = image("self", whole, 2, rank)
    for k, size in enumerate((down, across)):
        one, inner = (outer + k, size, step[k]), (outer + 2 + k, window[k], far[k])
        reads[f"at {k}"] = growing(rank, (one, inner), -padding[k])
    pooled = Step(
        reads,
        (at_end(known["out"], rank), at_end(found, rank)),
        forward(2, True),
        {"window": (outer + 2, outer + 3)},
    )
    flat = found.view.seen(
        (*found.view.shape[:outer], 1, 1), (*found.view.strides[:outer], 0, 0), 0
    )
    elements, places = mask.view.shape[outer:]
    told = mapped("indices", Part(found.tensor, flat), o=(down * across, 1))
    told["element"] = growing(outer + 2, ((outer, elements, 1),))
    told["place"] = growing(outer + 2, ((outer + 1, places, 1),))
    told |= numbers("step", step) | numbers("padding", padding) | numbers("apart", far)
    told |= numbers("window", window)
    told["across"] = numbers("", (across,))[" 0"]
    told["width"] = numbers("", whole.view.shape[-1:])[" 0"]
    return pooled, Step(told, (mask,), marked)


def steps_back(call: Call) -> tuple[Step, ...]:
    known, (_, window, step, padding) = parts(call), settings(call)
    made, far = known["grad_input"], apart(call, 2)
    outer = len(made.view.shape) - 2
    rank = outer + 4
    reads = image("grad_output", known["grad_output"], 2, rank) | rows_of(known["indices"], rank)
    for k, size in enumerate(made.view.shape[-2:]):
        one, inner = (outer + k, size, 1), (outer + 2 + k, window[k], -far[k])
        reads[f"ahead {k}"] = growing(rank, (one, inner), padding[k])
    rows = (outer + 2, window[0], window[1]), (outer + 3, window[1], 1)
    reads |= {"element": growing(rank, rows), **numbers("step", step)}
    axes = {"window": (outer + 2, outer + 3)}
    return (Step(reads, (at_end(made, rank),), returned, axes),)


def masks(call: Call) -> Shape:
    """The shape of a mask: places in blocks of 16, one block more, each of 32 bytes."""
    outer, places = call["self"].shape[:-2], prod(sizes_of(call, call["self"].shape))
    return (*outer, prod(settings(call)[1]), (-(-places // 16) + 1) * 32)


def pooled_shape(call: Call) -> Shape:
    return (*call["self"].shape[:-2], *sizes_of(call, call["self"].shape))


def fits(call: Call) -> str | None:
    return wrong(call) or shape_fault(call, out=pooled_shape(call), indices=masks(call))


def fits_back(call: Call) -> str | None:
    return wrong(call) or shape_fault(
        call, grad_output=pooled_shape(call), indices=masks(call), grad_input=call["self"].shape
    )


def results(call: Call) -> list[Meta]:
    fault = wrong_windows(call)
    if fault:
        raise ValueError(fault)
    return [Meta(pooled_shape(call), call["self"].dtype), Meta(masks(call), INT8)]


MASK = ("indices", "the mask", "最大值的掩码")
SHAPES: dict[str, Any] = {"self": (2, 4, 4), "grad_output": (2, 2, 2), "indices": (2, 4, 64)}
HEAD = "\n>>> import numpy as np, openaclnn\n>>> x = np.float32(np.arange(4).reshape(1, 1, 2, 2))\n"

OPS = (
    shaped(
        "max_pool2d_with_mask",
        (X, *WINDOWS, DILATION, CEIL, Out("out", *LARGEST), Out(*MASK)),
        forward(2, True), steps, results, fits, TEXTS,
        "Max pooling, 2-dimensional, with a mask of the maxima", "二维最大池化，并给出掩码",
        wide=always,
        source=SOURCE, shapes=lambda shape, attributes: {"self": SHAPES["self"]},
        example=f"{HEAD}>>> largest, mask = openaclnn.max_pool2d_with_mask(x, [2])\n"
        ">>> largest.ravel(), mask.shape, mask[0, 0, :, 0]\n"
        "(array([3.], dtype=float32), (1, 1, 4, 64), array([0, 0, 0, 1], dtype=int8))\n",
    ),
    shaped(
        "max_pool2d_with_mask_backward",
        (In("grad_output", "gradient with respect to the largest", "最大值的梯度"),
         In("self", "the image", "输入", read=False), In(*MASK), *WINDOWS, DILATION, CEIL,
         Out("grad_input", "gradient with respect to the image", "输入的梯度")),
        returned, steps_back, lambda call: [call["self"].shape], fits_back, TEXTS,
        "Gradient of max pooling, 2-dimensional, by a mask", "用掩码的最大池化反向传播",
        given=("grad_output",), rules=(Dtypes(("indices",), (INT8,)),), source=SOURCE,
        promotes=lambda call: call["grad_output"].dtype,
        shapes=lambda shape, attributes: SHAPES,
        example=f"{HEAD}>>> mask = openaclnn.max_pool2d_with_mask(x, [2])[1]\n"
        ">>> g = np.ones((1, 1, 1, 1), np.float32)\n"
        ">>> openaclnn.max_pool2d_with_mask_backward(g, mask, [2], self=x).ravel()\n"
        "array([0., 0., 0., 1.], dtype=float32)\n",
    ),
)  # fmt: skip
