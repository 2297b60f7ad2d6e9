"""Average pooling: along each dimension, output k is the mean of input[k·stride − padding + i]
for 0 ≤ i < kernel_size, zeros outside the image. The sum is exact; it is divided by the number of
elements in the image, with padding where count_include_pad is set, or by divisor_override. And the
gradients."""

from functools import cache
from typing import Any

from openaclnn.spec.call import Call
from openaclnn.spec.formula import (
    Expr,
    among_integers,
    as_number,
    equal,
    floor_div,
    fold,
    maximum,
    minimum,
    tensor,
    where,
)
from openaclnn.spec.host import FLAG, INT8, INT64, INT_ARRAY
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Step, parts
from openaclnn.spec.windows import at_end, growing, image, inputs, names, numbers, several

Shape = tuple[int, ...]


def spatial_of(call: Call) -> int:
    return 3 if "3d" in call.op.name else 2


def divisor(starts: list[Expr], sizes: list[Expr], include: bool, override: int) -> Expr | float:
    """What a window's sum is divided by."""
    if override:
        return float(override)
    found: Expr | float = 1.0
    spatial = len(starts)
    rows = zip(starts, inputs("window", spatial), inputs("padding", spatial), sizes, strict=True)
    for start, window, padding, size in rows:
        if include:
            length = minimum(start + window, size + padding) - start
        else:
            length = minimum(start + window, size) - maximum(start, 0)
        found = as_number(length) * found
    return found


@cache
def forward(spatial: int, include: bool, override: int) -> Any:
    def formula(self: Expr) -> Expr:
        places = dict(zip(names(spatial), inputs("at", spatial), strict=True))
        total = fold(self.at(**places), "add", over="window")
        sizes = [self.size(one) for one in names(spatial)]
        return total / divisor(inputs("start", spatial), sizes, include, override)

    return formula


@cache
def backward(spatial: int, include: bool, override: int) -> Any:
    def formula(grad_output: Expr) -> Expr:
        ahead, steps = inputs("ahead", spatial), inputs("step", spatial)
        at = [floor_div(one, step) for one, step in zip(ahead, steps, strict=True)]
        hit = None
        for place, step, one in zip(at, steps, ahead, strict=True):
            whole = equal(place * step, one)
            hit = whole if hit is None else hit & whole
        assert hit is not None
        sizes = [tensor(f"size {k}") for k in range(spatial)]
        share = grad_output.at(**dict(zip(names(spatial), at, strict=True)))
        share = share / divisor(inputs("start", spatial), sizes, include, override)
        return fold(where(among_integers(hit), share, 0), "add", over="window")

    return formula


def settings(call: Call) -> tuple[int, Shape, Shape, Shape]:
    """How many axes are spatial; the window, its steps, its padding along them."""
    spatial = spatial_of(call)
    if "pads" in call.arguments:
        pads = several(call, "pads", spatial)
        window = several(call, "kernel_shape", spatial)
        return spatial, window, several(call, "strides", spatial, window), pads[:spatial]
    window = several(call, "kernel_size", spatial)
    return (
        spatial,
        window,
        several(call, "stride", spatial, window),
        several(call, "padding", spatial),
    )


def out_sizes(call: Call, shape: Shape) -> Shape:
    spatial, window, step, padding = settings(call)
    rows = zip(shape[-spatial:], window, step, padding, strict=True)
    return tuple(pooled(size, w, s, p, 1, call["ceil_mode"]) for size, w, s, p in rows)


def pooled(size: int, window: int, step: int, padding: int, apart: int, ceil: bool) -> int:
    """At how many places a window stands; the last one begins in the image or its left padding."""
    room = size + 2 * padding - apart * (window - 1) - 1
    count = (room + (step - 1) * ceil) // step + 1
    return count - 1 if ceil and (count - 1) * step >= size + padding else count


