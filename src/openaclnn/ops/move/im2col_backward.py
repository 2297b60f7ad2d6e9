"""What columns that a window saw make together in an image: each element is the exact sum of all
that saw it (fold, col2im)."""

import math
from collections.abc import Mapping
from typing import Any

from openaclnn.ops.move.im2col import NAMES, TEXTS
from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, among_integers, equal, floor_div, fold, where
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Part, Step, parts
from openaclnn.spec.windows import at_end, growing, image, inputs, names, numbers


def places(call: Call | Mapping[str, Any]) -> list[int]:
    """At how many places the window stands, down and across."""
    rows = zip(call["output_size"], *(call[name] for name in NAMES), strict=True)
    return [
        (size + 2 * pad - far * (window - 1) - 1) // step + 1
        for size, window, far, pad, step in rows
    ]


def formula(self: Expr) -> Expr:
    ahead, step = inputs("ahead", 2), inputs("step", 2)
    at = [floor_div(one, each) for one, each in zip(ahead, step, strict=True)]
    hit = equal(at[0] * step[0], ahead[0]) & equal(at[1] * step[1], ahead[1])
    seen = self.at(**dict(zip(names(2), at, strict=True)))
    return fold(where(among_integers(hit), seen, 0), "add", over="window")


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    whole, out = known["self"], known["out"]
    window, far, padding, step = (call[name] for name in NAMES)
    *outer, _, _ = whole.view.shape
    *around, column, place = whole.view.strides
    down, across = places(call)
    channels, height, width = out.view.shape[-3:]
    kernel = math.prod(window)
    apart = whole.view.seen(
        (*outer, channels, 1, 1, *window, down, across),
        (*around, column * kernel, 0, 0, column * window[1], column, place * across, place),
        whole.view.offset,
    )
    rank = len(outer) + 5
    reads = image("self", Part(whole.tensor, apart), 2, rank)
    for k, size in enumerate((height, width)):
        first = len(outer) + 1 + k
        one, inner = (first, size, 1), (first + 2, window[k], -far[k])
        reads[f"ahead {k}"] = growing(rank, (one, inner), padding[k])
    reads |= numbers("step", step)
    return (Step(reads, (at_end(out, rank),), formula, {"window": (rank - 2, rank - 1)}),)


def fits(call: Call) -> str | None:
    shape = call["self"].shape
    if len(shape) not in (2, 3):
        return f"self has {len(shape)} dimensions; expected 2 or 3"
    for name in ("output_size", *NAMES):
        given, least = call[name] or (), 0 if name == "padding" else 1
        if len(given) != 2 or min(given) < least:
            return f"{name} is {list(given)}; expected two numbers, at least {least}"
    if min(places(call)) < 1:
        return f"the window stands at {places(call)} places; expected at least 1 each way"
    kernel, count = math.prod(call["kernel_size"]), math.prod(places(call))
    if shape[-2] % kernel or shape[-1] != count:
        return f"self has shape {list(shape)}; expected a multiple of {kernel}, and {count}, last"
    return shape_fault(call, out=shape_of(call))


def shape_of(call: Call) -> tuple[int, ...]:
    *outer, columns, _ = call["self"].shape
    return (*outer, columns // math.prod(call["kernel_size"]), *call["output_size"])


OP = shaped(
    "im2col_backward",
    (
        In("self", "the columns", "滑动窗口的各列"),
        Attr(
            "output_size", "the image's height and width", "图像的高和宽", INT_ARRAY, usual=(3, 3)
        ),
        *(Attr(name, *TEXTS[name], INT_ARRAY, usual=(1, 1)) for name in NAMES),
        Out("out", "the image", "图像"),
    ),
    formula,
    steps,
    lambda call: [shape_of(call)],
    fits,
    (
        "self has two dimensions or three: the window's elements by channels, then its places; "
        "the others are two numbers each, at least 1, padding at least 0",
        "self 为 2 或 3 维：各通道的窗口元素，然后是窗口的位置；"
        "其余各为两个数，不小于 1，padding 不小于 0",
    ),
    en="Gradient of im2col: windows summed up in an image",
    zh="滑动窗口的累加还原",
    dtypes=FLOATS,
    shapes=lambda shape, attributes: {
        "self": (2 * math.prod(attributes["kernel_size"]), math.prod(places(attributes)))
    },
    source="signature: op-plugin; values: PyTorch's col2im",
    example="""
>>> import numpy as np, openaclnn
>>> columns = np.ones((4, 2), np.float32)
>>> openaclnn.im2col_backward(columns, [2, 3], [2, 2], [1, 1], [0, 0], [1, 1])
array([[[1., 2., 1.],
        [1., 2., 1.]]], dtype=float32)
""",
)