def steps(call: Call) -> tuple[Step, ...]:
    known, (spatial, window, step, padding) = parts(call), settings(call)
    whole = known["self"]
    sizes, outer = whole.view.shape[-spatial:], len(whole.view.shape) - spatial
    rank, outs = outer + 2 * spatial, known["out"].view.shape[-spatial:]
    reads = image("self", whole, spatial, rank)
    for k in range(spatial):
        one, inner = (outer + k, outs[k], step[k]), (outer + spatial + k, window[k], 1)
        reads[f"at {k}"] = growing(rank, (one, inner), -padding[k])
        reads[f"start {k}"] = growing(rank, (one,), -padding[k])
    reads |= numbers("window", window) | numbers("padding", padding) | numbers("size", sizes)
    formula = forward(spatial, call["count_include_pad"], call["divisor_override"])
    axes = {"window": tuple(range(outer + spatial, rank))}
    return (Step(reads, (at_end(known["out"], rank),), formula, axes),)


def steps_back(call: Call) -> tuple[Step, ...]:
    known, (spatial, window, step, padding) = parts(call), settings(call)
    grad, made = known["grad_output"], known["grad_input"]
    sizes, outer = made.view.shape[-spatial:], len(made.view.shape) - spatial
    rank = outer + 2 * spatial
    reads = image("grad_output", grad, spatial, rank)
    for k in range(spatial):
        one, inner = (outer + k, sizes[k], 1), (outer + spatial + k, window[k], -1)
        reads[f"ahead {k}"] = growing(rank, (one, inner), padding[k])
        reads[f"start {k}"] = growing(rank, (one, inner))
    reads |= numbers("window", window) | numbers("padding", padding)
    reads |= numbers("size", sizes) | numbers("step", step)
    formula = backward(spatial, call["count_include_pad"], call["divisor_override"])
    axes = {"window": tuple(range(outer + spatial, rank))}
    return (Step(reads, (at_end(made, rank),), formula, axes),)


LEAST = {"kernel_size": 1, "stride": 1, "padding": 0, "dilation": 1, "kernel_shape": 1,
         "strides": 1, "pads": 0, "dilations": 1}  # fmt: skip


def wrong_windows(call: Call, name: str = "self") -> str | None:
    """What is wrong with what tells the windows."""
    spatial, shape = spatial_of(call), call[name].shape
    if len(shape) not in (spatial + 1, spatial + 2):
        return f"{name} has {len(shape)} dimensions; expected {spatial + 1} or {spatial + 2}"
    for one, least in LEAST.items():
        given = tuple(call.arguments.get(one, (1,)) or ())
        if one in ("stride", "strides") and not given:
            continue
        if one == "pads" and len(given) == 2 * spatial:  # of both sides of every axis
            if given[:spatial] != given[spatial:]:
                return f"pads is {list(given)}; expected as many behind the image as before it"
            given = given[:spatial]
        if len(given) not in (1, spatial) or min(given) < least:
            return f"{one} is {list(given)}; expected 1 or {spatial} numbers, at least {least}"
    spatial, window, _, padding = settings(call)
    if any(2 * pad > size for pad, size in zip(padding, window, strict=True)):
        return f"padding is {list(padding)}; expected at most half of kernel_size, {list(window)}"
    if "count_include_pad" not in call.arguments:
        return None
    if min(out_sizes(call, shape)) < 1:
        return f"the window stands at {list(out_sizes(call, shape))} places; expected at least 1"
    return None


def result(call: Call) -> Shape:
    shape = call["self"].shape
    return (*shape[: len(shape) - spatial_of(call)], *out_sizes(call, shape))


def fits(call: Call) -> str | None:
    return wrong_windows(call) or shape_fault(call, out=result(call))


def fits_back(call: Call) -> str | None:
    return wrong_windows(call) or shape_fault(
        call, grad_output=result(call), grad_input=call["self"].shape
    )


TEXTS = (
    "self has its spatial dimensions last, behind one or two others; kernel_size, stride and "
    "padding are one number or one for each, padding at most half of the window; results have the "
    "shape that follows",
    "self 的最后各维为空间维，其前有一或两维；kernel_size、stride 与 padding 为一个数或各维一个，"
    "padding 不超过窗口的一半；结果的 shape 由此决定",
)
WINDOWS = (
    Attr("kernel_size", "the window", "窗口大小", INT_ARRAY, usual=(2,)),
    Attr("stride", "from one place to the next; empty: the window's size", "步长，为空则等于窗口",
         INT_ARRAY, (), by_place=True),
    Attr("padding", "zeros around the image", "补零个数", INT_ARRAY, (0,), by_place=True),
)  # fmt: skip
CEIL = Attr(
    "ceil_mode",
    "whether a last window may reach beyond",
    "是否向上取整",
    FLAG,
    False,
    by_place=True,
)
MORE = (
    *WINDOWS, CEIL,
    Attr("count_include_pad", "whether padding counts", "补零是否计入", FLAG, True, by_place=True),
    Attr("divisor_override", "what sums are divided by, if not 0", "除数，0 表示不指定", INT64, 0,
         by_place=True),
)  # fmt: skip
CUBE = Attr("cube_math_type", "no effect: results are exact", "不起作用", INT8, 0)
SOURCE = "signature: op-plugin, llama.cpp; values: PyTorch's avg_pool2d and avg_pool3d"


def pools(spatial: int, header: str, more: tuple[Attr, ...]) -> tuple[Op, Op]:
    ones = "1, " * spatial
    x = f"np.arange(4.).reshape({ones}{'2, 2' if spatial == 2 else '4'})"
    last = "[2]" if spatial == 2 else "[1, 1, 2]"
    shape = (2, *(4,) * spatial)
    sums = "1.5" if spatial == 2 else "0.5, 2.5"
    back = "0.25, 0.25, 0.25, 0.25" if spatial == 2 else "0.5, 0.5, 0.5, 0.5"
    head = f"\n>>> import numpy as np, openaclnn\n>>> x = np.float32({x})\n"
    return (
        shaped(
            f"avg_pool{spatial}d",
            (In("self", "the image", "输入"), *MORE, *more, Out("out", "the means", "均值")),
            forward(spatial, True, 0), steps, lambda call: [result(call)], fits, TEXTS,
            f"Average pooling, {spatial}-dimensional", f"{spatial} 维平均池化",
            source=SOURCE, header=header and f"{header}.h",
            shapes=lambda _shape, attributes: {"self": shape},
            example=f"{head}>>> openaclnn.avg_pool{spatial}d(x, {last}).ravel()\n"
            f"array([{sums}], dtype=float32)\n",
        ),
        shaped(
            f"avg_pool{spatial}d_backward",
            (In("grad_output", "gradient with respect to the means", "均值的梯度"),
             In("self", "the image", "输入", read=False), *MORE, *more,
             Out("grad_input", "gradient with respect to the image", "输入的梯度")),
            backward(spatial, True, 0), steps_back, lambda call: [call["self"].shape], fits_back,
            TEXTS, f"Gradient of average pooling, {spatial}-dimensional",
            f"{spatial} 维平均池化的反向传播", given=("grad_output",),
            source=SOURCE, header=header and f"{header}_backward.h",
            shapes=lambda _shape, attributes: {
                "self": shape, "grad_output": (2, *(2,) * spatial)},
            example=f"{head}>>> g = np.ones_like(openaclnn.avg_pool{spatial}d(x, {last}))\n"
            f">>> openaclnn.avg_pool{spatial}d_backward(g, {last}, self=x).ravel()\n"
            f"array([{back}], dtype=float32)\n",
        ),
    )  # fmt: skip


OPS = (*pools(2, "aclnn_avgpool2d", (CUBE,)), *pools(3, "", ()))
